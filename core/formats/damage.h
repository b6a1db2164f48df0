/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The error that an imported file is damaged. */
#ifndef PROF_FORMATS_DAMAGE_H
#define PROF_FORMATS_DAMAGE_H

#include "base/error.h"

#include <stdarg.h>

struct prof_experiment;

/* Bytes that are enough to say where: "line 18446744073709551615". */
enum { PROF_DAMAGE_PLACE = 80 };

/*
 * The file PATH is damaged at PLACE, "line 7": it does there what FORMAT says with ARGUMENTS, "has
 * no weight".
 */
struct prof_error *prof_damage(const char *path, const char *place, const char *format,
	va_list arguments) PROF_PRINTF(3, 0) PROF_MUST_CHECK;

/* The error that the file PATH has no WHAT, "stacks"; CURE is what the user can do about it. */
struct prof_error *prof_damage_without(
	const char *path, const char *what, const char *cure) PROF_MUST_CHECK;

/* Refuses the file PATH where EXPERIMENT, which was read from it, has no samples. */
struct prof_error *prof_damage_without_samples(
	const struct prof_experiment *experiment, const char *path) PROF_MUST_CHECK;

#endif
