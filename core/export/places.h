/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where functions are: what files of other tools say of each. */
#ifndef PROF_EXPORT_PLACES_H
#define PROF_EXPORT_PLACES_H

#include <stdint.h>

struct prof_experiment;

struct prof_place {
	uint32_t file; /* string: the first that code of it comes from; "" if not known */
	uint32_t line; /* the lowest there that was met; 0 if not known */
};

/* The place of each function of EXPERIMENT, in a new array, which the caller frees; NULL: no
 * memory. */
struct prof_place *prof_places_create(const struct prof_experiment *experiment);

#endif
