/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names of functions without what makes them long: for people, who see them in a column. */
#ifndef PROF_METRIC_SHORT_NAMES_H
#define PROF_METRIC_SHORT_NAMES_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Adds NAME with template arguments as "<...>", where they are longer than that ("!(...)" for D),
 * and the standard library's types by their own names: "std::string".  PARAMETERS: the types of
 * parameters stay; otherwise they are "(...)" too.
 *
 *	std::set<int, std::less<int> >::find(int)	std::set<...>::find(int)
 *	bool operator< <wchar_t>(X<int>)		bool operator< <...>(X<int>)
 */
void prof_short_names_print(const char *name, bool parameters, struct prof_text *text);

/* Of a name, no less than so many columns are left where something follows it. */
enum { PROF_SHORT_NAMES_LEAST = 8 };

/*
 * Adds SHOWN, "f + 0x12, line 3 in "/usr/include/x.h"", with the base name of its file.  False: it
 * names no file in a folder, and nothing was added.
 */
bool prof_short_names_drop_folders(const char *shown, struct prof_text *text);

/*
 * Adds SHOWN, which takes more than COLUMNS columns, with "..." in the middle of the function's
 * name, so that it takes no more of them.  SHOWN is as prof_text_name() prints it.
 */
void prof_short_names_cut(const char *shown, size_t columns, struct prof_text *text);

#endif
