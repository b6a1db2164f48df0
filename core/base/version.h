/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The version of gdbprof and its day, which its manual pages have: the only place that has them.
 */
#ifndef PROF_BASE_VERSION_H
#define PROF_BASE_VERSION_H

#define PROF_VERSION "1.0.0-dev"
#define PROF_DATE "2026-11-28"

#endif
