"""Build an assay_parse that counts its own instructions: compiler's assembly with a counter in every basic block.

The count is exact and cheap, so that a search can count thousands of headers a minute. Callgrind counts the same,
except padding; `make bench-worst` compares. GCC or clang for x86-64 is required: the counter uses `lea`, which does
not change the flags.
"""
import os
import re
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
OUT = os.path.join(ROOT, "build", "bench")
CORE = ["-ffreestanding", "-Iinclude", "-Isrc/core", "-Ispec"]  # as the Makefile builds it
ADD = ["movq %rax, counted_kept(%rip)", "movq counted_instructions(%rip), %rax", "leaq {}(%rax), %rax",
       "movq %rax, counted_instructions(%rip)", "movq counted_kept(%rip), %rax"]


def with_counters(assembly):
    """Return the assembly with code before each basic block that adds its length to a counter."""
    lines, block = [], []

    def end_block():
        if block:
            lines.extend("\t" + line.format(len(block)) for line in ADD)
            lines.extend(block)
            block.clear()

    for line in assembly.splitlines():
        instruction = line.startswith("\t") and not line.startswith(("\t.", "\t#"))
        if instruction:
            block.append(line)
        if not instruction or re.match(r"\s*(j\w+|ret\w*)\b", line):
            end_block()
        if not instruction:
            lines.append(line)
    end_block()
    return "\n".join(lines) + "\n"


def compile_c(*words):
    os.makedirs(OUT, exist_ok=True)
    return subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O2", *words], cwd=ROOT, check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout


def build():
    """Build build/bench/counted."""
    if os.uname().machine != "x86_64":
        raise SystemExit("instructions can be counted on x86-64 only")
    assembly = compile_c(*CORE, "-fno-asynchronous-unwind-tables", "-S", "-o", "-", "src/core/assay.c")
    with open(os.path.join(OUT, "counted.s"), "w", encoding="utf-8") as f:
        f.write(with_counters(assembly))
    compile_c("-Iinclude", "-o", os.path.join(OUT, "counted"), "bench/counted.c", os.path.join(OUT, "counted.s"))


class Counter:
    """A process that parses headers and counts the instructions."""
    def __init__(self):
        self.process = subprocess.Popen([os.path.join(OUT, "counted")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def parse(self, header, data_size):
        """Return (status, instructions) for a file with this header and data size; None if it is too large."""
        size = 8 + len(header)
        if size + data_size >= 2 ** 64:
            return None
        self.process.stdin.write(struct.pack("<2Q", size, size + data_size) + struct.pack("<Q", len(header)) + header)
        self.process.stdin.flush()
        return struct.unpack("<2Q", self.process.stdout.read(16))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
