#include "view/print.h"

#include "view/json.h"
#include "view/recording.h"

#include <strings.h>

bool prof_print_nothing(const struct prof_profile *profile, const struct prof_choice *choice,
	struct prof_text *text)
{
	if (choice->format != PROF_FORMAT_TEXT || profile->inclusive[0])
		return false;
	if (!profile->experiment->samples.count)
		prof_text_print(text, "No samples.\n");
	else if (prof_recording_sampled(&profile->experiment->recording) &&
		profile->metric == &prof_metrics[0])
		prof_text_print(text,
			"No samples: no thread was on a CPU.  --metric=wall shows where they "
			"waited.\n");
	else
		prof_text_print(
			text, "All values of the metric \"%s\" are 0.\n", profile->metric->name);
	return true;
}

struct prof_error *prof_print_table(const char *view, const struct prof_profile *profile,
	const struct prof_table *table, enum prof_format format, struct prof_text *text)
{
	struct prof_json_head head = {
		view, profile->experiment, profile->metric, profile->inclusive[0]};

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
