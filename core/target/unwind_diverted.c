/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Diverted returns in copies of stacks.  The shadow of a slot is read some milliseconds later, and
 * may be of another call by then: what it has must fit the frames in the copy, or what was seen
 * earlier must.
 */
#include "target/unwind_private.h"

#include "target/arch.h"
#include "target/code.h"
#include "target/maps.h"

/* Is ADDRESS behind a call?  *CALLEE is what it calls; 0: the code does not show it. */
static bool find_callee(struct prof_unwinder *unwinder, uint64_t address, uint64_t *callee)
{
	const struct prof_mapping *mapping = prof_maps_find(&unwinder->space.maps, address - 1);
	const struct prof_elf *module =
		mapping ? prof_space_module(&unwinder->space, mapping) : NULL;

	*callee = 0;
	return mapping &&
		prof_code_callee(unwinder->arch, &unwinder->target, module, address, callee);
}

/* Does a function return to ADDRESS in the word below the stack pointer of WALK, for all that is
 * known?  *CALLEE is that function; 0: not known. */
static bool is_return(const struct prof_unwind_walk *walk, uint64_t address, uint64_t *callee)
{
	struct prof_unwinder *unwinder = walk->unwinder;
	struct prof_diverted diverted;

	if (!unwinder->diversion->find(unwinder->space.pid,
		    walk->registers.value[unwinder->arch->sp] - sizeof(uint64_t), address,
		    &diverted))
		return find_callee(unwinder, address, callee);
	*callee = diverted.function;
	return true;
}

/* How well a return address fits: it does not; another function was called there, which may have
 * jumped to this one; it is not known which was; or it was this one. */
enum fit { FIT_NONE, FIT_JUMPED, FIT_UNKNOWN, FIT_SURE };

/* Can the function at CALLEE have jumped to the one from LOW to HIGH?  All bytes are looked at as
 * if they began an instruction. */
static enum fit find_jump(
	struct prof_unwinder *unwinder, uint64_t callee, uint64_t low, uint64_t high)
{
	const struct prof_arch *arch = unwinder->arch;
	uint64_t begin, end, to;
	unsigned char code[PROF_ARCH_JUMP];
	enum fit found = FIT_NONE;

	if (!arch->may_jump || !prof_unwinder_bounds(unwinder, callee, &begin, &end))
		return FIT_JUMPED;
	for (uint64_t at = callee; at + sizeof code <= end; at++) {
		if (!prof_unwinder_code(unwinder, at, code, sizeof code))
			return FIT_JUMPED;
		if (!arch->may_jump(code, at, &to))
			continue;
		if (to - low < high - low)
			return FIT_UNKNOWN;
		if (!to || (to - begin >= end - begin && prof_maps_find(&unwinder->space.maps, to)))
			found = FIT_JUMPED;
	}
	return found;
}

/* How well the function fits that has the return address ADDRESS, by the frame that calls it. */
static enum fit fit(const struct prof_unwind_walk *walk, uint64_t address)
{
	struct prof_unwinder *unwinder = walk->unwinder;
	struct prof_unwind_walk next = *walk;
	uint64_t callee, low, high;
	bool signal = false, guessed = unwinder->guessed;

	next.registers.pc = address;
	next.lookup = address - 1;
	next.exact = false;
	next.row = prof_unwinder_row(unwinder, next.lookup);
	if (next.row == PROF_ROW_UNMAPPED)
		return FIT_NONE;
	enum prof_step step = prof_unwind_walk_step(&next, &signal);
	unwinder->guessed = guessed;
	if (step == PROF_STEP_STUCK)
		return FIT_JUMPED;
	if (step == PROF_STEP_WHOLE || signal || !next.registers.pc)
		return FIT_SURE;
	if (!is_return(&next, next.registers.pc, &callee))
		return FIT_NONE;
	if (!callee || !prof_unwinder_bounds(unwinder, next.lookup, &low, &high))
		return FIT_UNKNOWN;
	return callee == low ? FIT_SURE : find_jump(unwinder, callee, low, high);
}

/*
 * The return address of DIVERTED, whose caller's frame WALK is at; 0: none fits.  Its shadow has
 * NOW, which may be of a later call.
 */
static uint64_t choose_return(
	const struct prof_unwind_walk *walk, const struct prof_diverted *diverted, uint64_t now)
{
	struct prof_unwinder *unwinder = walk->unwinder;
	struct prof_return_sites_of known = {0};
	uint64_t callee, best = now;
	enum fit fits = FIT_NONE;

	if (find_callee(unwinder, now, &callee))
		prof_return_sites_add(&unwinder->sites, callee ? callee : diverted->function, now);
	const struct prof_return_sites_of *of =
		prof_return_sites_find(&unwinder->sites, diverted->function);
	if (of)
		known = *of;
	for (int i = 0; i < PROF_RETURN_SITES && known.addresses[i] && fits < FIT_SURE; i++) {
		enum fit found = fit(walk, known.addresses[i]);
		if (found > fits) {
			fits = found;
			best = known.addresses[i];
		}
	}
	if (fits)
		prof_return_sites_add(&unwinder->sites, diverted->function, best);
	return fits || (now && fit(walk, now) == FIT_SURE) ? best : 0;
}

bool prof_unwind_walk_undivert(struct prof_unwind_walk *walk)
{
	struct prof_unwinder *unwinder = walk->unwinder;
	uint64_t slot = walk->registers.value[unwinder->arch->sp] - sizeof(uint64_t), now;
	struct prof_diverted diverted;

	/* What is read of the process itself is true. */
	if (!unwinder->diversion || unwinder->window.target == &unwinder->target ||
		!unwinder->diversion->find(
			unwinder->space.pid, slot, walk->registers.pc, &diverted))
		return true;
	if (!prof_window_word(&unwinder->shadows, diverted.shadow, &now))
		now = 0;
	walk->registers.pc = choose_return(walk, &diverted, now);
	return walk->registers.pc;
}
