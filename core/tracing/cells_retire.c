/*
 * Cells that will never change again are no longer needed once they have been told: cells to come
 * get their numbers.  So there are no more of them than the program has threads and blocks now,
 * however many there were.
 */
#include "tracing/cells_private.h"

#include <assert.h>

void prof_cells_end(struct prof_cells *cells, uint32_t number)
{
	if (number < cells->threads.count)
		cells->threads.items[number].ended = true;
}

bool prof_cells_has(const struct prof_cells *cells, uint32_t number)
{
	return number < cells->threads.count && cells->threads.items[number].cells;
}

/* Has CELL blocks, or did the recorder learn at a mark that it has? */
static bool holds(const struct prof_cell *cell)
{
	return cell->blocks || cell->held_blocks;
}

/* Leaves cells out of those that a mark looks at where it would find nothing. */
static void settle_moved(struct prof_cells *cells)
{
	size_t left = 0;

	for (size_t i = 0; i < cells->moved.count; i++) {
		uint32_t number = cells->moved.items[i];
		struct prof_cell *cell = &cells->list.items[number];
		cell->moved = holds(cell);
		if (cell->moved)
			cells->moved.items[left++] = number;
	}
	cells->moved.count = left;
}

/* Has CELL been told, and will nothing change it? */
static bool is_done(const struct prof_cells *cells, const struct prof_cell *cell)
{
	bool open = cell->slice == cells->slices && !cells->threads.items[cell->thread].ended;

	if (open || cell->dirty || cell->moved)
		return false;
	/* What it had at the peak becomes 0 at the next one. */
	return cell->kind != PROF_RING_ALLOC ||
		(!holds(cell) && !prof_cells_peak(cells, cell) && !cell->told_peak);
}

/* Has nothing lead to the cell NUMBER, or to what is its alone. */
static void let_go(struct prof_cells *cells, uint32_t number)
{
	const struct prof_cell *cell = &cells->list.items[number];
	uint64_t key = prof_cells_key(cell->thread, cell->what, cell->stack);
	uint32_t *arguments = NULL;

	if (cell->slice == cells->slices && cell->kind == PROF_RING_WAIT)
		prof_map_remove(&cells->waits,
			prof_cells_hash(key, cell->object, (uint64_t)cell->holder), number);
	else if (cell->slice == cells->slices)
		prof_map_remove(&cells->index, key, number);
	/* Without memory the room for its arguments is not used again. */
	if (cell->kind == PROF_RING_CALL && cell->argument_count)
		arguments = prof_array_push(&cells->unused_arguments[cell->argument_count]);
	if (arguments)
		*arguments = cell->arguments;
}

void prof_cells_retire(struct prof_cells *cells)
{
	assert(!cells->held.count);
	settle_moved(cells);
	for (uint32_t i = 0; i < cells->list.count; i++) {
		struct prof_cell *cell = &cells->list.items[i];
		if (cell->unused || !is_done(cells, cell))
			continue;
		let_go(cells, i);
		cells->threads.items[cell->thread].cells--;
		*cell = (struct prof_cell){.unused = true};
		cells->unused.items[cells->unused.count++] = i; /* there is room: see add_cell() */
	}
}
