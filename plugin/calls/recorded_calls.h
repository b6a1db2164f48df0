/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What the recording of calls needs beside patches: the reader, and unwinders in the program that
 * find their way.
 */
#ifndef PROF_PLUGIN_CALLS_RECORDED_CALLS_H
#define PROF_PLUGIN_CALLS_RECORDED_CALLS_H

#include "base/text.h"
#include "patching/stub_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct call_reader_settings;
struct prof_patches_listed;
struct prof_stub_settings;

/* libgcc's function that finds the call frame information of an address. */
#define PROF_UNWINDER "_Unwind_Find_FDE"

/* Calls are to be recorded, and not only counted, until recorded_calls_end(): as SETTINGS say. */
void recorded_calls_begin(const struct call_reader_settings *settings);
void recorded_calls_end(void);
bool recorded_calls_are_wanted(void);

/* The kind of stubs that the function NAME gets. */
enum prof_stub_part recorded_calls_kind(const char *name);

/* The same of the function LISTED, one of all functions of the file PATH. */
enum prof_stub_part recorded_calls_listed_kind(
	const struct prof_patches_listed *listed, const char *path);

/* Begins to read what stubs of PROCESS with SETTINGS record.  NULL, or why that cannot be,
 * borrowed. Without effect if no calls are wanted; likewise below. */
const char *recorded_calls_start(pid_t process, const struct prof_stub_settings *settings);

/* The next function is at ADDRESS.  False: no memory. */
bool recorded_calls_add(uint64_t address);

/* The process goes on for the user, or no longer does. */
void recorded_calls_allow(bool allowed);

/* Reports what was recorded. */
void recorded_calls_report(void);

/* The process is gone, or no longer recorded. */
void recorded_calls_gone(void);

/* Looks for unwinders in the process.  NULL, or why functions must not return to stubs, borrowed.
 */
const char *recorded_calls_unwinders(void);

/* Where the unwinder number INDEX has its function; 0: there are no more. */
uint64_t recorded_calls_unwinder(size_t index);

/* Unwinders that came later do not find their way, because of WHY, which is borrowed. */
void recorded_calls_warn(const char *why);

/* Adds what there is to say of it. */
void recorded_calls_say(struct prof_text *text);

#endif
