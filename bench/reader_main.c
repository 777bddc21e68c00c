/* reader_main.c: measure one reader, in a separate process, by commands on standard input.
 *
 *     bench                        print the readers that this program has, and their versions
 *     bench READER                 execute commands from standard input; reply to each with a line
 *     bench READER FILE...         load and read the files once, for callgrind
 *
 * The commands and the replies ("no" and a reason if a command fails):
 *
 *     load FILE...          load the files of a workload                    bytes of the first file, of its header
 *     parse COUNT           open and close every file COUNT times           total nanoseconds, tensors of one round
 *     walk COUNT            read the names and dims of all tensors          total nanoseconds, a sum of what was read
 *     find COUNT            look up COUNT names, in random order            total nanoseconds, names found
 *     first COUNT           from the file's name to a tensor's first byte   total nanoseconds, tensors
 *     memory                of the first parse, in a new process            peak bytes, tensors
 *     workspace             the need of assay for the first file            bytes; 56 a tensor and 32 a metadata pair
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "assay.h"
#include "bench.h"

/* Weak: those that were not built are NULL. */
#pragma weak bench_crate
#pragma weak bench_bintensors
#pragma weak bench_simdjson
#pragma weak bench_yyjson
static const bench_reader *const readers[] = {&bench_assay,      &bench_assay_alloc, &bench_crate,
                                              &bench_bintensors, &bench_simdjson,    &bench_yyjson};
#define READERS (sizeof readers / sizeof *readers)

#define FILES_MAX 1000
static bench_file files[FILES_MAX];
static const char *paths[FILES_MAX];
static size_t count;
static const bench_reader *reader;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void no(const char *why)
{
    printf("no %s\n", why);
}

/* ---- Files in memory ----------------------------------------------------------------------------------- */

static bool heads_only; /* callgrind can't map more than the machine's memory */

/* Map a file and find the end of its head. The data section stays on the disk, where it is a hole. */
static void map(const char *path, bench_file *file)
{
    struct stat status;
    uint64_t length;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        die(path);
    if (read(fd, &length, sizeof length) != sizeof length)
        die(path);
    file->file_size = (uint64_t)status.st_size;
    file->head_size = 8 + length;
    uint64_t size = heads_only ? file->head_size : file->file_size;
    file->file = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
    if (file->file == MAP_FAILED)
        die(path);
    close(fd);
}

static void unmap(bench_file *file)
{
    munmap((void *)(uintptr_t)file->file, file->file_size);
}

/* Copy the header to own memory, with padding after it. This also reads the mapped pages. */
static void copy_header(bench_file *file)
{
    file->json_size = file->head_size - 8;
    char *copy = calloc(1, file->json_size + BENCH_PADDING);
    if (copy == NULL)
        die("memory");
    memcpy(copy, file->file + 8, file->json_size);
    file->json = copy;
}

/* Convert the file to the reader's own format: its head, and space for data that nobody reads. */
static bool convert(bench_file *file)
{
    if (reader->convert == NULL)
        return true;
    if (!reader->convert(file))
        return false;
    uint64_t length;
    memcpy(&length, file->own, sizeof length);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint8_t *whole = mmap(NULL, file->own_size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (whole == MAP_FAILED)
        die("memory");
    memcpy(whole, file->own, 8 + length);
    file->own = whole;
    return true;
}

/* ---- Commands ------------------------------------------------------------------------------------------ */

static bool load(char *words)
{
    for (char *word = strtok(words, " "); word != NULL && count < FILES_MAX; word = strtok(NULL, " ")) {
        bench_file *file = &files[count];
        paths[count] = strdup(word);
        map(word, file);
        copy_header(file);
        if (!convert(file))
            return false;
        count++;
    }
    return count > 0;
}

static bool prepare(void)
{
    for (size_t i = 0; i < count; i++) {
        if (reader->prepare != NULL && !reader->prepare(&files[i]))
            return false;
    }
    return true;
}

static void close_parsed(void *parsed)
{
    if (reader->close != NULL)
        reader->close(parsed);
}

static void parse(uint64_t rounds)
{
    uint64_t tensors = 0;
    for (size_t i = 0; i < count; i++) {
        void *parsed = reader->open(&files[i]);
        if (parsed == NULL) {
            no("refused");
            return;
        }
        tensors += reader->count(parsed);
        close_parsed(parsed);
    }
    uint64_t start = now();
    for (uint64_t round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++)
            close_parsed(reader->open(&files[i]));
    }
    printf("ok %llu %llu\n", (unsigned long long)(now() - start), (unsigned long long)tensors);
}

static void walk(uint64_t rounds)
{
    void *parsed = reader->open(&files[0]);
    uint64_t sum = 0;
    if (parsed == NULL) {
        no("refused");
        return;
    }
    uint64_t start = now();
    for (uint64_t round = 0; round < rounds; round++)
        sum = reader->walk(parsed);
    printf("ok %llu %llu\n", (unsigned long long)(now() - start), (unsigned long long)sum);
    close_parsed(parsed);
}

typedef struct {
    char *text;
    size_t size;
} name;

static name *new_shuffled_names(uint64_t *tensors)
{
    bench_assay.prepare(&files[0]);
    assay_view *view = bench_assay.open(&files[0]);
    *tensors = bench_assay.count(view);
    name *names = calloc(*tensors + 1, sizeof *names);
    assay_tensor tensor;
    for (uint64_t i = 0; assay_tensor_at(view, i, &tensor); i++) {
        names[i].size = (size_t)(tensor.name.end - tensor.name.at); /* no escapes in these workloads */
        names[i].text = strndup((const char *)files[0].file + tensor.name.at, names[i].size);
    }
    uint64_t random = 1;
    for (uint64_t i = *tensors; i > 1; i--) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t other = (random >> 33) % i;
        name kept = names[i - 1];
        names[i - 1] = names[other];
        names[other] = kept;
    }
    return names;
}

/* The names of the first file, in random order: the same for every reader. */
static name *shuffled_names(uint64_t *tensors)
{
    static name *names;
    static uint64_t names_count;
    if (names == NULL)
        names = new_shuffled_names(&names_count);
    *tensors = names_count;
    return names;
}

static void find(uint64_t times)
{
    uint64_t tensors;
    if (reader->find == NULL) {
        no("has no index of names");
        return;
    }
    name *names = shuffled_names(&tensors);
    void *parsed = reader->open(&files[0]);
    if (parsed == NULL || tensors == 0) {
        no("refused");
        return;
    }
    uint64_t found = 0, start = now();
    for (uint64_t i = 0; i < times; i++)
        found += reader->find(parsed, names[i % tensors].text, names[i % tensors].size);
    printf("ok %llu %llu\n", (unsigned long long)(now() - start), (unsigned long long)found);
    close_parsed(parsed);
}

/* From the name of the file. assay judges a private copy of the head, as its documentation says; copying it is
 * counted. */
static void first(uint64_t rounds)
{
    volatile uint8_t byte = 0;
    bool copies = reader == &bench_assay || reader == &bench_assay_alloc;
    if (reader->first == NULL || reader->convert != NULL) {
        no("is no reader of these files");
        return;
    }
    uint64_t tensors;
    const name *wanted = shuffled_names(&tensors); /* the first of them: the same tensor for every reader */
    uint64_t start = now();
    for (uint64_t round = 0; round < rounds; round++) {
        bench_file file = {0};
        map(paths[0], &file);
        const uint8_t *mapped = file.file;
        uint8_t *head = NULL;
        if (copies) {
            head = malloc(file.head_size);
            memcpy(head, mapped, file.head_size);
            file.file = head;
        }
        void *parsed = reader->open(&file);
        const uint8_t *data = parsed == NULL ? NULL : reader->first(parsed, wanted->text, wanted->size);
        if (data == NULL) {
            no("refused");
            return;
        }
        byte = *(copies ? mapped + (data - head) : data);
        close_parsed(parsed);
        free(head);
        file.file = mapped;
        unmap(&file);
    }
    (void)byte;
    printf("ok %llu %llu\n", (unsigned long long)(now() - start), (unsigned long long)count);
}

/* A line of /proc/self/status, in bytes. */
static uint64_t status_of(const char *field)
{
    char line[256];
    uint64_t kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (strncmp(line, field, strlen(field)) == 0)
            kilobytes = strtoull(line + strlen(field) + 1, NULL, 10);
    }
    if (f != NULL)
        fclose(f);
    return kilobytes * 1024;
}

/* What preparing and opening the first file add to the pages of this process, at their peak. */
static void memory(void)
{
    malloc_trim(0); /* what loading has freed must not hide what opening takes */
    uint64_t before = status_of("VmRSS");
    FILE *reset = fopen("/proc/self/clear_refs", "w");
    if (reset == NULL || fputs("5", reset) < 0 || fclose(reset) != 0) {
        no("the peak can't be measured here");
        return;
    }
    void *parsed = reader->prepare == NULL || reader->prepare(&files[0]) ? reader->open(&files[0]) : NULL;
    if (parsed == NULL) {
        no("refused");
        return;
    }
    printf("ok %llu %llu\n", (unsigned long long)(status_of("VmHWM") - before),
           (unsigned long long)reader->count(parsed));
}

static void workspace(void)
{
    const assay_input input = {files[0].file, files[0].head_size, files[0].file_size};
    assay_result result;
    if (assay_measure(&input, NULL, &result) != ASSAY_OK) {
        no("refused");
        return;
    }
    printf("ok %llu %llu\n",
           (unsigned long long)(result.need.entries * sizeof(assay_entry) + result.need.words * sizeof(uint32_t)),
           (unsigned long long)(56 * result.need.tensors + 32 * result.need.pairs));
}

static void obey(char *line)
{
    char *argument = strchr(line, ' ');
    uint64_t number = argument == NULL ? 0 : strtoull(argument, NULL, 10);
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "load ", 5) == 0) {
        if (!load(line + 5)) {
            no("refused");
            return;
        }
        printf("ok %llu %llu\n", (unsigned long long)files[0].file_size, (unsigned long long)files[0].json_size);
    } else if (strcmp(line, "memory") == 0) {
        memory();
    } else if (strcmp(line, "workspace") == 0) {
        workspace();
    } else if (!prepare()) {
        no("refused");
    } else if (strncmp(line, "parse ", 6) == 0) {
        parse(number);
    } else if (strncmp(line, "walk ", 5) == 0) {
        walk(number);
    } else if (strncmp(line, "find ", 5) == 0) {
        find(number);
    } else if (strncmp(line, "first ", 6) == 0) {
        first(number);
    } else {
        no("unknown command");
    }
}

static int once(char **words)
{
    static char line[1 << 17];
    heads_only = true;
    for (; *words != NULL; words++) {
        strcat(line, *words);
        strcat(line, " ");
    }
    if (!load(line) || !prepare())
        return 1;
    for (size_t i = 0; i < count; i++) {
        void *parsed = reader->open(&files[i]);
        if (parsed == NULL)
            return 1;
        printf("%llu\n", (unsigned long long)reader->count(parsed));
        close_parsed(parsed);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static char line[1 << 17];
    for (size_t i = 0; i < READERS; i++) {
        if (readers[i] != NULL && argc == 1)
            printf("%s\t%s\n", readers[i]->name, readers[i]->version());
        else if (readers[i] != NULL && strcmp(readers[i]->name, argv[1]) == 0)
            reader = readers[i];
    }
    if (argc == 1)
        return 0;
    if (reader == NULL) {
        fprintf(stderr, "bench: no reader %s\n", argv[1]);
        return 2;
    }
    if (argc > 2)
        return once(argv + 2);
    while (fgets(line, sizeof line, stdin) != NULL) {
        obey(line);
        fflush(stdout);
    }
    return 0;
}
