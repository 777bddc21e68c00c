"""Imitate the Hub with two servers on the loopback address: addresses of files, listings, and a CDN.

    with Hub({"model.safetensors": body, "config.json": b"{}"}, token="secret") as hub:
        ... HF_ENDPOINT=hub.endpoint, hf://o/m ...
        assert all("authorization" not in request.headers for request in hub.cdn.log)

Like the Hub: large files return 302 to a signed address of the CDN, with size and ETag in X-Linked-Size and
X-Linked-ETag; small files return 307 to a relative address; a listing has pages, with a Link to the next.
"""

import hashlib
import json
from urllib.parse import parse_qs, quote, unquote

from reply import Reply, redirect
from server import Server

LARGE = (".safetensors", ".bin")
ERROR = {
    "RepoNotFound": "Repository not found",
    "RevisionNotFound": "Invalid rev id: it does not exist",
    "EntryNotFound": "Entry not found",
    "GatedRepo": "Access to this model is restricted. You must be authenticated to access it.",
    "DisabledRepo": "Access to this resource is disabled.",
    "": "Invalid username or password.",
}


def fault(status, code):
    """Return an error in the form of the Hub."""
    said = [("X-Error-Code", code), ("X-Error-Message", ERROR[code]), ("Content-Type", "application/json")]
    return Reply(json.dumps({"error": ERROR[code]}).encode(), status=status, headers=said)


class Hub:
    def __init__(self, files, owner="o/m", revision="main", token=None, gated=False, page=1000, **cdn):
        """files: name to bytes, or to a Reply of the CDN or (small files) of the Hub. token: required from
        readers."""
        self.files, self.owner, self.revision, self.token = files, owner, revision, token
        self.gated, self.page = gated, page
        self.server, self.cdn = Server(), Server(**cdn)
        self.commit = hashlib.sha1(owner.encode()).hexdigest()
        self.instead = {}  # name of a file: the Reply of its address, instead of the redirection

    def __enter__(self):
        self.server.__enter__()
        self.cdn.__enter__()
        self.endpoint = self.server.url("")
        self.server.put_prefix("/", self.answer)
        self.cdn.put_prefix("/repos/", self.deliver)
        return self

    def __exit__(self, *what):
        self.server.__exit__(*what)
        self.cdn.__exit__(*what)

    def reply(self, name):
        found = self.files[name]
        return found if isinstance(found, Reply) else Reply(found)

    def bytes_of(self, name):
        reply = self.reply(name)
        return len(reply.body) if reply.size is None else reply.size

    def oid(self, name):
        return hashlib.sha256(self.reply(name).body).hexdigest()

    def deliver(self, request):
        """The CDN: the address is a hash of the content, and signed."""
        found = [name for name in self.files if request.path == "/repos/" + self.oid(name)]
        if not found or "Signature=" not in request.query:
            return Reply(b"<Error><Code>AccessDenied</Code></Error>", status=403)
        reply = self.reply(found[0])
        return reply if reply.etag else reply.with_(etag='"%s"' % self.oid(found[0])[:32])

    def refused(self, request):
        given = request.headers.get("authorization")
        if self.token is None or given == "Bearer " + self.token:
            return None
        if self.gated:
            return fault(403 if given else 401, "GatedRepo")
        return fault(404 if given else 401, "RepoNotFound")

    def answer(self, request):
        path = unquote(request.path)
        for prefix, handler in (
            ("/api/resolve-cache/models/%s/" % self.owner, self.cached),
            ("/api/models/%s/" % self.owner, self.listing),
            ("/%s/resolve/" % self.owner, self.resolve),
        ):
            if path.startswith(prefix):
                return self.refused(request) or handler(request, path[len(prefix) :])
        return fault(404 if "authorization" in request.headers else 401, "RepoNotFound")

    def resolve(self, _, rest):
        known = [revision + "/" for revision in (self.revision, self.commit) if rest.startswith(revision + "/")]
        if not known:
            return fault(404, "RevisionNotFound")
        name = rest[len(known[0]) :]
        if name not in self.files:
            return fault(404, "EntryNotFound")
        if name in self.instead:
            return self.instead[name]
        fields = [("X-Repo-Commit", self.commit), ("Accept-Ranges", "bytes")]
        if not name.endswith(LARGE):
            to = "/api/resolve-cache/models/%s/%s/%s" % (self.owner, self.commit, quote(name))
            return redirect(to, status=307, headers=fields)
        fields += [("X-Linked-Size", self.bytes_of(name)), ("X-Linked-ETag", '"%s"' % self.oid(name))]
        to = self.cdn.url("/repos/%s?Expires=1&Signature=abc" % self.oid(name), host="localhost")
        return redirect(to, headers=fields)

    def cached(self, _, rest):
        name = rest.partition("/")[2]
        if name not in self.files:
            return fault(404, "EntryNotFound")
        reply = self.reply(name)
        return reply.with_(etag='"%s"' % self.oid(name)[:40], headers=[*reply.headers, ("X-Repo-Commit", self.commit)])

    def listing(self, request, rest):
        kind, _, revision = rest.partition("/")
        if revision.strip("/") not in (self.revision, self.commit):
            return fault(404, "RevisionNotFound")
        if kind == "revision":
            siblings = [{"rfilename": name} for name in sorted(self.files)]
            return self.json({"id": self.owner, "sha": self.commit, "siblings": siblings})
        names, start = sorted(self.files), int(parse_qs(request.query).get("cursor", ["0"])[0])
        more = []
        if start + self.page < len(names):
            address = "%s%s?recursive=true&cursor=%d" % (self.endpoint, request.path, start + self.page)
            more = [("Link", '<%s>; rel="next"' % address)]
        return self.json([self.entry(name) for name in names[start : start + self.page]], more)

    def entry(self, name):
        entry = {"type": "file", "path": name, "size": self.bytes_of(name), "oid": self.oid(name)[:40]}
        if name.endswith(LARGE):
            entry["lfs"] = {"oid": self.oid(name), "size": self.bytes_of(name), "pointerSize": 135}
        return entry

    @staticmethod
    def json(value, headers=()):
        return Reply(json.dumps(value).encode(), headers=headers)
