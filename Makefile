# `make demo` and `make test` do all their own set-up: Python 3.11 or later with venv, git and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
ROOMS := rules referee vision ui device web hall printing simulator cli
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard ui/locale/*/LC_MESSAGES/*.po))

.PHONY: languages demo test test-long test-all test-times coverage checks cases screens bench bench-photos vm-test vm-cuts soak goldens mutants train lock clean deb release deb-test arm-test card-test evening install uninstall .venv

# Python keeps what it has compiled, whatever the environment says: the tests start the command some hundred times.
export PYTHONDONTWRITEBYTECODE :=

# Runs a step and says how long it took: $(call timed,its name,the command).
timed = from=$$(date +%s); $(2) && echo "$(1): $$(($$(date +%s) - from)) s"

.venv: $(STAMP) $(CATALOGUES)

# Nothing is compiled that is never imported; the lock is whole, so that its two halves are unpacked side by side.
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check install --no-compile
$(STAMP): pyproject.toml requirements.lock
	@$(call timed,set-up,$(PYTHON) -m venv $(VENV) && split --number r/2 requirements.lock $(VENV)/lock. && \
		{ $(PIP) --no-deps -r $(VENV)/lock.aa & half=$$!; $(PIP) --no-deps -r $(VENV)/lock.ab && wait $$half; } && \
		$(PIP) --no-deps --no-build-isolation -e .)
	@# picamera2 only runs on a Pi; it lies beside the packages, where the camera's tests hold the program to its code
	$(PIP) --no-deps --upgrade --target $(VENV)/picamera2 picamera2==0.3.38
	touch $@

# The newest versions that pyproject.toml allows, with the digests of their files for every machine, one package to a line.
lock: $(STAMP)
	$(PIP) --upgrade --target $(VENV)/uv uv
	$(VENV)/uv/bin/uv pip compile pyproject.toml --all-extras --universal --generate-hashes --no-annotate --no-header \
		--no-emit-index-url --quiet --upgrade --output-file $(VENV)/lock $(LOCK)
	sed --null-data 's/ \\\n *--hash/ --hash/g' $(VENV)/lock > requirements.lock

# What the program says in other languages than English, compiled.
%.mo: %.po | $(STAMP)
	$(BIN)/pybabel --quiet compile --input-file $< --output-file $@

# Brings the catalogues up to the messages that stand in the code; then translate what is new.
MESSAGES := $(BIN)/pybabel --quiet extract --mapping-file babel.cfg --sort-output --no-location --omit-header --keywords 'plural:1,2' --keywords in_context:1c,2 \
	--keywords Text --keywords Sentence:2 --keywords PluralSentence:2,3 --keywords DeviceError
languages: .venv
	$(MESSAGES) --output-file $(VENV)/messages.pot $(ROOMS)
	$(BIN)/pybabel --quiet update --domain sevenmat --input-file $(VENV)/messages.pot --output-dir ui/locale \
		--no-fuzzy-matching --ignore-obsolete --width 120

demo: .venv
	$(BIN)/sevenmat demo

# The checks run beside the cases: most of the time they take one core of two.
test: .venv
	@$(MAKE) --no-print-directory -j2 checks cases

checks: .venv
	@$(call timed,ruff,$(BIN)/ruff check . && $(BIN)/ruff format --check --quiet .)
	@$(call timed,mypy,$(BIN)/mypy)
	@$(call timed,import contracts,$(BIN)/lint-imports)

# A worker a core and one for those that wait, and a file's tests together, so that what it lays out is laid out once; the longest files first.
# What fails is run once more with its assertions taken apart, which every worker would do for all files before it begins.
# glibc gives large arrays back to the kernel at once and gets them anew, page by page: a sixth of the time.
# OpenBLAS has one thread, as in the command: its small products wait long for a second one on busy cores.
PYTEST := OPENBLAS_NUM_THREADS=1 MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296 $(BIN)/python -m pytest
WORKERS := -n $(shell expr $$(nproc) + 1) --dist loadfile --no-loadscope-reorder --assert=plain --durations=20
cases: .venv
	@$(call timed,cases,$(PYTEST) $(WORKERS)) || { $(PYTEST) --last-failed --last-failed-no-failures none; exit 1; }

# What takes minutes and is held by a shorter test too: the demos of every game, more seeds, slices of soak and fuzz.
test-long: .venv
	@$(call timed,long cases,$(PYTEST) $(WORKERS) -m slow) || { $(PYTEST) -m slow --last-failed --last-failed-no-failures none; exit 1; }

test-all: test test-long

# How much of each room the cases of make test run, the processes that they start included: twice their time. Cases that
# bound a time may fail so; whether they hold is for make test to say.
coverage: .venv
	$(BIN)/coverage erase
	-$(PYTEST:$(BIN)/python=$(BIN)/coverage run) $(WORKERS)
	@$(BIN)/coverage combine --quiet
	@for room in $(ROOMS) models; do printf '%-10s %s %%\n' $$room "$$($(BIN)/coverage report --include="$$room/*" --format=total)"; done
	@printf '%-10s %s %%\n' all "$$($(BIN)/coverage report --format=total)"

# How long each file takes, written down in tests/times.txt; look there before you add a test that takes seconds.
test-times: .venv
	$(PYTEST) $(WORKERS) --write-times

# Every screen of the display in every state that matters, drawn anew, the README's pictures, and every page of the
# phones' and of the hall's wall (which want Chromium); look at what changed before you commit it.
screens: .venv
	$(BIN)/python -m tests.ui
	$(BIN)/python -m tests.device.demo_picture
	$(BIN)/python -m tests.web
	$(BIN)/python -m tests.web.page_picture
	$(BIN)/python -m tests.web.card_picture
	$(BIN)/python -m tests.web.moving_picture
	$(BIN)/python -m tests.hall.gallery

bench: .venv
	$(BIN)/python -m tools.bench

# The real photographs beside the checkout, where there are any. PHOTOS=FOLDER keeps a sheet of what failed.
bench-photos: .venv
	$(BIN)/python -m tools.bench photos

# The product as it is installed, in a virtual machine with the kernel's simulated pins, camera and display. Root; builds its
# image first (some 10 minutes, 5 GB below VM_WORK). VM="display buttons" runs only these stages.
vm-test: .venv
	$(BIN)/python -m tools.vm $(VM)

# The plug pulled again and again, of the program alone and of the whole service, on a disk that drops what was not flushed.
# Root, after vm-test's image; some 30 minutes. CUTS="--alone 20 --mutants 0 --service 0" makes it shorter.
vm-cuts: .venv
	$(BIN)/python -m tools.vm.cuts $(CUTS)

# SOAK="--games 100 --rendered 2" makes it shorter; python -m tools.soak --help says what else there is.
soak: .venv
	$(BIN)/python -m tools.soak $(SOAK)

# Does this checkout behave as another one, a revision or a folder? make goldens AGAINST=main GOLDENS="--only help"
# python -m tools.goldens --help says what else there is.
goldens: .venv
	$(BIN)/python -m tools.goldens $(AGAINST) $(GOLDENS)

# Small faults put into the rules and the referee, and whether a test finds them (pyproject.toml says by which). The first run
# finds out which test runs what, some ten minutes.
# MUTANTS="rules.laminate.ending*" asks about these alone; what survived is listed.
MUTMUT := PYTHONPATH=$(CURDIR):$(VENV)/mutmut $(BIN)/python -m mutmut
mutants: .venv
	test -d $(VENV)/mutmut || $(PIP) --target $(VENV)/mutmut 'mutmut>=3.8'
	$(MUTMUT) run $(MUTANTS)
	$(MUTMUT) results

# Training wants PyTorch and many fonts, so it has a virtual environment of its own.
TRAIN := .venv-train
$(TRAIN)/.installed: models/train/requirements.txt
	$(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/python -m pip install --quiet --quiet --disable-pip-version-check -r models/train/requirements.txt
	touch $@

train: $(TRAIN)/.installed
	$(TRAIN)/bin/python -m models.train

# The out-of-distribution benchmark: another deck and scene generator, rendered by a path tracer in a virtual environment of its own.
# It wants Debian's libllvm19 and fonts, and says so where they are missing. Hours at first; what is rendered stays.
BENCHMARK := .venv-benchmark
$(BENCHMARK)/.installed: tools/benchmark_ood/requirements.txt
	$(PYTHON) -m venv $(BENCHMARK)
	$(BENCHMARK)/bin/python -m pip install --quiet --quiet --disable-pip-version-check -r tools/benchmark_ood/requirements.txt
	touch $@

bench-vision: .venv $(BENCHMARK)/.installed
	$(BENCHMARK)/bin/python -m tools.benchmark_ood render
	$(BIN)/python -m tools.benchmark_ood.measure
	$(BENCHMARK)/bin/python -m tools.benchmark_ood plot
	$(BIN)/python -m tools.benchmark_ood.failures
	$(BIN)/python -m tools.benchmark_ood.card
	@# Painted flat: sleeves, bent cards, hands, shadows, tilt and more, kind by kind; about half a minute a table.
	$(BIN)/python -m tools.benchmark_ood.hard

# The Debian packages for amd64 and arm64, in build/release, with the wheels of that architecture; Debian's dpkg-deb makes them.
# DEB="--arch arm64 --quick" makes only one, in seconds and half as large again; python -m tools.deb --help says what else there is.
deb: .venv
	$(BIN)/python -m tools.deb $(DEB)

# What is given away, in build/release: wheel, source and both packages, their sums, and the notes from CHANGELOG; lintian looks
# at the packages where it is installed. The number is pyproject.toml's. Some ten minutes; RELEASE=--quick packs in seconds.
release: .venv
	$(BIN)/python -m tools.deb.release $(RELEASE)

# The packages in bare Debians: installed without a network, played on through an update, removed, purged. Root, debootstrap,
# systemd-container; some 7 minutes each. arm64 runs in qemu-user-static: a picture, a demo and quick tests in an hour or two, no
# service; what is read, judged and shown there is held against what deb-test has kept.
deb-test: .venv
	$(BIN)/python -m tools.deb --quick --arch amd64
	for suite in bookworm trixie; do $(BIN)/python -m tools.deb.trying --suite $$suite build/release/sevenmat_*_amd64.deb || exit; done

arm-test: .venv
	$(BIN)/python -m tools.deb --quick --arch arm64
	$(BIN)/python -m tools.deb.trying --suite trixie --arch arm64 --pictures 1 build/release/sevenmat_*_arm64.deb

# A card that installs itself, in a virtual machine: a Debian with cloud-init boots with the card's files and the package. Root,
# a network, vm-test's tools, dosfstools and mtools; some 10 minutes emulated.
card-test: .venv
	$(BIN)/python -m tools.deb --quick --arch amd64
	$(BIN)/python -m tools.vm.card build/release/sevenmat_*_amd64.deb

# An evening of the package in a container with systemd, with page and hall on, and what goes wrong on evenings: whether it
# grows. Root; an hour, or MINUTES=480.
evening: .venv
	$(BIN)/python -m tools.deb --quick --arch amd64
	$(BIN)/python -m tools.deb.evening --minutes $(or $(MINUTES),60) build/release/sevenmat_*_amd64.deb

# On a Raspberry Pi, with sudo: makes the package for this machine and installs it; see docs/INSTALL.md.
install:
	./systemd/install.sh install

uninstall:
	./systemd/install.sh uninstall

clean:
	rm -rf $(VENV) $(TRAIN) $(BENCHMARK) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage* mutants *.egg-info
