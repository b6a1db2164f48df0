/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pictures: what prof-flame does where it is given a file for one. */
#ifndef PROF_PLUGIN_COMMAND_PICTURE_H
#define PROF_PLUGIN_COMMAND_PICTURE_H

#include "base/error.h"

struct option_values;

/* Refuses, where VALUES name no file for a picture, what only pictures have. */
struct prof_error *picture_refuse(const struct option_values *values) PROF_MUST_CHECK;

/* Draws what VALUES ask for into the file that is the first argument. */
struct prof_error *picture_draw(const struct option_values *values) PROF_MUST_CHECK;

#endif
