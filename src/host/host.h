/* host.h: what needs an operating system. It finds files and reads their first bytes; it never parses them:
 * the core does. Nothing here trusts a file, a directory or a link to stay what it was a moment ago. */
#ifndef ASSAY_HOST_H
#define ASSAY_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay.h"
#include "fetch_result.h"

/* Why a path could not be judged, apart from what the core says. */
typedef enum {
    HOST_FINE,
    HOST_OPEN,      /* it can't be opened: see system */
    HOST_READ,      /* it can't be read: see system */
    HOST_DIRECTORY, /* a directory where a file is wanted */
    HOST_FIFO,
    HOST_DEVICE,
    HOST_SOCKET,
    HOST_CHANGED, /* it changed while it was being read */
    HOST_MEMORY,  /* not enough memory */
    HOST_RANDOM,  /* the system gives no random numbers */
    HOST_EMPTY,   /* a directory without a file to judge */
    HOST_UNCHOSEN, /* one without a file that --include and --exclude choose */
    HOST_EMPTY_LIST, /* a list that names no file */
    HOST_OUTSIDE, /* a link leads out of the folder */
    HOST_SANDBOX, /* the sandbox can't be entered: see system */
    HOST_START,   /* no process to judge it in: see system */
    HOST_CROWDED, /* an index names a file that too many others name */
    HOST_PART,    /* whether a file of a numbered set is there can't be found out: see system */
    HOST_PARTS,   /* too many files of numbered sets would have to be looked for */
    HOST_DIED,    /* the process that checked it died: system is the signal, or 0 */
    HOST_TWICE,   /* it is a stream that was read already */
    HOST_REMOTE,  /* the server doesn't give it: see host_fetch */
    HOST_NO_REMOTE, /* this program was built without what files on servers need */
    HOST_LOCAL_ONLY /* an address, for a command that takes files on this machine only */
} host_problem;

/* ---- open_file.c: one open file ---------------------------------------------------------------------------- */

/* Which file it is, how long, and when it was written and changed last: eight bytes each, so it can be compared as
 * bytes. */
typedef struct {
    uint64_t device, inode, size;
    int64_t written, written_ns, changed, changed_ns;
} host_stamp;

/* Does an index of the same model lie beside a file? */
typedef enum { HOST_NONE_BESIDE, HOST_INDEX_BESIDE, HOST_BESIDE_UNKNOWN } host_beside;

typedef struct {
    int fd;
    bool stream; /* it can be read once, from where it is; its size is ASSAY_NONE until its end has come */
    int system;  /* errno of the call that failed, or 0 */
    uint64_t size;
    host_stamp stamp;
    host_fetch fetch;
    host_beside beside; /* of one that is judged without an index */
} host_file;

/* Opens a regular file for reading. Never waits for another process and never opens anything but a regular file.
 * directory: AT_FDCWD, and path was named by the user; or an open one, in which path is a name that was found. */
host_problem host_open(host_file *file, int directory, const char *path);

/* The same of a name in an open directory that was a regular file a while ago, so that it needn't be asked first. */
host_problem host_open_seen(host_file *file, int directory, const char *name);

/* The same of an absolute path in which there was no link; nor is there one now. */
host_problem host_open_real(host_file *file, const char *path);

/* The same of a path below a directory that is open, by links that stay there. */
host_problem host_open_below(host_file *file, int directory, const char *path);

/* The same of what is open already; it is closed if it is no regular file. */
host_problem host_take(host_file *file, int fd);

/* Reads exactly bytes[0 .. count) from offset. HOST_CHANGED: the file is shorter than it was. */
host_problem host_read(host_file *file, uint64_t offset, uint8_t *bytes, size_t count);

/* All of a small file, in one look: there is room for a byte more. HOST_CHANGED: it is shorter than it was, or goes on
 * behind its size. */
host_problem host_read_whole(host_file *file, uint8_t *bytes);

/* Reads bytes[0 .. count) once more. HOST_CHANGED: they aren't what the file holds now. They were read in several
 * parts, by us or by the system: without this, they could mix a file's state with the next. */
host_problem host_unchanged(host_file *file, const uint8_t *bytes, size_t count);

/* HOST_CHANGED: it goes on behind its size. */
host_problem host_ends(host_file *file);

/* The empty path by which the system is asked about an open file. The sandbox knows it by its address, and puts it
 * where nothing else can be put. */
extern const char *host_empty_path;

/* Closes the file. HOST_CHANGED: it isn't as it was when it was opened. */
host_problem host_close(host_file *file);

/* ---- model_file.c: files of a model -------------------------------------------------------------------------- */

/* All of the file, for free(). NULL, with HOST_FINE, if it has more than `most` bytes. */
host_problem host_copy(host_file *file, uint64_t most, uint8_t **bytes);

/* Opens path, which begins with that of the folder, as the user sees them. directory: the folder, if it is open, or -1.
 * HOST_OUTSIDE: a link leads out of it, and not into the blobs of the cache that the folder is part of. */
host_problem host_open_inside(host_file *file, int directory, const char *folder, const char *path);

/* ---- stream.c: a descriptor that somebody else has opened ------------------------------------------------ */

/* Take a copy of fd, which stays open. A regular file is judged as a whole, wherever its offset is; all else but a
 * directory and a disk is a stream. */
host_problem host_take_from(host_file *file, int fd);

/* Read a stream until `least` bytes have come, or its end; never more than `most`. *count: how many. */
host_problem host_stream_read(host_file *file, uint8_t *bytes, size_t least, size_t most, size_t *count);

#define HOST_DATA 512u   /* bytes: the mark of a tar archive is there */
#define HOST_TAIL 65557u /* a ZIP archive ends in a record of 22 bytes and a comment of up to 65,535 */

/* What is kept of a stream after its header: the first bytes of the data, and the last bytes. */
typedef struct {
    uint8_t data[HOST_DATA], bytes[4 * HOST_TAIL];
    size_t held; /* of bytes */
    const uint8_t *tail;
    size_t tail_size;
    bool ended;
} host_ending;

/* Keep what has come of a stream, head[0 .. got), of which head[0 .. head_size) is the header. file->size is how many
 * bytes have come, from here on. */
void host_stream_keep(host_file *file, const uint8_t *head, size_t head_size, size_t got, host_ending *to);

/* Read on until `most` bytes of the stream have come, or its end. */
host_problem host_stream_go_on(host_file *file, size_t head_size, uint64_t most, host_ending *to);

/* A new file without a name, in memory where the system can do that; a descriptor, or -1 and errno. */
int host_nameless(void);

/* ---- open_beneath.c: opening what was found; a descriptor, or -1 and errno ----------------------------------- */

/* A name in a directory. A link is followed wherever it leads, but for those of /proc. */
int host_open_found(int directory, const char *name, int flags);

/* A path in which nothing is a link. */
int host_open_beneath(int root, const char *path, int flags);

/* A path whose links, if there are any, don't lead out of the directory. */
int host_open_within(int root, const char *path, int flags);

/* 0: it is such a path. EXDEV: it leads out, or the system can't tell; else errno: it can't be opened. */
int host_leaves(int root, const char *path);

/* ---- file_verdict.c: one verdict ----------------------------------------------------------------------------- */

#define HOST_SEEDS 4 /* one, and three more if a file collides with it */

/* Memory that is kept from one file to the next, and the seeds. Start from HOST_MEMORY_NONE. */
typedef struct {
    uint8_t *head;
    size_t head_room;
    assay_workspace workspace;
    uint64_t seed[HOST_SEEDS];
    bool seeded;
    bool look;       /* at the bytes of valid files that another program may take for something else */
    uint8_t *looked; /* [HOST_DATA + HOST_TAIL] */
    host_ending *ending;
} host_memory;

#define HOST_MEMORY_NONE {NULL, 0, {NULL, 0, NULL, 0}, {0}, false, false, NULL, NULL}

/* Frees all but the seeds. */
void host_memory_free(host_memory *memory);

/* What was found out about one file. Valid until the memory is used for the next. */
typedef struct {
    host_problem problem; /* unless HOST_FINE nothing below but system and file_size has a meaning */
    int system;           /* errno that explains the problem, or 0 */
    assay_status status;  /* the core's verdict */
    assay_error error;
    assay_need need;       /* tensors, pairs: of a valid file */
    uint64_t file_size;    /* ASSAY_NONE if unknown */
    bool stream;           /* the file was one; if file_size is unknown, the rest of it was not read ... */
    bool cut;              /* ... nor was it if this is set: file_size is how many bytes came */
    host_stamp stamp;      /* unless file_size is unknown, or it is a stream */
    host_fetch fetch;
    host_beside beside;    /* see host_file */
    bool has_length;       /* the file has a header length ... */
    uint64_t header_bytes; /* ... N */
    const assay_view *view; /* of a valid file, if one was asked for; else NULL */
    const uint8_t *head;   /* the private copy that was judged: head[0 .. head_size) */
    size_t head_size;
    bool contained;   /* it was judged by a worker ... */
    unsigned sandbox; /* ... with these layers around it, see sandbox.h */
    const uint8_t *data, *tail; /* of a valid file, if memory.look: the first bytes of the data, and its last bytes */
    size_t data_size, tail_size;
    struct note_list *notes;    /* see note.h; NULL: they were not looked for */
    const struct note *refusal; /* the note for which a policy refuses it; NULL: none does */
} host_verdict;

/* Draws the seeds, before there is a sandbox: no file learns anything about them. False: the system gives none. */
bool host_seed_all(host_memory *memory);

/* Judges an open file or a stream, and closes it; HOST_RANDOM if there are no seeds. view: NULL, or where its table
 * goes if it is valid. */
void host_judge(host_memory *memory, host_file *file, assay_view *view, host_verdict *verdict);

/* ---- random_seed.c ------------------------------------------------------------------------------------------- */

/* A number that nobody can know in advance. */
bool host_seed(uint64_t *seed);

/* ---- sorted_names.c: the names in a directory, some thousands at a time ---------------------------------------- */

/* Names that come behind one that is known, sorted, byte by byte: no directory is too large for it. */
typedef struct {
    char **name; /* the least ones that were seen */
    size_t count, room, next;
    size_t most; /* so many are kept; 0: HOST_CHUNK */
    char *after; /* the last name of the chunk before this one, or NULL */
    bool more;   /* there are names behind these */
} host_chunk;

#ifndef HOST_CHUNK /* a test makes it small */
#define HOST_CHUNK 65536u
#endif

/* Could a name that begins so be among the names that are looked for? */
bool host_chunk_wants(const host_chunk *chunk, const char *name, bool is_directory);
/* seen: it is known to be a regular file. It stands behind the name's end. */
bool host_chunk_add(host_chunk *chunk, const char *name, bool is_directory, bool seen);
bool host_chunk_seen(const char *name);
/* Behind the last name. */
void host_chunk_sort(host_chunk *chunk);
/* Begins the chunk behind this one. */
void host_chunk_next(host_chunk *chunk);
void host_chunk_free(host_chunk *chunk);

/* ---- directory_walk.c: paths to files --------------------------------------------------------------------------- */

/* Which files of a directory are judged. Patterns are those of the shell: with a / they match the path below the
 * directory, else the name. */
typedef struct {
    char **include, **exclude; /* no include: *.safetensors */
    size_t includes, excludes;
    bool one_file_system;
} host_choice;

/* Is a file chosen, or a directory not excluded? path[name ..] is its name; path goes on behind the directory that was
 * named, and there is room for one byte more behind it, which is used. */
bool host_chosen(const host_choice *choice, char *path, size_t name, bool is_directory);

/* A directory between the named one and where the walk is. Directories' names end with /. */
typedef struct {
    size_t path; /* how much of the walk's path it has */
    host_chunk chunk;
    bool is_model, told; /* it holds an index of a model, or numbered files; its files were given out */
} host_level;

typedef struct {
    const host_choice *choice;
    int root, here; /* the directory that was named; the one whose files are being given out, or -1 */
    uint64_t device;
    char *path;
    size_t path_room, below; /* below: where the path goes on behind what was named */
    host_level *level;
    size_t levels, room;
    host_chunk folder;  /* the files of the model that was given out last ... */
    bool pending;       /* ... or comes next */
    bool cut;           /* what was read last of a directory ended by an error */
    bool begun;
} host_walk;

typedef struct {
    const char *path;         /* valid until the next call */
    const char *name;         /* the end of it: a name in the directory; of a folder NULL */
    const host_chunk *folder; /* path is that of a folder with a model: the names of its indexes and chosen files */
    int directory;
    bool seen;            /* it was a regular file when the directory was read */
    host_problem problem; /* HOST_FINE: a file to judge, or a folder. Else a directory, or the walk itself, failed */
    int system;
} host_item;

/* A walk over all files below a directory that are chosen, sorted by path, byte by byte; but those of a directory that
 * holds an index come together, as its folder, before what is below it. Links to files are followed, links to
 * directories below it are not. False: not enough memory. */
bool host_walk_begin(host_walk *walk, const char *directory, const host_choice *choice);
bool host_walk_next(host_walk *walk, host_item *item);
void host_walk_end(host_walk *walk);

/* ---- model_names.c: names by which loaders choose ----------------------------------------------------------- */

/* Return whether the name at the end of a path is that of an index: *.safetensors.index.json or
 * *.safetensors.index.VARIANT.json. */
bool host_is_index(const char *path);

/* What is appended to the path of a model in one file to make the path of its index (without a variant). */
#define HOST_INDEX_SUFFIX ".index.json"

/* Is the file called STEM-NUMBER-of-COUNT.safetensors? */
bool host_is_part(const char *name);

/* The path of the file that holds the model of an index in one: of the same name and variant. path: room for as much as
 * the index's own. False: there is no such name. */
bool host_single_path(const char *index, char *path);

/* Take %XX in the name at the end of a path of an address for the byte that it stands for. */
void host_unescape(char *path);

/* Is there an index whose model the file at path holds in one? directory: as for host_open. A variant has at most three
 * parts between dots: so it takes four looks, however many dots the name has. */
host_beside host_index_beside(int directory, const char *path);

#endif
