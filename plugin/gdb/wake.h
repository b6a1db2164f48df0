/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Other threads ask GDB's own thread to do something soon.
 *
 * A thread of the plugin must not touch Python or GDB, so it cannot post to GDB.  It writes to an
 * eventfd, which GDB polls beside its own files: gdbprof's poll() stands in GDB's import slot, and
 * posts on GDB's own thread.
 */
#ifndef PROF_PLUGIN_GDB_WAKE_H
#define PROF_PLUGIN_GDB_WAKE_H

#include "base/error.h"
#include "plugin/gdb/python.h"

/*
 * From now on wake_ask() has GDB call METHOD, which is static.  Only GDB's own thread may call
 * this, before anything else takes GDB's poll().  The slot and the eventfd stay when the recording
 * ends: what was hooked later can then leave in any order.
 */
struct prof_error *wake_begin(PyMethodDef *method) PROF_MUST_CHECK;

/*
 * Any thread may call this; it neither blocks nor needs memory.  GDB calls METHOD when it is not
 * busy, once for several requests that come together.
 */
void wake_ask(void);

#endif
