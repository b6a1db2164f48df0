/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `set prof annotate`: shares of samples where GDB shows frames. */
#ifndef PROF_PLUGIN_COMMAND_ANNOTATE_H
#define PROF_PLUGIN_COMMAND_ANNOTATE_H

#include "base/error.h"

/* Obeys the setting from now on. */
void annotate_register(void);

/*
 * If the setting is on, the function of the selected frame, which the caller frees; otherwise, and
 * without a frame, NULL.
 */
struct prof_error *annotate_function(char **ret) PROF_MUST_CHECK;

#endif
