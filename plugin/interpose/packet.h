/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Packets of GDB's remote protocol: "$BODY#cc" is a command or an answer, "%NAME:BODY#cc" a
 * notification; cc is a checksum.  Between them there may be acknowledgements, + and -.
 */
#ifndef PROF_PLUGIN_INTERPOSE_PACKET_H
#define PROF_PLUGIN_INTERPOSE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread of a process, by the numbers that the target gives them. */
struct packet_thread {
	int64_t process, thread;
};

struct packet {
	const char *body; /* in what was read; not terminated */
	size_t length;    /* of BODY, in bytes */
	bool is_notification;
	size_t end; /* of the packet: the offset of what follows */
};

/* The longest name of a thread in a packet. */
enum { PACKET_THREAD = 40 };

/* Room for a packet that reads memory. */
enum { PACKET_READ = 48 };

/* Finds the first packet of DATA that is there as a whole.  False: there is none. */
bool packet_find(const char *data, size_t size, struct packet *ret);

/* Is it the report of a thread's stop, "T05...;thread:p1f.20;..."?  Is that, as T00, no signal's?
 */
bool packet_is_stop(const struct packet *packet, struct packet_thread *ret);
bool packet_is_quiet(const struct packet *packet);

/* Makes SIGNAL, less than 256, the cause of that stop in DATA, where it was found. */
void packet_set_signal(char *data, const struct packet *packet, unsigned int signal);

/* Does the packet DATA, of a GDB, have threads go on?  Stop? */
bool packet_resumes(const char *data, size_t size);
bool packet_stops(const char *data, size_t size);

/* What a "vCont" has THREAD do: the letter of the first action that names it, or all; 0: none. */
char packet_action(const char *data, size_t size, const struct packet_thread *thread);

/* Does it detach?  *PROCESS is then the process that it names, or 0: it names none. */
bool packet_detaches(const char *data, size_t size, int64_t *process);

/* Is it the report that the target has stopped, or ended, in all-stop mode? */
bool packet_is_report(const struct packet *packet);

/* Writes the packet that has THREAD stop to DATA, which has room for 2 * PACKET_THREAD.  Returns
 * its size. */
size_t packet_stop(char *data, const struct packet_thread *thread);

/* Writes the packet that reads SIZE bytes of memory at ADDRESS to DATA, which has room for
 * PACKET_READ. Returns its size. */
size_t packet_read(char *data, uint64_t address, size_t size);

/* The SIZE bytes that TEXT, an answer to it, has.  False: it has not so many, or is an error. */
bool packet_bytes(const char *text, unsigned char *bytes, size_t size);

/* The first thread that is named in TEXT, whose size is given: a packet of GDB's, or the rest of
 * one. Returns the offset behind it; 0: there is none. */
size_t packet_find_thread(const char *text, size_t size, struct packet_thread *ret);

#endif
