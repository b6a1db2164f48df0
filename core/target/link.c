/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/link.h"

#include "target/code.h"
#include "target/window.h"

enum {
	INSTRUCTION = 4,
	PIECE = 1024, /* bytes of code that are read at once */
	PIECES = 4, /* how many pieces are searched: large functions without a frame are loops over
		       data */
};

/*
 * What the code before PC shows, from BEGIN on, where a function begins (or no address, if
 * unknown). The last instruction that shows something is taken for the last one that was executed.
 */
static enum prof_arch_link look_back(
	const struct prof_arch *arch, const struct prof_target *target, uint64_t pc, uint64_t begin)
{
	unsigned char code[PIECE];
	uint64_t at = pc;

	for (unsigned i = 0; i < PIECES; i++) {
		uint64_t low = (at - 1) / PIECE * PIECE;
		if (target->read_memory(target->context, low, code, at - low) < at - low)
			break;
		for (; at > low; at -= INSTRUCTION) {
			if (at == begin)
				return PROF_ARCH_LINK_LIVE;
			enum prof_arch_link link =
				arch->classify_link(code + (at - low) - INSTRUCTION);
			if (link != PROF_ARCH_LINK_KEPT)
				return link;
		}
	}
	return at == begin ? PROF_ARCH_LINK_LIVE : PROF_ARCH_LINK_KEPT;
}

/* Can LINK be a return address?  If so, *BEGIN becomes the function that was called, or 0. */
static bool is_return_address(const struct prof_arch *arch, const struct prof_target *target,
	uint64_t link, uint64_t *begin)
{
	*begin = 0;
	return prof_code_is_signal_return(arch, target, link) ||
		prof_code_is_behind_call(arch, target, link, begin);
}

bool prof_link_is_live(const struct prof_arch *arch, struct prof_window *window,
	const struct prof_registers *registers)
{
	const struct prof_target *target = window->target;
	const uint64_t needed = UINT64_C(1) << arch->return_address | UINT64_C(1) << arch->fp;
	uint64_t saved, begin;

	if (!arch->classify_link || (registers->valid & needed) != needed ||
		registers->pc % INSTRUCTION)
		return false;
	uint64_t link = registers->value[arch->return_address] & arch->code_mask;
	/* The function has made a frame, and has called nothing so far. */
	if (prof_window_word(window, registers->value[arch->fp] + sizeof saved, &saved) &&
		(saved & arch->code_mask) == link)
		return false;
	if (!is_return_address(arch, target, link, &begin))
		return false;
	enum prof_arch_link kind = look_back(arch, target, registers->pc, begin);
	/*
	 * After a return instruction, if LINK is behind a call of another function, this function
	 * has made that call, and it is over.
	 */
	return kind == PROF_ARCH_LINK_LIVE || (kind == PROF_ARCH_LINK_END && !begin);
}
