/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an experiment holds, and how it came about, in a few lines. */
#ifndef PROF_VIEW_SUMMARY_H
#define PROF_VIEW_SUMMARY_H

#include "base/text.h"

struct prof_experiment;

/* Adds them to TEXT, each line ended. */
void prof_summary_print(const struct prof_experiment *experiment, struct prof_text *text);

#endif
