/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/trigger.h"

#include "base/memory.h"

#include <stdlib.h>

/*
 * Bytes of the longest function that is searched, and of the longest instruction; how many other
 * functions and parts it may jump to.
 */
enum { LONGEST = 1 << 18, INSTRUCTION = 15, PARTS = 32 };

/* The code that is searched. */
struct stretch {
	uint64_t low, high;
	unsigned char *bytes;
};

struct search {
	const struct prof_trigger_code *code;
	uint64_t pc;
	struct stretch function; /* the function that contains PC */
	/* The last branch target up to PC: code before it may not have been executed. */
	uint64_t barrier;
	bool met; /* an instruction begins at PC */
	/* Instructions before PC: the last of them, each at its number modulo REACH. */
	struct {
		uint64_t address;
		struct prof_instruction instruction;
	} before[PROF_TRIGGER_REACH];
	size_t count;
	/* Where FUNCTION jumps to outside of itself. */
	PROF_ARRAY(struct stretch) parts;
	bool unknown; /* the target of some jump is unknown */
};

static void search_deinit(struct search *search)
{
	free(search->function.bytes);
	free(search->parts.items);
}

static bool is_in(const struct stretch *stretch, uint64_t address)
{
	return address - stretch->low < stretch->high - stretch->low;
}

/* Reads the code around ADDRESS.  False: it cannot be read. */
static bool read_stretch(
	const struct prof_trigger_code *code, uint64_t address, struct stretch *ret)
{
	struct stretch stretch = {0};

	if (!code->bounds(code->context, address, &stretch.low, &stretch.high) ||
		!is_in(&stretch, address) || stretch.high - stretch.low > LONGEST)
		return false;
	stretch.bytes = malloc(stretch.high - stretch.low);
	if (!stretch.bytes ||
		!code->read(
			code->context, stretch.low, stretch.bytes, stretch.high - stretch.low)) {
		free(stretch.bytes);
		return false;
	}
	*ret = stretch;
	return true;
}

/* Notes that something jumps to ADDRESS, which is in the function. */
static void add_target(struct search *search, uint64_t address)
{
	if (address <= search->pc && address > search->barrier)
		search->barrier = address;
}

/* Notes a jump to ADDRESS, outside of the function: the code there may be a part of it. */
static bool add_part(struct search *search, uint64_t address)
{
	struct stretch part = {0};

	for (size_t i = 0; i < search->parts.count; i++) {
		if (is_in(&search->parts.items[i], address))
			return true;
	}
	if (search->parts.count == PARTS ||
		!search->code->bounds(search->code->context, address, &part.low, &part.high) ||
		!is_in(&part, address)) {
		search->unknown = true;
		return true;
	}
	struct stretch *added = prof_array_push(&search->parts);
	if (added)
		*added = part;
	return added;
}

/* Looks at INSTRUCTION at ADDRESS of the function.  False: no memory. */
static bool look_at(
	struct search *search, uint64_t address, const struct prof_instruction *instruction)
{
	if (address < search->pc) {
		size_t at = search->count++ % PROF_TRIGGER_REACH;
		search->before[at].address = address;
		search->before[at].instruction = *instruction;
	}
	search->met |= address == search->pc;
	search->unknown |= instruction->wild;
	if (!instruction->aimed)
		return true;
	if (is_in(&search->function, instruction->target)) {
		add_target(search, instruction->target);
		return true;
	}
	/* A call returns to the instruction behind it. */
	bool called =
		instruction->flow == PROF_FLOW_LEAVES && instruction->access & PROF_ACCESS_STORE;
	return called || add_part(search, instruction->target);
}

/* Decodes the whole function.  False: no memory. */
static bool look_through(struct search *search)
{
	const struct stretch *function = &search->function;
	struct prof_instruction instruction;

	/* After an indirect jump nothing more can be learnt. */
	for (uint64_t at = function->low; at < function->high && !search->unknown;
		at += instruction.length) {
		if (!prof_instruction_decode(function->bytes + (at - function->low),
			    function->high - at, at, &instruction)) {
			search->unknown = true;
			return true;
		}
		if (!look_at(search, at, &instruction))
			return false;
	}
	return true;
}

/*
 * Searches the code at PART for jumps into the function: compilers move seldom executed code
 * elsewhere.
 */
static void look_through_part(struct search *search, const struct stretch *bounds)
{
	struct prof_instruction instruction;
	struct stretch part;
	bool wild = false, back = false;

	if (!read_stretch(search->code, bounds->low, &part)) {
		search->unknown = true;
		return;
	}
	for (uint64_t at = part.low; at < part.high; at += instruction.length) {
		if (!prof_instruction_decode(
			    part.bytes + (at - part.low), part.high - at, at, &instruction)) {
			search->unknown = true;
			break;
		}
		wild |= instruction.wild;
		if (!instruction.aimed || !is_in(&search->function, instruction.target))
			continue;
		back |= instruction.target != search->function.low;
		add_target(search, instruction.target);
	}
	search->unknown |= wild && back;
	free(part.bytes);
}

/* Searches backwards from PC for an ACCESS. */
static void go_back(struct search *search, enum prof_access access, unsigned reach,
	struct prof_trigger_result *ret)
{
	uint64_t changed = 0;

	ret->trigger = PROF_TRIGGER_UNRESOLVABLE;
	for (size_t i = 1; i <= reach && i <= search->count; i++) {
		size_t at = (search->count - i) % PROF_TRIGGER_REACH;
		const struct prof_instruction *instruction = &search->before[at].instruction;
		if (search->before[at].address < search->barrier ||
			instruction->flow == PROF_FLOW_LEAVES)
			return;
		changed |= instruction->written;
		if (!(instruction->access & access))
			continue;
		*ret = (struct prof_trigger_result){
			.trigger = PROF_TRIGGER_FOUND,
			.pc = search->before[at].address,
			.skid = (uint8_t)i,
			.changed = changed,
			.instruction = *instruction,
		};
		return;
	}
}

struct prof_error *prof_trigger_search(const struct prof_trigger_code *code, uint64_t pc,
	enum prof_access access, unsigned reach, struct prof_trigger_result *ret)
{
	PROF_AUTO(search_deinit) struct search search = {.code = code, .pc = pc};

	*ret = (struct prof_trigger_result){.trigger = PROF_TRIGGER_UNVERIFIABLE};
	if (!read_stretch(code, pc, &search.function))
		return NULL;
	if (!look_through(&search))
		return prof_error_nomem();
	for (size_t i = 0; i < search.parts.count && !search.unknown; i++)
		look_through_part(&search, &search.parts.items[i]);
	if (search.met && !search.unknown)
		go_back(&search, access, reach < PROF_TRIGGER_REACH ? reach : PROF_TRIGGER_REACH,
			ret);
	return NULL;
}
