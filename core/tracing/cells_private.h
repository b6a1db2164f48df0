/* What the files of the cells share. */
#ifndef PROF_TRACING_CELLS_PRIVATE_H
#define PROF_TRACING_CELLS_PRIVATE_H

#include "tracing/cells.h"

/* What the index finds the cell of a thread, a hook and a stack by. */
static inline uint64_t prof_cells_key(uint32_t thread, uint8_t what, uint32_t stack)
{
	return (uint64_t)thread << 40 | (uint64_t)what << 32 | stack;
}

/* What the other index finds waits by: those of KEY for OBJECT, which HOLDER had. */
static inline uint64_t prof_cells_hash(uint64_t key, uint64_t object, uint64_t holder)
{
	const uint64_t fields[] = {key, object, holder};

	return prof_map_hash(fields, sizeof fields);
}

/* What CELL had when memory was at its peak. */
static inline uint64_t prof_cells_peak(const struct prof_cells *cells, const struct prof_cell *cell)
{
	return cell->epoch == cells->epoch ? cell->peak : cell->left;
}

#endif
