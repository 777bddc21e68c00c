"""Test which servers assay check connects to, and what its errors reveal about others.

Tests with public addresses run in a separate network namespace, whose loopback device has some of them: nothing
leaves this machine. Names come from a hosts file. Where no namespace can be made, these tests are skipped.
"""

import concurrent.futures
import contextlib
import functools
import os
import subprocess
import sys
import time
import traceback

import lib
from lib import Skip, run
from remote import check, environment, small, supported
from server import Reply, Server, redirect

PUBLIC, OTHER, PUBLIC6 = "93.184.215.14", "8.8.4.4", "2606:2800:21f::1"
PRIVATE = ("10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1", "198.18.0.1", "192.0.0.8")
PRIVATE6 = "fd00::1"
NAMES = {"public.example": PUBLIC, "other.example": OTHER, "inside.example": "10.1.2.3", "local.example": "127.0.0.1",
         "meta.example": "169.254.169.254", "turning.example": PUBLIC, "six.example": PRIVATE6}
SKIPPED = 77
ELSEWHERE = "the server redirects to another one, which does not provide the file"
INWARD = "the server redirects to an address that is not public"
NAMED = "the address is not public"


# ---- A network of its own

def in_namespaces(*command):
    words = ["unshare", "--net", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    return subprocess.run([*words, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=lib.LIMIT,
                          stdin=subprocess.DEVNULL, check=False, universal_newlines=True)


@functools.lru_cache(maxsize=None)
def no_namespace():
    """Return why no namespace can be made here, or None. If None, a test is skipped only if it exits with SKIPPED."""
    try:
        done = in_namespaces("true")
    except OSError as error:
        return str(error)
    return None if done.returncode == 0 else "status %d: %s" % (done.returncode, done.stdout.strip()[-200:])


def namespaced(function):
    """Run the test as this file's main, in new namespaces of the network and of mounts."""

    @functools.wraps(function)
    def test():
        supported()
        reason = no_namespace()
        if reason is not None:
            raise Skip("no network namespace: %s" % reason)
        done = in_namespaces(sys.executable, "-B", os.path.abspath(__file__), function.__name__, lib.PROGRAM)
        if done.returncode == SKIPPED:
            raise Skip(done.stdout.strip()[-200:])
        print(done.stdout, end="")
        assert done.returncode == 0, done.stdout

    test.inside = function
    return test


def call(*words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError as error:
        done = subprocess.CompletedProcess(words, 1, str(error).encode())
    if done.returncode != 0:
        print("%s: %s" % (" ".join(words), done.stdout.decode().strip()))
        sys.exit(SKIPPED)


def set_hosts(**names):
    with open("hosts", "w", encoding="ascii") as f:
        f.writelines("%s %s\n" % (address, name) for name, address in {**NAMES, **names}.items())


def make_network():
    call("ip", "link", "set", "lo", "up")
    for address in (PUBLIC, OTHER, *PRIVATE):
        call("ip", "address", "add", address + "/32", "dev", "lo")
    set_hosts()
    open("none", "w", encoding="ascii").close()
    call("mount", "--bind", "hosts", "/etc/hosts")
    call("mount", "--bind", "none", "/etc/resolv.conf")


def has_ipv6():
    for address in (PUBLIC6, PRIVATE6):
        done = subprocess.run(["ip", "-6", "address", "add", address + "/128", "dev", "lo", "nodad"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            print("    without IPv6: %s" % done.stdout.decode().strip())
            return False
    return True


def main(name, program):
    lib.PROGRAM = program
    lib.settle()
    make_network()
    try:
        globals()[name].inside()
    except Skip as reason:
        print(reason)
        return SKIPPED
    except Exception:  # as in tests/program.py
        traceback.print_exc(file=sys.stdout)
        return 1
    return 0


@contextlib.contextmanager
def servers(*hosts, **how):
    with contextlib.ExitStack() as stack:
        all_of_them = [stack.enter_context(Server(host=host, **how)) for host in hosts]
        for server in all_of_them:
            server.put_prefix("/", Reply(small(), etag='"1"'))
        yield all_of_them


def with_options(*words, **env):
    """Return the record of one address, and the run."""
    result = run("check", "--format", "jsonl", *words, env=environment(**env))
    return result.jsonl()[-1], result


def send(server, to, path="/to"):
    server.put(path, redirect(to))
    return server.url(path)


def at_once(function, items):
    """Return the results in order; most of the time is waiting."""
    with concurrent.futures.ThreadPoolExecutor(16) as threads:
        return list(threads.map(function, items))


def untouched(*them):
    for server in them:
        assert server.connections == [], "%s was connected to" % server.host


# ---- Redirections

@namespaced
def test_no_redirection_leads_inside():
    """From a public address to a private one no connection is made; from others, and on request, it is."""
    with servers(PUBLIC, OTHER, *PRIVATE, "127.0.0.1") as (public, other, *inside):
        public.put("/gone", Reply(b"no", status=404))
        for server in inside:
            record, result = with_options(send(public, server.url("/x")))
            assert (result.status, record["verdict"]) == (2, "error") and record["message"].startswith(INWARD), record
            assert record["fetched"]["requests"] == 1 and "--allow-private" in record["message"], record
        for form in ("http://127.1:%d/x", "http://0x7f000001:%d/x", "http://2130706433:%d/x", "http://0:%d/x",
                     "http://[::ffff:127.0.0.1]:%d/x", "http://localhost:%d/x", "http://a.localhost.:%d/x"):
            record, _ = with_options(send(public, form % inside[-1].port))
            assert record["message"].startswith(INWARD), (form, record)
        named = [server.url("/x", host=name) for name, server in (
            ("inside.example", inside[0]), ("local.example", inside[-1]), ("meta.example", inside[2]))]
        for record, _ in at_once(with_options, [send(public, to, "/to%d" % i) for i, to in enumerate(named)] + [
                send(public, send(other, to, "/to%d" % i), "/too%d" % i) for i, to in enumerate(named)]):
            assert record["message"].startswith(ELSEWHERE) and record["fetched"] is None, record
        untouched(*inside)
        for to in (other.url("/x"), other.url("/x", host="other.example"), public.url("/x")):
            assert with_options(send(public, to))[0]["verdict"] == "valid", to
        for first in inside:
            record, _ = with_options(send(first, inside[0].url("/y")))
            assert record["verdict"] == "valid", "the user named one that is inside"
        start, between = send(inside[1], public.url("/to")), len(inside[0].log)
        send(public, inside[0].url("/z", host="inside.example"))
        assert with_options(start)[0]["message"].startswith(ELSEWHERE) and len(inside[0].log) == between
        for server in inside:
            for host in (None, "inside.example" if server is inside[0] else None):
                record, result = with_options("--allow-private", send(public, server.url("/x", host=host)))
                assert record["verdict"] == "valid" and result.err == "", record


@namespaced
def test_the_address_connected_to_is_judged():
    """Not the previous address of the name, and not only new connections."""
    with servers(PUBLIC, "10.1.2.3", "127.0.0.1") as (public, inside, local):
        to = inside.url("/x", host="inside.example")
        public.put("/to", redirect(to, silent=1))  # so that the other one exists, with an idle connection
        start = time.monotonic()
        result = run("check", "--format", "jsonl", "-j", "4", inside.url("/first", host="inside.example"),
                     public.url("/to"), env=environment())
        first, second = result.jsonl()
        assert first["verdict"] == "valid" and second["message"].startswith(ELSEWHERE), result.out
        assert [one.path for one in inside.log] == ["/first"], "a connection that was there"
        assert time.monotonic() - start > 2.4, "it takes as long as if nothing were there"

        def turn(_):
            set_hosts(**{"turning.example": "127.0.0.1"})
            return redirect(local.url("/x", host="turning.example"))

        public.put("/turn", turn)
        record, _ = with_options(public.url("/turn", host="turning.example"))
        assert record["message"].startswith(ELSEWHERE), record
        untouched(local)
        record, _ = with_options(local.url("/x", host="turning.example"))
        assert record["verdict"] == "valid", "the user names what he likes"


@namespaced
def test_a_name_with_two_addresses():
    """One address is public, one is not: only the public one is connected to."""
    with servers(PUBLIC, OTHER) as (public, other), Server(host="10.1.2.3", port=other.port) as inside:
        with open("hosts", "a", encoding="ascii") as f:
            f.write("10.1.2.3 other.example\n")
        for _ in range(4):
            record, _ = with_options(send(public, other.url("/x", host="other.example")))
            assert record["verdict"] == "valid", record
        untouched(inside)


@namespaced
def test_ipv6():
    if not has_ipv6():
        raise Skip("no IPv6")
    with servers(PUBLIC6, PRIVATE6, "::1", "10.1.2.3") as (public, inside, local, inside4):
        assert with_options(public.url("/x"))[0]["verdict"] == "valid"
        for to in (inside.url("/x"), local.url("/x"), "http://[::ffff:10.1.2.3]:%d/x" % inside4.port,
                   "http://[::ffff:a01:203]:%d/x" % inside4.port, "http://[64:ff9b::10.1.2.3]:%d/x" % inside4.port,
                   "http://[2002:a01:203::1]:%d/x" % inside4.port, "http://[fe80::1%%25lo]:%d/x" % inside.port,
                   "http://[ff02::1]:%d/x" % inside.port, "http://[::]:%d/x" % local.port):
            record, _ = with_options(send(public, to))
            assert record["message"].startswith(INWARD), (to, record)
        record, _ = with_options(send(public, inside.url("/x", host="six.example")))
        assert record["message"].startswith(ELSEWHERE), record
        untouched(inside, local, inside4)
        assert with_options("--allow-private", send(public, inside.url("/x")))[0]["verdict"] == "valid"
        assert with_options("--public-only", public.url("/x"))[0]["verdict"] == "valid"


# ---- --public-only

@namespaced
def test_public_only():
    with servers(PUBLIC, OTHER, *PRIVATE, "127.0.0.1") as (public, other, *inside):
        for address in (public.url("/x"), public.url("/x", host="public.example"),
                        send(public, other.url("/x", host="other.example"))):
            record, result = with_options("--public-only", address)
            assert record["verdict"] == "valid" and result.err == "", record
        for server in inside:
            record, result = with_options("--public-only", server.url("/x"))
            assert record["message"].startswith(NAMED) and result.status == 2 and record["fetched"] is None, record
            assert with_options("--public-only", send(public, server.url("/x")))[0]["message"].startswith(INWARD)
        record, _ = with_options("--public-only", inside[-1].url("/x", host="localhost"))
        assert record["message"].startswith(NAMED), record
        record, _ = with_options("--public-only", "hf://o/m/x", HF_ENDPOINT=inside[0].url(""))
        assert record["message"].startswith(NAMED), record
        seen = at_once(lambda address: with_options("--public-only", address)[0], (
            inside[0].url("/x", host="inside.example"), "http://unknown.example/x", "http://public.example:1/x"))
        for record in seen:
            del record["path"]
        assert seen[0] == seen[1] == seen[2] and "--public-only" in seen[0]["message"], seen
        assert seen[0]["fetched"] is None
        untouched(*inside)
        public.put("/none", Reply(b"no", status=404))
        record, result = with_options("--public-only", public.url("/none", host="public.example"))
        assert record["message"] == "there is no such file on the server (status 404)", record


def test_options_contradict():
    result = run("check", "--public-only", "--allow-private", "x")
    assert result.status == 2 and "--public-only and --allow-private can't be combined" in result.err, result.err
    assert "unknown option" in run("rules", "--public-only", "x").err


# ---- What errors reveal

WRONG = {
    "missing": Reply(b"no", status=404),
    "denied": Reply(b"no", status=403),
    "teapot": Reply(b"no", status=418),
    "later": Reply(b"no", status=429, headers=[("Retry-After", "3600")]),
    "busy": Reply(b"no", status=502),
    "closed": Reply(close=True),
    "reset": Reply(b"x" * 99, reset=0),
    "no HTTP": Reply(raw=b"SSH-2.0-OpenSSH_9.2\r\n"),
    "encoded": Reply(small(), encoding="gzip"),
    "no length": Reply(small(), ranges="ignore", length=False),
    "ranges refused": Reply(small(), ranges="refuse"),
    "a loop": redirect("/a%20loop"),
    "a file": redirect("file:///etc/passwd"),
    "inside": redirect("http://[fe80::1]/x"),
    "changes": Reply(small(), etag='"1"', total=1 << 30),
}


def reported(address, *options):
    """Return all that an error reveals: its text, its record, the summary."""
    record, result = with_options("--summary", *options, address)
    return {k: v for k, v in record.items() if k != "path"}, result.err


def test_errors_reveal_nothing_of_other_servers():
    """About a server that the user did not name, the error is the same if it does not exist and for each
    misbehaviour."""
    supported()
    with Server() as named, Server() as other, Server(tls=True) as safe:
        wheres = {name: other.url("/" + name.replace(" ", "%20")) for name in WRONG}
        for name, reply in WRONG.items():
            other.put("/" + name.replace(" ", "%20"), reply)
        wheres.update({"port": "http://127.0.0.1:1/x", "name": "http://unknown.invalid/x",
                       "certificate": safe.url("/x"), "time": other.url("/x").replace("http:", "https:"),
                       "no TLS": safe.url("/x").replace("https:", "http:")})
        addresses = [send(named, to, "/to%d" % at) for at, to in enumerate(wheres.values())]
        seen = dict(zip(wheres, at_once(reported, addresses)))
        assert seen["port"][0]["message"].startswith(ELSEWHERE), seen["port"]
        assert seen["port"][0]["fetched"] is None and "1 not judged" in seen["port"][1], seen["port"]
        differing = {name: one for name, one in seen.items() if one != seen["port"]}
        assert not differing, differing
        named.put("/gone", Reply(b"no", status=404))
        assert with_options(named.url("/gone"))[0]["message"] == "there is no such file on the server (status 404)"
        assert "no such file" in with_options(send(named, "/gone"))[0]["message"], "the same server"


@namespaced
def test_errors_are_exact_of_public_servers():
    """The response of such a server is reported as usual. Whether it exists is not: a name can belong to an
    internal network."""
    with servers(PUBLIC, OTHER) as (public, other):
        other.put("/gone", Reply(b"no", status=404))
        other.put("/busy", Reply(b"no", status=429, headers=[("Retry-After", "3600")]))
        for host in (None, "other.example"):
            assert "no such file" in with_options(send(public, other.url("/gone", host=host)))[0]["message"]
            message = with_options(send(public, other.url("/busy", host=host)))[0]["message"]
            assert "asks for a retry in 3600 seconds" in message, message
        wheres = ("http://unknown.example/x", "http://other.example:1/x", "http://inside.example:1/x",
                  "http://local.example:%d/x" % other.port)
        seen = at_once(reported, [send(public, to, "/to%d" % at) for at, to in enumerate(wheres)])
        assert seen[0][0]["message"].startswith(ELSEWHERE) and all(one == seen[0] for one in seen), seen


# ---- Proxies

@namespaced
def test_proxies():
    """A proxy may be anywhere; of what it connects to only the URL is known, and the URL decides."""
    with servers("10.1.2.3", PUBLIC, "127.0.0.1") as (proxy, public, local):
        where = {"http_proxy": proxy.url("")}
        proxy.put("/to", redirect("http://93.184.215.14/x"))
        assert with_options("http://far.example/to", **where)[0]["verdict"] == "valid"
        for to in ("http://127.0.0.1:%d/x" % local.port, "http://169.254.169.254/x", "http://localhost/x",
                   "http://intranet/x", "http://db.internal/x", "http://nas.local/x", "http://a.home.arpa/x",
                   "http://0x7f.1/x"):
            proxy.put("/to", redirect(to))
            record, _ = with_options("http://far.example/to", **where)
            assert record["message"].startswith(INWARD), (to, record)
            record, _ = with_options("--public-only", "http://far.example/to", **where)
            assert record["message"].startswith(INWARD), (to, record)
            record, result = with_options("--public-only", to, **where)
            assert record["message"].startswith(NAMED), (to, record)
            assert with_options("--allow-private", "http://far.example/to", **where)[0]["verdict"] == "valid", to
        record, result = with_options("--public-only", "http://far.example/x", **where)
        assert record["verdict"] == "valid" and "names a proxy, which resolves names itself" in result.err, result.err
        asked = len(proxy.log)
        untouched(local)
        proxy.put("/to", redirect(local.url("/x", host="local.example")))
        record, _ = with_options("http://far.example/to", no_proxy="local.example", **where)
        assert record["message"].startswith(ELSEWHERE) and len(proxy.log) == asked + 1, record
        untouched(local)
        proxy.put("/gone", Reply(b"no", status=404))
        proxy.put("/to", redirect("http://other.example/gone"))
        record, _ = with_options("http://far.example/to", **where)
        assert record["message"].startswith(ELSEWHERE), "whose answer it is, is not known"
        record, _ = with_options("--public-only", public.url("/x"), no_proxy="*", **where)
        assert record["verdict"] == "valid"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
