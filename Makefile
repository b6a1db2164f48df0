# SPDX-License-Identifier: GPL-3.0-or-later
# gdbprof.  `make help` lists what can be made.

PREFIX     ?= /usr/local
bindir     ?= $(PREFIX)/bin
libdir     ?= $(PREFIX)/lib
includedir ?= $(PREFIX)/include
mandir     ?= $(PREFIX)/share/man
datadir    ?= $(PREFIX)/share
pythondir  ?= $(libdir)/gdbprof/python
BUILD      ?= build
# One name, however it is given: files of dependencies have it in them.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
PKG_CONFIG ?= pkg-config
# CC, CXX, AR, CPPFLAGS, CFLAGS and LDFLAGS are those of the user, or make's own: flags of the user come
# after ours, but before those that gdbprof does not work without.
$(if $(word 2,$(BUILD)),$(error BUILD is "$(BUILD)": make cannot build in a folder with a blank in its name))

# Recipes show one short line each; V=1 shows the commands.
Q   := $(if $(V),,@)
say  = $(if $(V),,@printf '  %-7s %s\n' $(1) $(2))

# As many jobs as there are CPUs, for builds and tests, unless the user says otherwise.
cpus := $(shell getconf _NPROCESSORS_ONLN)
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(cpus)
endif
jobs = $(if $(filter -j%,$(MAKEFLAGS)),$(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(cpus)),1)
# Tests wait for a quarter of their time and longer: two more at once than there are CPUs keep these busy.
PROVE = prove --timer -j$(if $(filter 1,$(jobs)),1,$(shell expr $(jobs) + 2)) -e ''

dependencies := libdw libelf sqlite3 jansson libprotobuf-c zlib
# Neither gcc nor clang has a bound for strings of assembler.
warnings := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-overlength-strings \
	$(if $(WERROR),-Werror)
# Rooms in which much is done at once; for what the others do nobody waits, and they compile in two thirds of the time.
# Lines and functions are enough to read a backtrace; variables are for DEBUG=1.
busy_rooms := $(addprefix core/,base target sampling recording model metric store formats export patching)
optimize = $(if $(DEBUG),-O0 -g3,$(if $(filter $(addsuffix /%,$(busy_rooms)) tests/%,$<),-O2,-O1) -g1)
# No file has the name of the folder that it was built in.
path_maps := '-ffile-prefix-map=$(abspath $(BUILD))=build' '-ffile-prefix-map=$(CURDIR)=.'
sanitize := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all)

comma := ,

# What glibc before 2.34 has beside libc; since then these are empty.
libc_parts := -ldl -lpthread -lrt

# Asked when first used: a fresh machine has none of them before `make deps`.
once = $(eval $(1) := $(2))$($(1))
dependency_flags = $(call once,dependency_flags,$(shell $(PKG_CONFIG) --cflags $(dependencies)))
libraries = $(call once,libraries,$(shell $(PKG_CONFIG) --libs $(dependencies)) -pthread -lm -liberty -lpfm \
	$(zydis) $(libc_parts))
# Zydis 4 or later, which Debian 12 and later have: earlier ones had no such header.
zydis = $(call once,zydis,$(shell $(CC) $(CPPFLAGS) $(CFLAGS) -include Zydis/Disassembler.h -E -x c \
	-o /dev/null /dev/null 2>/dev/null && echo -lZydis))
check_flags = $(call once,check_flags,$(shell $(PKG_CONFIG) --cflags --libs check))
# The headers of the Python inside GDB: another python3 may be the first on PATH.
python_include = $(call once,python_include,$(shell gdb -nx -batch -ex \
	'python import sysconfig; print(sysconfig.get_paths()["include"])'))

users_flags = $(CPPFLAGS) $(CFLAGS)
core_flags = -std=c11 -D_GNU_SOURCE -Icore -I$(BUILD)/made $(dependency_flags) $(optimize) $(warnings) \
	$(if $(zydis),-DPROF_ZYDIS) $(path_maps) $(users_flags) $(sanitize) -fPIC -fvisibility=hidden -pthread
plugin_flags = $(core_flags) -I. -I$(python_include) -DPy_LIMITED_API=0x03090000
# Loops that copy stay loops: gcc and clang have names of their own for that.
loops = $(call once,loops,$(shell $(CC) -fno-tree-loop-distribute-patterns -E -x c -o /dev/null /dev/null 2>/dev/null \
	&& echo -fno-tree-loop-distribute-patterns || echo -fno-builtin))
# Its stack is walked by frame pointers, and memory is copied without calling anything.
# The C library's inline functions, such as atof(), would need other registers.
agent_registers := -mgeneral-regs-only -D__NO_INLINE__
# GDB would take its symbols for the program's: `break end` means the user's.
agent_debug     := $(if $(DEBUG),-g,-g0)
agent_flags = -std=c11 -D_GNU_SOURCE -Icore -O2 $(warnings) $(path_maps) $(users_flags) $(agent_debug) \
	-fno-omit-frame-pointer -fexceptions $(loops) -fno-lto \
	-ftls-model=initial-exec $(sanitize) -fPIC -fvisibility=hidden
program_flags := -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread

rooms       := base model target patching store formats recording tracing sampling parallel metric \
	callgraph report export picture view
core_source := $(sort $(wildcard $(rooms:%=core/%/*.c)))
# Encodings that protoc-c makes of their descriptions.
core_proto  := $(patsubst core/%.proto,$(BUILD)/made/%.pb-c.c,\
	$(sort $(wildcard $(rooms:%=core/%/*.proto))))
core_object := $(core_source:%.c=$(BUILD)/%.o) $(core_proto:.c=.o)
core        := $(BUILD)/libprof.a
# Files that are built into the core, as the lines of an array of strings, without the first line: their licence.
embedded    := $(patsubst core/%,$(BUILD)/made/%.inc,\
	$(wildcard $(rooms:%=core/%/*.js) $(rooms:%=core/%/*.css)))

# The library that traces from inside a program: it has nothing of the core, and needs libc only;
# libffi is linked in where there is an archive of it that can be.
ffi          = $(call once,ffi,$(or $(filter /%,$(shell $(CC) -print-file-name=libffi_pic.a)),-lffi))
agent_source := $(sort $(wildcard core/agent/*.c))
agent_object := $(agent_source:%.c=$(BUILD)/%.o)
agent        := $(BUILD)/libprofagent.so

# The shell command, and the scripts that it has GDB execute, which are beside it.
shell_source  := $(sort $(wildcard shell/*.c))
shell_object  := $(shell_source:%.c=$(BUILD)/%.o)
shell_command := $(BUILD)/gdbprof
scripts       := $(patsubst gdbscripts/%,$(BUILD)/%,$(wildcard gdbscripts/*.py))

# The manual pages: of the shell command, of each of its actions, and of GDB's commands.
actions := $(shell sed -n 's/^\#\# gdbprof \([a-z]*\)$$/\1/p' doc/reference/gdbprof.md 2>/dev/null)
manuals := $(patsubst %,$(BUILD)/man/%,man1/gdbprof.1 $(actions:%=man1/gdbprof-%.1) man7/gdbprof.7)

# What continues programs that the end of a killed GDB would leave stopped.
watchdog := $(BUILD)/gdbprof-watchdog

plugin_rooms  := interpose gdb engine option collect marks sampling calls tracing session command
plugin_source := $(sort $(wildcard $(plugin_rooms:%=plugin/%/*.c)))
plugin_object := $(plugin_source:%.c=$(BUILD)/%.o)
plugin        := $(BUILD)/_prof.abi3.so

unit        := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/unit/*/*.c tests/unit/plugin/*/*.c)))
unit_agent  := $(filter $(BUILD)/tests/unit/agent/%,$(unit))
unit_plugin := $(filter $(BUILD)/tests/unit/plugin/%,$(unit))
# Those that do not look at code or threads of their own, nor patch or sample them.
unit_plain  := $(filter-out $(patsubst %,$(BUILD)/tests/unit/%,target/% patching/% sampling/% plugin/% agent/%),$(unit))
# Those that trace other processes, and are skipped where the kernel does not permit that.
unit_traces := $(filter-out $(unit_plain) $(unit_agent),$(unit))
unit_core   := $(filter-out $(unit_agent) $(unit_plugin),$(unit))
# What is profiled in tests and examples, by how it is made.
profiled    := $(BUILD)/tests/programs
programs_c  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/programs/*.c examples/*.c))
programs_cc := $(patsubst %.cc,$(BUILD)/%,$(wildcard tests/programs/*.cc))
programs_go := $(if $(shell command -v go),$(patsubst %.go,$(BUILD)/%,$(wildcard tests/programs/*.go)))
counted_c   := $(addprefix $(profiled)/,shares-pg counted-pg calls-pg pictures-pg)
counted_cc  := $(profiled)/templates-pg
linked      := $(addprefix $(profiled)/heaps-,lazy now noplt static)
programs    := $(programs_c) $(programs_cc) $(programs_go) $(counted_c) $(counted_cc) $(linked) \
	$(profiled)/calls-plain-pg $(profiled)/pictures-static-pg $(profiled)/shares-asan

# The session tests, or those that TESTS names.  The longest begin first, or the last runs alone.
longest  := $(patsubst %,tests/gdb/%.t,transcript typing remote firmware execs unwind languages signals time verify accounts \
	shortwork runs states timers) tests/tree/lint.t
every    := $(wildcard tests/gdb/*.t tests/stress/*.t tests/tree/*.t)
# What does the same again and again; `make check` has no time for them, .ci/run has.
rounds   := $(patsubst %,tests/gdb/%.t,moments leaving oom cycles hits transcripts waiting) $(wildcard tests/stress/*.t)
# What does more there than in `make check`.
more     := $(patsubst %,tests/gdb/%.t,execs forks inferiors languages regions terminated typing verify)
# What runs jobs under mpirun, but for mpi.t, likewise.
mpi      := $(wildcard tests/gdb/mpi_*.t)
sessions := $(or $(TESTS),$(longest) $(filter-out $(longest) $(rounds) $(mpi),$(every)))
# Those that name no engine, which most have another reason for.
unnamed  := $(filter-out tests/gdb/remote% tests/gdb/transcript% tests/gdb/waiting.t tests/gdb/qemu.t \
	tests/gdb/impatient.t tests/gdb/late_interrupts.t, \
	$(shell grep -L -e --engine tests/gdb/*.t)) \
	tests/gdb/mark.t tests/gdb/counted.t tests/gdb/lifecycle.t tests/gdb/oom.t
# The most telling ones: all engines, kinds of views, of targets and of tracing, and the structure.
telling  := $(patsubst %,tests/gdb/%.t,unwind transcript counted agent_start threads engines heap sync trace \
	shares remote_marks pictures smoke) $(filter-out tests/tree/lint.t,$(wildcard tests/tree/*.t))
# Programs with which tests look at the plugin's work.
helpers  := $(BUILD)/tests/bench/walk
bench    := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))

# What is built with other flags is built anew.
flags := $(strip $(CC) $(CXX) $(AR) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(DEBUG) $(SAN) $(WERROR))
ifneq ($(flags),$(file <$(BUILD)/flags))
$(shell mkdir -p $(BUILD))$(file >$(BUILD)/flags,$(flags))
endif

export GDBPROF_BUILD := $(abspath $(BUILD))
export BUILD

.PHONY: all programs deps deps-test deps-all unit sessions check check-quick check-skipped check-stop \
	check-rounds check-jobs check-repeat check-matrix check-package check-san check-tsan check-oom check-gdb-suite bench bench-programs stress ranks leaving \
	kills cycles hits attaching check-programs fuzz verify demo reference format lint install uninstall help clean
.DELETE_ON_ERROR:

all: $(plugin) $(agent) $(watchdog) $(shell_command) $(manuals) ## build the plugin, the agent, the watchdog, the shell command and the manual pages

programs: $(programs) $(helpers) ## build the programs that the tests profile

# Each list of packages has what the one before has not.
deps:
	@./install-packages packages.txt

deps-test:
	@./install-packages packages.txt packages-test.txt

deps-all:
	@./install-packages packages.txt packages-test.txt packages-all.txt

# A fresh make each, which finds what deps has installed.  All is built before tests have the CPUs.
check: deps-test ## install what is missing, build, and run all tests
	@+$(MAKE) --no-print-directory all programs $(unit)
	@+$(MAKE) --no-print-directory unit
	@+$(MAKE) --no-print-directory sessions
	@+$(MAKE) --no-print-directory check-tsan

check-quick: deps-test ## likewise, but only the unit tests and the most telling sessions
	@+$(MAKE) --no-print-directory all programs $(unit)
	@+$(MAKE) --no-print-directory unit
	@+$(MAKE) --no-print-directory sessions TESTS='$(telling)'

# After `make check', which wrote down the scripts.
check-skipped: deps-all ## install packages-all.txt too, and run the sessions that lacked some of it
	@+[ ! -s $(BUILD)/skipped ] || $(MAKE) --no-print-directory sessions \
		TESTS="$$(sed 's/:.*//' $(BUILD)/skipped | sort -u | tr '\n' ' ')"

# What users have whose kernel permits no perf events.
check-stop: deps-test ## the sessions that name no engine, with the engine stop
	@+PERF=no $(MAKE) --no-print-directory sessions TESTS='$(unnamed)'

check-rounds: deps-test ## the sessions that do the same again and again, and what `make check` leaves out of others
	@+MORE=yes $(MAKE) --no-print-directory sessions TESTS='$(rounds) $(more)'

check-jobs: deps-all ## the sessions that run jobs of MPI, most of which `make check` leaves out
	@+$(MAKE) --no-print-directory sessions TESTS='$(mpi)'

check-repeat: deps-test ## run each session test N times (20), quiet and busy; TESTS="SCRIPT..."
	@+$(MAKE) --no-print-directory all programs
	$(Q)tests/repeat $(or $(N),20) $(or $(TESTS),$(every))

unit: $(unit) $(watchdog) ## run the unit tests of the core
	$(Q)$(PROVE) --failures $(unit)

# What has failed, and what was skipped, is said once more at the end, where one looks for it.
sessions: all $(programs) $(helpers) ## run the tests that start GDB, or TESTS="SCRIPT..."
	$(Q)rm -f $(BUILD)/failed $(BUILD)/skipped
	$(Q)$(PROVE) $(sessions); status=$$?; cat $(BUILD)/failed 2>&-; tests/skipped $(BUILD)/skipped; \
		exit $$status

check-package: deps-test ## build Debian's package twice, compare, install, try and remove it; CHECK=yes runs the unit tests
	@./install-packages packages-package.txt
	$(Q)CHECK="$(CHECK)" prove -v -e '' tests/package/debian.t

check-matrix: ## build and test on other Debians, as root; SUITES="trixie sid", CHECK=check, TESTS="SCRIPT..."
	$(Q)CHECK="$(CHECK)" TESTS="$(TESTS)" tests/matrix $(or $(SUITES),bullseye bookworm trixie sid)

check-san: deps-test ## the unit tests with AddressSanitizer and UBSan, in a build folder of their own
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/san SAN=address,undefined unit

# What threads of a traced program and gdbprof do at once, without locks.
check-tsan: deps-test ## the agent's ring with ThreadSanitizer, likewise
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan SAN=thread run-races

run-races: $(BUILD)/tests/unit/agent/races
	$(Q)prove -e '' $<

bench: deps-all ## print what sampling costs, as ratios of one run
	@+$(MAKE) --no-print-directory run-bench

bench-programs: $(bench) ## build the programs that it runs

run-bench: all bench-programs $(programs)
	$(Q)tests/bench/run

stress: deps-test ## 100000 silent stops, twenty times; ROUNDS=N and STOPS=N are others
	@+$(MAKE) --no-print-directory run-stress

run-stress: all $(programs)
	$(Q)tests/stress/run $(or $(ROUNDS),20) $(or $(STOPS),100000)

# As on a cluster whose nodes have more ranks than CPUs.
ranks: deps-all ## four ranks of MPI with threads, sampled and traced, for a minute with each library; SECONDS=N
	@+$(MAKE) --no-print-directory run-ranks

run-ranks: all $(programs)
	$(Q)prove -v -e '' tests/stress/ranks.t :: $(or $(SECONDS),60)

leaving: deps-test ## programs that end and execute others with all threads busy, 40 times; ROUNDS=N
	@+$(MAKE) --no-print-directory run-leaving

run-leaving: all $(programs)
	$(Q)prove -v -e '' tests/gdb/leaving.t :: $(or $(ROUNDS),40)

kills: deps-test ## kill GDB at any point 216 times, and detach 36 times; ROUNDS=N of each way, not 9
	@+$(MAKE) --no-print-directory run-kills

run-kills: all $(programs)
	$(Q)prove -v -e '' tests/gdb/moments.t :: $(or $(ROUNDS),9)

hits: deps-test ## meet breakpoints 20000 times with each engine, and in 500 sessions; TURNS=N, ROUNDS=N
	@+$(MAKE) --no-print-directory run-hits

run-hits: all $(programs)
	$(Q)prove -v -e '' tests/gdb/hits.t :: $(or $(TURNS),5000) $(or $(ROUNDS),500)

cycles: deps-test ## begin and end recordings around attach and detach, each way in each order; ROUNDS=N
	@+$(MAKE) --no-print-directory run-cycles

run-cycles: all $(programs)
	$(Q)prove -v -e '' tests/gdb/cycles.t :: $(or $(ROUNDS),1)

attaching: deps-test ## bring the agent into programs that allocate, at any point, 40 times; ROUNDS=N
	@+$(MAKE) --no-print-directory run-attaching

run-attaching: all $(programs)
	$(Q)prove -v -e '' tests/gdb/agent_attach.t :: $(or $(ROUNDS),40)

# Each place that asks is met by two return addresses; SKIP=1 has the second request of each refused.
check-oom: deps-test ## refuse every request for memory, threads and files once; DEPTH=N, SKIP=N
	@+$(MAKE) --no-print-directory run-check-oom

run-check-oom: all $(programs)
	$(Q)prove -v -e '' tests/gdb/oom.t :: $(or $(DEPTH),2) $(or $(SKIP),0)

# What Debian ships runs as it does without, and is seen whole: interpreters, compressors, servers; what their
# functions need is what perf finds, and stacks are the same to both engines.
check-programs: deps-test ## programs and servers of Debian, bare and recorded; PROGRAMS="xz redis"
	@tests/debian/install
	@+$(MAKE) --no-print-directory run-check-programs

run-check-programs: all
	$(Q)prove -v -e '' $(addprefix tests/debian/,programs.t rates.t shares.t accounts.t bursts.t stacks.t sums.t)

# GDB's tests see no difference.  All of them take a night: SUITE="gdb.threads gdb.base/break.exp" selects
# some, and MODES="stop trace catch" how is recorded meanwhile.
check-gdb-suite: deps ## GDB's own test suite, bare and recorded; SUITE="gdb.base ..." selects
	@./install-packages packages-suite.txt
	@+$(MAKE) --no-print-directory run-check-gdb-suite

run-check-gdb-suite: all
	$(Q)JOBS=$(or $(JOBS),$(jobs)) prove -v -e '' tests/gdbsuite/suite.t

# It has a list of packages of its own: clang is large, and nothing else needs it.
fuzz: deps-test ## feed all readers of files with damaged ones, for a minute in all; TIME=SECONDS
	@./install-packages packages-fuzz.txt
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=clang \
		SAN=fuzzer-no-link,address,undefined run-fuzz

run-fuzz: $(BUILD)/tests/fuzz/read
	$(Q)tests/fuzz/run $< $(or $(TIME),60)

verify: deps-test ## walk stacks of real programs both ways, and print how far GDB agrees
	@+$(MAKE) --no-print-directory run-verify

run-verify: all $(programs)
	$(Q)tests/bench/verify

demo: deps ## sample an example program inside GDB, and show where its time goes
	@+$(MAKE) --no-print-directory run-demo

run-demo: all $(BUILD)/examples/recursion
	$(Q)gdb -nx -batch -x gdbscripts/prof.py -x examples/demo.gdb $(BUILD)/examples/recursion

# A test fails until this is done where a help text has changed.
reference: all ## rewrite what the pages in doc/reference have from GDB's help
	$(Q)GDBPROF_BUILD=$(abspath $(BUILD)) gdb -nx -batch -x gdbscripts/prof.py -x doc/reference/generate.py

# To make a folder for each file that is compiled takes a fortieth of a build.
object_folders := $(sort $(dir $(core_object) $(agent_object) $(plugin_object) $(shell_object)))
$(core_object) $(agent_object) $(plugin_object) $(shell_object): | $(object_folders)
$(object_folders):
	$(Q)mkdir -p $@

$(core): $(core_object)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^

$(watchdog): core/watchdog/watchdog.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) -MMD -MP -std=c11 -D_GNU_SOURCE -Icore $(optimize) $(warnings) $(path_maps) \
		$(users_flags) $(LDFLAGS) -o $@ $<

$(plugin): $(plugin_object) $(core)
	$(call say,LINK,$@)
	$(Q)$(CC) $(core_flags) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL -o $@ $^ $(libraries)

$(agent): $(agent_object)
	$(call say,LINK,$@)
	$(Q)$(CC) $(agent_flags) $(LDFLAGS) -shared $(if $(DEBUG),,-Wl,--discard-all) -Wl,-z,now -Wl,-z,defs \
		-Wl,-Bsymbolic -Wl,--exclude-libs,ALL -o $@ $^ $(ffi) $(libc_parts)

$(shell_command): $(shell_object) $(core) | $(scripts)
	$(call say,LINK,$@)
	$(Q)$(CC) $(core_flags) $(LDFLAGS) -o $@ $^ $(libraries)

$(manuals) &: doc/reference/manual.py doc/reference/roff.py core/base/version.h $(wildcard doc/reference/*.md)
	$(call say,MAN,$(BUILD)/man)
	$(Q)rm -f $(manuals) && MANUALS=$(BUILD)/man gdb -nx -batch -x $< && ls $(manuals) >/dev/null

$(scripts): $(BUILD)/%.py: gdbscripts/%.py
	$(Q)mkdir -p $(@D) && cp $< $@

$(core_proto): $(BUILD)/made/%.pb-c.c: core/%.proto
	$(call say,PROTO,$<)
	$(Q)mkdir -p $(@D) && protoc-c --c_out=$(BUILD)/made -Icore $<

$(core_proto:.c=.o): $(BUILD)/made/%.o: $(BUILD)/made/%.c $(BUILD)/flags
	$(Q)$(CC) $(core_flags) -MMD -MP -c -o $@ $<

# A question mark is escaped, or two of them might be a trigraph.
$(embedded): $(BUILD)/made/%.inc: core/%
	$(call say,EMBED,$<)
	$(Q)mkdir -p $(@D) && sed '1d; s/[\\"?]/\\&/g; s/.*/"&\\n",/' $< >$@

$(core_source:%.c=$(BUILD)/%.o): $(BUILD)/core/%.o: core/%.c $(BUILD)/flags | $(core_proto) $(embedded)
	$(call say,CC,$<)
	$(Q)$(CC) $(core_flags) -pedantic -MMD -MP -c -o $@ $<

# Programs call malloc() with stacks of any alignment, which moves of 16 bytes would not bear.
# What hands floating point on needs registers for it.
$(BUILD)/core/agent/signature.o $(BUILD)/core/agent/traced_functions.o: agent_registers :=
# GDB marks libraries that have no debugging information at all in `info sharedlibrary`.
$(BUILD)/core/agent/stage.o: agent_debug := -g
$(agent_object): $(BUILD)/core/agent/%.o: core/agent/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(agent_flags) $(agent_registers) -MMD -MP -c -o $@ $<

$(plugin_object): $(BUILD)/plugin/%.o: plugin/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(plugin_flags) -MMD -MP -c -o $@ $<

$(shell_object): $(BUILD)/shell/%.o: shell/%.c $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(core_flags) -I. -pedantic -MMD -MP -c -o $@ $<

$(unit): traces := -DPROF_TEST_TRACES=0
$(unit_traces): traces := -DPROF_TEST_TRACES=1
# To optimize a test that runs briefly takes longer than it saves.
$(unit_plain): private optimize := -O0 $(if $(DEBUG),-g3,-g)
$(unit_core): $(BUILD)/tests/unit/%: tests/unit/%.c $(core)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(core_flags) -Itests/unit $(traces) -MMD -MP $(LDFLAGS) -o $@ $< \
		$(core) $(libraries) $(check_flags)

# Of the plugin, what needs neither GDB nor Python; the tests play GDB, and other files of its rooms.  Their
# slots are bound at start: until it is, a slot leads to code of the program, which is the plugin's here.
interposed := $(filter $(BUILD)/plugin/interpose/%,$(plugin_object))
$(unit_plugin): $(BUILD)/tests/unit/plugin/%: tests/unit/plugin/%.c $(BUILD)/plugin/%.o $(interposed) $(core)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(core_flags) -I. -Itests/unit $(traces) -MMD -MP $(LDFLAGS) -Wl,-z,now $(wrapped) \
		-o $@ $(filter %.c %.o,$^) $(core) $(libraries) $(check_flags)
# What it tests calls the functions that it hooks: those calls go past the slots, as the plugin's do.
$(BUILD)/tests/unit/plugin/interpose/wire: wrapped := $(patsubst %,-Wl$(comma)--wrap=%,poll send write recv read)

# They play gdbprof: prof_agent_stage() is theirs.  Nothing of the core is needed.
$(unit_agent): $(BUILD)/tests/unit/agent/%: tests/unit/agent/%.c $(agent_object) $(BUILD)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(agent_flags) $(place) -pthread -Itests/unit $(traces) -MMD -MP \
		$(LDFLAGS) -Wl,-z,now -o $@ $< \
		$(filter-out %/stage.o,$(agent_object)) $(ffi) $(check_flags) $(libc_parts)
$(BUILD)/tests/unit/agent/fixed: place := -fno-pic -no-pie
$(patsubst %,$(BUILD)/tests/unit/agent/mpi%,_blocking _operations) $(BUILD)/tests/unit/agent/mpi: place := -Wl,--export-dynamic

$(BUILD)/tests/bench/agent: tests/bench/agent.c $(agent_object) $(core)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(core_flags) -MMD -MP $(LDFLAGS) -o $@ $< \
		$(filter-out %/stage.o,$(agent_object)) $(core) $(libraries) $(ffi)

$(filter-out %/agent,$(bench)): $(BUILD)/tests/bench/%: tests/bench/%.c $(core)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(core_flags) -MMD -MP $(LDFLAGS) -o $@ $< $(core) $(libraries)

$(BUILD)/tests/fuzz/read: tests/fuzz/read.c $(core)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(core_flags) -fsanitize=fuzzer -MMD -MP $(LDFLAGS) -o $@ $< $(core) \
		$(libraries)

# Tests know how these were compiled: no flags of the user.
$(programs_c): $(BUILD)/%: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(program_flags) -MMD -MP -o $@ $< -lm $(libc_parts)

$(programs_cc): $(profiled)/%: tests/programs/%.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(CXX) -std=gnu++17 $(program_flags) -MMD -MP -o $@ $<

# With DWARF 5, gprof of binutils 2.40 names the wrong file for code of headers.
$(profiled)/pictures-pg $(profiled)/pictures-static-pg: dwarf := -gdwarf-4

$(counted_c): $(profiled)/%-pg: tests/programs/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(program_flags) $(dwarf) -pg -MMD -MP -o $@ $< -lm

$(profiled)/pictures-static-pg: tests/programs/pictures.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) -O2 -g $(dwarf) -pg -static -o $@ $< -lm

# Without debugging information, and at fixed addresses.
$(profiled)/calls-plain-pg: tests/programs/calls.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) -O1 -pg -no-pie -o $@ $< -lm

$(counted_cc): $(profiled)/%-pg: tests/programs/%.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D) && $(CXX) -std=gnu++17 $(program_flags) -pg -MMD -MP -o $@ $<

# The ways to call what is in a library.
linked_lazy   := -Wl,-z,lazy -no-pie
linked_now    := -Wl,-z,relro,-z,now
linked_noplt  := -fno-plt
linked_static := -static
$(linked): $(profiled)/heaps-%: tests/programs/heaps.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(program_flags) $(linked_$*) -MMD -MP -o $@ $<

$(profiled)/shares-asan: tests/programs/shares.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(program_flags) -fsanitize=address -MMD -MP -o $@ $<

$(programs_go): $(profiled)/%: tests/programs/%.go
	$(call say,GO,$<)
	$(Q)mkdir -p $(@D) && GOCACHE=$(abspath $(BUILD))/go GO111MODULE=off go build -o $@ $<

format: ## bring all C into the form of .clang-format
	$(Q)git ls-files '*.c' '*.h' | xargs clang-format -i

# cppcheck does not know scope guards: what they free it takes for leaks and dangling pointers.
lint: all ## run only clang-format, clang-tidy, cppcheck, shellcheck and codespell of `make check'
	$(Q)prove -v tests/tree/lint.t

version = $(shell sed -n 's/.*PROF_VERSION "\(.*\)"/\1/p' core/base/version.h)

# Each may have blanks.
installed := "$(DESTDIR)$(libdir)/gdbprof"
header    := "$(DESTDIR)$(includedir)/gdbprof.h"
package   := "$(DESTDIR)$(libdir)/pkgconfig/gdbprof.pc"
command   := "$(DESTDIR)$(bindir)/gdbprof"
pages     := $(patsubst $(BUILD)/man/%,"$(DESTDIR)$(mandir)/%",$(manuals))
of_bash   := "$(DESTDIR)$(datadir)/bash-completion/completions/gdbprof"
reader    := "$(DESTDIR)$(pythondir)/gdbprof.py"
of_zsh    := "$(DESTDIR)$(datadir)/zsh/site-functions/_gdbprof"
documents := "$(DESTDIR)$(datadir)/doc/gdbprof"
# What users read, in the folders that its links name.
documented = CHANGELOG.md $(wildcard examples/*.* doc/tutorial.md doc/howto/*.md doc/reference/*.md doc/explanation/*.md \
	doc/pictures/*.svg)

install: all ## install below PREFIX (/usr/local); DESTDIR, bindir, libdir, includedir, mandir and datadir are honoured
	install -d $(installed)
	install -m 755 $(plugin) $(agent) $(watchdog) $(shell_command) $(installed)
	install -m 644 gdbscripts/*.py gdbscripts/*.gdb $(installed)
	install -d "$(DESTDIR)$(includedir)"
	install -m 644 include/gdbprof.h $(header)
	install -d "$(DESTDIR)$(bindir)"
	ln -sfr $(installed)/gdbprof $(command)
	install -d "$(DESTDIR)$(mandir)/man1" "$(DESTDIR)$(mandir)/man7"
	install -m 644 $(filter %.1,$(manuals)) "$(DESTDIR)$(mandir)/man1"
	install -m 644 $(filter %.7,$(manuals)) "$(DESTDIR)$(mandir)/man7"
	install -D -m 644 python/gdbprof.py $(reader)
	install -d "$(DESTDIR)$(libdir)/pkgconfig"
	sed -e 's|@prefix@|$(PREFIX)|; s|@libdir@|$(libdir)|; s|@includedir@|$(includedir)|' \
		-e 's|@version@|$(version)|' include/gdbprof.pc.in >$(package)
	chmod 644 $(package)
	install -D -m 644 shell/completions/gdbprof.bash $(of_bash)
	install -D -m 644 shell/completions/_gdbprof $(of_zsh)
	for file in $(documented); do install -D -m 644 $$file $(documents)/$${file#doc/} || exit 1; done
	@echo 'Add to your .gdbinit:  source $(libdir)/gdbprof/prof.py'

uninstall: ## take away what install has put there
	rm -rf $(installed) $(header) $(command) $(pages) $(of_bash) $(of_zsh) $(package) $(documents) $(reader)

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  V=1 shows commands; DEBUG=1 builds without optimization; SAN=LIST with sanitizers;'
	@echo '  WERROR=1 makes warnings errors; BUILD=DIR builds elsewhere.'

clean: ## remove all that was built
	$(Q)rm -rf $(BUILD)

-include $(core_object:.o=.d) $(agent_object:.o=.d) $(plugin_object:.o=.d) $(shell_object:.o=.d) $(watchdog).d \
	$(unit:%=%.d) $(bench:%=%.d) $(programs:%=%.d)
