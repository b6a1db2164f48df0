/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/loading.h"
#include "plugin/tracing/tracing.h"

#include "plugin/collect/request.h"
#include "plugin/tracing/agent.h"
#include "plugin/collect/collector.h"
#include "plugin/calls/counting.h"
#include "plugin/tracing/inject.h"
#include "plugin/collect/notes.h"
#include "plugin/tracing/preload.h"
#include "plugin/tracing/traceable.h"
#include "plugin/tracing/tracing_choice.h"
#include "plugin/tracing/traced_processes.h"
#include "plugin/calls/traced_functions.h"
#include "plugin/gdb/events.h"
#include "plugin/gdb/hooknames.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/late.h"
#include "plugin/gdb/trap.h"
#include "plugin/interpose/detach.h"
#include "plugin/interpose/library.h"
#include "base/time_unit.h"
#include "target/dynamic.h"
#include "target/procfs.h"
#include "target/stale.h"
#include "tracing/ring_clock.h"

#include <stdlib.h>
#include <string.h>

static void reach_stage(const struct trap *trap);
static void reach_end(const struct trap *trap);

/* There is one GDB, so one set of traced processes. */
static struct {
	struct tracing_request request;
	struct agent_request wanted; /* options of agents; .families is 0 while nothing is traced */
	struct prof_ring_clock clock; /* of the times that agents record */
	bool paused;
	char *why;     /* there is a process that is not traced yet, for this reason; NULL: there is
			  none */
	int64_t pause; /* ns: the longest time for which a process was stopped to begin */
} tracing;

/* Where the agent waits for requests; and where programs end, see reach_end(). */
static struct trap stage = {"-qualified -function prof_agent_stage", reach_stage, NULL};
static struct trap exiting = {"-qualified -function _exit", reach_end, NULL};

static bool goes_on(void)
{
	return tracing.wanted.families;
}

/* Notes WHY a process is not traced yet, a sentence; NULL: clears it. */
static void set_why(const char *why)
{
	free(tracing.why);
	tracing.why = why ? strdup(why) : NULL;
}

/* SPAN, in ns, in clock units, whose length is measured from now on. */
static uint64_t clock_units(int64_t span)
{
	int64_t now = tracing.clock.last_time;

	return prof_ring_clock_from_ns(&tracing.clock, now + span) -
		prof_ring_clock_from_ns(&tracing.clock, now);
}

/* Converts the options from ns to clock units, for agents. */
static void adjust_ticks(void)
{
	prof_ring_clock_adjust(&tracing.clock);
	tracing.wanted.clock_rate =
		(double)clock_units(PROF_NS_PER_SECOND) / (double)PROF_NS_PER_SECOND;
	tracing.wanted.threshold = clock_units(tracing.request.threshold);
}

/* Sets breakpoints in the functions from number FIRST on that are called through no table. */
static void visit_others(const struct agent *agent, size_t first)
{
	for (size_t i = first; i < traced_functions_count(); i++) {
		enum agent_traced traced = agent_traced(agent, i);
		if (traced == AGENT_TRACED_NONE)
			traced_functions_visited(i, counting_visit(i));
		else if (traced == AGENT_TRACED_NOT)
			traced_functions_refused(i);
	}
}

/* Notes that TRACED, which ends, has had no MPI, if that was asked for. */
static void note_mpi(const struct traced_process *traced)
{
	if (tracing.wanted.families & PROF_FAMILY_MPI && traced->agent &&
		agent_has_ring(traced->agent) && !agent_has_mpi(traced->agent))
		notes_add(
			"No call of MPI was traced, because the program has loaded no shared library of MPI.  Record the program that calls MPI, not one that starts it.");
}

/* Notes why nothing of OpenMP was traced in TRACED, which ends, if that was asked for. */
static void note_openmp(const struct traced_process *traced)
{
	if (!(tracing.wanted.families & PROF_FAMILY_OMP) || !traced->agent ||
		!agent_has_ring(traced->agent))
		return;
	if (agent_tool(traced->agent) == PROF_RING_TOOL_NONE)
		notes_add(
			"Nothing of OpenMP was traced, because no runtime of OpenMP has asked the agent to trace it.  libomp, which clang uses, asks once, when it begins, unless the program has a tool of its own; libgomp, which gcc uses, never asks.  Views show OpenMP by samples.");
	else if (agent_tool(traced->agent) == PROF_RING_TOOL_OTHER)
		notes_add(
			"Nothing of OpenMP was traced, because a library of the program has an OpenMP tool, or OMP_TOOL_LIBRARIES names one.  Views show OpenMP by samples.");
}

/* The agent of the selected inferior has reached a stage. */
static void reach_stage(const struct trap *reached)
{
	pid_t process = host_process();
	struct agent *agent = NULL;
	struct traced_process *traced = traced_processes_find_or_add(process);

	(void)reached;
	if (!traced || !goes_on())
		return;
	adjust_ticks();
	/* A child begins anew, without the redirections that it has inherited. */
	if (traced->agent && !agent_has_ring(traced->agent))
		agent_retire(traced->agent);
	struct prof_error *error = agent_meet(process,
		prof_dynamic_find_in(process, "prof_agent").address, &tracing.wanted, &agent);
	tracing.wanted.number++;
	if (agent) {
		agent_destroy(traced->agent);
		traced->agent = agent;
		/* The agent may have come by itself, after an attempt to inject it. */
		set_why(NULL);
		agent_record(agent, !tracing.paused);
		visit_others(agent, 0);
	}
	traced_process_refuse(traced, error);
}

/*
 * The selected inferior is about to end.  Stacks that were not taken yet must be walked while their
 * code still exists.
 */
static void reach_end(const struct trap *reached)
{
	struct traced_process *traced = traced_processes_find(host_process());

	(void)reached;
	if (traced && traced->agent)
		agent_report(traced->agent);
}

/* GDB lets go of THREAD: its process continues without redirections. */
static void leave(pid_t thread)
{
	struct traced_process *traced = traced_processes_find(prof_procfs_process(thread));
	pid_t parent = traced ? 0 : prof_procfs_parent(thread);

	/*
	 * If GDB 13 lets go of a child before it has noticed it, the breakpoints, ours too, stay in
	 * the child's code.
	 */
	if (parent && traced_processes_find(parent))
		prof_stale_clear(thread, parent);
	if (!traced || traced->gone)
		return;
	traced->gone = true;
	if (traced->agent) {
		/* As long as the ring says what is recorded. */
		agent_report(traced->agent);
		agent_retire(traced->agent);
	}
}

struct prof_error *tracing_check(const struct tracing_request *request)
{
	AUTO_FREE char *library = NULL;

	struct prof_error *refused = request->families ? counting_check_tracing() : NULL;
	if (refused)
		return refused;
	if (!request->families)
		return NULL;
	struct prof_error *error = traceable_check();
	if (!error && request->families & PROF_FAMILY_MPI)
		error = traceable_check_mpi();
	return error ? error : library_find(&library);
}

/* Traces the next program that GDB starts, unless the selected inferior (except GONE) has one. */
static struct prof_error *arm(pid_t gone)
{
	AUTO_FREE char *library = NULL;

	if (host_process() && host_process() != gone)
		return NULL;
	AUTO_FREE char *program = NULL;
	struct prof_error *error = library_find(&library);
	if (!error)
		error = host_program(&program);
	if (error)
		return error;
	if (!library_is_preceded(program))
		return preload_arm(library);
	set_why("The program's address sanitizer must be its first library: gdbprof loads the agent when the program stops.");
	return NULL;
}

/* The next program starts with the user's current settings. */
static void look_at_settings(void)
{
	if (!preload_is_outdated())
		return;
	preload_disarm();
	host_forget(arm(0));
}

static void begin_if_still(pid_t process);

/* GDB is done with what tracing had to wait for. */
static void stand_late(void)
{
	begin_if_still(host_process());
}

/* Begins as REQUEST says, for all processes to come. */
static struct prof_error *start(const struct tracing_request *request)
{
	struct prof_error *error = counting_check_tracing();

	if (error)
		return error;
	tracing.request = *request;
	tracing.wanted.families = request->families;
	tracing.wanted.chunks = (uint32_t)(request->memory / PROF_RING_CHUNK);
	tracing.wanted.counter = library_has_counter();
	tracing.wanted.calibrate = request->calibrate;
	tracing.wanted.mpi_stacks = request->mpi.stacks;
	tracing.wanted.mpi_handshake = request->mpi_handshake;
	if (request->mpi.flushes)
		tracing.wanted.mpi_limit = request->mpi.buffer * request->mpi.flushes;
	prof_ring_clock_init(&tracing.clock, tracing.wanted.counter);
	error = late_begin(stand_late);
	if (!error)
		error = trap_set(&stage);
	/*
	 * If GDB is killed, a process that it has attached to continues, and must not hit this
	 * breakpoint.
	 */
	if (!error && !host_has_attached())
		error = trap_set(&exiting);
	if (!error)
		error = detach_watch(leave);
	return error ? error : arm(0);
}

static struct prof_error *begin(const struct collector_request *request, const void *own)
{
	const struct tracing_choice *choice = own;

	hooknames_forget();
	tracing.wanted = (struct agent_request){
		.queue = request->queue,
		.marker = request->marker,
		.max_depth = request->asked->max_depth,
	};
	return choice->request.families ? start(&choice->request) : NULL;
}

/* Is TRACED a child that must be traced, and is not yet? */
static bool is_asked_for(const struct traced_process *traced)
{
	return tracing.request.children && !traced->refusal && !traced->gone && traced->agent &&
		!agent_has_ring(traced->agent);
}

/* Begins in PROCESS, which is stopped, if it is not traced yet. */
static struct prof_error *enter(pid_t process)
{
	AUTO_FREE char *library = NULL;
	const struct traced_process *known = traced_processes_find(process);

	if (!goes_on() || (known && !is_asked_for(known)))
		return NULL;
	struct prof_error *error = library_find(&library);
	if (error)
		return error;
	struct injection injection = {.process = process, .library = library};
	error = inject_library(&injection);
	if (injection.pause > tracing.pause)
		tracing.pause = injection.pause;
	const struct traced_process *traced = traced_processes_find(process);
	if (!error && (!traced || (!traced->agent && !traced->refusal)))
		error = prof_error_create(PROF_ERROR_UNSUPPORTED,
			"The agent is in process %d, but has not reached GDB's breakpoint in it.",
			(int)process);
	return error;
}

/* Makes the agent of TRACED trace the functions that are new. */
static struct prof_error *extend(struct traced_process *traced)
{
	struct injection injection = {.process = traced->process};
	struct prof_error *error =
		agent_ask_more(traced->agent, &tracing.wanted, &injection.function);
	size_t first = agent_traced_count(traced->agent);

	if (error || !injection.function)
		return error;
	error = inject_library(&injection);
	if (injection.pause > tracing.pause)
		tracing.pause = injection.pause;
	if (!error)
		error = agent_extend(traced->agent);
	agent_record(traced->agent, !tracing.paused);
	if (!error)
		visit_others(traced->agent, first);
	return error;
}

/* Is TRACED traced, but not all functions that are asked for by now? */
static bool lacks_functions(const struct traced_process *traced)
{
	return traced->agent && !traced->gone && agent_has_ring(traced->agent) &&
		agent_traced_count(traced->agent) < traced_functions_count();
}

static void retire_if_still(struct traced_process *traced)
{
	if (!traced->agent || traced->gone || !agent_is_there(traced->agent))
		return;
	if (host_runs(traced->process)) {
		/* Its calls go through the agent, which does nothing. */
		agent_record(traced->agent, false);
		notes_add(
			"The program is running: its calls still pass through the agent, which records nothing.");
		return;
	}
	agent_retire(traced->agent);
}

static void end(void)
{
	late_end();
	traced_functions_end();
	preload_disarm();
	detach_unwatch();
	trap_clear(&stage);
	trap_clear(&exiting);
	loading_end();
	for (size_t i = 0; traced_processes_at(i); i++) {
		note_mpi(traced_processes_at(i));
		note_openmp(traced_processes_at(i));
		retire_if_still(traced_processes_at(i));
	}
	traced_processes_end();
	free(tracing.why);
	memset(&tracing, 0, sizeof tracing);
}

static void pause_all(bool paused)
{
	tracing.paused = paused;
	if (paused)
		traced_processes_report();
	traced_processes_record(!paused);
}

static void go_on(pid_t process)
{
	if (!goes_on() || !process)
		return;
	preload_disarm();
	if (!traced_processes_find(process))
		traced_processes_inherit(process);
}

/* Begins in PROCESS, which is stopped, as far as it is not traced yet. */
static struct prof_error *begin_in(pid_t process)
{
	struct traced_process *traced = traced_processes_find(process);

	/* GDB has it again. */
	if (traced && traced->gone) {
		traced_processes_remove(traced);
		traced = NULL;
	}
	if (traced && !lacks_functions(traced) && !is_asked_for(traced))
		return NULL;
	/* The program is made to call functions. */
	events_disturb();
	if (traced && lacks_functions(traced))
		return extend(traced);
	if (!traced)
		traced_processes_inherit(process);
	return enter(process);
}

/* Begins in PROCESS if it is stopped; GDB is in the middle of nothing. */
static void begin_if_still(pid_t process)
{
	if (!goes_on() || !process || host_runs(process))
		return;
	struct prof_error *error = begin_in(process);
	bool later = error && prof_error_code(error) == PROF_ERROR_STATE;
	set_why(later ? prof_error_message(error) : NULL);
	if (later)
		host_forget(error);
	else
		traced_process_refuse(traced_processes_find_or_add(process), error);
}

static void stand(pid_t process)
{
	if (!goes_on() || !process)
		return;
	bool attaching = late_is_attaching(process);
	if (!attaching && !late_is_in_handler()) {
		begin_if_still(process);
		return;
	}
	set_why(attaching ? "gdbprof cannot load the agent while GDB attaches to the program."
			  : "gdbprof cannot load the agent while GDB handles an event.");
	notes_error(late_post());
}

struct prof_error *tracing_more(const struct tracing_request *request)
{
	struct prof_error *error = goes_on() ? NULL : start(request);

	if (error)
		return error;
	tracing.wanted.families |= PROF_FAMILY_CALLS;
	adjust_ticks();
	stand(host_process());
	if (!tracing.why)
		return NULL;
	return prof_error_create(PROF_ERROR_STATE,
		"%s  gdbprof tries again when the program stops next.", tracing.why);
}

static void gone(pid_t process, const struct event *event)
{
	struct traced_process *traced = goes_on() ? traced_processes_find(process) : NULL;

	(void)event;
	late_forget(process);
	loading_end();
	if (traced && traced->agent)
		agent_report(traced->agent);
	/* A process that GDB has let go of may have left a child, with all redirections. */
	if (traced && prof_procfs_process(process)) {
		traced->gone = true;
	} else if (traced) {
		if (traced->refusal)
			notes_add(traced->refusal);
		note_mpi(traced);
		note_openmp(traced);
		traced_processes_remove(traced);
	}
	if (goes_on())
		notes_error(arm(process));
}

static void say(struct prof_text *text, enum collector_phase phase)
{
	bool ended = phase == COLLECTOR_ENDED;

	if (!goes_on())
		return;
	bool traced =
		traced_processes_say(&tracing.wanted, &tracing.clock, &tracing.request.mpi, text);
	bool refused = traced_processes_say_refusals(text);
	if (!traced && tracing.why)
		prof_text_print(text, "%s%s\n", tracing.why,
			ended ? "" : "  gdbprof tries again when the program stops next.");
	else if (!traced && !refused && !ended)
		prof_text_print(text, "Tracing waits for a program to run.\n");
	if (tracing.pause)
		prof_text_print(text,
			"gdbprof kept the program stopped for %.1f ms to load the agent.\n",
			(double)tracing.pause / (double)PROF_NS_PER_MS);
}

static struct prof_error *check(const void *own)
{
	const struct tracing_choice *choice = own;

	return tracing_check(&choice->request);
}

const struct collector collector_tracing = {
	.name = "tracing",
	.options = &tracing_choice_options,
	.read = tracing_choice_read,
	.check = check,
	.begin = begin,
	.end = end,
	.pause = pause_all,
	.go_on = go_on,
	.stand = stand,
	.gone = gone,
	.objects_changed = traced_processes_update,
	.prompt = look_at_settings,
	.report = traced_processes_report,
	.say = say,
};
