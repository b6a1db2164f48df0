/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracing/stacks.h"

#include "base/map.h"
#include "target/arch.h"
#include "target/maps.h"
#include "target/process.h"
#include "target/rule.h"
#include "tracing/ring.h"
#include "tracing/rows.h"
#include "tracing/stream.h"

#include <stdlib.h>
#include <string.h>

enum {
	ROWS_MOST = PROF_ROWS / 4 * 3, /* a fuller table is slow to search */
	RAW_MOST = 1 << 18,            /* stacks; more come from a program out of control */
	GONE = 0x80,
};

/* A stack for which the agent has no node. */
struct raw {
	size_t first;
	uint32_t depth;
	uint8_t end; /* enum prof_stack_end */
};

struct prof_stacks {
	struct prof_ring *ring;
	struct prof_row *rows; /* in the ring */
	_Atomic uint64_t *nodes;
	size_t depth;
	uint64_t *walked; /* the frames; room for DEPTH */

	/*
	 * By row, in the order in which they were put into the ring: what the ring has now is not
	 * trusted.
	 */
	uint64_t *pcs;
	uint8_t *kinds; /* enum prof_row_kind, with a bit if it is GONE */
	size_t row_count;
	struct prof_maps maps; /* the mappings of the rows that are not gone */
	uint64_t generation;   /* of MAPS */

	struct prof_process process;
	struct prof_target live;           /* the memory of the process */
	struct prof_target target;         /* RAW's memory, otherwise the process's */
	const struct prof_stream_raw *raw; /* the stack that is being walked */
	bool beyond;                       /* behind the end of RAW, the current memory will do */
	struct prof_unwinder *unwinder;

	PROF_ARRAY(uint64_t) frames; /* of all RAWS */
	PROF_ARRAY(struct raw) raws;
	struct prof_map index; /* hash of frames -> raws */
};

/*
 * Is the memory at ADDRESS the same now as when RAW was taken?  Code is, but a stack is not,
 * because the thread has gone on since.
 */
static bool is_lasting(const struct prof_stacks *stacks, uint64_t address)
{
	return !stacks->raw || stacks->beyond ||
		prof_maps_find(prof_unwinder_maps(stacks->unwinder), address);
}

/* Reads the bytes of the stack as it was, then those of the process. */
static size_t read_memory(void *context, uint64_t address, void *buffer, size_t length)
{
	const struct prof_stacks *stacks = context;
	const struct prof_stream_raw *raw = stacks->raw;
	size_t done = 0;

	/*
	 * A walk reads from below the stack pointer; that memory was not saved, and is not needed.
	 */
	if (raw && address < raw->sp && raw->sp - address < length) {
		done = (size_t)(raw->sp - address);
		memset(buffer, 0, done);
	}
	if (raw && address + done >= raw->sp && address + done - raw->sp < raw->length) {
		size_t offset = (size_t)(address + done - raw->sp);
		size_t left = length - done;
		size_t size = raw->length - offset < left ? raw->length - offset : left;
		memcpy((unsigned char *)buffer + done, raw->bytes + offset, size);
		done += size;
	}
	if (done == length || !is_lasting(stacks, address + done))
		return done;
	return done +
		stacks->live.read_memory(stacks->live.context, address + done,
			(unsigned char *)buffer + done, length - done);
}

void prof_stacks_destroy(struct prof_stacks *stacks)
{
	if (!stacks)
		return;
	prof_unwinder_destroy(stacks->unwinder);
	free(stacks->walked);
	free(stacks->pcs);
	free(stacks->kinds);
	free(stacks->frames.items);
	free(stacks->raws.items);
	prof_map_deinit(&stacks->index);
	prof_maps_deinit(&stacks->maps);
	free(stacks);
}

struct prof_error *prof_stacks_create(
	struct prof_ring *ring, pid_t pid, size_t depth, struct prof_stacks **ret)
{
	struct prof_stacks *stacks = calloc(1, sizeof *stacks);

	if (!stacks)
		return prof_error_nomem();
	stacks->ring = ring;
	stacks->rows = prof_ring_rows(ring);
	stacks->nodes = prof_ring_nodes(ring);
	stacks->depth = depth;
	stacks->generation = UINT64_MAX;
	stacks->walked = calloc(depth, sizeof *stacks->walked);
	stacks->pcs = calloc(PROF_ROWS, sizeof *stacks->pcs);
	stacks->kinds = calloc(PROF_ROWS, sizeof *stacks->kinds);
	prof_process_init(&stacks->process, pid);
	stacks->live = prof_process_target(&stacks->process);
	stacks->target = (struct prof_target){read_memory, stacks};
	struct prof_error *error = stacks->walked && stacks->pcs && stacks->kinds
		? prof_unwinder_create(pid, &stacks->target, &stacks->unwinder)
		: prof_error_nomem();
	if (error) {
		prof_stacks_destroy(stacks);
		return error;
	}
	*ret = stacks;
	return NULL;
}

static const enum prof_row_kind row_kinds[] = {
	[PROF_RULE_SP] = PROF_ROW_SP,
	[PROF_RULE_FP] = PROF_ROW_FP,
	[PROF_RULE_AT_FP] = PROF_ROW_AT_FP,
	[PROF_RULE_SIGNAL] = PROF_ROW_SIGNAL,
	[PROF_RULE_OUTERMOST] = PROF_ROW_OUTERMOST,
	[PROF_RULE_STUCK] = PROF_ROW_STUCK,
};

static struct prof_row_rule convert(const struct prof_rule *rule)
{
	struct prof_row_rule row = {
		.kind = row_kinds[rule->kind],
		.offset = rule->offset,
		.fp_saved = rule->fp_saved,
		.fp_offset = (int16_t)rule->fp_offset,
	};

	if (row.fp_offset != rule->fp_offset)
		return (struct prof_row_rule){.kind = PROF_ROW_STUCK};
	return row;
}

/* The free slot for PC; PROF_ROW_NONE: PC is there already, or there is no free slot near. */
static uint32_t find_slot(const struct prof_stacks *stacks, uint64_t pc)
{
	uint64_t slot = prof_rows_hash(pc);

	for (unsigned i = 0; i < PROF_ROWS_REACH; i++, slot++) {
		uint32_t number = (uint32_t)(slot % PROF_ROWS);
		if (stacks->pcs[number] == pc && !(stacks->kinds[number] & GONE))
			return PROF_ROW_NONE;
		if (!stacks->pcs[number])
			return number;
	}
	return PROF_ROW_NONE;
}

/* Puts the row for the lookup address PC into the ring. */
static void add_row(struct prof_stacks *stacks, uint64_t pc)
{
	uint32_t slot = stacks->row_count < ROWS_MOST ? find_slot(stacks, pc) : PROF_ROW_NONE;
	struct prof_rule rule;

	if (pc <= PROF_ROW_GONE || slot == PROF_ROW_NONE ||
		!prof_unwinder_rule(stacks->unwinder, pc, &rule))
		return;
	struct prof_row_rule row = convert(&rule);
	stacks->pcs[slot] = pc;
	stacks->kinds[slot] = (uint8_t)row.kind;
	stacks->row_count++;
	atomic_store_explicit(&stacks->rows[slot].rule, prof_row_pack(row), memory_order_relaxed);
	atomic_store_explicit(&stacks->rows[slot].pc, pc, memory_order_release);
}

/* Do both address spaces have the same code at ADDRESS? */
static bool is_kept(const struct prof_maps *old, const struct prof_maps *new, uint64_t address)
{
	const struct prof_mapping *was = prof_maps_find(old, address);
	const struct prof_mapping *is = prof_maps_find(new, address);

	return was && is && was->low - was->offset == is->low - is->offset &&
		was->device == is->device && was->inode == is->inode &&
		!strcmp(was->path, is->path);
}

static struct prof_error *copy_maps(const struct prof_maps *from, struct prof_maps *to)
{
	if (!prof_array_reserve(&to->mappings, from->mappings.count))
		return prof_error_nomem();
	for (size_t i = 0; i < from->mappings.count; i++) {
		struct prof_mapping mapping = from->mappings.items[i];
		mapping.path = strdup(mapping.path);
		if (!mapping.path)
			return prof_error_nomem();
		to->mappings.items[to->mappings.count++] = mapping;
	}
	return NULL;
}

/* Withdraws the rows of code that a changed address space no longer has. */
static void settle(struct prof_stacks *stacks)
{
	const struct prof_maps *now = prof_unwinder_maps(stacks->unwinder);
	struct prof_maps copy = {0};
	bool gone = false;

	if (prof_unwinder_generation(stacks->unwinder) == stacks->generation)
		return;
	AUTO_ERROR struct prof_error *error = copy_maps(now, &copy);
	for (uint32_t i = 0; i < PROF_ROWS && stacks->row_count; i++) {
		if (!stacks->pcs[i] || stacks->kinds[i] & GONE ||
			is_kept(&stacks->maps, now, stacks->pcs[i]))
			continue;
		gone = true;
		stacks->kinds[i] |= GONE;
		atomic_store_explicit(&stacks->rows[i].pc, PROF_ROW_GONE, memory_order_release);
	}
	if (gone)
		atomic_fetch_add_explicit(&stacks->ring->gone, 1, memory_order_release);
	if (error) /* can be tried again */
		prof_maps_deinit(&copy);
	else
		stacks->generation = prof_unwinder_generation(stacks->unwinder);
	prof_maps_deinit(&stacks->maps);
	stacks->maps = copy;
}

/* The key of a raw stack. */
struct wanted {
	const struct prof_stacks *stacks;
	size_t depth;
	uint8_t end;
};

static bool is_equal(const void *context, uint32_t value)
{
	const struct wanted *wanted = context;
	const struct prof_stacks *stacks = wanted->stacks;
	const struct raw *raw = &stacks->raws.items[value];

	return raw->depth == wanted->depth && raw->end == wanted->end &&
		!memcmp(&stacks->frames.items[raw->first], stacks->walked,
			wanted->depth * sizeof *stacks->walked);
}

/* The number of the walked stack, of DEPTH frames. */
static uint32_t intern(struct prof_stacks *stacks, size_t depth, enum prof_stack_end end)
{
	struct wanted wanted = {stacks, depth, (uint8_t)end};
	uint64_t hash = prof_map_hash(stacks->walked, depth * sizeof *stacks->walked) + end;
	uint32_t found = prof_map_find(&stacks->index, hash, is_equal, &wanted);

	if (found != PROF_NONE)
		return PROF_NODES + found;
	uint32_t number = (uint32_t)stacks->raws.count;
	struct raw *raw = number < RAW_MOST && prof_array_reserve(&stacks->frames, depth)
		? prof_map_push(&stacks->index, hash, &stacks->raws)
		: NULL;
	if (!raw)
		return PROF_NODE_NONE;
	*raw = (struct raw){stacks->frames.count, (uint32_t)depth, (uint8_t)end};
	memcpy(stacks->frames.items + stacks->frames.count, stacks->walked,
		depth * sizeof *stacks->walked);
	stacks->frames.count += depth;
	return PROF_NODES + number;
}

/*
 * Adds rows for the frames further out, beyond the raw stack, from the stack as it is now: without
 * them the agent would never walk that far.  Rows for frames that never existed are harmless.
 */
static void add_rows_beyond(struct prof_stacks *stacks, const struct prof_registers *registers)
{
	enum prof_stack_end end;

	stacks->beyond = true;
	size_t depth = prof_unwinder_walk(
		stacks->unwinder, registers, stacks->walked, stacks->depth, &end);
	settle(stacks);
	for (size_t i = 0; i < depth; i++)
		add_row(stacks, stacks->walked[i]);
	stacks->beyond = false;
}

uint32_t prof_stacks_raw(struct prof_stacks *stacks, const struct prof_stream_raw *raw)
{
	const struct prof_arch *arch = prof_arch_native();
	struct prof_registers registers = {.pc = raw->pc - 1};
	enum prof_stack_end end;

	if (!arch)
		return PROF_NODE_NONE;
	registers.value[arch->sp] = raw->sp;
	registers.value[arch->fp] = raw->fp;
	registers.value[arch->return_address] = raw->pc;
	registers.valid = UINT64_C(1) << arch->sp | UINT64_C(1) << arch->fp |
		UINT64_C(1) << arch->return_address;
	stacks->raw = raw;
	size_t depth = prof_unwinder_walk(
		stacks->unwinder, &registers, stacks->walked, stacks->depth, &end);
	settle(stacks);
	for (size_t i = 0; i < depth; i++)
		add_row(stacks, stacks->walked[i]);
	uint32_t number = intern(stacks, depth, end);
	if (end != PROF_STACK_WHOLE && depth < stacks->depth)
		add_rows_beyond(stacks, &registers);
	stacks->raw = NULL;
	return number;
}

/* How a stack ends whose outermost frame has a row of KIND. */
static enum prof_stack_end classify_end(enum prof_row_kind kind)
{
	if (kind == PROF_ROW_OUTERMOST)
		return PROF_STACK_WHOLE;
	return kind == PROF_ROW_STUCK ? PROF_STACK_FAILED : PROF_STACK_TRUNCATED;
}

/*
 * Reads a node.  The program writes the table, so a damaged one can lead anywhere, or in circles.
 */
static size_t node_frames(
	struct prof_stacks *stacks, uint32_t node, uint64_t *frames, enum prof_stack_end *end)
{
	size_t depth = 0;

	*end = PROF_STACK_FAILED;
	while (node != PROF_NODE_EMPTY) {
		uint64_t key = node < PROF_NODES
			? atomic_load_explicit(&stacks->nodes[node], memory_order_relaxed)
			: 0;
		uint32_t row = (uint32_t)key - 1;
		if (depth == stacks->depth) {
			*end = PROF_STACK_TRUNCATED;
			return depth;
		}
		if (row >= PROF_ROWS || !stacks->pcs[row]) {
			*end = PROF_STACK_FAILED;
			return depth;
		}
		frames[depth++] = stacks->pcs[row];
		*end = classify_end((enum prof_row_kind)(stacks->kinds[row] & ~GONE));
		node = (uint32_t)(key >> 32);
	}
	return depth;
}

size_t prof_stacks_frames(
	struct prof_stacks *stacks, uint32_t number, uint64_t *frames, enum prof_stack_end *end)
{
	if (number < PROF_NODES || number - PROF_NODES >= stacks->raws.count)
		return node_frames(
			stacks, number < PROF_NODES ? number : PROF_NODE_EMPTY, frames, end);
	const struct raw *raw = &stacks->raws.items[number - PROF_NODES];
	memcpy(frames, &stacks->frames.items[raw->first], raw->depth * sizeof *frames);
	*end = (enum prof_stack_end)raw->end;
	return raw->depth;
}

void prof_stacks_flush(struct prof_stacks *stacks)
{
	prof_unwinder_flush(stacks->unwinder);
	settle(stacks);
}

const struct prof_maps *prof_stacks_maps(struct prof_stacks *stacks)
{
	return prof_unwinder_maps(stacks->unwinder);
}

uint64_t prof_stacks_generation(const struct prof_stacks *stacks)
{
	return prof_unwinder_generation(stacks->unwinder);
}

const struct prof_target *prof_stacks_target(const struct prof_stacks *stacks)
{
	return &stacks->live;
}
