#include "view/view.h"

#include "view/print.h"
#include "view/recording.h"

#include <string.h>

const char *const prof_format_names[PROF_FORMATS] = {
	[PROF_FORMAT_TEXT] = "text",
	[PROF_FORMAT_CSV] = "csv",
	[PROF_FORMAT_JSON] = "json",
};

const char *const prof_columns_names[PROF_COLUMNS] = {
	[PROF_COLUMNS_RAW] = "raw",
	[PROF_COLUMNS_PERCENT] = "percent",
	[PROF_COLUMNS_PARENT] = "parent",
	[PROF_COLUMNS_ALL] = "all",
};

const char *const prof_sort_names[PROF_SORTS] = {
	[PROF_SORT_DEFAULT] = "default",
	[PROF_SORT_FIRST] = "first",
	[PROF_SORT_INCLUSIVE] = "inclusive",
	[PROF_SORT_EXCLUSIVE] = "exclusive",
	[PROF_SORT_NAME] = "name",
};

const char *const prof_style_names[PROF_STYLES] = {
	[PROF_STYLE_MANUAL] = "manual",
	[PROF_STYLE_GNU] = "gnu",
};

const struct prof_view prof_views[] = {
	{"functions", prof_print_functions},
	{"callers", prof_print_callers},
	{"tree", prof_print_tree},
	{"gprof", prof_print_gprof},
	{0},
};

const struct prof_view *prof_view_find(const char *name)
{
	for (const struct prof_view *view = prof_views; view->name; view++) {
		if (!strcmp(view->name, name))
			return view;
	}
	return NULL;
}

struct prof_error *prof_view_print(const struct prof_view *view, struct prof_experiment *experiment,
	const struct prof_choice *choice, const struct prof_progress *progress,
	struct prof_text *text)
{
	const struct prof_metric *metric = choice->metric ? choice->metric : &prof_metrics[0];
	AUTO_TEXT struct prof_text printed = {0};
	struct prof_profile *profile;
	struct prof_error *error = prof_profile_create(experiment, metric, progress, &profile);

	if (error)
		return error;
	if (choice->format == PROF_FORMAT_TEXT) {
		prof_view_heading(experiment, &printed);
		if (printed.length)
			prof_text_print(&printed, "\n");
	}
	error = view->print(profile, choice, &printed);
	prof_profile_destroy(profile);
	if (!error)
		error = prof_text_error(&printed);
	if (error)
		return error;
	prof_text_bytes(text, prof_text_get(&printed), printed.length);
	return prof_text_error(text);
}

void prof_view_heading(const struct prof_experiment *experiment, struct prof_text *text)
{
	prof_recording_print(&experiment->recording, text);
}
