"""An HTTP/1.1 server on the loopback address, for tests of the code that fetches: it misbehaves on demand, and has
a log.

    with Server() as s:
        s.put("/m.safetensors", Reply(body))       # reply.py: all the ways of being wrong
        ... s.url("/m.safetensors") ...
        assert s.log[0].headers["range"] == "bytes=0-7" and s.sent < 1000

It uses sockets and threads, not http.server, so that every byte of a response can be wrong. The number of bytes
sent is what the system accepted: up to some 100 KiB more than arrived, if nobody reads them.
"""

import os
import re
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time

from lib import LIMIT, Skip
from reply import Reply, compose, lines, redirect, status_line  # noqa: F401: names for those who import this

HEAD = 65536  # maximum bytes of a request
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: the close is a reset


class Gone(Exception):
    """The connection is over: the client has left, the server stops, or the response ends so."""


class Request:
    def __init__(self, head, connection):
        first, *rest = head.decode("latin-1").split("\r\n")
        self.method, self.target, self.version = first.split(" ", 2)
        path = re.sub(r"^https?://[^/]*", "", self.target)  # the request of a proxy
        self.path, _, self.query = path.partition("?")
        self.fields = [tuple(re.split(r":[ \t]*", line, maxsplit=1)) for line in rest if ":" in line]
        self.headers = {name.lower(): value for name, value in self.fields}
        self.connection, self.at, self.status, self.sent = connection.number, time.monotonic(), 0, 0

    @property
    def range(self):
        """Return (first, last) of one range; last or first can be None. None: no range, or none that this server
        honours."""
        found = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("range", ""))
        if found is None or found.groups() == ("", ""):
            return None
        return tuple(int(number) if number else None for number in found.groups())


class Connection:
    def __init__(self, server, sock, number):
        self.server, self.sock, self.number = server, sock, number
        self.received = self.sent = self.requests = 0
        self.open, self.rest = True, b""

    def count(self, number, request):
        self.sent += number
        if request is not None:
            request.sent += number

    def send(self, data, pace=None, request=None):
        """Send all of the data, or a byte at a time. It is counted before it is sent, so that a receiver finds it
        counted."""
        for at in range(0, len(data), 1 if pace else max(1, len(data))):
            piece = data[at : at + 1] if pace else data
            while piece:
                if self.server.stopping.is_set():
                    raise Gone
                taken = 0
                self.count(len(piece), request)
                try:
                    taken = self.sock.send(piece)
                finally:
                    self.count(taken - len(piece), request)
                piece = piece[taken:]
            self.pause(pace or 0)

    def pause(self, seconds):
        if seconds and self.server.stopping.wait(seconds):
            raise Gone

    def head(self):
        """Return the head of the next request, without its last line ends; None: there is none."""
        while b"\r\n\r\n" not in self.rest:
            data = self.sock.recv(4096)
            if not data or len(self.rest) > HEAD:
                return None
            self.received += len(data)
            self.rest += data
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        return head

    def over(self):
        """Return whether the client has closed the connection, perhaps before the serving thread has noticed."""
        if not self.open or isinstance(self.sock, ssl.SSLSocket):
            return not self.open
        try:
            return self.sock.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def end(self, reset=False):
        try:
            if reset:
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            else:
                self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.sock.close()


class Server:
    def __init__(self, tls=False, host="127.0.0.1", port=None):
        self.tls, self.host, self.port, self.authority = tls, host, port, None
        self.answers, self.prefixes, self.lock, self.stopping = {}, [], threading.Lock(), threading.Event()
        self.log, self.connections, self.threads, self.most = [], [], [], 0

    def __enter__(self):
        self.context = self.certify() if self.tls else None
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        self.listener = socket.create_server((self.host, self.port or 0), family=family, backlog=128)
        self.port = self.listener.getsockname()[1]
        self.accepting = threading.Thread(target=self.accept, daemon=True)
        self.accepting.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        socket.create_connection((self.host, self.port)).close()  # wakes accept
        self.accepting.join(LIMIT)
        self.listener.close()
        for connection in list(self.connections):
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self.threads:
            thread.join(LIMIT)
        assert not any(thread.is_alive() for thread in [self.accepting, *self.threads]), "the server does not stop"
        if self.tls:
            self.folder.cleanup()

    def certify(self):
        """Make a certificate; clients must be set to trust self.authority."""
        self.folder = tempfile.TemporaryDirectory(prefix="assay-tls-")
        self.authority, key = (os.path.join(self.folder.name, name) for name in ("cert.pem", "key.pem"))
        words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split()
        names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", self.authority]
        try:
            subprocess.run(["openssl", *words, *names], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except (OSError, subprocess.CalledProcessError) as error:
            raise Skip("no certificate by openssl: %s" % error) from error
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.authority, key)
        return context

    # ---- What it answers

    def url(self, path="/", host=None):
        name = host or self.host
        name = "[%s]" % name if ":" in name else name
        return "%s://%s:%d%s" % ("https" if self.tls else "http", name, self.port, path)

    def put(self, path, *answers):
        """Set the n-th response for the n-th request of the path: a Reply, or a function of the request. The last
        one repeats."""
        with self.lock:
            self.answers[path] = list(answers)

    def put_prefix(self, prefix, answer):
        with self.lock:
            self.prefixes.append((prefix, answer))

    def answer(self, request):
        with self.lock:
            self.log.append(request)
            found = self.answers.get(request.path)
            if found is not None:
                answer = found.pop(0) if len(found) > 1 else found[0]
            else:
                under = [answer for prefix, answer in self.prefixes if request.path.startswith(prefix)]
                answer = under[0] if under else Reply(b"not found", status=404)
        return answer(request) if callable(answer) else answer

    # ---- What it saw

    @property
    def sent(self):
        """Return the bytes sent on all connections, including heads."""
        return sum(connection.sent for connection in self.connections)

    @property
    def bodies(self):
        return sum(request.sent for request in self.log)

    def asked(self, path):
        return [request for request in self.log if request.path == path]

    def clear(self):
        """Clear the log. Open connections stay open, and keep their numbers."""
        with self.lock:
            self.log.clear()
            for connection in self.connections:
                connection.sent = connection.received = connection.requests = 0
            self.most = self.at_once()

    def at_once(self):
        return sum(not connection.over() for connection in self.connections)

    # ---- How it answers

    def accept(self):
        while not self.stopping.is_set():
            sock, _ = self.listener.accept()
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)
            with self.lock:
                if self.stopping.is_set():
                    sock.close()
                    return
                connection = Connection(self, sock, len(self.connections))
                self.connections.append(connection)
                self.most = max(self.most, self.at_once())
                thread = threading.Thread(target=self.serve, args=(connection,), daemon=True)
                self.threads.append(thread)
            thread.start()

    def serve(self, connection):
        reset = False
        try:
            if self.context is not None:
                connection.sock = self.context.wrap_socket(connection.sock, server_side=True)
            going = True
            while going and not self.stopping.is_set():
                head = connection.head()
                if head is None:
                    break
                connection.requests += 1
                request = Request(head, connection)
                reply = self.answer(request)
                going = self.reply(connection, request, reply)
                reset = reply.reset is not None
        except (Gone, OSError, ValueError):  # a client that leaves or sends nonsense is not worth reporting
            pass
        finally:
            with self.lock:
                connection.open = False
            connection.end(reset)

    def reply(self, connection, request, reply):
        """Send the reply; False: the connection ends with it."""
        if reply.silent:
            connection.pause(3600 if reply.silent is True else reply.silent)
        if reply.close:
            return False
        if reply.raw is not None:
            connection.send(reply.raw)
            return False
        answer = compose(reply, request)
        request.status = answer.status
        head = status_line(reply, answer.status)
        if reply.endless_head:
            endless_head(connection, reply, head)
        connection.send(head + lines(answer.fields) + b"\r\n", reply.head_pace)
        usual = "keep-alive" if request.version == "HTTP/1.1" else "close"
        keep = answer.keep and request.headers.get("connection", usual).lower() != "close"
        return self.deliver(connection, request, reply, answer.blocks) and keep

    @staticmethod
    def deliver(connection, request, reply, blocks):
        """Send the body, as far as intended; False: it is cut."""
        limits = [limit for limit in (reply.cut, reply.reset, reply.stall) if limit is not None]
        limit = min(limits) if limits else None
        for block in blocks:
            piece = block if limit is None else block[: limit - request.sent]
            connection.send(piece, reply.pace, request)
            if limit is not None and request.sent >= limit:
                break
        if limit is not None and reply.stall is not None:
            connection.pause(3600)
        return limit is None


def endless_head(connection, reply, head):
    connection.send({"100": b"", "line": head + b"X-Endless: "}.get(reply.endless_head, head))
    piece = {"100": b"HTTP/1.1 100 Continue\r\n\r\n", "line": b"x" * 1024}.get(reply.endless_head, b"X-More: of it\r\n")
    while True:
        connection.send(piece, reply.head_pace)
