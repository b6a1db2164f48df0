/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agent/traced_functions.h"

#include "agent/hooks.h"
#include "agent/signature.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

enum { RETURNED = PROF_CALL_RETURNED };

struct prof_traced_function prof_agent_traced_functions[PROF_TRACED_FUNCTIONS];

/* The parts of a wrapper.  Once made, it exists for ever. */
static struct maker {
	struct prof_signature signature;
	char name[PROF_TRACED_NAME], text[PROF_SIGNATURE];
	ffi_closure *closure;
	void *code;
	void (*real)(void);
	const struct prof_traced_function
		*traced; /* the function that it is for in this session; NULL: none */
	unsigned what;
} makers[PROF_TRACED_FUNCTIONS];

/* Records a call by the wrapper with the frame FRAME, from BEGUN to ENDED. */
static void record_call(const struct maker *maker, const void *frame, uint64_t begun,
	struct prof_system_stamp ended, void **arguments, const void *outcome)
{
	const struct prof_traced_function *traced = maker->traced;
	uint64_t values[PROF_CALL_VALUES];
	struct prof_agent_thread *thread = prof_agent_enter(PROF_FAMILY_CALLS, (void *)frame);

	if (!thread)
		return;
	for (unsigned i = 0; i < traced->value_count; i++) {
		unsigned number = traced->values[i];
		values[i] = number == RETURNED
			? prof_signature_value(maker->signature.cif.rtype, outcome, true)
			: prof_signature_value(maker->signature.cif.arg_types[number - 1],
				  arguments[number - 1], false);
	}
	struct prof_agent_record record = {.kind = PROF_RING_CALL,
		.what = maker->what,
		.cpu = ended.cpu,
		.count = 2,
		.values = {ended.time, begun},
		.more = values,
		.more_count = traced->value_count};
	prof_agent_record_begin(thread);
	prof_agent_record_write(thread, &record, 1, frame);
	prof_agent_record_end(thread);
	prof_agent_leave(thread);
}

/* libffi calls this in place of the function, whose result goes to OUTCOME. */
static void call(ffi_cif *cif, void *outcome, void **arguments, void *context)
{
	const struct maker *maker = context;
	const struct prof_traced_function *traced = maker->traced;
	const struct prof_agent_session *session = prof_agent_session(PROF_FAMILY_CALLS);

	if (!traced || !session) {
		ffi_call(cif, maker->real, outcome, arguments);
		return;
	}
	uint64_t begun = prof_system_time(session->counter);
	ffi_call(cif, maker->real, outcome, arguments);
	struct prof_system_stamp ended = prof_agent_stamp(session);
	if (!traced->limit || ended.time - begun > traced->limit) {
		int error = errno;
		record_call(maker, __builtin_frame_address(0), begun, ended, arguments, outcome);
		errno = error;
	}
}

/* A maker for TRACED: the one of an earlier session, or a new one; NULL: there is none. */
static struct maker *find_maker(const struct prof_traced_function *traced)
{
	for (unsigned i = 0; i < PROF_TRACED_FUNCTIONS; i++) {
		struct maker *maker = &makers[i];
		if (!maker->closure)
			return maker;
		if (!maker->traced && !strcmp(maker->name, traced->name) &&
			!strcmp(maker->text, traced->signature))
			return maker;
	}
	return NULL;
}

static bool make(struct maker *maker, const struct prof_traced_function *traced)
{
	if (maker->closure)
		return true;
	if (!prof_signature_read(&maker->signature, traced->signature))
		return false;
	ffi_closure *closure = ffi_closure_alloc(sizeof *closure, &maker->code);
	if (!closure)
		return false;
	if (ffi_prep_closure_loc(closure, &maker->signature.cif, call, maker, maker->code) !=
		FFI_OK) {
		ffi_closure_free(closure);
		return false;
	}
	memcpy(maker->name, traced->name, sizeof maker->name);
	memcpy(maker->text, traced->signature, sizeof maker->text);
	maker->closure = closure;
	return true;
}

/* Does TRACED ask for the values that MAKER's function has? */
static bool has_values(const struct maker *maker, const struct prof_traced_function *traced)
{
	if (traced->value_count > PROF_CALL_VALUES)
		return false;
	for (unsigned i = 0; i < traced->value_count; i++) {
		unsigned number = traced->values[i];
		if (number != RETURNED && (!number || number > maker->signature.arguments))
			return false;
	}
	return true;
}

/*
 * The function of TRACED: the one that the dynamic linker finds, or the one that gdbprof has found.
 * An indirect function returns the function: it may be called at any time, because the linker does
 * so, too.
 */
static void *find_real(const struct prof_traced_function *traced)
{
	void *real = dlsym(RTLD_DEFAULT, traced->name);

	if (real && !prof_agent_hooks_is_jump(real))
		return real;
	if (!traced->real || !traced->indirect)
		return (void *)(uintptr_t)traced->real;
	return ((void *(*)(void))(uintptr_t)traced->real)();
}

/*
 * Begins to trace TRACED as the hook NUMBER.  False: libffi cannot, or there is no such function.
 */
static bool begin(struct prof_traced_function *traced, unsigned number)
{
	struct maker *maker = find_maker(traced);
	void *real = find_real(traced);

	if (!maker || !real || !make(maker, traced) || !has_values(maker, traced))
		return false;
	memcpy(&maker->real, &real, sizeof real);
	maker->what = number;
	maker->traced = traced;
	prof_agent_hooks[number] = (struct prof_hook){.name = traced->name,
		.wrapper = maker->code,
		.real = real,
		.family = PROF_FAMILY_CALLS};
	return true;
}

static void forget(void)
{
	for (unsigned i = 0; i < PROF_TRACED_FUNCTIONS; i++)
		makers[i].traced = NULL;
}

void prof_agent_traced_functions_build(void)
{
	/* Memory that libffi allocates is not the program's. */
	struct prof_agent_thread *thread =
		prof_agent_enter(PROF_FAMILY_HEAP, __builtin_frame_address(0));

	if (!prof_agent.traced_built)
		forget();
	for (; prof_agent.traced_built < prof_agent.traced_count &&
		prof_agent.traced_built < PROF_TRACED_FUNCTIONS;
		prof_agent.traced_built++) {
		struct prof_traced_function *traced =
			&prof_agent_traced_functions[prof_agent.traced_built];
		unsigned number = PROF_HOOK_COUNT + prof_agent.traced_built;
		prof_agent_hooks[number] = (struct prof_hook){.name = traced->name};
		traced->failed = !begin(traced, number);
	}
	prof_agent.hook_count = PROF_HOOK_COUNT + prof_agent.traced_built;
	if (thread)
		prof_agent_leave(thread);
}
