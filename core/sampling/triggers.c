/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/triggers.h"

#include "base/map.h"
#include "recording/look.h"
#include "sampling/counter.h"
#include "sampling/perf_ring.h"
#include "sampling/walker.h"
#include "target/instruction.h"
#include "target/trigger.h"

#include <stdlib.h>

/* What is known of one place where threads were interrupted. */
struct place {
	bool decoded; /* the instruction of RESULT, if the place is the trigger itself */
	struct prof_trigger_result result;
};

struct prof_triggers {
	struct prof_walker *walker;
	struct prof_trigger_code code;
	uint64_t generation; /* for the code around the places */
	PROF_ARRAY(struct place) places;
	struct prof_map named[PROF_COUNTERS];    /* by counter: program counter -> place */
	struct prof_map searched[PROF_COUNTERS]; /* the same for places from which a search began */
};

static bool find_bounds(void *context, uint64_t address, uint64_t *low, uint64_t *high)
{
	return prof_walker_bounds(context, address, low, high);
}

static bool read_code(void *context, uint64_t address, void *buffer, size_t length)
{
	return prof_walker_code(context, address, buffer, length);
}

struct prof_triggers *prof_triggers_create(struct prof_walker *walker)
{
	struct prof_triggers *triggers = calloc(1, sizeof *triggers);

	if (triggers) {
		triggers->walker = walker;
		triggers->code = (struct prof_trigger_code){find_bounds, read_code, walker};
	}
	return triggers;
}

static void forget(struct prof_triggers *triggers)
{
	triggers->places.count = 0;
	for (size_t i = 0; i < PROF_COUNTERS; i++) {
		prof_map_deinit(&triggers->named[i]);
		prof_map_deinit(&triggers->searched[i]);
	}
}

void prof_triggers_destroy(struct prof_triggers *triggers)
{
	if (!triggers)
		return;
	forget(triggers);
	free(triggers->places.items);
	free(triggers);
}

/* Decodes the instruction at PC, which is the trigger. */
static void decode(const struct prof_triggers *triggers, uint64_t pc, struct place *place)
{
	enum { LONGEST = 15 };
	unsigned char bytes[LONGEST];
	size_t length = LONGEST;

	/* The file may end behind it. */
	while (length && !prof_walker_code(triggers->walker, pc, bytes, length))
		length--;
	place->result = (struct prof_trigger_result){.trigger = PROF_TRIGGER_EXACT, .pc = pc};
	place->decoded = prof_instruction_decode(bytes, length, pc, &place->result.instruction);
}

/*
 * The place PC of COUNTER: the trigger NAMED itself, or REACH instructions behind it at most. NULL:
 * no memory.  Borrowed until the next call.
 */
static const struct place *find_place(struct prof_triggers *triggers, uint32_t number,
	const struct prof_counter *counter, bool named, uint64_t pc)
{
	struct prof_map *map = named ? &triggers->named[number] : &triggers->searched[number];
	uint32_t found = prof_map_get(map, pc);
	struct place place = {0};

	if (found != PROF_NONE)
		return &triggers->places.items[found];
	if (named) {
		decode(triggers, pc, &place);
	} else {
		/* A CPU with precise events reports the next instruction. */
		struct prof_error *error =
			prof_trigger_search(&triggers->code, pc, (enum prof_access)counter->access,
				counter->precise ? 1 : PROF_TRIGGER_REACH, &place.result);
		if (error) {
			prof_error_destroy(error);
			return NULL;
		}
	}
	struct place *added = prof_map_push(map, pc, &triggers->places);
	if (!added)
		return NULL;
	*added = place;
	return added;
}

/* The operand of INSTRUCTION that makes an ACCESS.  NULL: there are several, or none. */
static const struct prof_operand *find_operand(
	const struct prof_instruction *instruction, enum prof_access access)
{
	const struct prof_operand *found = NULL;

	for (size_t i = 0; i < instruction->count; i++) {
		if (!(instruction->operands[i].access & access))
			continue;
		if (found)
			return NULL;
		found = &instruction->operands[i];
	}
	return found;
}

/* Is ADDRESS within the memory that OPERAND accesses from BEGIN on? */
static bool covers(const struct prof_operand *operand, uint64_t begin, uint64_t address)
{
	return address - begin < (operand->size ? operand->size : 1);
}

/*
 * The search has found RESULT; the data's address is in the record, or follows from the registers.
 */
static void set_found(const struct prof_trigger_result *result,
	const struct prof_perf_record *record, const struct prof_counter *counter,
	struct prof_look *look, uint64_t *pc)
{
	const struct prof_instruction *instruction = &result->instruction;
	enum prof_access access = (enum prof_access)(instruction->access & counter->access);
	const struct prof_operand *operand = find_operand(instruction, access);
	uint64_t computed = 0;
	/* With precise events some kernels give the registers of a later moment. */
	bool known = operand && !counter->precise &&
		prof_operand_address(operand, &record->registers, result->changed, &computed);

	/* If the CPU reports other data, the instruction that was found is the wrong one. */
	if (record->address && known && !covers(operand, computed, record->address)) {
		look->trigger = PROF_TRIGGER_UNRESOLVABLE;
		return;
	}
	if (known && !record->address) {
		look->addressed = true;
		look->address = computed;
	}
	look->trigger = PROF_TRIGGER_FOUND;
	look->access = (uint8_t)access;
	look->skid = result->skid;
	*pc = result->pc;
}

/*
 * The access of INSTRUCTION, at REGISTERS' program counter, to ADDRESS.  It has failed, so the
 * instruction was not executed yet.
 */
static enum prof_access access_of_fault(const struct prof_instruction *instruction,
	const struct prof_registers *registers, uint64_t address)
{
	unsigned unknown = 0;

	for (size_t i = 0; i < instruction->count; i++) {
		const struct prof_operand *operand = &instruction->operands[i];
		uint64_t begin;
		if (!prof_operand_address(operand, registers, 0, &begin))
			unknown |= operand->access;
		else if (covers(operand, begin, address))
			return (enum prof_access)operand->access;
	}
	if (address - registers->pc < instruction->length)
		return PROF_ACCESS_FETCH;
	return (enum prof_access)unknown;
}

/* The instruction PLACE is the trigger. */
static void set_named(const struct place *place, const struct prof_perf_record *record,
	const struct prof_counter *counter, struct prof_look *look)
{
	const struct prof_instruction *instruction = &place->result.instruction;

	look->trigger = PROF_TRIGGER_EXACT;
	if (!place->decoded)
		return;
	if (counter->restarts) {
		look->access =
			(uint8_t)access_of_fault(instruction, &record->registers, record->address);
		return;
	}
	look->access = instruction->access & counter->access;
	if (look->access)
		return;
	look->trigger = PROF_TRIGGER_UNSPECIFIED;
	look->addressed = false;
	look->address = 0;
}

void prof_triggers_find(struct prof_triggers *triggers, const struct prof_perf_record *record,
	const struct prof_counter *counter, struct prof_look *look, uint64_t *pc)
{
	uint64_t generation = prof_walker_generation(triggers->walker);
	bool named = record->exact || counter->restarts;

	/* Whatever instruction it was, the CPU or the kernel reports the address. */
	look->trigger = PROF_TRIGGER_UNVERIFIABLE;
	look->addressed = record->address != 0;
	look->address = record->address;
	if (record->registers.within != PROF_WITHIN_PROGRAM) {
		look->trigger = PROF_TRIGGER_CALL;
		return;
	}
	if (generation != triggers->generation)
		forget(triggers);
	triggers->generation = generation;
	const struct place *place =
		find_place(triggers, look->counter - 1, counter, named, record->registers.pc);
	if (!place)
		return;
	if (named)
		set_named(place, record, counter, look);
	else if (place->result.trigger == PROF_TRIGGER_FOUND)
		set_found(&place->result, record, counter, look, pc);
	else
		look->trigger = place->result.trigger;
}
