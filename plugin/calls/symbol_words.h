/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What many words, names of functions, stand for in a native process: found in the symbols of the
 * files that GDB has of it, because GDB takes long for each.  Where that is not certain, GDB must
 * be asked.
 */
#ifndef PROF_PLUGIN_CALLS_SYMBOL_WORDS_H
#define PROF_PLUGIN_CALLS_SYMBOL_WORDS_H

#include "target/symbol_names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Begins with the COUNT WORDS, which are borrowed until symbol_words_end(). */
void symbol_words_begin(char *const *words, size_t count);

/* May be called twice. */
void symbol_words_end(void);

/*
 * What the words stand for in PROCESS, the selected inferior's, an item for each, which the caller
 * frees.  NULL: GDB must be asked for all of them.
 */
struct prof_symbol_meaning *symbol_words_find(pid_t process);

#endif
