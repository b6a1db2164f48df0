/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Names of functions as users type them.  A text stands for the functions that are called exactly
 * so.  Where there are none it stands for those that GDB's `break` takes it for, which C names
 * never are:
 *
 *	run			app::run(int), app::run(char), app::io::run<long>(long) const
 *	app::run		app::run(int), app::run(char), lib::app::run()
 *	run(int), twice<int>	those of its overloads, and of its instances, alone
 *	::run			run(int), and no app::run(int)
 *
 * The text is a name, or the last parts of one, between "::".  Of a part it may leave out the
 * parameters with what follows them, the template arguments, and tags as [abi:cxx11]; a type that
 * is returned and where blanks are do not matter.  Names as views show them, with "<...>" and
 * "(...)", or of types as "std::string", stand for what they are short for.
 */
#ifndef PROF_METRIC_NAMES_H
#define PROF_METRIC_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct prof_experiment;

/*
 * Sets FOUND, by function, for the functions of EXPERIMENT that TEXT stands for and that are SEEN;
 * returns how many they are.  SEEN is by function too; NULL: all are.  Both have an entry for each
 * of prof_experiment_functions().
 */
size_t prof_names_find(
	const struct prof_experiment *experiment, const bool *seen, const char *text, bool *found);

/* Does TEXT stand for NAME, where no function is called exactly so? */
bool prof_names_match(const char *text, const char *name);

/*
 * The short name in NAME: *BEGIN is where it begins, and the result is its length.  It is the last
 * part, as "total" of "shapes::Grid<double, 4>::total(int)"; or all of NAME, if that has no parts.
 */
size_t prof_names_base(const char *name, const char **begin);

#endif
