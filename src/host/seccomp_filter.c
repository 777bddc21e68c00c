/* seccomp_filter.c: the system calls that a process may make. A process that judges may make those that it needs; any
 * other kills it. The process that writes may make those that it needs; any other fails, so that what it has begun is
 * undone. The process that fetches may make all but those that are listed: libcurl and what it loads make too
 * many to name. */
#include "posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "file_ranges.h"
#include "host.h"
#include "sandbox_layers.h"

#if defined(ASSAY_SECCOMP)

#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>

static scmp_filter_ctx filter;
static int failed; /* errno: why there is no filter */

/* Calls that are harmless whatever their arguments: on descriptors that the process has, or on its own memory. No call
 * that a worker may make takes a path or makes a descriptor, but for recvmsg, which takes what the parent sends, and
 * for those by which an open file is inspected: see allow_inspection. */
static const int harmless[] = {SCMP_SYS(pread64), SCMP_SYS(close),      SCMP_SYS(brk),          SCMP_SYS(exit),
                               SCMP_SYS(exit_group), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn),
                               SCMP_SYS(fstat), SCMP_SYS(fstat64)}; /* musl's fstatat, if the kernel lacks statx */
static const int inspects[] = {SCMP_SYS(statx)};
static const int inspects_old[] = {SCMP_SYS(newfstatat), SCMP_SYS(fstatat64)}; /* kernels before 4.11 */
static const int advises[] = {SCMP_SYS(madvise)};
static const int maps[] = {SCMP_SYS(mmap), SCMP_SYS(mmap2)};
static const int unmaps[] = {SCMP_SYS(munmap)}, moves[] = {SCMP_SYS(mremap)};
static const int receives[] = {SCMP_SYS(recvmsg), SCMP_SYS(recvfrom), SCMP_SYS(recv)};
static const int reads[] = {SCMP_SYS(read)};
static const int writes[] = {SCMP_SYS(write), SCMP_SYS(writev)};

#define COUNT(list) (sizeof(list) / sizeof *(list))

#if defined(__s390__) /* which of the arguments of clone the flags are */
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

/* Add a rule for each call of a list with these arguments. Return 0 or a negative errno. A call that this machine does
 * not have has a negative number, which libseccomp knows. */
static int rule(uint32_t action, const int *list, size_t count, unsigned conditions,
                const struct scmp_arg_cmp *condition)
{
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++)
        error = seccomp_rule_add_array(filter, action, list[i], conditions, condition);
    return error;
}

/* Allow calls with these arguments. */
static int allow(const int *list, size_t count, unsigned conditions, const struct scmp_arg_cmp *condition)
{
    return rule(SCMP_ACT_ALLOW, list, count, conditions, condition);
}

/* Allow calls on one descriptor. */
static int allow_descriptor(const int *list, size_t count, unsigned fd)
{
    struct scmp_arg_cmp is = {0, SCMP_CMP_MASKED_EQ, UINT32_MAX, fd};
    return allow(list, count, 1, &is);
}

#define ADVICE_POISON 100 /* MADV_HWPOISON: with this or a larger number, root takes memory from the whole machine */

/* Allow memory that cannot be executed, holds no file and takes the place of no other memory; to free and to move what
 * lies above host_empty_path; advice about memory of the process, but not about the machine's. */
static int allow_memory(void)
{
    struct scmp_arg_cmp advice = {2, SCMP_CMP_LT, ADVICE_POISON, 0};
    struct scmp_arg_cmp above = {0, SCMP_CMP_GT, (uintptr_t)host_empty_path, 0};
    struct scmp_arg_cmp plain[] = {{2, SCMP_CMP_MASKED_EQ, ~(uint64_t)(PROT_READ | PROT_WRITE) & UINT32_MAX, 0},
                                   {4, SCMP_CMP_MASKED_EQ, UINT32_MAX, UINT32_MAX},
                                   {3, SCMP_CMP_MASKED_EQ, MAP_FIXED, 0}};
    struct scmp_arg_cmp moved[] = {above, {3, SCMP_CMP_MASKED_EQ, ~(uint64_t)MREMAP_MAYMOVE & UINT32_MAX, 0}};
    int error = allow(maps, COUNT(maps), 3, plain);
    if (error == 0)
        error = allow(unmaps, COUNT(unmaps), 1, &above);
    if (error == 0)
        error = allow(moves, COUNT(moves), 2, moved);
    return error == 0 ? allow(advises, COUNT(advises), 1, &advice) : error;
}

/* ---- The empty path -------------------------------------------------------------------------------------- */

#define LOW_MOST 0x1000000u /* 16 MiB: programs and their memory lie above */

/* Put host_empty_path below all other memory, in a page that cannot be written. A filter sees the address of a path,
 * and not its bytes. allow_memory allows a process to free and move what lies above alone, and to map where nothing
 * is: so these bytes stay what they are, even if the process is taken over. Return errno, or 0. */
static int place_empty_path(void)
{
    static const uintptr_t hints[] = {0x10000, 0x100000, 0x200000};
    for (size_t i = 0; i < COUNT(hints) && (uintptr_t)host_empty_path >= LOW_MOST; i++) {
        size_t size = (size_t)sysconf(_SC_PAGESIZE);
        void *page = mmap((void *)hints[i], size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED)
            return errno;
        if ((uintptr_t)page < LOW_MOST)
            host_empty_path = page;
        else
            munmap(page, size);
    }
    return (uintptr_t)host_empty_path < LOW_MOST ? 0 : ENOMEM;
}

/* Allow the calls that inspect an open file: by the empty path alone, and not relative to the working directory. */
static int allow_inspection(void)
{
    struct scmp_arg_cmp open_file = {0, SCMP_CMP_MASKED_EQ, 0x80000000u, 0}; /* AT_FDCWD is negative */
    struct scmp_arg_cmp empty = {1, SCMP_CMP_EQ, (uintptr_t)host_empty_path, 0};
    struct scmp_arg_cmp by_statx[] = {open_file, empty, {2, SCMP_CMP_MASKED_EQ, UINT32_MAX, AT_EMPTY_PATH}};
    struct scmp_arg_cmp by_stat[] = {open_file, empty, {3, SCMP_CMP_MASKED_EQ, UINT32_MAX, AT_EMPTY_PATH}};
    int error = allow(inspects, COUNT(inspects), 3, by_statx);
    return error == 0 ? allow(inspects_old, COUNT(inspects_old), 3, by_stat) : error;
}

/* ---- Fetching -------------------------------------------------------------------------------------------- */

/* Calls for other programs, processes and their memory; the kernel, its keys, clocks and newer interfaces; file
 * systems; names, owners and permissions of files; waiting for connections. */
static const int forbidden[] = {
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace), SCMP_SYS(kill),
    SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo), SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(kcmp), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(chroot), SCMP_SYS(modify_ldt), SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot), SCMP_SYS(syslog), SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime), SCMP_SYS(clock_settime64), SCMP_SYS(clock_adjtime), SCMP_SYS(clock_adjtime64),
    SCMP_SYS(adjtimex), SCMP_SYS(stime), SCMP_SYS(vhangup), SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2),
    SCMP_SYS(pivot_root), SCMP_SYS(move_mount), SCMP_SYS(open_tree), SCMP_SYS(fsopen), SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(name_to_handle_at), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(fanotify_init), SCMP_SYS(creat), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename),
    SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(link), SCMP_SYS(linkat), SCMP_SYS(symlink), SCMP_SYS(symlinkat),
    SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(mknod), SCMP_SYS(mknodat), SCMP_SYS(truncate),
    SCMP_SYS(truncate64), SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat), SCMP_SYS(chown), SCMP_SYS(chown32),
    SCMP_SYS(lchown), SCMP_SYS(lchown32), SCMP_SYS(fchown), SCMP_SYS(fchown32), SCMP_SYS(fchownat),
    SCMP_SYS(setxattr), SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), SCMP_SYS(removexattr), SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr), SCMP_SYS(utime), SCMP_SYS(utimes), SCMP_SYS(futimesat), SCMP_SYS(utimensat),
    SCMP_SYS(utimensat_time64), SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4)};
/* Calls whose arguments are in memory, where no filter sees them. Libraries use the older call if these fail with
 * ENOSYS. */
static const int unseen[] = {SCMP_SYS(clone3), SCMP_SYS(openat2)};
/* Calls that libseccomp does not know yet, by their numbers, which are the same on almost all machines: those that
 * change mounts, quotas and other processes, and all later ones. */
static const int numbers[] = {440 /* process_madvise */, 442 /* mount_setattr */, 443 /* quotactl_fd */,
                              448 /* process_mrelease */};
#define NEWER_FIRST 450
#define NEWER_LAST 511
static const int clones[] = {SCMP_SYS(clone)}, opens[] = {SCMP_SYS(open)}, opens_at[] = {SCMP_SYS(openat)};
static const int signals[] = {SCMP_SYS(tgkill)}, ioctls[] = {SCMP_SYS(ioctl)}, sockets[] = {SCMP_SYS(socket)};

#define FORBIDDEN SCMP_ACT_ERRNO(EPERM)

static int forbid_unknown(void)
{
    int error = rule(SCMP_ACT_ERRNO(ENOSYS), numbers, COUNT(numbers), 0, NULL);
    for (int number = NEWER_FIRST; number <= NEWER_LAST && error == 0; number++)
        error = rule(SCMP_ACT_ERRNO(ENOSYS), &number, 1, 0, NULL);
    return error;
}

/* Forbid a call if these bits of an argument have this value. */
static int forbid(const int *one, unsigned argument, uint64_t bits, uint64_t value)
{
    return rule(FORBIDDEN, one, 1, 1, &(struct scmp_arg_cmp){argument, SCMP_CMP_MASKED_EQ, bits, value});
}

/* Forbid to open a file for writing. What is open already is memory. */
static int forbid_writing(void)
{
    static const uint64_t bits[] = {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC};
    int error = 0;
    for (size_t i = 0; i < COUNT(bits) && error == 0; i++) {
        error = forbid(opens, 1, bits[i], bits[i]);
        error = error == 0 ? forbid(opens_at, 2, bits[i], bits[i]) : error;
    }
    return error;
}

/* Forbid all sockets but those of the internet, of resolvers and name services, and of the kernel's addresses. */
static int forbid_sockets(void)
{
    struct scmp_arg_cmp later = {0, SCMP_CMP_GT, AF_NETLINK, 0};
    int error = rule(FORBIDDEN, sockets, 1, 1, &later);
    for (unsigned family = 0; family < AF_NETLINK && error == 0; family++)
        if (family != AF_UNIX && family != AF_INET && family != AF_INET6)
            error = forbid(sockets, 0, UINT32_MAX, family);
    return error;
}

/* Add the rules of the process that fetches. It starts threads but no processes, signals only itself, and types nothing
 * at the terminal of standard error. */
static int rules_server(void)
{
    struct scmp_arg_cmp others = {0, SCMP_CMP_NE, (uint64_t)getpid(), 0};
    int error = rule(FORBIDDEN, forbidden, COUNT(forbidden), 0, NULL);
    if (error == 0)
        error = rule(SCMP_ACT_ERRNO(ENOSYS), unseen, COUNT(unseen), 0, NULL);
    if (error == 0)
        error = forbid_unknown();
    if (error == 0)
        error = forbid(clones, CLONE_FLAGS, CLONE_THREAD, 0);
    if (error == 0)
        error = rule(FORBIDDEN, signals, 1, 1, &others);
    if (error == 0)
        error = forbid(ioctls, 1, UINT32_MAX, TIOCSTI);
    if (error == 0)
        error = forbid_writing();
    return error == 0 ? forbid_sockets() : error;
}

/* ---- Writing --------------------------------------------------------------------------------------------- */

/* What a process needs that reads files and writes one: some names are those of other machines and C libraries. Which
 * files it may change is Landlock's. */
static const int for_writing[] = {
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(lseek),
    SCMP_SYS(_llseek), SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(stat), SCMP_SYS(stat64),
    SCMP_SYS(lstat), SCMP_SYS(lstat64), SCMP_SYS(statx), SCMP_SYS(newfstatat), SCMP_SYS(fstatat64), SCMP_SYS(statfs),
    SCMP_SYS(statfs64), SCMP_SYS(fstatfs), SCMP_SYS(fstatfs64), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(getcwd), SCMP_SYS(copy_file_range),
    SCMP_SYS(ftruncate), SCMP_SYS(ftruncate64), SCMP_SYS(fsync), SCMP_SYS(fdatasync),
    SCMP_SYS(fchown), SCMP_SYS(fchown32), SCMP_SYS(fchmod), SCMP_SYS(fgetxattr), SCMP_SYS(fsetxattr),
    SCMP_SYS(fremovexattr), SCMP_SYS(rename),
    SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(fcntl), SCMP_SYS(fcntl64),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(sigaction), SCMP_SYS(sigprocmask), SCMP_SYS(signal),
    SCMP_SYS(restart_syscall), SCMP_SYS(clock_gettime), SCMP_SYS(clock_gettime64), SCMP_SYS(gettimeofday),
    SCMP_SYS(time), SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_nanosleep_time64),
    SCMP_SYS(getrandom), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(futex), SCMP_SYS(futex_time64)};
static const int ranges[] = {SCMP_SYS(fallocate)};
static const int to_self[] = {SCMP_SYS(tgkill)}; /* raise, which tkill does where there is no tgkill */

/* Allow a call if the low 32 bits of an argument are this number. */
static int allow_number(const int *one, unsigned argument, uint64_t number)
{
    return allow(one, 1, 1, &(struct scmp_arg_cmp){argument, SCMP_CMP_MASKED_EQ, UINT32_MAX, number & UINT32_MAX});
}

/* Add the rules of the process that writes: of ioctl, to share blocks and to ask whether a descriptor is a terminal; of
 * fallocate, to insert and to remove blocks. */
static int rules_writer(void)
{
    int error = allow(for_writing, COUNT(for_writing), 0, NULL);
    if (error == 0)
        error = allow_memory();
    if (error == 0)
        error = allow_number(ioctls, 1, HOST_CLONE);
    if (error == 0)
        error = allow_number(ioctls, 1, TCGETS);
    if (error == 0)
        error = allow_number(ranges, 1, HOST_INSERT);
    if (error == 0)
        error = allow_number(ranges, 1, HOST_COLLAPSE);
    return error == 0 ? allow_number(to_self, 0, (uint64_t)getpid()) : error;
}

/* Allow to read from the stream that is judged. Not from standard error, which may be a terminal. */
static int allow_stream(sandbox_kind kind)
{
    unsigned stream = kind == SANDBOX_WORKER ? SANDBOX_WORKER_STREAM : SANDBOX_PROGRAM_STREAM;
    return allow_descriptor(reads, COUNT(reads), stream);
}

/* ---- All ------------------------------------------------------------------------------------------------- */

/* Add the rules of a kind of process. Return 0 or a negative errno. */
static int rules(sandbox_kind kind)
{
    if (kind == SANDBOX_SERVER)
        return rules_server();
    int error = allow(harmless, COUNT(harmless), 0, NULL);
    if (kind == SANDBOX_WRITER)
        return error == 0 ? rules_writer() : error;
    if (error == 0)
        error = allow_inspection();
    if (error == 0)
        error = allow_memory();
    if (error == 0)
        error = allow_stream(kind);
    if (error != 0)
        return error;
    if (kind == SANDBOX_WORKER) {
        error = allow_descriptor(receives, COUNT(receives), 0);
        return error == 0 ? allow_descriptor(writes, COUNT(writes), 0) : error;
    }
    error = allow_descriptor(writes, COUNT(writes), 1);
    return error == 0 ? allow_descriptor(writes, COUNT(writes), 2) : error;
}

void filter_make(sandbox_kind kind)
{
    if (!SANDBOX_POSSIBLE)
        return;
    uint32_t others = kind == SANDBOX_WRITER ? FORBIDDEN : SCMP_ACT_KILL_PROCESS;
    filter = seccomp_init(kind == SANDBOX_SERVER ? SCMP_ACT_ALLOW : others);
    if (filter == NULL) { /* no memory, or the kernel has no seccomp */
        failed = ENOSYS;
        return;
    }
    seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1); /* errno as the kernel returns it */
    bool judges = kind != SANDBOX_SERVER && kind != SANDBOX_WRITER;
    failed = judges ? place_empty_path() : 0;
    failed = failed == 0 ? -rules(kind) : failed;
}

int filter_enter(unsigned *layers)
{
    int error = failed != 0 ? failed : -seccomp_load(filter);
    if (error == 0)
        *layers |= SANDBOX_SECCOMP;
    return error;
}

unsigned filter_built(void)
{
    return SANDBOX_SECCOMP;
}

const char *filter_describe(void)
{
    static char text[60];
    const struct scmp_version *version = seccomp_version();
    snprintf(text, sizeof text, "seccomp (libseccomp %u.%u.%u)", version->major, version->minor, version->micro);
    return text;
}

#else

void filter_make(sandbox_kind kind)
{
    (void)kind;
}

int filter_enter(unsigned *layers)
{
    (void)layers;
    return 0;
}

unsigned filter_built(void)
{
    return 0;
}

const char *filter_describe(void)
{
    return "built without seccomp";
}

#endif
