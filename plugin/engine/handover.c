/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/engine/handover.h"

#include "base/clock.h"
#include "plugin/engine/engine.h"
#include "plugin/engine/tick_signal.h"
#include "plugin/engine/walk_exceptions.h"
#include "plugin/gdb/catchpoint.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_stack.h"
#include "plugin/interpose/dead_thread.h"
#include "sampling/tick.h"
#include "sampling/walker.h"
#include "target/agreement.h"
#include "target/process.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { DIFFERENCES = 3 }; /* how many are listed by name */

/* $_prof_tick() is called without a context, so there is only one of these. */
static struct {
	void (*note)(const char *sentence); /* see engine.h */

	size_t verify;  /* how often: every so many samples */
	size_t left;    /* samples until the next of them */
	bool fall_back; /* GDB walks where call frame information is not enough */
	bool knows;     /* and GDB may know something else */
	struct catchpoint catchpoint;
	bool user_stops[TICK_SIGNALS]; /* let GDB stop for the program's own */

	pid_t thread;            /* the thread that is handed over; 0: none */
	int signal;              /* the signal that has stopped it */
	bool known;              /* GDB knows of the stop */
	bool checked;            /* both walks are to be compared */
	bool guessed;            /* call frame information is not enough */
	struct dead_thread dead; /* of the thread, in case it is killed */
	struct prof_stack stack; /* the stack to record */
	struct prof_stack host;  /* by GDB's walk */

	struct prof_agreement agreement;
	struct prof_text differences; /* the first ones, one sentence each */
	unsigned reported;            /* how many were listed */
	uint64_t stood_in;            /* stacks recorded by GDB's walk */
	int64_t stood_in_ns;          /* time of these walks */
} handover;

/* Makes GDB stop for the ticks' signals. */
static struct prof_error *set_catchpoint(void)
{
	return catchpoint_set(&handover.catchpoint, TICK_SIGNAL_NAMES);
}

struct prof_error *handover_start(const struct engine_request *request)
{
	handover.note = request->note;
	handover.thread = 0;
	handover.verify = request->verify;
	handover.left = request->verify;
	handover.fall_back = request->fall_back;
	handover.knows = false;
	handover.agreement = (struct prof_agreement){0};
	handover.reported = 0;
	handover.stood_in = 0;
	handover.stood_in_ns = 0;
	prof_text_deinit(&handover.differences);
	prof_stack_deinit(&handover.stack);
	prof_stack_deinit(&handover.host);
	struct prof_error *error = prof_stack_init(&handover.stack, request->max_depth);
	if (!error)
		error = prof_stack_init(&handover.host, request->max_depth);
	if (!error && request->verify)
		error = set_catchpoint();
	if (error)
		handover_stop();
	return error;
}

void handover_stop(void)
{
	/* Without a catchpoint, GDB would not stop for what is still handed over. */
	catchpoint_delete(&handover.catchpoint);
	handover.verify = 0;
	handover.fall_back = false;
	handover.knows = false;
}

/* Creates the catchpoint, which was not needed before. */
static void add_catchpoint(void)
{
	PROF_AUTO(prof_text_deinit) struct prof_text text = {0};
	struct prof_error *error = set_catchpoint();

	if (error) {
		prof_text_print(&text,
			"GDB walks no stacks, because gdbprof cannot make the catchpoint for it: %s",
			prof_error_message(error));
		handover.note(prof_text_get(&text));
	}
	host_forget(error);
}

void handover_look(void)
{
	if (handover.fall_back)
		handover.knows = host_has_unwinders();
	if (!handover.verify && !handover.knows)
		return;
	for (int i = 0; i < TICK_SIGNALS; i++) {
		struct handling handling = {0};
		host_forget(handling_read(tick_signals[i].name, &handling));
		handover.user_stops[i] = handling.stop;
	}
	if (handover.catchpoint.number)
		catchpoint_keep(&handover.catchpoint);
	else
		add_catchpoint();
}

void handover_learn(void)
{
	if (handover.fall_back && !handover.knows)
		handover_look();
}

bool handover_give(pid_t thread, int signal, const struct prof_stack *stack)
{
	bool checked = handover.verify && --handover.left == 0;
	bool guessed = handover.knows && (stack->end == PROF_STACK_FAILED || stack->guessed);

	if (checked)
		handover.left = handover.verify;
	if (handover.thread || (!checked && !guessed) || !dead_thread_take(&handover.dead, thread))
		return false;
	handover.thread = thread;
	handover.signal = signal;
	handover.known = false;
	handover.checked = checked;
	handover.guessed = guessed;
	prof_stack_copy(&handover.stack, stack);
	return true;
}

void handover_reported(pid_t thread)
{
	handover.known |= thread == handover.thread;
}

bool handover_stands_in(pid_t thread)
{
	return thread == handover.thread && handover.signal == SIGSTOP && !handover.known;
}

pid_t handover_thread(void)
{
	return handover.thread;
}

bool handover_answer(long request, void *address, void *data, long *result)
{
	return dead_thread_answer(&handover.dead, request, address, data, result);
}

bool handover_stops(pid_t thread)
{
	siginfo_t info;

	if (!handover.catchpoint.number)
		return false;
	int signal = tick_signal_of(thread, &info);
	return signal >= 0 && !prof_tick_is_ours(&info) && handover.user_stops[signal];
}

const struct prof_stack *handover_take(void)
{
	handover.thread = 0;
	return &handover.stack;
}

/* Adds GDB's name for the code at ADDRESS, frame INDEX of STACK. */
static void name(struct prof_text *text, const struct prof_stack *stack, size_t index)
{
	PROF_AUTO(prof_text_deinit) struct prof_text answer = {0};

	if (index >= stack->depth) {
		prof_text_print(text, "no frame");
		return;
	}
	prof_text_print(text, "0x%" PRIx64, stack->frames[index]);
	struct prof_error *error = host_symbol(stack->frames[index], &answer);
	const char *found = prof_text_get(&answer);
	size_t length = strcspn(found, "\n");
	if (!error && strncmp(found, "No symbol", 9) != 0) {
		answer.bytes[length] = '\0';
		prof_text_print(text, ", ");
		prof_text_name(text, found);
	}
	host_forget(error);
}

/* Describes frame INDEX, the first one that differs, for the first few differences. */
static void report_difference(size_t index)
{
	struct prof_text *text = &handover.differences;

	if (handover.reported >= DIFFERENCES)
		return;
	handover.reported++;
	prof_text_print(text, "Frame %zu of a stack that ends in ", index);
	name(text, &handover.stack, 0);
	prof_text_print(text, " is ");
	name(text, &handover.stack, index);
	prof_text_print(text, " by call frame information, and ");
	name(text, &handover.host, index);
	prof_text_print(text, " by GDB.\n");
}

/* Compares the frames of both walks; REST_IS_LEFT: GDB was not to walk to the end. */
static void compare(struct prof_walker *walker, bool rest_is_left)
{
	struct prof_agreement_stack own = {handover.stack.frames, handover.stack.depth};
	struct prof_agreement_stack host = {handover.host.frames, handover.host.depth};

	if (rest_is_left && host.depth < own.depth)
		own.depth = host.depth;
	size_t first = prof_agreement_find(&own, &host);
	if ((first < own.depth || first < host.depth) &&
		walk_exceptions_at(walker, &handover.stack, &handover.host, first))
		own.depth = host.depth = first;
	first = prof_agreement_add(&handover.agreement, &own, &host);
	if (first < own.depth || first < host.depth)
		report_difference(first);
}

/* Continues from REST, where GDB's settings end its walk; the first frame is there already. */
static void walk_on(struct prof_walker *walker, const struct host_rest *rest)
{
	struct prof_stack *host = &handover.host;
	size_t had = host->depth - 1;
	struct prof_stack more = {.frames = host->frames + had, .room = host->room - had};

	prof_walker_walk(walker, &rest->registers, &more);
	host->depth = had + more.depth;
	host->end = more.end;
}

static bool read_registers(struct prof_registers *ret)
{
	AUTO_ERROR struct prof_error *error = prof_process_registers(handover.thread, ret);

	return !error;
}

bool handover_walk(struct prof_walker *walker)
{
	struct prof_stack *stack = &handover.stack;
	struct prof_stack *host = &handover.host;
	struct host_rest rest = {.arch = handover.guessed ? prof_arch_native() : NULL};
	struct prof_registers registers;

	/* It may have waited behind a stop for the user, who has moved the thread. */
	if (!read_registers(&registers))
		return false;
	prof_walker_walk(walker, &registers, stack);
	int64_t begin = prof_clock();
	host->depth = host->room;
	host->within = stack->within;
	struct prof_error *error = host_walk(host->frames, &host->depth, &host->end, &rest);
	/* The thread was killed meanwhile, so GDB could not read its stack. */
	bool done = !error && host->depth && read_registers(&registers);
	host_forget(error); /* Ctrl-C is meant for the program */
	if (!done)
		return false;
	if (handover.checked && !handover.guessed)
		compare(walker, rest.is_left);
	if (!handover.guessed || (host->end == PROF_STACK_FAILED && host->depth <= stack->depth))
		return false;
	if (rest.is_left)
		walk_on(walker, &rest);
	prof_stack_copy(stack, host);
	handover.stood_in++;
	handover.stood_in_ns += prof_clock() - begin;
	return prof_walker_generated(walker, stack);
}

void handover_say(struct prof_text *text)
{
	const struct prof_agreement *found = &handover.agreement;

	if (found->stacks)
		prof_text_print(text,
			"Verified: %" PRIu64 " of %" PRIu64 " stacks and %.3f %% of %" PRIu64
			" frames are equal to GDB's.\n%s",
			found->equal_stacks, found->stacks,
			100 * (double)found->equal_frames / (double)found->frames, found->frames,
			prof_text_get(&handover.differences));
	if (handover.stood_in)
		prof_text_print(text,
			"GDB walked %" PRIu64
			" stack%s beyond call frame information, in %.0f us each.\n",
			handover.stood_in, handover.stood_in == 1 ? "" : "s",
			(double)handover.stood_in_ns / PROF_NS_PER_US / (double)handover.stood_in);
}
