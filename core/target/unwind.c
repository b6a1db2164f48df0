/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/unwind.h"

#include "base/clock.h"
#include "target/arch.h"
#include "target/cfi.h"
#include "target/code.h"
#include "target/elf.h"
#include "target/link.h"
#include "target/rule.h"
#include "target/scan.h"
#include "target/space.h"
#include "target/step.h"
#include "target/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the cache of addresses has in place of a row. */
#define BARE (PROF_NONE - 1)     /* code without call frame information */
#define UNMAPPED (PROF_NONE - 2) /* no code */
#define PLANTED (PROF_NONE - 3)  /* no code, just before a function: see take_step() */

enum {
	CACHE_MAX = 1 << 20, /* addresses; real programs are sampled at some thousands */
	/* The maps are read at most once in this time for unknown addresses. */
	REREAD_NS = PROF_NS_PER_MS,
	/*
	 * How often a walk may come to an address that is not above the last one: stacks are
	 * switched (by signal handlers and coroutines), but garbage could lead in circles for ever.
	 */
	BACKWARD_MAX = 32,
};

struct prof_unwinder {
	struct prof_target target;
	const struct prof_arch *arch;
	struct prof_space space;
	struct prof_cfi_rows rows;
	struct prof_map cache; /* lookup address -> index in ROWS, or one of the values above */
	struct prof_window window;
	bool stale;      /* the maps must be read before they are used */
	bool frozen;     /* the maps must not be read */
	int64_t read_ns; /* when they were last read */
	bool guessed;    /* the last walk met code that nothing describes */
};

/* The machine of process PID's program; NULL: none that is known. */
static const struct prof_arch *find_arch(pid_t pid)
{
	AUTO_FREE char *path = NULL;

	if (asprintf(&path, "/proc/%d/exe", (int)pid) < 0) {
		path = NULL;
		return NULL;
	}
	return prof_arch_of_file(path);
}

/* For process PID, or 0. */
static struct prof_unwinder *create(
	pid_t pid, const struct prof_arch *arch, const struct prof_target *target)
{
	struct prof_unwinder *unwinder = calloc(1, sizeof *unwinder);

	if (!unwinder)
		return NULL;
	unwinder->target = *target;
	unwinder->arch = arch;
	unwinder->stale = true;
	prof_space_init(&unwinder->space, pid, &unwinder->target, arch);
	prof_window_init(&unwinder->window, &unwinder->target);
	return unwinder;
}

struct prof_error *prof_unwinder_create(
	pid_t pid, const struct prof_target *target, struct prof_unwinder **ret)
{
	const struct prof_arch *arch = find_arch(pid);

	if (!arch)
		return prof_error_create(PROF_ERROR_UNSUPPORTED,
			"gdbprof cannot walk the stacks of process %d: it does not know the call frames of its machine.",
			(int)pid);
	struct prof_unwinder *unwinder = create(pid, arch, target);
	if (!unwinder)
		return prof_error_nomem();
	*ret = unwinder;
	return NULL;
}

struct prof_error *prof_unwinder_create_mapped(const struct prof_arch *arch, struct prof_maps *maps,
	const struct prof_target *target, struct prof_unwinder **ret)
{
	struct prof_maps old = {0};
	struct prof_unwinder *unwinder = create(0, arch, target);

	if (!unwinder || !prof_space_replace(&unwinder->space, maps, &old)) {
		prof_unwinder_destroy(unwinder);
		return prof_error_nomem();
	}
	*ret = unwinder;
	return NULL;
}

struct prof_error *prof_unwinder_create_recorded(const struct prof_arch *arch, const char *maps,
	const struct prof_target *target, struct prof_unwinder **ret)
{
	struct prof_maps parsed = {0};
	struct prof_error *error = prof_maps_parse(&parsed, maps);

	if (!error)
		error = prof_unwinder_create_mapped(arch, &parsed, target, ret);
	prof_maps_deinit(&parsed);
	return error;
}

void prof_unwinder_destroy(struct prof_unwinder *unwinder)
{
	if (!unwinder)
		return;
	prof_space_deinit(&unwinder->space);
	prof_cfi_deinit(&unwinder->rows);
	prof_map_deinit(&unwinder->cache);
	prof_window_deinit(&unwinder->window);
	free(unwinder);
}

void prof_unwinder_flush(struct prof_unwinder *unwinder)
{
	unwinder->stale = true;
}

/* Keeps the part of the cache that is still right, compared with the OLD maps. */
static void sift_cache(struct prof_unwinder *unwinder, const struct prof_maps *old)
{
	struct prof_map cache = unwinder->cache;

	unwinder->cache = (struct prof_map){0};
	for (size_t i = 0; i < cache.capacity; i++) {
		const struct prof_map_slot *slot = &cache.slots[i];
		if (slot->value != PROF_NONE && prof_space_kept(&unwinder->space, old, slot->key) &&
			!prof_map_add(&unwinder->cache, slot->key, slot->value))
			break;
	}
	prof_map_deinit(&cache);
}

/* Reads the maps again. */
static void refresh(struct prof_unwinder *unwinder)
{
	struct prof_maps old = {0};

	if (unwinder->frozen)
		return;
	unwinder->stale = false;
	unwinder->read_ns = prof_clock();
	if (!prof_space_read(&unwinder->space, &old))
		return;
	sift_cache(unwinder, &old);
	prof_maps_deinit(&old);
}

void prof_unwinder_freeze(struct prof_unwinder *unwinder)
{
	unwinder->frozen = true;
}

void prof_unwinder_read(struct prof_unwinder *unwinder)
{
	unwinder->frozen = false;
	refresh(unwinder);
}

/* The mapping of ADDRESS.  *SURE: it is current. */
static const struct prof_mapping *find_mapping(
	struct prof_unwinder *unwinder, uint64_t address, bool *sure)
{
	const struct prof_mapping *mapping = prof_maps_find(&unwinder->space.maps, address);

	*sure = true;
	if (mapping)
		return mapping;
	*sure = prof_clock() - unwinder->read_ns >= REREAD_NS;
	if (!*sure)
		return NULL;
	refresh(unwinder);
	return prof_maps_find(&unwinder->space.maps, address);
}

/* How many words are pushed at ADDRESS of MODULE if that is in .init or .fini; otherwise -1. */
static int count_edge(const struct prof_arch *arch, struct prof_elf *module, uint64_t address)
{
	size_t size, offset;
	const unsigned char *code =
		arch->count_edge ? prof_elf_edge(module, address, &size, &offset) : NULL;

	return code ? arch->count_edge(code, size, offset) : -1;
}

/* Compiles the row for ADDRESS in MODULE from the code itself; PROF_NONE: it is unknown. */
static uint32_t compile_known(
	struct prof_unwinder *unwinder, struct prof_elf *module, uint64_t address)
{
	const struct prof_arch *arch = unwinder->arch;
	unsigned char code[PROF_ARCH_CODE], startup[PROF_ARCH_STARTUP];
	int pushed = count_edge(arch, module, address);

	if (pushed < 0 && prof_code_read(&unwinder->target, module, address, code))
		pushed = arch->count_pushed(code);
	if (pushed < 0 && arch->count_startup) {
		prof_code_read_startup(&unwinder->target, module, address, startup);
		pushed = arch->count_startup(startup);
	}
	if (pushed == PROF_ARCH_FRAMED)
		return prof_cfi_compile_framed(&unwinder->rows, arch);
	return pushed < 0 ? PROF_NONE
			  : prof_cfi_compile_pushed(&unwinder->rows, arch, (unsigned)pushed);
}

/*
 * Compiles the row for ADDRESS in MODULE, which has no call frame information; BARE or PLANTED:
 * there is none.
 */
static uint32_t compile_bare(
	struct prof_unwinder *unwinder, struct prof_elf *module, uint64_t address)
{
	uint64_t low, high;

	if (!module)
		return BARE;
	if (prof_elf_bounds(module, address + 1, &low, &high) && low == address + 1)
		return PLANTED;
	uint32_t row = compile_known(unwinder, module, address);
	return row != PROF_NONE ? row : BARE;
}

/* Compiles the row for ADDRESS in MAPPING; BARE or PLANTED: there is none. */
static uint32_t compile(
	struct prof_unwinder *unwinder, const struct prof_mapping *mapping, uint64_t address)
{
	const struct prof_arch *arch = unwinder->arch;
	struct prof_elf *module = prof_space_module(&unwinder->space, mapping);
	uint32_t row = PROF_NONE;

	if (module)
		row = prof_elf_compile(module, &unwinder->rows, arch, address);
	if (row != PROF_NONE && !unwinder->rows.rows.items[row].signal)
		return row;
	/* The description of signal frames is sometimes wrong, and often missing. */
	if (prof_code_is_signal_return(arch, &unwinder->target, address)) {
		uint32_t known = prof_cfi_compile_signal(&unwinder->rows, arch);
		row = known != PROF_NONE ? known : row;
	}
	return row != PROF_NONE ? row : compile_bare(unwinder, module, address);
}

/* find_row() for an address that is not in the cache. */
static uint32_t add_row(struct prof_unwinder *unwinder, uint64_t address)
{
	bool sure;

	if (unwinder->cache.count >= CACHE_MAX) {
		prof_map_deinit(&unwinder->cache);
		prof_cfi_deinit(&unwinder->rows);
	}
	const struct prof_mapping *mapping = find_mapping(unwinder, address, &sure);
	uint32_t row = mapping ? compile(unwinder, mapping, address) : UNMAPPED;
	/* Without memory, it is looked up again the next time. */
	if (sure)
		(void)prof_map_add(&unwinder->cache, address, row);
	return row;
}

/* The index of the row for the lookup address ADDRESS; or BARE, or another value of that kind. */
static uint32_t find_row(struct prof_unwinder *unwinder, uint64_t address)
{
	uint32_t row = prof_map_get(&unwinder->cache, address);

	return row != PROF_NONE ? row : add_row(unwinder, address);
}

struct walk {
	struct prof_unwinder *unwinder;
	struct prof_stepper stepper;
	struct prof_registers registers;
	uint64_t lookup; /* of the frame with these registers */
	uint32_t row;    /* for LOOKUP */
	bool exact;      /* LOOKUP is the program counter itself */
	unsigned backward;
};

/* Steps out of code without call frame information, with the best guess. */
static enum prof_step guess_step(struct walk *walk)
{
	struct prof_unwinder *unwinder = walk->unwinder;
	const struct prof_mapping *mapping = prof_maps_find(&unwinder->space.maps, walk->lookup);
	bool live = walk->exact &&
		prof_link_is_live(unwinder->arch, &unwinder->window, &walk->registers);
	enum prof_step step = live ? prof_step_by_link(&walk->stepper, &walk->registers)
				   : prof_step_by_frame_pointer(&walk->stepper, &walk->registers);

	/* By the ABI a program starts with a frame pointer of 0; generated code can have any. */
	if (step != PROF_STEP_WHOLE || !mapping || !*mapping->path)
		unwinder->guessed = true;
	return step;
}

/* Takes the step that fits the frame's code. */
static enum prof_step take_step(struct walk *walk, bool *signal)
{
	struct prof_unwinder *unwinder = walk->unwinder;

	/*
	 * No call returns to the first byte of a function: whoever made the stack has put that
	 * address there, as makecontext() does, and there is no caller.
	 */
	if (walk->row == PLANTED && !walk->exact)
		return PROF_STEP_WHOLE;
	if (walk->row == BARE || walk->row == PLANTED)
		return guess_step(walk);
	if (walk->row == UNMAPPED)
		return prof_step_by_call(&walk->stepper, &walk->registers);
	const struct prof_cfi_row *row = &unwinder->rows.rows.items[walk->row];
	*signal = row->signal;
	if (prof_scan_is_needed(unwinder->arch, row, &walk->registers) &&
		!prof_scan(&unwinder->space, &unwinder->rows, &unwinder->window, walk->lookup,
			(uint64_t)(int64_t)row->cfa.offset, &walk->registers))
		return PROF_STEP_STUCK;
	/* The scan may have added rows, which moves all of them. */
	return prof_step_by_row(
		&walk->stepper, &unwinder->rows.rows.items[walk->row], &walk->registers);
}

/* Goes to the caller's frame. */
static enum prof_step go_out(struct walk *walk)
{
	unsigned stack = walk->unwinder->arch->sp;
	uint64_t sp = walk->registers.value[stack];
	bool signal = false;
	enum prof_step step = take_step(walk, &signal);

	if (step != PROF_STEP_CALLER)
		return step;
	if (walk->registers.value[stack] <= sp && ++walk->backward > BACKWARD_MAX)
		return PROF_STEP_STUCK;
	uint64_t pc = walk->registers.pc;
	/* A signal can interrupt a call to address 0; a call cannot return there. */
	if (!pc && !signal)
		return PROF_STEP_WHOLE;
	walk->exact = signal;
	walk->lookup = signal ? pc : pc - 1;
	walk->row = find_row(walk->unwinder, walk->lookup);
	if (walk->row == PLANTED && !signal)
		walk->lookup = pc;
	return walk->row == UNMAPPED && !signal ? PROF_STEP_STUCK : PROF_STEP_CALLER;
}

/* Walks a stack that is read through the window, which begins RED_ZONE bytes below its pointer. */
static size_t walk_window(struct prof_unwinder *unwinder, const struct prof_registers *registers,
	unsigned red_zone, uint64_t *frames, size_t depth, enum prof_stack_end *end)
{
	const struct prof_arch *arch = unwinder->arch;
	struct walk walk = {
		.unwinder = unwinder,
		.stepper = {arch, &unwinder->rows, &unwinder->window},
		.registers = *registers,
		.lookup = registers->pc,
		.exact = true,
	};
	size_t count = 0;
	enum prof_step step = PROF_STEP_CALLER;

	unwinder->guessed = false;
	if (unwinder->stale)
		refresh(unwinder);
	walk.row = find_row(unwinder, walk.lookup);
	prof_window_begin(&unwinder->window, registers->value[arch->sp], red_zone);
	while (step == PROF_STEP_CALLER && count < depth) {
		frames[count++] = walk.lookup;
		step = go_out(&walk);
	}
	prof_window_end(&unwinder->window, walk.registers.value[arch->sp]);
	*end = step == PROF_STEP_CALLER   ? PROF_STACK_TRUNCATED
		: step == PROF_STEP_WHOLE ? PROF_STACK_WHOLE
					  : PROF_STACK_FAILED;
	return count;
}

size_t prof_unwinder_walk(struct prof_unwinder *unwinder, const struct prof_registers *registers,
	uint64_t *frames, size_t depth, enum prof_stack_end *end)
{
	return walk_window(unwinder, registers, unwinder->arch->red_zone, frames, depth, end);
}

size_t prof_unwinder_walk_copy(struct prof_unwinder *unwinder,
	const struct prof_registers *registers, struct prof_copy *stack, uint64_t *frames,
	size_t depth, enum prof_stack_end *end)
{
	const struct prof_target copy = prof_copy_target(stack);

	stack->exceeded = false;
	unwinder->window.target = &copy;
	size_t count = walk_window(unwinder, registers, 0, frames, depth, end);
	unwinder->window.target = &unwinder->target;
	stack->needed = unwinder->window.used;
	if (stack->needed > stack->length)
		stack->needed = stack->length;
	/*
	 * A scan that finds nothing near searches beyond the end, and that alone does not make a
	 * stack incomplete.
	 */
	stack->exceeded &= *end == PROF_STACK_FAILED;
	if (stack->exceeded)
		*end = PROF_STACK_TRUNCATED;
	return count;
}

bool prof_unwinder_rule(struct prof_unwinder *unwinder, uint64_t address, struct prof_rule *ret)
{
	if (unwinder->stale)
		refresh(unwinder);
	uint32_t row = find_row(unwinder, address);
	if (row == UNMAPPED)
		return false;
	if (row == PLANTED)
		*ret = (struct prof_rule){.kind = PROF_RULE_OUTERMOST};
	else if (row == BARE)
		*ret = prof_rule_of_frame_pointer();
	else
		*ret = prof_rule_of_row(
			&unwinder->rows, &unwinder->rows.rows.items[row], unwinder->arch);
	return true;
}

bool prof_unwinder_guessed(const struct prof_unwinder *unwinder)
{
	return unwinder->guessed;
}

const struct prof_maps *prof_unwinder_maps(struct prof_unwinder *unwinder)
{
	if (unwinder->stale)
		refresh(unwinder);
	return &unwinder->space.maps;
}

uint64_t prof_unwinder_generation(const struct prof_unwinder *unwinder)
{
	return unwinder->space.generation;
}

/* The object at ADDRESS, or NULL. */
static struct prof_elf *find_module(struct prof_unwinder *unwinder, uint64_t address)
{
	bool sure;

	if (unwinder->stale)
		refresh(unwinder);
	const struct prof_mapping *mapping = find_mapping(unwinder, address, &sure);
	return mapping ? prof_space_module(&unwinder->space, mapping) : NULL;
}

bool prof_unwinder_bounds(
	struct prof_unwinder *unwinder, uint64_t address, uint64_t *low, uint64_t *high)
{
	struct prof_elf *module = find_module(unwinder, address);

	return module && prof_elf_bounds(module, address, low, high);
}

bool prof_unwinder_code(
	struct prof_unwinder *unwinder, uint64_t address, void *buffer, size_t length)
{
	const struct prof_elf *module = find_module(unwinder, address);

	return module && prof_elf_code(module, address, buffer, length);
}

const char *prof_unwinder_build_id(struct prof_unwinder *unwinder, uint64_t address)
{
	struct prof_elf *module = find_module(unwinder, address);

	return module ? prof_elf_build_id(module) : "";
}
