/*
 * The functions of the running kernel, as /proc/kallsyms lists them: those of its modules too.
 *
 * What the list says is up to /proc/sys/kernel/kptr_restrict: to whom addresses are hidden, each
 * is 0.
 */
#ifndef PROF_TARGET_KALLSYMS_H
#define PROF_TARGET_KALLSYMS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* What perf calls the load object that the kernel is, and where its half of memory begins. */
#define PROF_KERNEL_OBJECT "[kernel.kallsyms]"
#define PROF_KERNEL_BEGIN (UINT64_C(1) << 63)

struct prof_kallsyms;

/* Reads the list in the file PATH, that of the running kernel where it is NULL. */
struct prof_error *prof_kallsyms_read(const char *path, struct prof_kallsyms **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_kallsyms_destroy(struct prof_kallsyms *symbols);

/* The function around ADDRESS, which begins at *LOW; borrowed.  NULL: there is none, or all are
 * hidden. */
const char *prof_kallsyms_find(
	const struct prof_kallsyms *symbols, uint64_t address, uint64_t *low);

/* May this process see where the running kernel's functions are?  Looks no further than it must. */
bool prof_kallsyms_shown(void);

#endif
