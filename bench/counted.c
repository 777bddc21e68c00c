/* counted.c: count the instructions of assay_parse for each head on standard input. It is linked with assembly of the
 * core in which every block counts its instructions (counted.py).
 *
 *     in: size of the head, size of the file (8 bytes each), then the head     out: status, instructions
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay.h"

uint64_t counted_instructions, counted_kept;

static void *grown(void *array, uint64_t size)
{
    array = realloc(array, size);
    if (array == NULL) {
        perror("counted");
        exit(1);
    }
    return array;
}

int main(void)
{
    uint64_t ask[2], room = 0;
    uint8_t *head = NULL;
    assay_workspace memory = {0};
    while (fread(ask, sizeof ask, 1, stdin) == 1) {
        assay_need need;
        assay_result result;
        if (ask[0] > room) {
            room = ask[0];
            assay_bound(room - 8, &need);
            head = grown(head, room);
            memory = (assay_workspace){grown(memory.entry, (need.entries + 1) * sizeof *memory.entry), need.entries,
                                       grown(memory.word, (need.words + 1) * sizeof *memory.word), need.words};
        }
        if (fread(head, 1, ask[0], stdin) != ask[0])
            return 1;
        counted_instructions = 0;
        uint64_t answer[2] = {assay_parse(&(assay_input){head, ask[0], ask[1]}, NULL, &memory, &result), 0};
        answer[1] = counted_instructions;
        fwrite(answer, sizeof answer, 1, stdout);
        fflush(stdout);
    }
    return 0;
}
