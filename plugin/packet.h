/*
 * Packets of GDB's remote protocol: "$BODY#cc" is a command or an answer, "%NAME:BODY#cc" a
 * notification; cc is a checksum.  Between them there may be acknowledgements, + and -.
 */
#ifndef PROF_PLUGIN_PACKET_H
#define PROF_PLUGIN_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A thread of a process, by the numbers that the target gives them. */
struct packet_thread {
	int64_t process, thread;
};

struct packet {
	const char *body; /* in what was read; not terminated */
	size_t length;
	bool is_notification;
	size_t end; /* of the packet: the offset of what follows */
};

/* The longest name in a packet of a thread to be stopped, with what divides it from the next. */
enum { PACKET_THREAD = 40 };

/* Finds the first packet of DATA that is there as a whole.  False: there is none. */
bool packet_find(const char *data, size_t size, struct packet *ret);

/* Is it the report of a stop that was asked for, and no signal's: "T00...;thread:p1f.20;..."? */
bool packet_is_quiet_stop(const struct packet *packet, struct packet_thread *ret);

/* Makes SIGNAL, less than 256, the cause of that stop in DATA, where it was found. */
void packet_set_signal(char *data, const struct packet *packet, unsigned int signal);

/* Does the packet DATA, of a GDB, have threads go on?  Have THREAD stop?  Detach? */
bool packet_resumes(const char *data, size_t size);
bool packet_stops(const char *data, size_t size, const struct packet_thread *thread);
bool packet_detaches(const char *data, size_t size);

/* Is it the report that the target has stopped, or ended, in all-stop mode? */
bool packet_is_report(const struct packet *packet);

/* Adds to the packet in DATA, of LENGTH, that THREAD shall stop; the first has LENGTH 0.  Returns
 * the new length. */
size_t packet_add_stop(char *data, size_t length, const struct packet_thread *thread);

/* Ends it with its checksum.  Returns its size. */
size_t packet_close(char *data, size_t length);

#endif
