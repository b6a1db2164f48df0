/* A tick that a thread has not met yet when the debugger lets go of it. */
#ifndef PROF_PLUGIN_LEFTOVER_H
#define PROF_PLUGIN_LEFTOVER_H

#include <sys/types.h>

/*
 * THREAD of PROCESS stands still under a ptrace() of the caller's thread, and a tick was sent to
 * it: has it met that now, before it runs on, so that the program gets no signal that nobody there
 * has sent.  Returns a signal that it stopped with instead, which it is to get, or 0.
 */
int leftover_take(pid_t process, pid_t thread);

#endif
