/* problem.c: why a file on a server could not be had, in words. Nothing that the server said is in them but numbers. */
#include <stdio.h>

#include "bounds.h"
#include "remote.h"

#define TEXT(number) #number
#define NUMBER(bound) TEXT(bound)

/* %u: the detail. */
static const char *const texts[] = {
    [REMOTE_FINE] = "",
    [REMOTE_ADDRESS] = "this is no address: https://HOST/PATH, with what isn't plain ASCII as %%XX, or "
                       "hf://OWNER/MODEL[@REVISION][/PATH]",
    [REMOTE_ENDPOINT] = "HF_ENDPOINT is no address of a Hub: https://HOST",
    [REMOTE_PASSWORD] = "an address with a name or password before the host is not taken: it would stand in the report",
    [REMOTE_REACH] = "the server can't be reached",
    [REMOTE_TLS] = "the server can't be trusted",
    [REMOTE_LOST] = "the connection broke, and did so again",
    [REMOTE_SLOW] = "the server is too slow: it sent less than 1 kB a second for "
                    NUMBER(REMOTE_SLOW_SECONDS) " seconds",
    [REMOTE_TIME] = "the server is too slow: the file took more than " NUMBER(REMOTE_SECONDS_MOST) " seconds",
    [REMOTE_STATUS] = "the server doesn't give the file (status %u)",
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
    [REMOTE_DISABLED] = "the Hub has disabled the repository (status %u): nobody can have its files there",
    [REMOTE_CREDENTIALS] = "the Hub does not know the token (status %u): set HF_TOKEN again or use `hf auth login`",
    [REMOTE_TOKEN_BYTE] = "the token for the Hub can't be sent: it holds a space, a control character or one that is "
                          "not ASCII",
    [REMOTE_TOKEN_LENGTH] = "the token for the Hub can't be sent: it has more than 511 bytes",
    [REMOTE_BUSY] = "the server is busy (status %u), and was so each time it was asked again: try later",
    [REMOTE_LATER] = "the server is busy: it wants to be asked again in %u seconds",
    [REMOTE_REDIRECTS] = "the server sends from one address to the next, more than "
                         NUMBER(REMOTE_REDIRECTS_MOST) " times",
    [REMOTE_REDIRECT] = "the server sends to an address that is not fetched: it is none of http or https, or holds a "
                        "password",
    [REMOTE_DOWNGRADE] = "the server sends from https to http, where anybody could change the file: that is not done",
    [REMOTE_INWARD] = "the server redirects to an address that is not public (private, loopback, link-local or "
                      "reserved): if that is right, use --allow-private",
    [REMOTE_ELSEWHERE] = "the server redirects to another one, which does not provide the file: it does not respond as "
                         "it should, or its address is not public and --allow-private is not given",
    [REMOTE_NAMED_SPECIAL] = "the address is not public (private, loopback, link-local or reserved), and --public-only "
                             "allows no other",
    [REMOTE_NOT_REACHED] = "the server can't be reached: nothing responds at its address, or the address is not public "
                           "and --public-only allows no other",
    [REMOTE_ENCODED] = "the server sends the file encoded (compressed), though it was asked for it as it is",
    [REMOTE_NO_SIZE] = "the server doesn't say how long the file is, without which it can't be judged",
    [REMOTE_SIZE] = "the server says that the file is longer than any file can be",
    [REMOTE_NO_RANGE] = "the server refuses to send a part of the file (status %u)",
    [REMOTE_RANGE] = "the server contradicts itself, or what it was asked for, about which bytes of the file it sends",
    [REMOTE_LENGTH] = "the server sends another number of bytes than it says",
    [REMOTE_HEAD] = "the server's answer has too many or too long header fields",
    [REMOTE_PROTOCOL] = "the server's answer is no HTTP that can be understood",
    [REMOTE_CHANGED] = "the file changed on the server while it was being fetched, and did so again: try later",
    [REMOTE_PIECES] = "the server sends the file in too many pieces, or too often",
    [REMOTE_LARGE] = "the index has more than 100 MB: fetch the model and judge it on the disk",
    [REMOTE_MODEL] = "the other files of the model took more than 4 GB or an hour: fetch the model and judge it on the "
                     "disk",
    [REMOTE_LIBRARY] = "libcurl, which files on servers need, can't be loaded: install it (Debian: libcurl4)",
    [REMOTE_NO_MODEL] = "the repository has neither model.safetensors.index.json nor model.safetensors: name a file "
                        "of it",
};

/* What libcurl says, by the numbers that it never changes: those who explain don't have it. */
static const struct {
    uint32_t code;
    const char *text;
} codes[] = {
    {5, "the proxy's name is not known"},
    {6, "its name is not known"},
    {7, "there is no connection"},
    {8, "it doesn't speak HTTP"},
    {16, "an error of HTTP/2"},
    {18, "less came than was told"},
    {35, "no agreement on TLS"},
    {52, "nothing came"},
    {55, "the request could not be sent"},
    {56, "the answer could not be received"},
    {60, "nobody who is trusted has signed its certificate, or the certificate is another's or too old"},
    {77, "the file of trusted authorities can't be read"},
    {83, "its certificate has another issuer"},
    {92, "a stream of HTTP/2 ended early"},
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
        snprintf(text + length, room - (size_t)length, " (%s): set it again, or ask without it by "
                 "HF_HUB_DISABLE_IMPLICIT_TOKEN=1", remote_token_source(fetch->detail));
}
