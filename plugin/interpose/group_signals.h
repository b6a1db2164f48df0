/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Signals that are sent to all processes of a rank.
 *
 * Some launchers, such as Slurm, send a signal to all processes of a rank and not only to the one
 * that they have started.  The signal is meant for the program, which gets it as well: it must not
 * end the GDB that records the rank.  The process that has started GDB gets it, too, and must not
 * pass it on to the program once more.
 */
#ifndef PROF_PLUGIN_INTERPOSE_GROUP_SIGNALS_H
#define PROF_PLUGIN_INTERPOSE_GROUP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * From now on this process ignores signals that would end it, unless it or its parent has sent
 * them.  It writes the number of each that it ignores, as a byte, to the file NOTES, which the
 * programs that it executes do not inherit.
 *
 * Of SIGINT, it ignores those that come while the calling thread, GDB's own, blocks it: GDB sets
 * its handler for SIGINT again and again, which sends the signal to the program.
 */
void group_signals_ignore(int notes);

/*
 * May be called by a signal handler: is SIGNAL, with INFO, to be ignored?  If so, notes it.
 */
bool group_signals_is_ignored(int signal, const siginfo_t *info);

#endif
