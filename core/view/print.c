#include "view/print.h"

#include "view/json.h"
#include "view/recording.h"

#include <strings.h>

void prof_print_why_nothing(const struct prof_sheet *sheet, struct prof_text *text)
{
	const struct prof_experiment *experiment = sheet->experiment;
	const struct prof_metric *metric = sheet->shown.items[0].metric;

	if (!experiment->samples.count)
		prof_text_print(text, "No samples.\n");
	else if (sheet->selection && !sheet->selection->count)
		prof_text_print(text, "The filter leaves no sample.\n");
	else if (prof_recording_sampled(&experiment->recording) && metric == &prof_metrics[0])
		prof_text_print(text,
			"No samples: no thread was on a CPU.  --metric=wall shows where they "
			"waited.\n");
	else
		prof_text_print(text, "All values of the metric \"%s\" are 0.\n", metric->name);
}

bool prof_print_nothing(
	const struct prof_sheet *sheet, const struct prof_choice *choice, struct prof_text *text)
{
	if (choice->format != PROF_FORMAT_TEXT)
		return false;
	for (size_t i = 0; i < sheet->shown.count; i++) {
		if (sheet->profiles[i]->inclusive[0])
			return false;
	}
	prof_print_why_nothing(sheet, text);
	return true;
}

struct prof_error *prof_print_table(const char *view, const struct prof_sheet *sheet,
	const struct prof_table *table, enum prof_format format, struct prof_text *text)
{
	const struct prof_profile *profile = sheet->profiles[0];
	struct prof_json_head head = {
		.view = view,
		.experiment = sheet->experiment,
		.metric = profile ? profile->metric : NULL,
		.total = profile ? profile->inclusive[0] : 0,
	};

	if (format == PROF_FORMAT_JSON)
		return prof_json_print(&head, &table, 1, text);
	prof_table_csv(table, text);
	return prof_text_error(text);
}

void prof_print_heads(const char *what, const struct prof_metric *metric, const char **heads)
{
	/* A unit that is called as the metric takes no line of its own. */
	bool same = !strcasecmp(metric->title, metric->unit);

	heads[0] = same ? NULL : what;
	heads[1] = same ? what : metric->title;
	heads[2] = same ? metric->title : metric->unit;
}
