/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Perf maps: the functions that a compiler has made in a running program, as it lists them in the
 * file /tmp/perf-PID.map for perf ("perf-report, jit-interface.txt" of the kernel's sources).
 * Among others node --perf-basic-prof and java -XX:+DumpPerfMapAtExit write one.
 *
 * Each line is "START SIZE NAME", both numbers hexadecimal.  Lines are only added: code that moves,
 * or that takes the place of other code, has a new line, and the last line counts.
 */
#ifndef PROF_TARGET_PERF_MAP_H
#define PROF_TARGET_PERF_MAP_H

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

struct prof_perf_map;

/*
 * Reads the map of PROCESS, or the one that it has left behind.  *RET is NULL if there is none, or
 * if another user may have written it: anybody can create files in /tmp.  An error if it has MOST
 * bytes or more.
 */
struct prof_error *prof_perf_map_of(
	pid_t process, uint64_t most, struct prof_perf_map **ret) PROF_MUST_CHECK;

/* Reads the file PATH.  Lines of another form are passed over. */
struct prof_error *prof_perf_map_read(const char *path, struct prof_perf_map **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_perf_map_destroy(struct prof_perf_map *map);

/*
 * The name of the function that ADDRESS lies in, borrowed, and where it begins in *LOW.  NULL:
 * there is none.
 */
const char *prof_perf_map_find(const struct prof_perf_map *map, uint64_t address, uint64_t *low);

#endif
