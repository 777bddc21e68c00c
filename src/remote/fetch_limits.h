/* fetch_limits.h: all limits on what a server can cost. The manual states these numbers. */
#ifndef ASSAY_REMOTE_FETCH_LIMITS_H
#define ASSAY_REMOTE_FETCH_LIMITS_H

/* Bytes. */
#define REMOTE_FIRST 49152u          /* of the first request: with headers and TLS it stays below 64 KiB */
#define REMOTE_KIND_BYTES 8192u      /* of any file: enough to recognize a file that is not safetensors */
#define REMOTE_INDEX_MOST 100000000u /* of an index, which is fetched whole; a header has at most 100,000,008 bytes */
#define REMOTE_IGNORED_MOST 16384u   /* of the body of a response that is not the file, such as an error page */
#define REMOTE_BUFFER 131072         /* of the system's buffer, for a server that sends more than was requested */
#define REMOTE_ADDRESS_MOST 8192u    /* of a URL, with the zero byte after it */

/* For one response. */
#define REMOTE_FIELDS_MOST 200u         /* lines of its head, including those of `100 Continue` */
#define REMOTE_FIELDS_BYTES_MOST 65536u /* bytes of these lines */

/* For one file. */
#define REMOTE_REQUESTS_MOST 40u
#define REMOTE_BYTES_MOST 300000000u /* after these, no further request is sent */
#define REMOTE_REDIRECTS_MOST 10     /* in a row */
#define REMOTE_RESTARTS_MOST 3u      /* times that it is fetched again because it changed */
#define REMOTE_LOST_MOST 4u          /* retries without progress, after a lost connection or while the server is busy */
#define REMOTE_UNREACHED_MOST 2u     /* the same, after no connection */
#define REMOTE_SLOW_MOST 1u          /* the same, after the server was too slow */

/* For one model: after these, no further file of it is requested. A test makes them small. */
#ifndef REMOTE_MODEL_BYTES_MOST
#define REMOTE_MODEL_BYTES_MOST 4000000000u
#define REMOTE_MODEL_SECONDS_MOST 3600
#endif

/* Time. */
#define REMOTE_SECONDS_MOST 300   /* for one file, with all retries */
#define REMOTE_CONNECT_SECONDS 15 /* for one connection */
#define REMOTE_SLOW_BYTES 1024    /* a second: a server that sends less is too slow ... */
#define REMOTE_SLOW_SECONDS 15    /* ... after this many seconds */
#define REMOTE_WAIT_FIRST 500     /* milliseconds before the first retry; each further one waits twice as long */
#define REMOTE_WAIT_MOST 30       /* seconds that a server may request to wait (Retry-After) */

/* Connections at once. */
#define REMOTE_CONNECTIONS 8u       /* unless -j sets another number */
#define REMOTE_CONNECTIONS_MOST 64u /* with -j */

#endif
