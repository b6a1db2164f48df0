/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings `set prof ...`: one table, and their current values. */
#ifndef PROF_PLUGIN_OPTION_SETTINGS_H
#define PROF_PLUGIN_OPTION_SETTINGS_H

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes them known to GDB.  False: a Python exception is pending. */
bool settings_register(void);

/* Has CHANGED called with the new value whenever `prof NAME` is set; of one setting. */
void settings_notify(const char *name, struct prof_error *(*changed)(const char *value));

/* The value of `prof NAME` as text, in a new string that the caller frees. */
struct prof_error *settings_get(const char *name, char **ret) PROF_MUST_CHECK;

/* Bounds TEXT, which is empty, by `prof max-output`. */
struct prof_error *settings_bound(struct prof_text *text) PROF_MUST_CHECK;

/* The settings of traced events: bytes, and whether children are traced. */
struct prof_error *settings_get_tracing(size_t *memory, bool *children) PROF_MUST_CHECK;

#endif
