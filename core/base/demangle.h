/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names of C++ and Rust as people read them. */
#ifndef PROF_BASE_DEMANGLE_H
#define PROF_BASE_DEMANGLE_H

/*
 * What the mangled NAME stands for, "run(int)" for "_Z3runi", in a new string.  NULL: NAME is not
 * mangled, memory is short, or the result would be many times as long.
 */
char *prof_demangle(const char *name);

#endif
