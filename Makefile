# assay: the whole interface of the project for people. `make help` lists the targets.

VERSION  = 0.1.0
CC      ?= cc
AR      ?= ar
CFLAGS  ?= -O2
B       ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
# Folders below PREFIX; name them on the command line: make install LIBDIR=/usr/lib/x86_64-linux-gnu
BINDIR       = $(PREFIX)/bin
LIBDIR       = $(PREFIX)/lib
INCLUDEDIR   = $(PREFIX)/include
DATADIR      = $(PREFIX)/share
MANDIR       = $(DATADIR)/man
PKGCONFIGDIR = $(LIBDIR)/pkgconfig
BASHDIR      = $(DATADIR)/bash-completion/completions
ZSHDIR       = $(DATADIR)/zsh/site-functions
FISHDIR      = $(DATADIR)/fish/vendor_completions.d
# Whether to install libassay.so too: yes or no.
SHARED      ?= $(if $(filter -static,$(CFLAGS) $(LDFLAGS)),no,yes)
PYTHON  ?= python3
WERROR  ?=
# Part of the sandbox, and addresses in the place of paths, if the compiler can use the libraries: yes or no. What
# pkg-config finds may be for another C library (CC=musl-gcc) or another machine: a program is compiled and linked.
usable   = $(shell pkg-config --exists $1 2>/dev/null && echo 'int main(void) { return 0; }' | \
             $(CC) $(CPPFLAGS) $(CFLAGS) $$(pkg-config --cflags $1) -include errno.h -include stdio.h -include $2 \
             -x c -o /dev/null - $(LDFLAGS) $3 >/dev/null 2>&1 && echo yes || echo no)
SECCOMP ?= $(call usable,libseccomp,seccomp.h,$$(pkg-config --libs libseccomp))
CURL    ?= $(call usable,libcurl,curl/curl.h,-ldl)
# SHA-256 by libcrypto, which is loaded when it is needed: yes or no.
HASH    ?= $(if $(filter -static,$(CFLAGS) $(LDFLAGS)),no,$(shell echo 'int main(void) { return dlopen("", 1) != 0; }' | \
             $(CC) $(CPPFLAGS) $(CFLAGS) -include dlfcn.h -x c -o /dev/null - $(LDFLAGS) -ldl >/dev/null 2>&1 && \
             echo yes || echo no))

WARN      = -Wall -Wextra -Wpedantic -Wshadow -Wconversion $(WERROR)
# How the core is read: proofs/units.py shows that the prover reads the same.
COREREAD  = -std=c11 -ffreestanding -Iinclude -Isrc/core
COREFLAGS = $(COREREAD) $(WARN)
HOSTFLAGS = -std=c11 $(WARN) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Iinclude $(folders:%=-Isrc/%)
ifeq ($(SECCOMP),yes)
HOSTFLAGS += -DASSAY_SECCOMP $(shell pkg-config --cflags libseccomp)
LIBS      += $(shell pkg-config --libs libseccomp)
endif
ifeq ($(CURL),yes)
HOSTFLAGS += -DASSAY_CURL $(shell pkg-config --cflags libcurl)
LIBS      += -ldl
endif
ifeq ($(HASH),yes)
HOSTFLAGS += -DASSAY_HASH
LIBS      += $(if $(filter yes,$(CURL)),,-ldl)
endif

core_parts = $(filter-out src/core/assay.c,$(wildcard src/core/*.c))
library    = $B/core/assay.o $B/core_text/assay_text.o $B/core_write/assay_write.o $B/flat/flat.o
soname     = libassay.so.0
shared     = $B/libassay.so.$(VERSION)
flat_more  = $(patsubst %,$B/flat/flat_%.o,edit index notes write)
headers    = $(wildcard include/*.h src/*/*.h spec/*.acsl)
folders    = base model notes modelspec edit host remote cli
program_obj = $(patsubst src/%.c,$B/%.o,$(wildcard $(folders:%=src/%/*.c)))

all: $B/assay $B/libassay.a $(flat_more)

# The core ships as one object made from one unit, which includes its parts.
$B/core/assay.o: src/core/assay.c $(core_parts) $(headers)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(COREFLAGS) $(CFLAGS) -c -o $@ $<

$(program_obj): $B/%.o: src/%.c $(headers)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(HOSTFLAGS) $(CFLAGS) -c -o $@ $<

$B/core_text/assay_text.o $B/core_write/assay_write.o: $B/%.o: src/%.c $(headers)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(COREFLAGS) $(CFLAGS) -c -o $@ $<

# Ship as dist/assay_index.c, assay_notes.c, assay_flat_write.c and assay_flat_edit.c, with what they call; compiled
# here to be checked.
$(flat_more): $B/flat/%.o: src/flat/%.c $(headers)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(COREFLAGS) -Isrc/flat -Isrc/base -Isrc/edit -Isrc/model -Isrc/notes $(CFLAGS) -c -o $@ $<

$B/flat/flat.o: src/flat/flat.c $(headers)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(COREFLAGS) $(CFLAGS) -c -o $@ $<

$B/libassay.a: $(library)
	rm -f $@
	$(AR) rcs $@ $^

# The shared library, for ELF: the same sources as position-independent code.
$(library:$B/%=$B/pic/%): $B/pic/%.o: src/%.c $(core_parts) $(headers)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(COREFLAGS) $(CFLAGS) -fPIC -c -o $@ $<

$(shared): $(library:$B/%=$B/pic/%) packaging/assay.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(soname) -Wl,--version-script,packaging/assay.map -o $@ \
	    $(filter %.o,$^)

$B/assay: $(program_obj) $B/libassay.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

demo:
	@$(MAKE) -s --no-print-directory $B/assay
	@sh ./demo.sh $B/assay

# What follows is for those who change assay. `make deps` and `make deps-*` install what the other targets need; these
# install nothing, and name what is missing.
deps:
	@tests/deps.sh --install check

deps-prove deps-fuzz deps-bench deps-embed deps-disks: deps-%:
	@tests/deps.sh --install $*

has-check has-prove has-fuzz has-bench has-embed has-disks: has-%:
	@tests/deps.sh $*

check: has-check
	@$(PYTHON) tests/run.py

model-check: has-check
	@$(PYTHON) tests/run.py build
	@$(PYTHON) assurance/model/model_check.py --reference 1000000

# The writer beside that of the official crate.
write-check: has-check
	@assurance/writer/check.sh $(or $(COUNT),1000000) $(or $(SEED),1)

readers: has-check
	@$(PYTHON) tests/run.py build
	@$(PYTHON) assurance/readers/check.py $(or $(FOLDERS),$(or $(COUNT),20000))

readers-more: has-check
	@$(PYTHON) tests/run.py build
	@$(PYTHON) assurance/readers/check.py --record $(or $(BATCHES),1)

# The core as two files, and what a release has with them: packaging/README.md.
dist:
	@$(PYTHON) packaging/release.py dist

check-embed: has-embed
	@$(PYTHON) packaging/check.py
	@$(PYTHON) packaging/targets.py --check
	@bindings/rust/check.sh || [ $$? = 77 ]
	@bindings/go/check.sh || [ $$? = 77 ]
	@bindings/javascript/check.sh || [ $$? = 77 ]

# bindings/go/assay.wasm, which the Go module contains: needs clang and lld.
wasm:
	@$(PYTHON) packaging/wasm.py

# Edits on ext4, XFS and Btrfs, and what a power failure leaves of them: in a guest of QEMU (CUTS=1, TESTS=1: one alone).
check-disks: has-disks $B/assay
	@case "$(CURDIR)/" in /tmp/*) echo "the guest has another /tmp and can't see this folder: copy the project elsewhere"; \
	    exit 1;; esac
	@$(PYTHON) assurance/disks/check.py $(if $(CUTS),--cuts) $(if $(TESTS),--tests) $(SYSTEMS)

# The Python package from its artefacts, in empty environments; needs the network.
check-python: has-check
	@$(PYTHON) bindings/python/check.py

# The Python package with torch: 8 GB of packages, ten minutes; not in CI's gate. AGAIN=1: in the last environment.
check-torch: has-check
	@$(PYTHON) bindings/python/check_torch.py $(if $(AGAIN),--again)

# Its wheels for every platform, in build/wheels/dist; docs/hub-scale.md run on 100,000 files.
wheels: has-check
	@$(PYTHON) bindings/python/wheels.py $(if $(WRITE),--write)

check-scale: has-check
	@$(PYTHON) bindings/python/scale.py $(if $(WRITE),--write)

# docs/targets.md: the library compiled for every target.
targets: has-embed
	@$(PYTHON) packaging/targets.py

prove: has-prove
	@$(PYTHON) proofs/prove.py $(if $(FRESH),--fresh) $(if $(WITHIN),--within $(WITHIN)) $(if $(RECORD),--record) $(FILE)

prove-canary: has-prove
	@$(PYTHON) proofs/prove.py --canary $(FILE)

prove-smoke: has-prove
	@$(PYTHON) proofs/prove.py --smoke $(FILE)

prove-second: has-prove
	@$(PYTHON) proofs/prove.py --second $(FILE)

prove-32: has-prove
	@$(PYTHON) proofs/prove.py --machdep x86_32 $(FILE)

prove-faults: has-prove
	@$(PYTHON) assurance/faults/proof_faults.py $(if $(FRESH),--again)

seeded-faults: has-check has-prove
	@$(PYTHON) assurance/faults/seeded.py $(if $(FRESH),--again)

mutants: has-check
	@$(PYTHON) assurance/mutation/mutants.py

mutants-writer: has-check
	@$(PYTHON) assurance/mutation/mutants.py --writer

mutants-sample: has-check
	@$(PYTHON) assurance/mutation/mutants.py --sample 300

mutants-proof: has-prove
	@$(PYTHON) assurance/mutation/mutants.py --proof $(if $(FRESH),checks --again)

mutants-spec: has-check has-prove
	@$(PYTHON) assurance/mutation/spec_mutants.py --files 60 --report build/spec-mutants/report.txt
	@$(PYTHON) assurance/mutation/spec_equal.py --again --seconds 8

# All evidence that is stale, one kind after the other: for a night. Stop it at any time; it continues.
assurance: has-check has-prove has-fuzz has-bench has-disks
	@$(PYTHON) assurance/evidence.py run $(KIND)

assurance-page:
	@$(PYTHON) assurance/evidence.py page

assurance-take:
	@$(PYTHON) assurance/evidence.py take $(or $(RUN),build/check)

matrix:
	@$(PYTHON) tests/conformance/matrix.py

corpus-large: $B/assay
	@$(PYTHON) tests/conformance/large.py --full

trace:
	@$(PYTHON) tests/conformance/trace.py

rule:
	@$(PYTHON) tests/conformance/rule.py $(ID)

coverage: has-check
	@tests/core/coverage.sh

cross: has-check
	@assurance/machines/cross.sh

# The harness `differential` needs the reference's library; without it the others run.
reference-library:
	@fuzz/differential/build.sh || [ $$? = 77 ]

FUZZ_SECONDS ?= 60

fuzz: has-fuzz reference-library
	@$(PYTHON) fuzz/run.py --seconds $(FUZZ_SECONDS)

fuzz-long: has-fuzz reference-library
	@$(PYTHON) fuzz/run.py --seconds 3600

fuzz-many: has-fuzz reference-library
	@$(PYTHON) fuzz/run.py --many --seconds 300

fuzz-mutants: has-fuzz
	@$(PYTHON) fuzz/mutant_search.py

fuzz-minimize: has-fuzz reference-library
	@$(PYTHON) fuzz/run.py --minimize

fuzz-report:
	@$(PYTHON) fuzz/report.py

fuzz-coverage: has-check
	@fuzz/coverage.sh

bench: has-bench
	@$(PYTHON) bench/run.py $(if $(QUICK),--quick)

bench-instructions: has-bench
	@$(PYTHON) bench/instructions.py $(if $(LINES),--lines,--check)

bench-worst: has-bench
	@$(PYTHON) bench/worst.py --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1) $(if $(WRITE),--write)

bench-scaling: has-bench
	@$(PYTHON) bench/scaling.py $(if $(QUICK),--quick)

# Megabytes of header a second that the writer writes, judging included: TENSORS=10000.
bench-write: $B/libassay.a
	@$(CC) -std=c11 -O2 -Iinclude -o $B/write_speed bench/write_speed.c $B/libassay.a
	@$B/write_speed $(TENSORS)

bench-formats:
	@$(PYTHON) bench/formats.py $(if $(QUICK),--quick)

# Metadata for a sparse file of 100 GB in place, and a file that is copied beside cp: bench/EDIT.md (PRINT=1: printed).
bench-edit: $B/assay $B/libassay.a
	@$(PYTHON) bench/edit.py $(if $(PRINT),--print) $(if $(FOLDER),--folder $(FOLDER))

bench-folder:
	@$(PYTHON) bench/folders.py $(if $(QUICK),--quick)

# The Python package beside the official one and modelvet; needs the network for them, and for torch `make check-torch`.
bench-python:
	@$(PYTHON) bench/python_package.py $(if $(QUICK),--quick)

# Other tools on every file of the corpus: bench/scanners.tsv and the table of README.md; needs pip.
bench-scanners: $B/assay
	@$(PYTHON) bench/scanners.py

# ---- Installation. What is installed: MODE|SOURCE|TARGET; the source of a link is what it points to.

library_files = \
    '644|$B/libassay.a|$(LIBDIR)/libassay.a' \
    '644|$B/assay.pc|$(PKGCONFIGDIR)/assay.pc' \
    '644|include/assay.h|$(INCLUDEDIR)/assay.h' \
    '644|include/assay_codes.h|$(INCLUDEDIR)/assay_codes.h' \
    '644|include/assay_flat.h|$(INCLUDEDIR)/assay_flat.h' \
    '644|include/assay_text.h|$(INCLUDEDIR)/assay_text.h' \
    '644|include/assay_write.h|$(INCLUDEDIR)/assay_write.h'
shared_files = \
    '644|$(shared)|$(LIBDIR)/$(notdir $(shared))' \
    'link|$(notdir $(shared))|$(LIBDIR)/$(soname)' \
    'link|$(soname)|$(LIBDIR)/libassay.so'
program_files = \
    '755|$B/assay|$(BINDIR)/assay' \
    '644|man/assay.1|$(MANDIR)/man1/assay.1' \
    '644|completions/assay.bash|$(BASHDIR)/assay' \
    '644|completions/_assay|$(ZSHDIR)/_assay' \
    '644|completions/assay.fish|$(FISHDIR)/assay.fish'

put = printf '%s\n' $1 | { set -e; while IFS='|' read -r mode source target; do \
    echo "$(DESTDIR)$$target"; install -d "$$(dirname "$(DESTDIR)$$target")"; \
    if [ "$$mode" = link ]; then ln -sf "$$source" "$(DESTDIR)$$target"; \
    else install -m "$$mode" "$$source" "$(DESTDIR)$$target"; fi; done; }

install: install-library install-program

install-library: $B/libassay.a $(if $(filter yes,$(SHARED)),$(shared))
	@sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@INCLUDEDIR@|$(INCLUDEDIR)|; s|@VERSION@|$(VERSION)|' \
	    -e '2,$$s|=$(PREFIX)/|=$${prefix}/|' packaging/assay.pc.in > $B/assay.pc
	@$(call put,$(library_files) $(if $(filter yes,$(SHARED)),$(shared_files)))
	@[ -n '$(DESTDIR)' ] || ldconfig >/dev/null 2>&1 || :

install-program: $B/assay
	@$(call put,$(program_files))

# Files alone: the folders may be those of others.
uninstall:
	@printf '%s\n' $(library_files) $(shared_files) $(program_files) | \
	    while IFS='|' read -r mode source target; do rm -f "$(DESTDIR)$$target"; done

clean:
	rm -rf $B

help:
	@printf '%s\n' \
	    'make all       the program build/assay and the library build/libassay.a' \
	    'make demo      build the program and judge real files and attacks; needs a C compiler alone' \
	    'make dist      dist/: the library as two files, token for token the proved core; tarball, SBOM, recipes' \
	    'make check-embed  programs that use assay as each kind of package judge the corpus; targets; Rust, Go, npm' \
	    'make wasm      bindings/go/assay.wasm, after a change of the core or of src/flat/' \
	    'make check-python  the Python package from wheel and source distribution, in empty environments' \
	    'make check-torch   the same with torch, transformers, diffusers, Ray: 8 GB of packages (AGAIN=1: not installed again)' \
	    'make wheels    a Python wheel for every platform, what can run here is run: bindings/python/WHEELS.md' \
	    'make check-scale  the recipes of docs/hub-scale.md on 100,000 files, with Ray and Spark, and what they cost' \
	    'make targets   the library compiled for every target, run where that is possible: docs/targets.md' \
	    'make deps      install what the tests need (deps-prove, -fuzz, -bench, -embed, -disks: what those need)' \
	    'make check     all tests; installs nothing' \
	    'make check-disks  edits on tmpfs, on ext4, XFS and Btrfs in a guest of QEMU, and after power failures' \
	    'make model-check    model, core and reference on a million generated files' \
	    'make write-check    heads of a million generated descriptions are those of the official writer (COUNT=, SEED=)' \
	    'make readers   other readers on files that assay accepts: COUNT=20000 or FOLDERS=...' \
	    'make readers-more  the same on BATCHES=1 times 20,000 files, recorded batch by batch' \
	    'make prove     prove the core with Frama-C (FILE=src/core/x.c: one file; FRESH=1: use no earlier answer)' \
	    'make prove-canary   no function proves ensures \false' \
	    'make prove-smoke    no contract is contradictory; no code is dead, but one listed branch' \
	    'make prove-32  the same proof for a 32-bit machine' \
	    'make prove-second  how many goals each of two provers proves alone, in 2 s' \
	    'make prove-faults  the proof fails on each seeded fault that is not on record (FRESH=1: on each)' \
	    'make seeded-faults every check is seen to fail on a seeded fault, those on record left out (FRESH=1: all)' \
	    'make mutants   the core wrong by a little in every place: the tests see it (mutants-sample: five minutes of it)' \
	    'make mutants-writer the same of the writer: its certificate at run time or its tests see it' \
	    'make mutants-proof  the proof breaks when a check is deleted, and where only it can see a mutant (FRESH=1: all again)' \
	    'make mutants-spec   the specification wrong by a little in every place: the comparison sees it' \
	    'make assurance all stale evidence, one kind after the other, for a night; it continues where it stopped' \
	    'make assurance-page  docs/assurance.md from the record; assurance-take: record what make check has shown' \
	    'make matrix    the corpus as a table: rule, boundary, place' \
	    'make corpus-large   headers of 100 MB that are made to cost time: the program on them' \
	    'make rule ID=G4 where a rule is: text, code, logic, proof, tests, corpus files' \
	    'make trace     every rule has its logic, code, status, corpus file, test and section' \
	    'make coverage  lines and branches of the core that the tests reach' \
	    'make cross     the corpus on a 32-bit and on a big-endian machine' \
	    'make fuzz      every harness, both engines, FUZZ_SECONDS=$(FUZZ_SECONDS) each (fuzz-long: an hour each)' \
	    'make fuzz-many  until there are a hundred million executions; fuzz-mutants: does fuzzing find seeded faults?' \
	    'make fuzz-minimize  fewer inputs that reach as much; fuzz-report: build/fuzz/REPORT.md' \
	    'make fuzz-coverage  lines and branches of the core that fuzzing alone has reached' \
	    'make bench     assay and its peers on the same bytes, and the targets (QUICK=1: two minutes)' \
	    'make bench-instructions  instructions by callgrind, none more than 3 % above bench/instructions.tsv' \
	    'make bench-worst   search for headers that cost the most instructions a byte (MINUTES=10 SEED=1; WRITE=1: kept)' \
    'make bench-scaling  how cost grows with tensors, bytes, names, rank, pairs: bench/SCALING.md (QUICK=1: printed)' \
    'make bench-formats  what JSON, JSONL and SARIF cost beside text: bench/FORMATS.md (QUICK=1: printed)' \
    'make bench-write  how fast the writer writes a header, judging included (TENSORS=10000)' \
    'make bench-edit  what an edit of a large file costs: bench/EDIT.md (PRINT=1: printed; FOLDER=...)' \
    'make bench-folder  what a folder costs as it grows: bench/FOLDERS.md (QUICK=1: printed)' \
    'make bench-python  the Python package beside the official one: bench/PYTHON.md (QUICK=1: printed)' \
    'make bench-scanners  asks other tools about every file of the corpus: the table of README.md' \
    'make install   PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) BINDIR, LIBDIR, INCLUDEDIR, MANDIR ...; SHARED=$(SHARED)' \
	    'make install-library  the library alone; install-program: the program alone' \
	    'make uninstall removes what make install has installed with the same folders' \
	    'make clean'

.PHONY: all demo dist check-embed check-python check-torch wheels check-scale wasm targets deps deps-prove \
        deps-fuzz deps-bench deps-embed deps-disks has-check has-prove has-fuzz has-bench has-embed has-disks check check-disks model-check write-check readers readers-more prove \
        prove-canary prove-smoke prove-32 prove-second prove-faults seeded-faults mutants mutants-writer mutants-sample \
        mutants-proof mutants-spec assurance assurance-page assurance-take matrix corpus-large trace rule coverage \
        cross reference-library fuzz fuzz-long fuzz-many fuzz-mutants fuzz-minimize fuzz-report fuzz-coverage bench \
        bench-instructions bench-worst bench-scaling bench-scanners bench-formats bench-write bench-edit bench-folder bench-python install \
        install-library install-program uninstall clean help
.DEFAULT_GOAL = all
