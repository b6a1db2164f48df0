/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/places.h"

#include "model/experiment.h"

#include <stdlib.h>

struct prof_place *prof_places_create(const struct prof_experiment *experiment)
{
	uint32_t none = prof_experiment_no_string(experiment);
	size_t functions = prof_experiment_functions(experiment);
	struct prof_place *places = calloc(functions + 1, sizeof *places);

	if (!places)
		return NULL;
	for (size_t i = 0; i < functions; i++)
		places[i].file = none;
	for (size_t i = 0; i < experiment->locations.count; i++) {
		const struct prof_location *location = &experiment->locations.items[i];
		struct prof_place *place = &places[location->function];
		/* A file without a line is treated like no file. */
		if (!location->line)
			continue;
		if (place->file == none)
			*place = (struct prof_place){location->file, location->line};
		else if (place->file == location->file && location->line < place->line)
			place->line = location->line;
	}
	return places;
}
