/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/trace.h"

#include "agent/hooks.h"
#include "agent/signature.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

enum { RETURNED = PROF_TRACE_RETURNED };

struct prof_trace prof_agent_traces[PROF_TRACES];

/* What a wrapper is made of.  One that was made once is there for good. */
static struct maker {
	struct prof_signature signature;
	char name[PROF_TRACE_NAME], text[PROF_SIGNATURE];
	ffi_closure *closure;
	void *code;
	void (*real)(void);
	const struct prof_trace *trace; /* that it is for, in this session; NULL: none */
	unsigned what;
} makers[PROF_TRACES];

/* Tells of a call by the wrapper with the frame FRAME, from BEGUN to ENDED. */
static void tell(const struct maker *maker, const void *frame, const uint64_t times[2],
	void **arguments, const void *outcome)
{
	const struct prof_trace *trace = maker->trace;
	uint64_t values[PROF_TRACE_VALUES];
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_TRACE, (void *)frame);

	if (!thread)
		return;
	for (unsigned i = 0; i < trace->value_count; i++) {
		unsigned number = trace->values[i];
		values[i] = number == RETURNED
			? prof_signature_value(maker->signature.cif.rtype, outcome, true)
			: prof_signature_value(maker->signature.cif.arg_types[number - 1],
				  arguments[number - 1], false);
	}
	struct prof_agent_record record = {.kind = PROF_RING_CALL,
		.what = maker->what,
		.count = 2,
		.values = {times[1], times[0]},
		.more = values,
		.more_count = trace->value_count};
	prof_agent_record_begin(thread);
	prof_agent_record_write(thread, &record, 1, frame);
	prof_agent_record_end(thread);
	prof_agent_leave(thread);
}

/* What libffi calls instead of the function: its result goes to OUTCOME. */
static void call(ffi_cif *cif, void *outcome, void **arguments, void *context)
{
	const struct maker *maker = context;
	const struct prof_trace *trace = maker->trace;
	const struct prof_agent_session *session = prof_agent_session(PROF_FAMILY_TRACE);
	uint64_t times[2];

	if (!trace || !session) {
		ffi_call(cif, maker->real, outcome, arguments);
		return;
	}
	times[0] = prof_system_time(session->counter);
	ffi_call(cif, maker->real, outcome, arguments);
	times[1] = prof_system_time_after(session->counter);
	if (!trace->limit || times[1] - times[0] > trace->limit) {
		int error = errno;
		tell(maker, __builtin_frame_address(0), times, arguments, outcome);
		errno = error;
	}
}

/* A maker for TRACE: the one that it had in a session before, or a new one; NULL: there is none. */
static struct maker *find_maker(const struct prof_trace *trace)
{
	for (unsigned i = 0; i < PROF_TRACES; i++) {
		struct maker *maker = &makers[i];
		if (!maker->closure)
			return maker;
		if (!maker->trace && !strcmp(maker->name, trace->name) &&
			!strcmp(maker->text, trace->signature))
			return maker;
	}
	return NULL;
}

static bool make(struct maker *maker, const struct prof_trace *trace)
{
	if (maker->closure)
		return true;
	if (!prof_signature_read(&maker->signature, trace->signature))
		return false;
	ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &maker->code);
	if (!closure)
		return false;
	if (ffi_prep_closure_loc(closure, &maker->signature.cif, call, maker, maker->code) !=
		FFI_OK) {
		ffi_closure_free(closure);
		return false;
	}
	memcpy(maker->name, trace->name, sizeof maker->name);
	memcpy(maker->text, trace->signature, sizeof maker->text);
	maker->closure = closure;
	return true;
}

/* Does TRACE ask for values that the function of MAKER has? */
static bool has_values(const struct maker *maker, const struct prof_trace *trace)
{
	if (trace->value_count > PROF_TRACE_VALUES)
		return false;
	for (unsigned i = 0; i < trace->value_count; i++) {
		unsigned number = trace->values[i];
		if (number != RETURNED && (!number || number > maker->signature.arguments))
			return false;
	}
	return true;
}

/*
 * The function that TRACE is of: as the dynamic linker finds it, or else where gdbprof has.  A
 * function that returns functions may be called at any time: the linker does so, too.
 */
static void *find_real(const struct prof_trace *trace)
{
	void *real = dlsym(RTLD_DEFAULT, trace->name);

	if (real && !prof_agent_hooks_is_jump(real))
		return real;
	if (!trace->real || !trace->indirect)
		return (void *)(uintptr_t)trace->real;
	return ((void *(*)(void))(uintptr_t)trace->real)();
}

/* Takes TRACE on, as the hook NUMBER.  False: libffi can't, or there is no such function. */
static bool begin(struct prof_trace *trace, unsigned number)
{
	struct maker *maker = find_maker(trace);
	void *real = find_real(trace);

	if (!maker || !real || !make(maker, trace) || !has_values(maker, trace))
		return false;
	memcpy(&maker->real, &real, sizeof real);
	maker->what = number;
	maker->trace = trace;
	prof_agent_hooks[number] = (struct prof_hook){.name = trace->name,
		.wrapper = maker->code,
		.real = real,
		.family = PROF_FAMILY_TRACE};
	return true;
}

static void forget(void)
{
	for (unsigned i = 0; i < PROF_TRACES; i++)
		makers[i].trace = NULL;
}

void prof_agent_trace(void)
{
	/* What libffi allocates is not the program's. */
	struct prof_agent_thread *thread =
		prof_agent_enter(PROF_FAMILY_HEAP, __builtin_frame_address(0));

	if (!prof_agent.trace_built)
		forget();
	for (; prof_agent.trace_built < prof_agent.trace_count &&
		prof_agent.trace_built < PROF_TRACES;
		prof_agent.trace_built++) {
		struct prof_trace *trace = &prof_agent_traces[prof_agent.trace_built];
		unsigned number = PROF_HOOK_COUNT + prof_agent.trace_built;
		prof_agent_hooks[number] = (struct prof_hook){.name = trace->name};
		trace->failed = !begin(trace, number);
	}
	prof_agent.hook_count = PROF_HOOK_COUNT + prof_agent.trace_built;
	if (thread)
		prof_agent_leave(thread);
}
