/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GCC brings along to begin and end programs and libraries with (crtbegin.o), for x86-64. */
#ifndef PROF_TARGET_STARTUP_X86_64_H
#define PROF_TARGET_STARTUP_X86_64_H

/* See prof_arch.count_startup. */
int prof_startup_count(const unsigned char *code);

#endif
