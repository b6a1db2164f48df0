/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The line of an address, by the line table of the file that GDB has its debugging information
 * from.
 *
 * GDB 13.1 keeps a table for each file of source.  Of the rows at an address it takes one of a
 * table that is marked as a statement, and of several tables the first; the compiler means the
 * last row of all.
 */
#ifndef PROF_PLUGIN_GDB_SYMBOLS_LINE_H
#define PROF_PLUGIN_GDB_SYMBOLS_LINE_H

#include "plugin/gdb/binary.h"
#include "plugin/gdb/python_object.h"

struct prof_linetable;

struct symbols_table {
	char *path, *build_id;
	struct prof_linetable *table; /* NULL: it cannot be read */
};

/* What has been opened so far.  All zeroes: nothing. */
struct symbols_lines {
	struct binaries binaries;
	PROF_ARRAY(struct symbols_table) tables;
};

void symbols_lines_deinit(struct symbols_lines *lines);

/*
 * There will be questions about the same files soon.  Closes what takes much memory, or is quickly
 * opened again: all but the line tables of a few small files.
 */
void symbols_lines_rest(struct symbols_lines *lines);

/*
 * The line of the instruction at ADDRESS, which lies in MODULE of EXPERIMENT and in the innermost
 * BLOCK, a gdb.Block.  PLACE, which may be NULL, is where GDB has it.  Sets *FILE to what GDB calls
 * the file, which the caller frees, or to NULL, and *LINE; 0: it is not known.
 */
void symbols_lines_find(struct symbols_lines *lines, const struct prof_experiment *experiment,
	uint32_t module, uint64_t address, PyObject *block, PyObject *place, char **file,
	uint32_t *line);

/*
 * The same of BINARY, one of LINES, for a program that GDB does not have: *FILE is what the line
 * table calls it.
 */
void symbols_lines_find_in(struct symbols_lines *lines, const struct prof_experiment *experiment,
	const struct binary *binary, uint64_t address, char **file, uint32_t *line);

#endif
