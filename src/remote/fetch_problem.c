/* fetch_problem.c: the messages on files that could not be fetched. Of a server's response they contain numbers
 * only. */
#include <stdio.h>

#include "fetch_limits.h"
#include "number_text.h"
#include "remote_files.h"

/* %u is the detail. */
static const char *const texts[] = {
    [REMOTE_FINE] = "",
    [REMOTE_ADDRESS] = "this is not an address: use https://HOST/PATH, with bytes beyond ASCII as %%XX, or "
                       "hf://OWNER/MODEL[@REVISION][/PATH]",
    [REMOTE_ENDPOINT] = "HF_ENDPOINT is not the address of a Hub: use https://HOST",
    [REMOTE_PASSWORD] = "an address with a user name or password is refused, because it would appear in the report",
    [REMOTE_REACH] = "the server can't be reached",
    [REMOTE_TLS] = "the server can't be trusted",
    [REMOTE_LOST] = "the connection broke in every attempt",
    [REMOTE_SLOW] = "the server is too slow: it sent less than 1 kB a second for "
                    NUMBER_TEXT(REMOTE_SLOW_SECONDS) " seconds",
    [REMOTE_TIME] = "the server is too slow: the file took more than " NUMBER_TEXT(REMOTE_SECONDS_MOST) " seconds",
    [REMOTE_STATUS] = "the server did not send the file (status %u)",
    [REMOTE_MISSING] = "there is no such file on the server (status %u)",
    [REMOTE_DENIED] = "the server denies access to the file (status %u)",
    [REMOTE_DENIED_HUB] = "the Hub denies access to the file (status %u), or there is none: if it is private or gated, "
                          "set HF_TOKEN or use `hf auth login`",
    [REMOTE_NO_REPOSITORY] = "the Hub has no such repository, or it is private (status %u): check OWNER/MODEL; if it "
                             "is private, set HF_TOKEN or use `hf auth login`",
    [REMOTE_NO_REPOSITORY_TOKEN] = "the Hub has no such repository, or the token may not read it (status %u): check "
                                   "OWNER/MODEL, and whose token it is",
    [REMOTE_NO_REVISION] = "the repository has no such branch, tag or commit (status %u): check what follows @ in the "
                           "address",
    [REMOTE_GATED] = "the repository is gated (status %u): accept its terms on its page of the Hub, then set HF_TOKEN "
                     "or use `hf auth login`",
    [REMOTE_GATED_TOKEN] = "the repository is gated, and the token may not read it (status %u): accept its terms on "
                           "its page of the Hub, with the account of the token, and wait if they have to be granted",
    [REMOTE_DISABLED] = "the Hub has disabled the repository (status %u): its files are not available there",
    [REMOTE_CREDENTIALS] = "the Hub rejects the token (status %u): set HF_TOKEN again or use `hf auth login`",
    [REMOTE_TOKEN_BYTE] = "the token for the Hub can't be sent: it contains a space, a control character or one "
                          "that is not ASCII",
    [REMOTE_TOKEN_LENGTH] = "the token for the Hub can't be sent: it has more than 511 bytes",
    [REMOTE_BUSY] = "the server stayed busy (status %u) in every attempt: try later",
    [REMOTE_LATER] = "the server is busy: it asks for a retry in %u seconds",
    [REMOTE_REDIRECTS] = "the server redirects more than " NUMBER_TEXT(REMOTE_REDIRECTS_MOST) " times",
    [REMOTE_REDIRECT] = "the server redirects to an address that is refused: it is neither http nor https, or it "
                        "contains a password",
    [REMOTE_DOWNGRADE] = "the server redirects from https to http, where anybody could change the file: not followed",
    [REMOTE_INWARD] = "the server redirects to an address that is not public (private, loopback, link-local or "
                      "reserved): if that is expected, use --allow-private",
    [REMOTE_ELSEWHERE] = "the server redirects to another one, which does not provide the file: it does not respond as "
                         "it should, or its address is not public and --allow-private is not given",
    [REMOTE_NAMED_SPECIAL] = "the address is not public (private, loopback, link-local or reserved), and --public-only "
                             "allows no other",
    [REMOTE_NOT_REACHED] = "the server can't be reached: nothing responds at its address, or the address is not public "
                           "and --public-only allows no other",
    [REMOTE_ENCODED] = "the server sends the file compressed, although it was asked not to",
    [REMOTE_NO_SIZE] = "the server does not report the size of the file, which the check needs",
    [REMOTE_SIZE] = "the server reports an impossible file size",
    [REMOTE_NO_RANGE] = "the server does not send part of the file (status %u)",
    [REMOTE_RANGE] = "the server's byte ranges contradict each other or the request",
    [REMOTE_LENGTH] = "the server sends a different number of bytes than it announces",
    [REMOTE_HEAD] = "the server's response has too many or too long header fields",
    [REMOTE_PROTOCOL] = "the server's response is not valid HTTP",
    [REMOTE_CHANGED] = "the file changed on the server each time that it was being fetched: try later",
    [REMOTE_PIECES] = "the server sends the file in too many pieces",
    [REMOTE_LARGE] = "the index is larger than 100 MB: download the model and check it locally",
    [REMOTE_MODEL] = "the other files of the model took more than 4 GB or an hour: download the model and check it "
                     "locally",
    [REMOTE_LIBRARY] = "libcurl, which remote files need, can't be loaded: install it (Debian: libcurl4)",
    [REMOTE_NO_MODEL] = "the repository has neither model.safetensors.index.json nor model.safetensors: add the path "
                        "of a file",
};

/* The codes of libcurl, which never change. The process that writes messages has no libcurl. */
static const struct {
    uint32_t code;
    const char *text;
} codes[] = {
    {5, "unknown proxy name"},
    {6, "unknown host name"},
    {7, "no connection"},
    {8, "it does not speak HTTP"},
    {16, "an HTTP/2 error"},
    {18, "fewer bytes came than announced"},
    {35, "the TLS handshake failed"},
    {52, "the response was empty"},
    {55, "the request could not be sent"},
    {56, "the response could not be received"},
    {60, "its certificate is not signed by a trusted authority, is for another host, or has expired"},
    {77, "the list of trusted authorities can't be read"},
    {83, "its certificate has an unexpected issuer"},
    {92, "an HTTP/2 stream ended early"},
};

void remote_explain(const host_fetch *fetch, char *text, size_t room)
{
    uint32_t problem = fetch->problem < sizeof texts / sizeof *texts ? fetch->problem : REMOTE_FINE;
    int length = snprintf(text, room, texts[problem], (unsigned)fetch->detail);
    if (length < 0 || (size_t)length >= room)
        return;
    bool has_code = problem == REMOTE_REACH || problem == REMOTE_TLS || problem == REMOTE_LOST ||
                    problem == REMOTE_PROTOCOL;
    for (size_t i = 0; has_code && i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == fetch->detail)
            snprintf(text + length, room - (size_t)length, ": %s", codes[i].text);
    if (problem == REMOTE_TOKEN_BYTE || problem == REMOTE_TOKEN_LENGTH)
        snprintf(text + length, room - (size_t)length, " (%s): set it again, or send none with "
                 "HF_HUB_DISABLE_IMPLICIT_TOKEN=1", remote_token_source(fetch->detail));
}
