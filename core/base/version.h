/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The version of gdbprof: the only place that has it. */
#ifndef PROF_BASE_VERSION_H
#define PROF_BASE_VERSION_H

#define PROF_VERSION "1.0.0-dev"

#endif
