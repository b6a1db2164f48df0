/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/scan.h"

#include "target/code.h"
#include "target/elf.h"
#include "target/maps.h"
#include "target/space.h"
#include "target/window.h"

enum {
	SCAN_MAX = 1 << 16,  /* bytes of stack to look at */
	FRAME_MAX = 1 << 20, /* a caller's frame is not larger */
	ALIGNMENT = 16,      /* alignment of the frames that functions make, by the ABIs */
};

/* The arguments of a scan. */
struct scan {
	struct prof_space *space;
	struct prof_cfi_rows *rows;
	struct prof_window *window;
	uint64_t low;  /* where the function begins; 0: unknown */
	uint64_t size; /* bytes of its frame from the frame pointer on */
};

static struct prof_elf *find_module(const struct scan *scan, uint64_t address)
{
	const struct prof_mapping *mapping = prof_maps_find(&scan->space->maps, address);

	return mapping ? prof_space_module(scan->space, mapping) : NULL;
}

/* Where the function around ADDRESS begins, or 0. */
static uint64_t find_begin(const struct scan *scan, uint64_t address)
{
	struct prof_elf *module = find_module(scan, address);
	uint64_t low, high;

	return module && prof_elf_bounds(module, address, &low, &high) ? low : 0;
}

/* Does RETURN_ADDRESS follow a call?  *DESTINATION becomes the function that it calls. */
static bool is_behind_call(const struct scan *scan, uint64_t return_address, uint64_t *destination)
{
	const struct prof_space *space = scan->space;

	return prof_maps_find(&space->maps, return_address - 1) &&
		prof_code_is_behind_call(space->arch, space->target, return_address, destination);
}

/* Does a signal handler return to RETURN_ADDRESS, as set up by the kernel? */
static bool is_signal_return(const struct scan *scan, uint64_t return_address)
{
	const struct prof_space *space = scan->space;

	return prof_maps_find(&space->maps, return_address) &&
		prof_code_is_signal_return(space->arch, space->target, return_address);
}

/* Was a stack made to return to the function at RETURN_ADDRESS, which no call precedes? */
static bool is_planted(const struct scan *scan, uint64_t return_address)
{
	return return_address && find_begin(scan, return_address) == return_address;
}

/* Does a caller at RETURN_ADDRESS, with the frame pointer OUTER and SP, have a caller itself? */
static bool is_frame(const struct scan *scan, uint64_t return_address, uint64_t outer, uint64_t sp)
{
	const struct prof_arch *arch = scan->space->arch;
	struct prof_elf *module = find_module(scan, return_address - 1);
	uint32_t number =
		module ? prof_elf_compile(module, scan->rows, arch, return_address - 1) : PROF_NONE;
	uint64_t next, destination;

	if (number == PROF_NONE)
		return outer > sp && outer - sp < FRAME_MAX;
	const struct prof_cfi_row *row = &scan->rows->rows.items[number];
	if (row->return_address.kind == PROF_CFI_UNDEFINED)
		return true;
	if (row->cfa.kind != PROF_CFI_REGISTER || row->return_address.kind != PROF_CFI_AT_CFA)
		return false;
	if (row->cfa.source != arch->sp && row->cfa.source != arch->fp)
		return false;
	uint64_t base = row->cfa.source == arch->sp ? sp : outer;
	uint64_t place = base + (uint64_t)(int64_t)(row->cfa.offset + row->return_address.offset);
	return place >= sp && place - sp < FRAME_MAX &&
		prof_window_word(scan->window, place, &next) &&
		(is_behind_call(scan, next & arch->code_mask, &destination) ||
			is_signal_return(scan, next & arch->code_mask) ||
			is_planted(scan, next & arch->code_mask));
}

/* Has the kernel saved the interrupted registers for a handler, in a frame that ends at SP? */
static bool is_interrupted(const struct scan *scan, uint64_t sp)
{
	uint64_t pc;

	return prof_window_word(scan->window, sp + scan->space->arch->signal_frame.pc, &pc) &&
		prof_maps_find(&scan->space->maps, pc);
}

/*
 * Did the function push the words at FRAME?  Calls that are over have left words that look the
 * same, but most of these called another function by its address.  *PLANTED: somebody may have made
 * the words to be returned from, or they are any data.
 */
static bool is_wanted(const struct scan *scan, uint64_t frame, bool *planted)
{
	uint64_t outer, return_address, destination;

	*planted = false;
	if (!prof_window_word(scan->window, frame, &outer) ||
		!prof_window_word(scan->window, frame + sizeof frame, &return_address))
		return false;
	return_address &= scan->space->arch->code_mask;
	if (is_signal_return(scan, return_address))
		return is_interrupted(scan, frame + scan->size);
	if (!is_behind_call(scan, return_address, &destination)) {
		*planted = is_planted(scan, return_address);
		return false;
	}
	if (destination && destination == scan->low)
		return true;
	/* A stub of the procedure linkage table goes anywhere, and no FDE begins there. */
	if (destination && scan->low && find_begin(scan, destination) == destination)
		return false;
	return is_frame(scan, return_address, outer, frame + scan->size);
}

bool prof_scan(struct prof_space *space, struct prof_cfi_rows *rows, struct prof_window *window,
	uint64_t lookup, uint64_t size, struct prof_registers *registers)
{
	const struct prof_arch *arch = space->arch;
	struct scan scan = {space, rows, window, 0, size};
	uint64_t sp = registers->value[arch->sp];
	uint64_t first = (sp + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	uint64_t found = 0;
	uint64_t top;
	bool wanted = false;

	scan.low = find_begin(&scan, lookup);
	for (uint64_t frame = first; !wanted && frame - first < SCAN_MAX; frame += ALIGNMENT) {
		bool planted;
		if (!prof_window_word(window, frame + sizeof frame, &top))
			break;
		wanted = is_wanted(&scan, frame, &planted);
		/* If there is nothing better, take the first that is possible. */
		if (wanted || (planted && !found))
			found = frame;
	}
	if (!found)
		return false;
	registers->value[arch->fp] = found;
	registers->valid |= UINT64_C(1) << arch->fp;
	return true;
}
