/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Stops of threads that gdbprof asks a target in non-stop mode for behind GDB's back, and that GDB
 * takes for those of a signal.
 *
 * A thread that is asked to stop reports a stop by signal 0.  GDB would show it, because it has not
 * asked for it.  So what GDB reads is changed on its way, without making it longer or shorter: the
 * signal in the report, and the answer OK to the packet that GDB has not sent, which becomes
 * acknowledgements.
 */
#ifndef PROF_PLUGIN_INTERPOSE_STOPS_H
#define PROF_PLUGIN_INTERPOSE_STOPS_H

#include <stdbool.h>
#include <sys/types.h>

struct packet_thread;

/*
 * Asks, on the socket FILE, for a stop of THREAD, which GDB will take for one by SIGNAL.
 * GDB must not be waiting for an answer.  False: the target does not do it.
 */
bool stops_ask(int file, const struct packet_thread *thread, unsigned int signal);

/* GDB sends DATA: threads that it stops itself are not ours, until they have stopped. */
void stops_heed(const char *data, size_t size);

/* Was THREAD asked to stop, its stop not met, and has GDB not stopped it itself? */
bool stops_owes(const struct packet_thread *thread);

/* GDB knows of the stop of THREAD, and has dealt with it. */
void stops_met(const struct packet_thread *thread);

/* Is any stop asked for, so that what GDB reads has to pass here? */
bool stops_expected(void);

/* Reads for GDB from the socket FILE, as recv(). */
ssize_t stops_receive(int file, char *data, size_t size, int flags);

/*
 * Has the target, which stands still in all-stop mode with an interrupt under way to it, go on
 * until that stops it.  GDB must not be waiting for an answer.
 */
void stops_await(int file);

/* The connection has gone, or nobody needs to know any more. */
void stops_forget(void);

#endif
