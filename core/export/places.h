/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where functions are: what files of other tools say of each. */
#ifndef PROF_EXPORT_PLACES_H
#define PROF_EXPORT_PLACES_H

#include "model/experiment.h"

struct prof_place {
	uint32_t file; /* string: the first that code of it comes from; "" if not known */
	uint32_t line; /* the lowest there that was met; 0 if not known */
};

/* A place for each function that EXPERIMENT has now, in a new array, which the caller frees. */
struct prof_error *prof_places_create(
	struct prof_experiment *experiment, struct prof_place **ret) PROF_MUST_CHECK;

#endif
