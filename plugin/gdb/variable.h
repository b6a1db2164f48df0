/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Data as expressions of the program's language: "accounts[1].lock". */
#ifndef PROF_PLUGIN_GDB_VARIABLE_H
#define PROF_PLUGIN_GDB_VARIABLE_H

#include "base/text.h"

#include <stdint.h>

/*
 * Adds to TEXT what at ADDRESS may be waited for, as GDB would print that: a variable with static
 * storage, or an element or a member of one.  Where GDB does not know its type, adds the symbol, as
 * naming_address() does; nothing where there is none.
 */
void variable_print(uint64_t address, struct prof_text *text);

#endif
