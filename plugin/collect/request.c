/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/collect/request.h"

#include "base/option.h"
#include "plugin/collect/collector.h"
#include "plugin/option/option.h"

#include <stdlib.h>
#include <string.h>

/* Reads the options of COLLECTOR in VALUES into *RET, a new struct described by its table. */
static struct prof_error *read_own(
	const struct collector *collector, const struct option_values *values, void **ret)
{
	const struct prof_options *options = collector->options;

	if (!options)
		return NULL;
	void *own = *ret = malloc(options->size);
	if (!own)
		return prof_error_nomem();
	memcpy(own, options->defaults, options->size);
	struct prof_error *error = option_store_rows(values, options->rows, NULL, own);
	return error || !collector->read ? error : collector->read(own);
}

struct prof_error *collector_choices_read(
	struct collector_choices *choices, const struct option_values *values)
{
	struct prof_error *error = NULL;

	for (size_t i = 0; collectors[i] && !error; i++) {
		void **own = prof_array_push(&choices->own);
		if (!own)
			return prof_error_nomem();
		*own = NULL;
		error = read_own(collectors[i], values, own);
	}
	return error;
}

void collector_choices_deinit(struct collector_choices *choices)
{
	while (choices->own.count)
		free(choices->own.items[--choices->own.count]);
	free(choices->own.items);
	*choices = (struct collector_choices){0};
}

void collector_choices_sources(const struct collector_choices *choices, struct prof_text *text)
{
	for (size_t i = 0; collectors[i]; i++) {
		AUTO_TEXT struct prof_text source = {0};
		if (collectors[i]->source)
			collectors[i]->source(choices->own.items[i], &source);
		if (source.length)
			prof_text_print(text, "%s%s", text->length ? " and by " : "",
				prof_text_get(&source));
	}
}
