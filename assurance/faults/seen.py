"""The record of seeded faults that were seen: seen.tsv, so that what takes hours can be done in parts.

    record = Record(); record.knows(name, key); record.add(name, key, seconds)

A row is: name of the fault, a digest of all that the result depends on, seconds, date. A fault whose digest is another
now counts as not seen.
"""
import fcntl
import os
import time

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "seen.tsv")
HEAD = "name\tdigest\tseconds\tdate\n"


class Record:
    """The rows of the file. Several programs may add to it at the same time."""

    def __init__(self, names):
        """names: of all faults that there are. Rows of others are dropped."""
        self.names = {name: number for number, name in enumerate(names)}

    def rows(self):
        """Return the rows by name."""
        if not os.path.exists(PATH):
            return {}
        with open(PATH, encoding="utf-8") as f:
            return {line.split("\t")[0]: line for line in f.readlines()[1:]}

    def known(self):
        """Return (name, digest) of each fault that was seen."""
        return {tuple(line.split("\t")[:2]) for line in self.rows().values()}

    def add(self, name, key, seconds):
        """Record a fault that was seen, in place of what was recorded for it before."""
        with open(os.path.join(os.path.dirname(PATH), "seen.py"), encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            rows = self.rows()
            rows[name] = "%s\t%s\t%d\t%s\n" % (name, key, round(seconds), time.strftime("%Y-%m-%d"))
            kept = sorted(rows.keys() & self.names.keys(), key=self.names.get)
            with open(PATH + ".new", "w", encoding="utf-8") as f:
                f.write(HEAD + "".join(rows[name] for name in kept))
            os.replace(PATH + ".new", PATH)
