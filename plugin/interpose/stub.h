/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * QEMU's user-mode emulators as the other end of a wire.
 *
 * While the emulated program runs they do not listen to their debugger, so they cannot be
 * interrupted over the wire.  A signal to the emulator stops it, where it is a process of this
 * machine.
 */
#ifndef PROF_PLUGIN_INTERPOSE_STUB_H
#define PROF_PLUGIN_INTERPOSE_STUB_H

#include <stdbool.h>

/*
 * A file descriptor of the process at the other end of the socket WIRE, if that is such an
 * emulator; else negative.  The caller closes it.
 */
int stub_open(int wire);

/* Sends it SIGINT, which its debugger gets before the program does.  False: it has gone. */
bool stub_interrupt(int stub);

#endif
