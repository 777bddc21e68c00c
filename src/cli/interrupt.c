/* interrupt.c: a signal that is to end the program lets it finish the record that it is writing. A second one ends it
 * at once. */
#include "posix.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "cli.h"

#define MOMENT 100 /* ms */

volatile sig_atomic_t interrupted;

static void note(int number)
{
    interrupted = number;
}

void interrupt_catch(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now, before;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        now = (struct sigaction){.sa_handler = note, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
        sigemptyset(&now.sa_mask);
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &now, NULL);
    }
}

/* A signal that comes between the look and the wait is seen a moment later. */
bool interrupt_wait(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    int found = 0;
    while (interrupted == 0 && (found == 0 || (found < 0 && errno == EINTR)))
        found = poll(&ready, 1, MOMENT);
    return interrupted == 0;
}

void interrupt_obey(void)
{
    if (interrupted > 0) {
        signal(interrupted, SIG_DFL);
        raise(interrupted);
    }
}
