/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The engine that stops nothing: the kernel samples threads by the clock of their CPU time, or
 * CPUs.
 *
 * GDB only reports which threads begin and end: a thread of the plugin reads the kernel's samples,
 * and looks at sleeping threads like the engine stop.  While GDB keeps a thread stopped, it does
 * not run and is not sampled.
 */
#include "plugin/engine/engine.h"
#include "plugin/gdb/host_target.h"

#include "plugin/gdb/host_stack.h"
#include "plugin/interpose/displaced.h"
#include "plugin/interpose/lives.h"
#include "plugin/interpose/steps.h"
#include "plugin/interpose/subject.h"
#include "sampling/kernel_stack.h"
#include "sampling/perf_event.h"
#include "sampling/ticker.h"
#include "sampling/walker.h"
#include "target/arch.h"
#include "target/kallsyms.h"

#include <stdatomic.h>
#include <unistd.h>

/*
 * Only for the first process, because each CPU must be interrupted only once.  Hz: at higher rates
 * CPUs are not sampled, because that would slow down everything else that runs there, and the
 * kernel accounts CPU time no more often.
 */
static const double CPUS_RATE = 250;

static const char NO_KERNEL[] =
	"For the same reason the stacks do not include the kernel's functions.";
static const char NO_SLEEPERS[] =
	"Stacks of sleeping threads end at the system call: the kernel shows more to root alone.";
static const char NO_NAMES[] =
	"The kernel hides the names of its functions: /proc/sys/kernel/kptr_restrict must be 0, or GDB run as root.";

/* There is only one recording at a time. */
static struct {
	struct engine_request request;
	enum prof_perf_scope scope;
	struct prof_kallsyms *symbols; /* kernel frames for stacks of sleeping threads, or NULL */
	struct prof_error *lacks;      /* what the kernel does not allow, or NULL */
	const char
		*short_of; /* why stacks lack the kernel functions that were asked for; or NULL */
	atomic_bool generated; /* a stack was cut in code that is in no file */
	atomic_ulong cut;      /* how many stacks are larger than the kernel's copy */
	struct subjects subjects;
} perf;

static void meet(pid_t thread)
{
	subjects_watch(&perf.subjects, thread);
}

/* THREAD, of any process, has ended. */
static void forget(pid_t thread)
{
	subjects_forget(&perf.subjects, thread);
}

static void take_over(pid_t thread)
{
	struct subject *subject = subjects_find(&perf.subjects, thread);

	if (!subject)
		return;
	prof_walker_freeze(subject->walker);
	prof_ticker_exec(subject->ticker);
	prof_walker_read(subject->walker);
}

static void forked(pid_t thread)
{
	if (subjects_have(&perf.subjects, thread))
		perf.request.forked();
}

static void signalled(pid_t thread, int signal)
{
	/* GDB itself stops threads by SIGSTOP. */
	if (signal != SIGSTOP)
		perf.request.signalled(thread, signal);
}

static const struct lives_watcher watcher = {
	.stop = meet, .end = forget, .exec = take_over, .fork = forked, .signal = signalled};

/* What GDB does with threads is only noted. */
static const struct steps_watcher steps = {0};

static struct prof_error *perf_available(const char *connection)
{
	struct prof_error *why;

	if (!host_is_native(connection))
		return engine_not_native("perf", connection);
	struct prof_error *error = engine_check_machine("perf");
	if (error)
		return error;
	if (prof_perf_scope(prof_arch_native(), &why) == PROF_PERF_NOTHING)
		return why;
	prof_error_destroy(why);
	return NULL;
}

/*
 * If only user code is sampled, the time of system calls is counted for the next sample; and GDB
 * cannot walk the copy of a stack.
 */
static struct prof_error *perf_yields(bool verify)
{
	struct prof_error *why;

	if (verify || host_has_unwinders() || host_has_compiler())
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The engine perf has only copies of stacks, which GDB cannot walk.");
	prof_perf_scope(prof_arch_native(), &why);
	return why;
}

/*
 * Without such slots in GDB, threads are found later, and neither their ends nor signals are seen.
 */
static const struct engine *perf_variant(void)
{
	static struct engine apart;
	struct prof_error *error = lives_check();

	if (!error)
		return &engine_perf;
	prof_error_destroy(error);
	apart = engine_perf;
	apart.reports_signals = false;
	return &apart;
}

/* Reads the kernel's functions, if the stacks of sleeping threads are to have them and can. */
static struct prof_error *read_kernel(void)
{
	bool shown = prof_kallsyms_shown();

	prof_kallsyms_destroy(perf.symbols);
	perf.symbols = NULL;
	if (!perf.request.kernel || !shown || !prof_kernel_stack_shown()) {
		perf.short_of = perf.request.kernel ? shown ? NO_SLEEPERS : NO_NAMES : NULL;
		return NULL;
	}
	perf.short_of = NULL;
	struct prof_error *error = prof_kallsyms_read(NULL, &perf.symbols);
	return error ? error : prof_kallsyms_index(perf.symbols);
}

static struct prof_error *perf_start(const struct engine_request *request)
{
	struct prof_error **lacks = &perf.lacks;

	prof_error_destroy(*lacks);
	perf.request = *request;
	atomic_store(&perf.generated, false);
	atomic_store(&perf.cut, 0);
	perf.scope = prof_perf_scope(prof_arch_native(), lacks);
	if (perf.scope == PROF_PERF_NOTHING)
		return steal(lacks);
	perf.request.kernel &= perf.scope == PROF_PERF_ALL;
	struct prof_error *error = read_kernel();
	if (error)
		return error;
	if (request->kernel && !perf.request.kernel)
		perf.short_of = NO_KERNEL;
	prof_error_destroy(lives_watch(&watcher));
	prof_error_destroy(steps_watch(&steps));
	return NULL;
}

static struct prof_error *perf_attach(pid_t process)
{
	struct prof_ticker_options options = {
		.process = process,
		.rate = perf.request.rate,
		.max_stopped = perf.request.max_stopped,
		.kernel = perf.scope,
		.cpus = perf.scope == PROF_PERF_ALL && perf.request.rate <= CPUS_RATE &&
			!perf.subjects.items.count,
		.kernel_frames = perf.request.kernel,
		.sleepers = perf.symbols,
		.generated = &perf.generated,
		.cut = &perf.cut,
		.displaced = displaced_steps(),
		.discover = true,
		.wall = perf.request.wall,
		.queue = perf.request.queue,
		.marker = perf.request.marker,
	};
	struct subject *subject;
	struct prof_error *error = prof_walker_create(
		process, perf.request.max_depth, perf.request.queue, &options.walker);

	if (!error && perf.request.kernel)
		prof_walker_report_kernel(options.walker);
	if (!error)
		error = subjects_add(&perf.subjects, &options, &subject);
	if (error)
		prof_walker_destroy(options.walker);
	else
		prof_walker_read(subject->walker);
	return error;
}

static void perf_release(pid_t process)
{
	const struct subject *subject = subjects_find(&perf.subjects, process);

	if (subject)
		prof_ticker_release(subject->ticker);
}

static void perf_hold(pid_t process)
{
	const struct subject *subject = subjects_find(&perf.subjects, process);

	if (subject)
		prof_ticker_hold(subject->ticker);
}

/*
 * Walks earlier samples with the earlier mappings, and later ones with the current mappings, even
 * if the program has executed another one when they are walked.
 */
static void perf_objects_changed(void)
{
	subjects_report(&perf.subjects);
	subjects_read(&perf.subjects);
}

static void perf_detach(pid_t process)
{
	subjects_remove(&perf.subjects, process);
}

static void perf_stop(void)
{
	lives_unwatch();
	subjects_hold(&perf.subjects);
	steps_unwatch();
	subjects_clear(&perf.subjects);
	prof_kallsyms_destroy(perf.symbols);
	perf.symbols = NULL;
}

static void perf_report(void)
{
	subjects_report(&perf.subjects);
	if (atomic_exchange(&perf.generated, false))
		perf.request.note(
			"Stacks are cut off in code that the program has generated.  With --engine=stop GDB walks them, if it knows that code.");
}

/* How the kernel samples the first process.  Other processes are never sampled by CPUs. */
static void say_way(struct prof_text *text)
{
	if (prof_ticker_has_cpus(perf.subjects.items.items[0]->ticker)) {
		prof_text_print(text, "The kernel samples the CPUs that the program runs on.\n");
		return;
	}
	prof_text_print(text,
		"The kernel samples each thread by its own clock, which slows down programs that wait often.\n");
	if (geteuid())
		prof_text_print(text,
			"To sample CPUs instead, run GDB as root or set perf_event_paranoid to 0, and sample at %g Hz or less.\n",
			CPUS_RATE);
	else if (perf.request.rate > CPUS_RATE)
		prof_text_print(
			text, "To sample CPUs instead, sample at %g Hz or less.\n", CPUS_RATE);
}

static void perf_say(struct prof_text *text)
{
	if (perf.subjects.items.count)
		say_way(text);
	if (perf.lacks)
		prof_text_print(text, "%s\nTheir time is found where user code was met.\n",
			prof_error_message(perf.lacks));
	unsigned long cut = atomic_load(&perf.cut);
	if (cut)
		prof_text_print(text,
			"gdbprof cut off %lu stack%s: the kernel copies only the top of a large stack.\nUse --engine=stop to record whole stacks.\n",
			cut, cut == 1 ? "" : "s");
	if (perf.short_of)
		prof_text_print(text, "%s\n", perf.short_of);
}

static bool perf_bounds(pid_t process, uint64_t address, uint64_t *low, uint64_t *high)
{
	return subjects_bounds(&perf.subjects, process, address, low, high);
}

static bool perf_maps(pid_t process, uint64_t address, const char *path)
{
	return subjects_map(&perf.subjects, process, address, path);
}

const struct engine engine_perf = {
	.name = "perf",
	.describe = "Have the kernel sample threads while they run: nothing is stopped.",
	.unwinder = "cfi",
	.native = true,
	.reports_signals = true,
	.knows_kernel = true,
	.available = perf_available,
	.yields = perf_yields,
	.variant = perf_variant,
	.start = perf_start,
	.attach = perf_attach,
	.release = perf_release,
	.hold = perf_hold,
	.objects_changed = perf_objects_changed,
	.detach = perf_detach,
	.stop = perf_stop,
	.report = perf_report,
	.say = perf_say,
	.bounds = perf_bounds,
	.maps = perf_maps,
};
