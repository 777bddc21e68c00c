/* libcurl_load.h: loads libcurl when it is needed, in the process that fetches. No other process has libcurl and its
 * many libraries in memory, and the program starts faster without them. */
#ifndef ASSAY_REMOTE_LIBCURL_LOAD_H
#define ASSAY_REMOTE_LIBCURL_LOAD_H

#include <curl/curl.h>
#include <stdbool.h>

#define CURL_FUNCTIONS(each)                                                                                       \
    each(easy_getinfo) each(easy_init) each(easy_reset) each(easy_setopt) each(free) each(global_init)             \
    each(multi_add_handle) each(multi_info_read) each(multi_init) each(multi_perform) each(multi_poll)             \
    each(multi_remove_handle) each(multi_setopt) each(slist_append) each(slist_free_all) each(url)                 \
    each(url_cleanup) each(url_get) each(url_set)

/* curl.easy_init() is curl_easy_init(), and so on. */
#define CURL_MEMBER(name) __typeof__(&curl_##name) name;
typedef struct {
    CURL_FUNCTIONS(CURL_MEMBER)
} curl_library;

extern curl_library curl;

/* Load libcurl. Return false if it is not installed. */
bool curl_load(void);

#endif
