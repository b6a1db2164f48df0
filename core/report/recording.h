/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How an experiment was recorded, as far as that matters to whoever reads its figures. */
#ifndef PROF_REPORT_RECORDING_H
#define PROF_REPORT_RECORDING_H

#include "base/text.h"

#include <stdbool.h>

struct prof_experiment;
struct prof_recording;

/* Did gdbprof sample it?  If not it was imported, and nothing of the following is known. */
bool prof_recording_sampled(const struct prof_recording *recording);

/* Did the program run for long enough that prof_recording_rate() means something? */
bool prof_recording_has_rate(const struct prof_recording *recording);

/*
 * The rate reached, in Hz: how often a second all threads were looked at while the program ran,
 * less the share of ticks that were lost.  A thread that is on a CPU all the time has so many
 * samples.
 */
double prof_recording_rate(const struct prof_recording *recording);

/* The share of the threads' time that they waited for a CPU, of what they could use, in percent. */
double prof_recording_delayed(const struct prof_recording *recording);

/* The share of the threads' time that they were kept stopped and would have run, in percent. */
double prof_recording_stopped(const struct prof_recording *recording);

/* Prints it all in a few lines; nothing if it was imported whole, and is no sum. */
void prof_recording_print(const struct prof_recording *recording, struct prof_text *text);

/*
 * Prints of that only what whoever looks at figures must know each time: what is missing in them,
 * and what is not as it should be.  TRACED: they are figures of what was traced.
 */
void prof_recording_print_notes(
	const struct prof_recording *recording, bool traced, struct prof_text *text);

/* Adds a line of the ranks of a parallel job that EXPERIMENT has; nothing if it has none. */
void prof_recording_print_ranks(const struct prof_experiment *experiment, struct prof_text *text);

/* Notes calls that were only counted where others of EXPERIMENT were recorded with their times. */
void prof_recording_print_untimed(const struct prof_experiment *experiment, struct prof_text *text);

/* Adds a line for each counter of EXPERIMENT. */
void prof_recording_print_counters(
	const struct prof_experiment *experiment, struct prof_text *text);

/* What looking at threads has cost, a sentence; nothing if it is not known. */
void prof_recording_print_cost(const struct prof_recording *recording, struct prof_text *text);

#endif
