/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/places.h"

#include <stdlib.h>

struct prof_error *prof_places_create(struct prof_experiment *experiment, struct prof_place **ret)
{
	uint32_t none;
	struct prof_error *error = prof_experiment_string(experiment, "", &none);

	if (error)
		return error;
	struct prof_place *places = calloc(experiment->functions.count + 1, sizeof *places);
	if (!places)
		return prof_error_nomem();
	for (size_t i = 0; i < experiment->functions.count; i++)
		places[i].file = none;
	for (size_t i = 0; i < experiment->locations.count; i++) {
		const struct prof_location *location = &experiment->locations.items[i];
		struct prof_place *place = &places[location->function];
		/* What has a file, but no line, is not apart from what has none. */
		if (!location->line)
			continue;
		if (place->file == none)
			*place = (struct prof_place){location->file, location->line};
		else if (place->file == location->file && location->line < place->line)
			place->line = location->line;
	}
	*ret = places;
	return NULL;
}
