/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the compiler offers beyond C11, in one place. */
#ifndef PROF_BASE_COMPILER_H
#define PROF_BASE_COMPILER_H

#define PROF_MUST_CHECK __attribute__((warn_unused_result))
#define PROF_PRINTF(string, first) __attribute__((format(printf, string, first)))

/* The number of elements of a true array. */
#define PROF_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
