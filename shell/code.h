/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The program's code without a debugger: from the profile's archive, and from source files where
 * they were when the program was built.
 */
#ifndef PROF_SHELL_CODE_H
#define PROF_SHELL_CODE_H

#include "view/code.h"

/* It knows nothing yet; its notes are the caller's to free. */
struct prof_code code_of_files(void);

#endif
