/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Functions that a wrapper must not call: they do something else for another caller. */
#ifndef PROF_PLUGIN_CALLS_WRAPPABLE_H
#define PROF_PLUGIN_CALLS_WRAPPABLE_H

#include "base/error.h"

/* An error that says why the function NAME, a symbol's name, cannot be traced; NULL: it can. */
struct prof_error *wrappable_check(const char *name) PROF_MUST_CHECK;

#endif
