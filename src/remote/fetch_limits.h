/* fetch_limits.h: what a server can cost at most, all in one place. SECURITY.md and the manual tell these numbers. */
#ifndef ASSAY_REMOTE_FETCH_LIMITS_H
#define ASSAY_REMOTE_FETCH_LIMITS_H

/* Bytes. */
#define REMOTE_FIRST 49152u          /* asked for before anything is known: with what goes around it, below 64 KiB */
#define REMOTE_LOOK 8192u            /* of any file: what shows what it is that isn't safetensors */
#define REMOTE_INDEX_MOST 100000000u /* of an index, which is fetched whole; a header has at most 100,000,008 bytes */
#define REMOTE_IGNORED_MOST 16384u   /* of the body of an response that is none of these, such as an error page */
#define REMOTE_BUFFER 131072         /* that the system takes ahead, of a server that sends more than was asked for */
#define REMOTE_ADDRESS_MOST 8192u

/* For one response. */
#define REMOTE_FIELDS_MOST 200u        /* lines of its head, those of `100 Continue` too ... */
#define REMOTE_FIELDS_BYTES_MOST 65536u /* ... and their bytes */

/* For one file. */
#define REMOTE_REQUESTS_MOST 40u
#define REMOTE_BYTES_MOST 300000000u /* with these no further request is sent */
#define REMOTE_REDIRECTS_MOST 10  /* from the address on */
#define REMOTE_RESTARTS_MOST 3u       /* times that it is begun anew, if it changed */
#define REMOTE_LOST_MOST 4u       /* retries without progress, after a loss of the connection or while it is busy ... */
#define REMOTE_UNREACHED_MOST 2u  /* ... after no connection ... */
#define REMOTE_SLOW_MOST 1u       /* ... and after it was too slow */

/* For one model: with these no further file of it is asked for. A test makes them small. */
#ifndef REMOTE_MODEL_BYTES_MOST
#define REMOTE_MODEL_BYTES_MOST 4000000000u
#define REMOTE_MODEL_SECONDS_MOST 3600
#endif

/* Time. */
#define REMOTE_SECONDS_MOST 300    /* for one file, all in all */
#define REMOTE_CONNECT_SECONDS 15  /* for one connection */
#define REMOTE_SLOW_BYTES 1024     /* a server that sends less a second ... */
#define REMOTE_SLOW_SECONDS 15     /* ... for so long is too slow */
#define REMOTE_WAIT_FIRST 500      /* milliseconds before the first retry; twice as many before each next one */
#define REMOTE_WAIT_MOST 30        /* seconds that a server may ask to wait (Retry-After) */

/* At once. */
#define REMOTE_CONNECTIONS 8u       /* unless -j says otherwise ... */
#define REMOTE_CONNECTIONS_MOST 64u /* ... and at most */

#endif
