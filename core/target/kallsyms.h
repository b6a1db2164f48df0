/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions of the running kernel, as /proc/kallsyms lists them: those of its modules too.
 *
 * /proc/sys/kernel/kptr_restrict decides who may read the addresses; for all others each address is
 * 0.
 */
#ifndef PROF_TARGET_KALLSYMS_H
#define PROF_TARGET_KALLSYMS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* The name of the kernel as a load object, which perf also uses; and the lowest address of its half
 * of the address space. */
#define PROF_KERNEL_OBJECT "[kernel.kallsyms]"
#define PROF_KERNEL_BEGIN (UINT64_C(1) << 63)

struct prof_kallsyms;

/* Is PATH the name of the kernel as a load object? */
bool prof_kallsyms_is_object(const char *path);

/* Reads the list in the file PATH, or the list of the running kernel if PATH is NULL. */
struct prof_error *prof_kallsyms_read(const char *path, struct prof_kallsyms **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_kallsyms_destroy(struct prof_kallsyms *symbols);

/* The name of the function that ADDRESS lies in, borrowed, and the address of that function in
 * *LOW.  NULL: there is none, or the addresses are hidden. */
const char *prof_kallsyms_find(
	const struct prof_kallsyms *symbols, uint64_t address, uint64_t *low);

/*
 * Sorts SYMBOLS by name for prof_kallsyms_address(), which takes some 20 ms.  Not while another
 * thread uses them.
 */
struct prof_error *prof_kallsyms_index(struct prof_kallsyms *symbols) PROF_MUST_CHECK;

/*
 * The address of the function whose name is the LENGTH bytes of NAME; of several, which are static,
 * of the one whose SIZE in bytes is nearest to that.  0: there is none, or no index.
 */
uint64_t prof_kallsyms_address(
	const struct prof_kallsyms *symbols, const char *name, size_t length, uint64_t size);

/* May this process read the addresses of the running kernel's functions?  Reads the list only up to
 * the first address that is not 0. */
bool prof_kallsyms_shown(void);

#endif
