/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/calls/counted_patches.h"

#include "base/demangle.h"
#include "base/map.h"
#include "base/memory.h"
#include "patching/patched.h"
#include "patching/thread_word.h"
#include "plugin/calls/callers.h"
#include "plugin/calls/patch_admission.h"
#include "plugin/calls/recorded_calls.h"
#include "plugin/calls/vdso_detour.h"
#include "plugin/collect/notes.h"
#include "plugin/gdb/host.h"
#include "plugin/gdb/host_target.h"
#include "plugin/gdb/trap.h"
#include "plugin/interpose/patched_process.h"
#include "target/arch.h"
#include "target/caller.h"
#include "target/maps.h"
#include "target/process.h"
#include "target/procfs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Functions of a process, and pairs of them with callers in a thread, at the most; and the same
 * where all functions of load objects are counted.
 */
enum { MOST = 1 << 16, CALLERS = 1 << 14, MOST_OF_OBJECTS = 1 << 17, CALLERS_OF_OBJECTS = 1 << 17 };

/* Bytes for the records of a thread: they are read some hundred times a second. */
enum { RECORDS = 1 << 22 };

/* Where no kernel maps anything by itself: below the annex of core/target. */
#define CONTROL UINT64_C(0x3e8000000000)

/* A function, by its number - 1. */
struct function {
	uint64_t address;
	char *name;
	char *path;    /* of its load object, */
	bool whole;    /* all of whose functions are counted */
	bool waits;    /* the process has not mapped what the stub needs */
	bool given_up; /* what is counted of it is not reported any more */
	bool helps;    /* nothing of it is counted or recorded */
};

static void reach_exec(const struct trap *trap);

/* Where a process executes another program: GDB learns of that when the memory is gone. */
static struct trap executing = {"-qualified -function execve", reach_exec, NULL};

/* There is one GDB, so one of these. */
static struct {
	struct prof_error *lacks; /* why nothing can be patched */
	struct prof_patched *patched;
	pid_t process; /* 0: none is patched */
	pid_t goes_on; /* the process that goes on for the user; 0: none */
	bool lingers;  /* all ends as soon as its threads stand still */
	bool left;     /* nothing of it is there any more */
	bool waiting;  /* functions do */
	uint32_t most, callers;
	const char *refused;   /* why it could not begin; NULL: it was not tried */
	struct prof_maps maps; /* of the process, or none if they were not read */
	PROF_ARRAY(struct function) functions;
	struct prof_map index;          /* of FUNCTIONS, by address */
	struct prof_patch_callers seen; /* calls that were reported */
} patches;

static void function_deinit(struct function *function)
{
	free(function->name);
	free(function->path);
}

void counted_patches_anew(void)
{
	patches.refused = NULL;
	prof_maps_deinit(&patches.maps);
}

bool counted_patches_refuse(void)
{
	return patches.refused != NULL;
}

static void forget_all(void)
{
	counted_patches_anew();
	recorded_calls_gone();
	prof_patched_destroy(patches.patched);
	patches.patched = NULL;
	patches.process = 0;
	for (size_t i = 0; i < patches.functions.count; i++)
		function_deinit(&patches.functions.items[i]);
	free(patches.functions.items);
	memset(&patches.functions, 0, sizeof patches.functions);
	prof_map_deinit(&patches.index);
	patches.waiting = patches.left = false;
	prof_patch_callers_deinit(&patches.seen);
}

/* Leaves the process, which stands still, without patches and what they need. */
static void leave(void)
{
	if (!patches.patched || patches.left)
		return;
	patches.left = true;
	recorded_calls_gone();
	vdso_detour_leave(patches.patched, patches.process);
}

/* Ends all, now that patches are out. */
static void finish(void)
{
	leave();
	patched_process_close();
	forget_all();
	patches.lingers = false;
}

static void still(void)
{
	if (patches.lingers)
		finish();
}

static void leaving(void)
{
	counted_patches_report();
	leave();
}

static void gone(void)
{
	patches.left = true;
	if (patches.lingers)
		finish();
	else
		forget_all();
}

static const struct patched_watcher watcher = {
	.ending = counted_patches_report,
	.leaving = leaving,
	.still = still,
	.gone = gone,
	.prune = counted_patches_prune,
	.failed = notes_error,
};

static void reach_exec(const struct trap *trap)
{
	(void)trap;
	counted_patches_report();
}

void counted_patches_begin(bool many)
{
	counted_patches_end();
	patches.most = many ? MOST_OF_OBJECTS : MOST;
	patches.callers = many ? CALLERS_OF_OBJECTS : CALLERS;
	patches.lacks = patched_process_open();
	/* If GDB is killed, a process that it has attached to goes on, and must not meet this. */
	if (!patches.lacks && !host_has_attached())
		patches.lacks = trap_set(&executing);
}

void counted_patches_end(void)
{
	trap_clear(&executing);
	prof_error_destroy(patches.lacks);
	patches.lacks = NULL;
	counted_patches_allow(0, false);
	patches.lingers = patches.process && !patched_process_stands();
	if (patches.lingers)
		recorded_calls_gone();
	else
		finish();
}

struct prof_error *counted_patches_check(void)
{
	if (!patches.lingers)
		return NULL;
	return prof_error_create(PROF_ERROR_STATE,
		"The program still has the patches of the last recording, because it runs in the background: stop it first.");
}

/* Why PROCESS of the selected inferior cannot be patched at all; NULL: it can. */
static const char *find_obstacle(pid_t process)
{
	if (patches.lingers)
		return "they are no longer counted";
	if (patches.lacks)
		return prof_error_message(patches.lacks);
	return patch_admission_obstacle(process, CONTROL);
}

/* Begins to patch PROCESS. */
static const char *begin(pid_t process)
{
	const struct prof_stub_settings settings = {
		.thread = PROF_THREAD_WORD,
		.control = CONTROL,
		.shadow = PROF_STUB_SHADOW,
		.records = recorded_calls_are_wanted() ? RECORDS : 0,
		.functions = patches.most,
		.callers = recorded_calls_are_wanted() ? 0 : patches.callers,
	};
	struct prof_patched *patched;
	const char *why = find_obstacle(process);

	if (why)
		return why;
	struct prof_error *error = prof_patched_create(process, &settings, &patched);
	if (error) {
		prof_error_destroy(patches.lacks);
		patches.lacks = error;
		return prof_error_message(error);
	}
	why = patch_admission_admit(process, patched);
	if (!why && !patched_process_take(process, host_was_attached(process), patched, &watcher))
		why = "a thread goes on";
	if (!why)
		why = recorded_calls_start(process, &settings);
	if (why) {
		patched_process_drop();
		prof_patched_destroy(patched);
		return why;
	}
	patches.patched = patched;
	patches.process = process;
	recorded_calls_allow(patches.goes_on == process);
	patched_process_allow(patches.goes_on == process);
	return NULL;
}

static bool is_patched(const void *context, uint32_t index)
{
	const struct function *function = &patches.functions.items[index];

	(void)context;
	return !function->given_up && !function->waits;
}

bool counted_patches_has(uint64_t address)
{
	return prof_map_find(&patches.index, address, is_patched, NULL) != PROF_NONE &&
		patches.process == host_process();
}

static bool is_waiting(const void *context, uint32_t index)
{
	(void)context;
	return patches.functions.items[index].waits;
}

/* Is the function at ADDRESS patched as soon as the process has mapped what the stubs need? */
static bool waits(uint64_t address)
{
	return prof_map_find(&patches.index, address, is_waiting, NULL) != PROF_NONE;
}

/* Does a thread stand at the entry ADDRESS, or at one that waits? */
struct entering {
	uint64_t address;
	bool found;
};

static void look_at_thread(void *context, pid_t thread)
{
	struct entering *entering = context;
	struct prof_registers registers;
	AUTO_ERROR struct prof_error *error = prof_process_registers(thread, &registers);

	entering->found |= !error && (registers.pc == entering->address || waits(registers.pc));
}

/* Does a thread stand where calls were counted at a breakpoint: at ADDRESS, or at what waits? */
static bool is_entered(uint64_t address)
{
	struct entering entering = {.address = address};

	if (address || patches.waiting)
		prof_procfs_threads(patches.process, look_at_thread, &entering);
	return entering.found;
}

/* The file that MAPS have at ADDRESS, borrowed; NULL: none. */
static const char *path_in(const struct prof_maps *maps, uint64_t address)
{
	const struct prof_mapping *mapping = prof_maps_find(maps, address);

	return mapping ? mapping->path : NULL;
}

/* The same of the process, which the caller frees. */
static char *path_at(uint64_t address)
{
	if (!patches.maps.mappings.count)
		prof_error_destroy(prof_maps_read(&patches.maps, patches.process));
	const char *path = path_in(&patches.maps, address);
	return path ? strdup(path) : NULL;
}

/* All is mapped that stubs need. */
static void end_waiting(void)
{
	for (size_t i = 0; i < patches.functions.count; i++)
		patches.functions.items[i].waits = false;
	patches.waiting = false;
}

/*
 * Finds out whether functions of PROCESS can be added now.  A call of the one at ADDRESS was met at
 * a breakpoint; 0: of none.
 */
static const char *prepare(pid_t process, uint64_t address, bool *later)
{
	*later = false;
	if (patches.process && patches.process != process)
		return "another process is patched";
	if (!patches.process && !patches.refused)
		patches.refused = begin(process);
	const char *why = patches.process ? NULL : patches.refused;
	*later = why && !patches.lacks;
	if (why)
		return why;
	*later = !patched_process_stands();
	if (*later)
		return "threads go on";
	*later = is_entered(address);
	return *later ? "a thread stands at an entry" : NULL;
}

/* Adds the function NAME at ADDRESS, with a stub of KIND; WHOLE: its whole load object is. */
static const char *add(
	uint64_t address, const char *name, enum prof_stub_part kind, bool whole, bool *later)
{
	unsigned char code[PROF_RELOCATION_TAKEN];
	enum prof_obstacle obstacle;
	uint32_t number;

	if (!host_read(address, code, sizeof code))
		return "its code cannot be read";
	if (!prof_array_reserve(&patches.functions, 1) ||
		!patched_process_add(address, code, sizeof code) ||
		!prof_map_add(&patches.index, address, (uint32_t)patches.functions.count))
		return "memory is short";
	patched_process_lock();
	struct prof_error *error = prof_patches_add(
		prof_patched_patches(patches.patched), address, kind, &number, &obstacle);
	patched_process_unlock();
	if (number <= patches.functions.count)
		prof_map_remove(&patches.index, address, (uint32_t)patches.functions.count);
	if (error) {
		notes_error(error);
		return "an error has occurred";
	}
	if (obstacle)
		return prof_obstacle_reasons[obstacle];
	if (number > patches.functions.count && !recorded_calls_add(address))
		return "memory is short";
	if (number > patches.functions.count)
		patches.functions.items[patches.functions.count++] =
			(struct function){.address = address,
				.name = strdup(name),
				.path = path_at(address),
				.whole = whole,
				.helps = kind == PROF_STUB_FIND_FRAME,
				.waits = true};
	patches.waiting = true;
	*later = !vdso_detour_map(prof_patched_patches(patches.patched), host_thread());
	if (*later)
		return "the selected thread can make no system call now";
	end_waiting();
	return NULL;
}

/* Has unwinders in the program find their way where functions return to stubs. */
static const char *help_unwinders(bool *later)
{
	const char *why = recorded_calls_unwinders();
	uint64_t address;

	for (size_t i = 0; !why && (address = recorded_calls_unwinder(i)); i++) {
		if (prof_map_get(&patches.index, address) == PROF_NONE)
			why = add(address, PROF_UNWINDER, PROF_STUB_FIND_FRAME, false, later);
	}
	return why;
}

void counted_patches_help(void)
{
	bool later;
	const char *why = patches.process && recorded_calls_are_wanted() && patched_process_stands()
		? help_unwinders(&later)
		: NULL;

	if (why)
		recorded_calls_warn(why);
}

const char *counted_patches_add(
	pid_t process, uint64_t address, const char *name, bool met, bool *later)
{
	const char *why = prepare(process, met ? address : 0, later);

	if (!why && recorded_calls_are_wanted())
		why = help_unwinders(later);
	return why ? why : add(address, name, recorded_calls_kind(name), false, later);
}

/* Adds the function LISTED of a whole load object, whose name is NAME; NULL: it is counted. */
static const char *add_listed(
	const struct prof_patches_listed *listed, const char *name, const char *path, bool *later)
{
	if (listed->obstacle)
		return prof_obstacle_reasons[listed->obstacle];
	if (patches.functions.count == patches.most)
		return "gdbprof patches no more functions";
	return add(listed->address, name, recorded_calls_listed_kind(listed, path), true, later);
}

const char *counted_patches_add_object(pid_t process, uint64_t address,
	void (*other)(void *context, const char *name, const char *why), void *context,
	size_t *count, bool *later)
{
	PROF_AUTO(prof_patches_list_deinit) struct prof_patches_list list = {0};
	const char *why = prepare(process, 0, later);

	*count = 0;
	if (!why && recorded_calls_are_wanted())
		why = help_unwinders(later);
	if (why)
		return why;
	patched_process_lock();
	struct prof_error *error =
		prof_patches_list(prof_patched_patches(patches.patched), address, &list);
	patched_process_unlock();
	if (error) {
		notes_error(error);
		return "an error has occurred";
	}
	AUTO_FREE char *path = path_at(address);
	for (size_t i = 0; i < list.items.count; i++) {
		const struct prof_patches_listed *listed = &list.items.items[i];
		if (counted_patches_has(listed->address)) {
			++*count;
			continue;
		}
		AUTO_FREE char *name = listed->name ? prof_demangle(listed->name) : NULL;
		char unnamed[32];
		snprintf(unnamed, sizeof unnamed, "0x%" PRIx64, listed->address);
		const char *plain = listed->name ? listed->name : unnamed;
		why = add_listed(listed, name ? name : plain, path, later);
		if (*later)
			return why;
		*count += !why;
		if (why)
			other(context, name ? name : plain, why);
	}
	return NULL;
}

static bool is_given_up(const struct function *function, enum prof_patches_state state)
{
	return function->given_up || state == PROF_PATCHES_GONE;
}

void counted_patches_look(void (*lost)(uint64_t address, const char *name))
{
	for (size_t i = 0; patches.patched && i < patches.functions.count; i++) {
		struct function *function = &patches.functions.items[i];
		enum prof_patches_state state =
			prof_patches_state(prof_patched_patches(patches.patched), (uint32_t)i + 1);
		if (function->waits || is_given_up(function, state) || state == PROF_PATCHES_OUT ||
			state == PROF_PATCHES_IN)
			continue;
		function->given_up = true;
		lost(function->address, function->name);
	}
}

void counted_patches_prune(void)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};

	if (!patches.patched)
		return;
	counted_patches_report();
	/* Of a process that is gone there are no maps. */
	prof_error_destroy(prof_maps_read(&maps, patches.process));
	for (size_t i = 0; i < patches.functions.count; i++) {
		struct function *function = &patches.functions.items[i];
		const char *path = path_in(&maps, function->address);
		if (function->given_up || (path && function->path && !strcmp(path, function->path)))
			continue;
		function->given_up = true;
		/* All of its load object is forgotten at once. */
		if (prof_patches_state(prof_patched_patches(patches.patched), (uint32_t)i + 1) ==
			PROF_PATCHES_GONE)
			continue;
		patched_process_lock();
		prof_patches_forget(prof_patched_patches(patches.patched),
			(struct prof_island_range){function->address, function->address + 1});
		patched_process_unlock();
	}
}

void counted_patches_allow(pid_t process, bool allowed)
{
	if (process == patches.process && allowed != (patches.goes_on == process))
		recorded_calls_allow(allowed);
	patches.goes_on = allowed ? process : 0;
	patched_process_allow(patches.goes_on && patches.goes_on == patches.process);
}

/* Reports what is new of CALLS in TARGET. */
static void report(const struct prof_patch_caller *calls, const struct prof_target *target)
{
	const struct function *function = &patches.functions.items[calls->function - 1];
	uint64_t seen = prof_patch_callers_calls(&patches.seen, calls->function, calls->caller);

	if (function->given_up || calls->calls <= seen)
		return;
	uint64_t news = calls->calls - seen;
	uint64_t caller = prof_caller_of_return(prof_arch_native(), target, calls->caller);
	if (prof_patch_callers_add(&patches.seen, calls->function, calls->caller, news) &&
		!callers_add(patches.process, function->address, caller, news))
		notes_error(prof_error_nomem());
}

/* Is there memory with counts? */
static bool has_counted(void)
{
	for (size_t i = 0; i < patches.functions.count; i++) {
		if (!patches.functions.items[i].waits)
			return true;
	}
	return false;
}

void counted_patches_report(void)
{
	PROF_AUTO(prof_patch_callers_deinit) struct prof_patch_callers all = {0};
	struct prof_process process;

	if (!has_counted() || patches.lingers || patches.left)
		return;
	if (recorded_calls_are_wanted())
		recorded_calls_report();
	prof_process_init(&process, patches.process);
	const struct prof_target target = prof_process_target(&process);
	struct prof_error *error = prof_patched_count_callers(patches.patched, &all);
	for (size_t i = 0; !error && i < all.items.count; i++)
		report(&all.items.items[i], &target);
	notes_error(error);
}

const char *counted_patches_at(size_t index, uint64_t *address)
{
	*address = 0;
	if (index >= patches.functions.count)
		return NULL;
	const struct function *function = &patches.functions.items[index];
	*address = function->address;
	return function->given_up || function->waits || function->helps ? NULL : function->name;
}

bool counted_patches_is_of_object(size_t index)
{
	return patches.functions.items[index].whole;
}

bool counted_patches_count_only(uint32_t number)
{
	patched_process_lock();
	bool good = patches.patched &&
		prof_patches_count_only(prof_patched_patches(patches.patched), number);
	patched_process_unlock();
	return good;
}
