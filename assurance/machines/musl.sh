#!/bin/sh
# Build with `make CC=musl-gcc`: a program without libseccomp and libcurl, which are installed for another C library.
# Check that it reports this, and judge the corpus; then the same as a static program.
set -eu
command -v musl-gcc >/dev/null || { echo "no musl-gcc"; exit 77; }
make -s B=build/musl CC=musl-gcc WERROR=-Werror
build/musl/assay --version | tee build/musl/version
grep -q '^sandbox: built without seccomp, ' build/musl/version
grep -q '^addresses: none: built without libcurl$' build/musl/version
python3 tests/conformance/manifest.py --program build/musl/assay
for tests in verdicts. output. signals.; do
    python3 tests/program.py --program build/musl/assay --only $tests
done
# The same as one static program, which needs nothing from the system that it runs on.
rm build/musl/assay
make -s B=build/musl CC=musl-gcc WERROR=-Werror LDFLAGS=-static
! readelf -l build/musl/assay | grep -q INTERP || { echo "FAILED: the static program needs a loader"; exit 1; }
python3 tests/conformance/manifest.py --program build/musl/assay
