/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Load objects of a native process all of whose functions are counted, by patches only: "NAME:*",
 * and "all" for each that is mapped.
 */
#ifndef PROF_PLUGIN_CALLS_COUNTED_OBJECTS_H
#define PROF_PLUGIN_CALLS_COUNTED_OBJECTS_H

#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

/* Forgets all. */
void counted_objects_end(void);

/* Does WORD stand for all load objects, or may it stand for one? */
bool counted_objects_are_all(const char *word);
bool counted_objects_may_be(const char *word);

/* What was added is about to be added again, or to be gone. */
void counted_objects_anew(void);

/* Has the functions of what WORD stands for in PROCESS, the selected inferior's, counted; false: it
 * stands for nothing. */
bool counted_objects_add(const char *word, pid_t process);

/* Can more be counted at the next stop? */
bool counted_objects_wait(void);

/* Adds how many functions of each are counted, and why others are not, in sentences. */
void counted_objects_say(struct prof_text *text);

#endif
