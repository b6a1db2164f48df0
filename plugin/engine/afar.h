/*
 * Processes that run afar, behind a stub: what they have used, as far as GDB can tell.  A stub that
 * transfers files, as gdbserver does, has their /proc; it is asked while they stand still.
 */
#ifndef PROF_PLUGIN_ENGINE_AFAR_H
#define PROF_PLUGIN_ENGINE_AFAR_H

#include "sampling/marker.h"

/* PROCESS, which MARKER has been given as not readable, is to be asked for. */
void afar_add(struct prof_marker *marker, pid_t process);

/* Tells the marker, for the mark that follows, what the process has used, if there is one. */
void afar_tell(void);

/*
 * Reads the file PATH of the current target's machine into BUFFER, a string of at most SIZE - 1
 * bytes.  False: there is none, or it can't be had.
 */
bool afar_read(const char *path, char *buffer, size_t size);

/* PROCESS is gone, or let go. */
void afar_remove(pid_t process);

#endif
