/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Breakpoints that a killed GDB would leave behind: it ends the programs that it has started, but
 * one that it has attached to goes on, and ends by SIGTRAP where a breakpoint stands.
 */
#ifndef PROF_PLUGIN_SESSION_STRANDED_H
#define PROF_PLUGIN_SESSION_STRANDED_H

#include "base/text.h"

/* Warns, a sentence, of those of ours that GDB may have inserted into such a process. */
void stranded_say(struct prof_text *text);

#endif
