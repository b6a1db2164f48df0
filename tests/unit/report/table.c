/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as CSV and JSON, and names that are not to be trusted. */
#include "view_support.h"

#include "report/json.h"
#include "report/table.h"

#include <jansson.h>

#define ESCAPE "\033]0;owned\007"

/* The title of a terminal, lines, quotes, commas, no UTF-8, C1, DEL, the writing direction. */
static const char *const hostile[] = {
	ESCAPE,
	"two\nlines\r",
	"say \"hi\", she said",
	"no \xff\xc3( UTF-8",
	"C1 \xc2\x9b"
	"31m",
	"DEL \x7f",
	"bidi \xe2\x80\xae"
	"gnirts",
	"=1+1",
	"\xc3\xa9t\xc3\xa9",
};

/* An experiment of one stack, whose functions have those names; objects, threads, marks too. */
static struct prof_experiment *hostile_experiment(void)
{
	struct prof_experiment *experiment;
	struct prof_sample sample = {0};
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	ck_assert_ok(prof_experiment_create(&experiment));
	for (size_t i = 0; i < PROF_COUNT(hostile); i++) {
		uint32_t function, frame, module;
		ck_assert_ok(
			prof_experiment_thread(experiment, (int64_t)i, hostile[i], &sample.thread));
		if (i)
			ck_assert_ok(prof_experiment_own(experiment, sample.thread, (int64_t)i));
		ck_assert_ok(prof_experiment_module(experiment, hostile[i], "", &module));
		ck_assert_ok(prof_experiment_function(
			experiment, hostile[i], strlen(hostile[i]), module, &function));
		ck_assert_ok(prof_experiment_frame_of(experiment, function, &frame));
		ck_assert_ok(prof_experiment_path(experiment, sample.path, frame, &sample.path));
		add_mark(experiment, (int64_t)i, hostile[i]);
	}
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
	make_single_calls(experiment);
	return experiment;
}

/* No byte of TEXT is one that a terminal obeys, but for ends of lines and, if TABS, tabs. */
static void check_harmless(const char *text, bool tabs)
{
	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		bool white = *at == '\n' || (tabs && *at == '\t');
		ck_assert_msg(*at >= ' ' || white, "0x%02x in: %s", *at, text);
		ck_assert_msg(*at != 0x7f, "DEL in: %s", text);
		ck_assert_msg(*at != 0xc2 || at[1] >= 0xa0, "C1 in: %s", text);
		ck_assert_msg(*at != 0xff, "no UTF-8 in: %s", text);
		ck_assert_msg(
			strncmp((const char *)at, "\xe2\x80\xae", 3) != 0, "bidi in: %s", text);
	}
}

static bool is_one_of(const char *view, const char *const *views, size_t count)
{
	bool found = false;

	for (size_t i = 0; i < count; i++)
		found |= !strcmp(view, views[i]);
	return found;
}

/* Views of parallel programs, of which there is none here. */
static bool is_of_jobs(const char *view)
{
	static const char *const views[] = {"ranks", "regions", "messages"};

	return is_one_of(view, views, PROF_COUNT(views));
}

/* Views that name nobody, or only the first of the functions, or what was traced. */
static bool names_nobody(const char *view)
{
	static const char *const views[] = {"metrics", "source", "disas", "phases", "leaks",
		"allocs", "heap", "locks", "traces", "calls", "data"};

	return is_one_of(view, views, PROF_COUNT(views)) || is_of_jobs(view);
}

START_TEST(lets_no_name_reach_the_terminal)
{
	static const char *const styles[] = {"style=manual", "style=gnu"};
	struct prof_experiment *experiment = hostile_experiment();

	for (size_t i = 0; prof_views[i]; i++) {
		const struct prof_view *view = prof_views[i];
		for (int format = 0; format < PROF_FORMATS; format++) {
			for (size_t style = 0; style < PROF_COUNT(styles); style++) {
				struct prof_choice choice = {.format = (enum prof_format)format};
				if (view == prof_view_find("gprof"))
					choice.own = choose("gprof", styles[style]);
				char *shown = show(view->name, experiment, &choice);
				/* GNU gprof's heading has tabs of its own. */
				check_harmless(shown, style > 0);
				ck_assert(strstr(shown, "=1+1") || names_nobody(view->name));
				ck_assert(
					strcmp(view->name, "phases") || strstr(shown, "]0;owned"));
				free(shown);
			}
		}
	}
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(quotes_names_in_csv)
{
	struct prof_experiment *experiment = hostile_experiment();
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("functions", "sort=first")};

	check_text(show("functions", experiment, &choice),
		"name,exclusive,inclusive,exclusive_percent,inclusive_percent\n"
		"<Total>,1,1,100,100\n"
		"\\x1b]0;owned\\x07,0,1,0,100\n"
		"two\\x0alines\\x0d,0,1,0,100\n"
		"\"say \"\"hi\"\", she said\",0,1,0,100\n"
		"no \\xff\\xc3( UTF-8,0,1,0,100\n"
		"C1 \\u009b31m,0,1,0,100\n"
		"DEL \\x7f,0,1,0,100\n"
		"bidi \\u202egnirts,0,1,0,100\n"
		"=1+1,0,1,0,100\n"
		"\xc3\xa9t\xc3\xa9,1,1,100,100\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(keeps_names_in_json)
{
	struct prof_experiment *experiment = hostile_experiment();
	struct prof_choice choice = {
		.format = PROF_FORMAT_JSON, .own = choose("functions", "sort=first")};
	char *shown = show("functions", experiment, &choice);
	json_t *object = json_loads(shown, 0, NULL);
	json_t *rows = json_object_get(object, "rows");

	for (const char *at = shown; *at; at++)
		ck_assert_msg((*at >= ' ' && *at < 0x7f) || *at == '\n', "%s", shown);
	ck_assert_uint_eq(json_array_size(rows), PROF_COUNT(hostile) + 1);
	for (size_t i = 0; i < PROF_COUNT(hostile); i++) {
		json_t *name = json_object_get(json_array_get(rows, i + 1), "name");
		bool valid = strncmp(hostile[i], "no ", 3) != 0;
		ck_assert_str_eq(
			json_string_value(name), valid ? hostile[i] : "no \\xff\\xc3( UTF-8");
	}
	json_decref(object);
	free(shown);
	prof_experiment_destroy(experiment);
}
END_TEST

/* The next field of a CSV at *AT, into FIELD; *AT is behind it and its comma or line end then. */
static void next_field(const char **at, char *field)
{
	bool quoted = **at == '"';

	*at += quoted;
	while (quoted ? (*at)[0] != '"' || (*at)[1] == '"' : !strchr(",\n", **at)) {
		*at += quoted && **at == '"';
		*field++ = *(*at)++;
	}
	*at += quoted;
	ck_assert_ptr_nonnull(strchr(",\n", **at));
	(*at)++;
	*field = '\0';
}

static void check_field(const char *field, json_t *value)
{
	if (json_is_null(value))
		ck_assert_str_eq(field, "");
	else if (json_is_string(value))
		ck_assert_str_eq(field, json_string_value(value));
	else if (json_is_integer(value))
		ck_assert_int_eq(strtoll(field, NULL, 10), json_integer_value(value));
	else
		ck_assert(strtod(field, NULL) == json_real_value(value));
}

/* An allocation and a wait from the first sample's stack. */
static void add_traced(struct prof_experiment *experiment)
{
	const int64_t values[PROF_TRACED_VALUES] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
	static const prof_value none[PROF_QUANTITIES];
	struct prof_sample sample = sample_at(experiment, 0);
	struct prof_traced_row traced = {.sample = (uint32_t)experiment->samples.count};

	ck_assert_ok(prof_experiment_object(experiment, 64, &traced.object));
	ck_assert_ok(prof_experiment_name_object(experiment, traced.object, "a, \"lock\""));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, none));
	ck_assert_ok(prof_experiment_traced(experiment, &traced));
	prof_experiment_traced_values(experiment, 0, values, 3);
}

START_TEST(tells_the_same_in_csv_and_json)
{
	static const char lines[] = "main;\"a,b\";c 1.5\nmain;r;r;p;q;p 2\nmain 0.000001\n";

	for (size_t v = 0; prof_views[v]; v++) {
		const struct prof_view *view = prof_views[v];
		struct prof_choice choice = {.format = PROF_FORMAT_CSV};
		struct prof_experiment *experiment = experiment_of(lines, false);
		add_mark(experiment, 0, "start, and go");
		add_mark(experiment, 1500000, "end");
		add_traced(experiment);
		make_single_calls(experiment);
		if (!strcmp(view->name, "gprof"))
			choice.own = choose("gprof", "graph");
		else if (!strcmp(view->name, "tree"))
			choice.own = choose("tree", "collapse=full");
		char *csv = show(view->name, experiment, &choice);
		choice.format = PROF_FORMAT_JSON;
		char *shown = show(view->name, experiment, &choice);
		json_t *object = json_loads(shown, 0, NULL);
		json_t *rows = json_object_get(object, "rows");
		const char *at = strchr(csv, '\n') + 1;
		const char *key;
		json_t *row, *value;
		size_t i;
		ck_assert_str_eq(json_string_value(json_object_get(object, "view")), view->name);
		ck_assert(json_array_size(rows) || is_of_jobs(view->name));
		json_array_foreach(rows, i, row)
		{
			char field[256];
			json_object_foreach(row, key, value)
			{
				next_field(&at, field);
				check_field(field, value);
			}
			ck_assert_int_eq(at[-1], '\n');
		}
		ck_assert_str_eq(at, "");
		json_decref(object);
		prof_experiment_destroy(experiment);
		free(shown);
		free(csv);
	}
}
END_TEST

START_TEST(prints_values_exactly)
{
	static const char *const columns[] = {"value", "count", "real", "empty"};
	struct prof_table table = {"rows", columns, 4, 1000000000, {0}};
	struct prof_text text = {0};
	struct prof_cell *row = prof_table_row(&table);

	row[0] = prof_cell_value(prof_value_of(INT64_MAX) + 1);
	row[1] = prof_cell_count(-prof_value_of(INT64_MAX) * 100 - 500000);
	row[2] = prof_cell_real(0.1);
	row = prof_table_row(&table);
	row[0] = prof_cell_integer(INT64_MIN);
	row[2] = prof_cell_real(100.0 / 3);
	prof_table_csv(&table, &text);
	ck_assert_str_eq(prof_text_get(&text),
		"value,count,real,empty\n"
		"9223372036.854775807000001,-922337203685477580700.5,0.1,\n"
		"-9223372036854775808,,33.333333333333336,\n");
	prof_text_deinit(&text);
	prof_table_deinit(&table);
}
END_TEST

START_TEST(prints_integers_as_integers_in_json_while_they_fit)
{
	static const char *const columns[] = {"value"};
	struct prof_table table = {"rows", columns, 1, 1, {0}};
	const struct prof_table *tables[] = {&table};
	struct prof_text text = {0};
	struct prof_experiment *experiment = experiment_of("a 1\n", false);
	struct prof_json_head head = {
		.view = "x", .experiment = experiment, .metric = prof_metrics};

	*prof_table_row(&table) = prof_cell_value(prof_value_of(INT64_MAX));
	*prof_table_row(&table) = prof_cell_value(prof_value_of(INT64_MAX) + PROF_VALUE_ONE);
	*prof_table_row(&table) = prof_cell_value(PROF_VALUE_ONE / 2);
	ck_assert_ok(prof_json_print(&head, tables, 1, &text));
	ck_assert_str_eq(prof_text_get(&text),
		"{\"view\": \"x\", \"metric\": \"samples\", \"unit\": \"samples\", \"total\": 0, "
		"\"rows\": [{\"value\": 9223372036854775807}, "
		"{\"value\": 9.2233720368547758e18}, {\"value\": 0.5}]}\n");
	prof_text_deinit(&text);
	prof_table_deinit(&table);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("table", lets_no_name_reach_the_terminal, quotes_names_in_csv, keeps_names_in_json,
	tells_the_same_in_csv_and_json, prints_values_exactly,
	prints_integers_as_integers_in_json_while_they_fit)
