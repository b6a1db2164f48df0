/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the command line may have at the cursor, for the completion of bash and zsh. */
#ifndef PROF_SHELL_COMPLETE_H
#define PROF_SHELL_COMPLETE_H

#include "shell/gdbprof.h"

#include <stddef.h>

/*
 * Prints what the last of the COUNT WORDS behind the command's name may become, one on each line:
 * one of ACTIONS, an option, which ends in "=" if it needs a value, or a value of an option.
 * Nothing is printed where a file may stand, or the words are those of the program that is
 * recorded.
 */
void complete(const struct action *const *actions, char **words, size_t count);

#endif
