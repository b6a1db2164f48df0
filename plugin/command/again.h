/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Was a command typed, or did an empty line execute it once more?  GDB does not tell Python. */
#ifndef PROF_PLUGIN_COMMAND_AGAIN_H
#define PROF_PLUGIN_COMMAND_AGAIN_H

#include <stdbool.h>

/*
 * Is TEXT, the arguments of the command that OWNER stands for, executed once more by an empty line?
 * TYPED: it comes from the prompt.
 */
bool again_is_one(const void *owner, const char *text, bool typed);

#endif
