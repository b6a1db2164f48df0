/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The answer to a packet that is sent to a target behind GDB's back.
 *
 * It is taken out of what GDB would read.  Where it comes behind something that is for GDB, or too
 * late, GDB reads it: then it becomes acknowledgements, which GDB skips.
 */
#ifndef PROF_PLUGIN_INTERPOSE_ANSWER_H
#define PROF_PLUGIN_INTERPOSE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

struct packet;

/* Is there something to be read on the socket FILE, before nobody waits for the target any more? */
bool answer_is_readable(int file);

/*
 * Waits on the socket FILE for the answer to what was just sent there, and copies its text, a
 * string, into TEXT, which has ROOM; GDB must not be waiting for an answer.  Unless it is an error,
 * the answer has LENGTH characters: a late answer is recognised by that.  False: it has not come.
 */
bool answer_await(int file, size_t length, char *text, size_t room);

/* Will GDB read an answer that is not for it? */
bool answer_is_owed(void);

/* If PACKET, the first in DATA, is that one, GDB will skip it. */
void answer_hide(char *data, const struct packet *packet);

/* The connection has gone, or nobody needs to know any more. */
void answer_forget(void);

#endif
