/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The export formats: one table, and each of them. */
#include "traced_program.h"

#include "base/version.h"
#include "export/export.h"
#include "formats/folded.h"
#include "metric_program.h"

#include <unistd.h>

/* EXPERIMENT's METRIC as FORMAT, inlined functions on their own or not, of one FILTER. */
static char *export_filtered(struct prof_experiment *experiment, const char *name,
	const char *metric, bool inlined, const struct prof_filter *filter)
{
	const struct prof_export *format;
	struct prof_text text = {0};
	struct prof_sheet sheet;

	ck_assert_ok(prof_export_find(name, &format));
	const struct prof_sheet_request request = {
		metric, filter, format->kind, inlined, format->want, format->needs, "It"};
	ck_assert_ok(prof_sheet_init(&sheet, experiment, &request, NULL));
	ck_assert_ok(format->print(&sheet, &text));
	prof_sheet_deinit(&sheet);
	char *exported = strdup(prof_text_get(&text));
	prof_text_deinit(&text);
	return exported;
}

static char *export(struct prof_experiment *experiment, const char *name, const char *metric)
{
	const struct prof_filter filter = {0};

	return export_filtered(experiment, name, metric, true, &filter);
}

/* EXPERIMENT's METRIC as folded stacks. */
static char *fold(struct prof_experiment *experiment, const char *metric)
{
	return export(experiment, "folded", metric);
}

static char *fold_lines(const char *lines, bool time, const char *metric)
{
	struct prof_experiment *experiment = experiment_of(lines, time);
	char *folded = fold(experiment, metric);

	prof_experiment_destroy(experiment);
	return folded;
}

START_TEST(folds_each_stack_once_in_the_order_of_first_encounter)
{
	check_text(fold_lines("m;b 1\nm;a;x 1.000001\nm;b 2\nm 0\n", false, "samples"),
		"m;b 3\nm;a;x 1.000001\n");
}
END_TEST

START_TEST(folds_times_in_ns)
{
	check_text(fold_lines("m;b 1234.567891\n", true, "cpu"), "m;b 1234567891\n");
}
END_TEST

START_TEST(folds_nothing_of_nothing)
{
	check_text(fold_lines("", false, "samples"), "");
}
END_TEST

START_TEST(keeps_names_from_breaking_lines)
{
	struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_stack(experiment, "#if|a;b|two\nlines|\033[2J|#|", '|', values);
	check_text(fold(experiment, "samples"), "\\x23if;a:b;two\\x0alines;\\x1b[2J;# 1\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(keeps_numbers_in_names_from_being_weights)
{
	struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_stack(experiment, "phase 2| 1.5|a 10.|a.5 b| 7.x|12|a .5|v1.5|a 1.2.3|", '|', values);
	add_stack(experiment, "phase 2|", '|', values);
	check_text(fold(experiment, "samples"),
		"phase\\x202 1\n"
		"phase\\x202;\\x201.5;a\\x2010.;a.5 b;\\x207.x;12;a .5;v1.5;a 1.2.3 1\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(names_what_has_no_name)
{
	struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_stack(experiment, "|", '|', values);
	check_text(fold(experiment, "samples"), "? 1\n");
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(reads_back_what_it_folds)
{
	static const char lines[] = "main loop;operator new(unsigned long) 12.5\nmain loop;# 3\n";
	char path[] = "/tmp/prof-view-export-XXXXXX";
	int fd = mkstemp(path);
	struct prof_experiment *experiment;

	char *folded = fold_lines(lines, false, "samples");
	ck_assert_int_eq(write(fd, folded, strlen(folded)), (ssize_t)strlen(folded));
	close(fd);
	ck_assert_ok(prof_folded_read(path, NULL, &experiment));
	unlink(path);
	check_text(fold(experiment, "samples"), folded);
	ck_assert_str_eq(folded, lines);
	free(folded);
	prof_experiment_destroy(experiment);
}
END_TEST

/* What speedscope's files begin with, of an experiment without a name. */
#define SPEEDSCOPE                                                               \
	"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n" \
	"\"exporter\":\"gdbprof@" PROF_VERSION "\",\"name\":\"\",\"profiles\":["

START_TEST(speedscope_has_the_stacks_of_each_thread)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = program_create();

	check_text(export(experiment, "speedscope", "samples"),
		SPEEDSCOPE
		"\n{\"type\":\"sampled\",\"name\":\"main (11)\",\"unit\":\"none\",\"samples\":["
		"\n[0,1,2,1,2]],\n\"weights\":[10],\"startValue\":0,\"endValue\":10},"
		"\n{\"type\":\"sampled\",\"name\":\"worker (12)\",\"unit\":\"none\",\"samples\":["
		"\n[0,3,4],\n[5]],\n\"weights\":[5,1],\"startValue\":0,\"endValue\":6}],\n"
		"\"shared\":{\"frames\":["
		"\n{\"name\":\"main\",\"file\":\"main.c\",\"line\":5},"
		"\n{\"name\":\"qsort\"},"
		"\n{\"name\":\"compare\",\"file\":\"main.c\",\"line\":9},"
		"\n{\"name\":\"work\",\"file\":\"work.c\",\"line\":17},"
		"\n{\"name\":\"inl\",\"file\":\"inl.h\",\"line\":3},"
		"\n{\"name\":\"<Unknown>\"}]}}\n");
}
END_TEST

START_TEST(speedscope_has_times_in_seconds_of_what_passes_the_filter)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = program_create();
	const struct prof_filter filter = {.values = {[PROF_CONDITION_FUNCTION] = "main"}};

	check_text(export_filtered(experiment, "speedscope", "wall", false, &filter),
		SPEEDSCOPE
		"\n{\"type\":\"sampled\",\"name\":\"main (11)\",\"unit\":\"seconds\","
		"\"samples\":["
		"\n[0,1,2,1,2],\n[0,3]],\n\"weights\":[10,7],\"startValue\":0,\"endValue\":17},"
		"\n{\"type\":\"sampled\",\"name\":\"worker (12)\",\"unit\":\"seconds\","
		"\"samples\":["
		"\n[0,4]],\n\"weights\":[5],\"startValue\":0,\"endValue\":5}],\n"
		"\"shared\":{\"frames\":["
		"\n{\"name\":\"main\",\"file\":\"main.c\",\"line\":5},"
		"\n{\"name\":\"qsort\"},"
		"\n{\"name\":\"compare\",\"file\":\"main.c\",\"line\":9},"
		"\n{\"name\":\"<Unknown>\"},"
		"\n{\"name\":\"work\",\"file\":\"work.c\",\"line\":17}]}}\n");
}
END_TEST

/* "a b", "a b", "a" of 1 sample each. */
static char *export_repeated(bool sampled)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of("a;b 1\na;b 1.5\na 1\n", false);

	experiment->recording.rate_asked = sampled ? 100 : 0;
	return export(experiment, "speedscope", "samples");
}

#define SPEEDSCOPE_MAIN \
	"\n{\"type\":\"sampled\",\"name\":\"main (1)\",\"unit\":\"none\",\"samples\":["
#define SPEEDSCOPE_REST                                                                     \
	"\"startValue\":0,\"endValue\":3.5}],\n\"shared\":{\"frames\":[\n{\"name\":\"a\"}," \
	"\n{\"name\":\"b\"}]}}\n"

START_TEST(speedscope_adds_up_equal_neighbours_of_a_recording)
{
	check_text(export_repeated(true),
		SPEEDSCOPE SPEEDSCOPE_MAIN "\n[0,1],\n[0]],\n\"weights\":[2.5,1]," SPEEDSCOPE_REST);
	check_text(export_repeated(false),
		SPEEDSCOPE SPEEDSCOPE_MAIN
		"\n[0,1],\n[0,1],\n[0]],\n\"weights\":[1,1.5,1]," SPEEDSCOPE_REST);
}
END_TEST

START_TEST(speedscope_of_nothing_has_no_profiles)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of("a 0\n", false);

	check_text(export(experiment, "speedscope", "samples"),
		SPEEDSCOPE "],\n\"shared\":{\"frames\":[]}}\n");
}
END_TEST

START_TEST(speedscope_names_break_nothing)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};
	uint32_t thread;

	ck_assert_ok(prof_experiment_create(&experiment));
	ck_assert_ok(prof_experiment_thread(experiment, 7, "", &thread));
	add_stack(experiment, "\"\\|</script>\n|\033[2J\177|\xff\xc2\x9b|", '|', values);
	check_text(export(experiment, "speedscope", "samples"),
		SPEEDSCOPE
		"\n{\"type\":\"sampled\",\"name\":\"thread 7\",\"unit\":\"none\",\"samples\":["
		"\n[0,1,2,3]],\n\"weights\":[1],\"startValue\":0,\"endValue\":1}],\n"
		"\"shared\":{\"frames\":["
		"\n{\"name\":\"\\\"\\\\\"},"
		"\n{\"name\":\"</script>\\n\"},"
		"\n{\"name\":\"\\u001B[2J\\u007f\"},"
		"\n{\"name\":\"\\\\xff\\\\u009b\"}]}}\n");
}
END_TEST

/* What callgrind's files begin with, of an experiment without a name. */
#define CALLGRIND                                                        \
	"# callgrind format\nversion: 1\ncreator: gdbprof-" PROF_VERSION \
	"\ncmd: \npositions: line\nevents: "

START_TEST(callgrind_has_lines_calls_and_names_once)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = program_create();

	check_text(export(experiment, "callgrind", "samples,user"),
		CALLGRIND
		"samples user\n"
		"\nob=(1) <Unknown>\nfl=(2) ???\nfn=(7) <Total>\n"
		"cob=(2) /bin/prog\ncfi=(7) main.c\ncfn=(1) main\ncalls=1 5\n"
		"0 15 10000000000\n"
		"cob=(1)\ncfi=(2)\ncfn=(6) <Unknown>\ncalls=1 0\n0 1 1000000000\n"
		"\nob=(2)\nfl=(7)\nfn=(1)\n"
		"cob=(2)\ncfi=(11) work.c\ncfn=(3) work\ncalls=1 17\n5 5 0\n"
		"cob=(3) /lib/libq.so\ncfi=(2)\ncfn=(4) qsort\ncalls=1 0\n5 10 10000000000\n"
		"\nob=(2)\nfl=(9) inl.h\nfn=(2) inl\n3 5 0\n"
		"\nob=(2)\nfl=(11)\nfn=(3)\n"
		"cob=(2)\ncfi=(9)\ncfn=(2)\ncalls=1 3\n17 5 0\n"
		"\nob=(3)\nfl=(2)\nfn=(4)\n"
		"cob=(2)\ncfi=(7)\ncfn=(5) compare\ncalls=1 9\n0 10 10000000000\n"
		"\nob=(2)\nfl=(7)\nfn=(5)\n10 10 10000000000\n"
		"\nob=(1)\nfl=(2)\nfn=(6)\n0 1 1000000000\n"
		"\ntotals: 16 11000000000\n");
}
END_TEST

START_TEST(callgrind_names_the_file_of_code_from_elsewhere)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = program_create();
	const struct prof_filter filter = {.values = {[PROF_CONDITION_THREAD] = "12"}};
	uint32_t frame = program_frame(experiment, 1, 0x50, "work", "work.c", 4, NULL);

	program_sample(experiment, &frame, 1, 1, PROF_STATE_USER, 5, 2, 2);
	check_text(export_filtered(experiment, "callgrind", "samples", false, &filter),
		CALLGRIND "samples\n"
			  "\nob=(1) <Unknown>\nfl=(2) ???\nfn=(7) <Total>\n"
			  "cob=(2) /bin/prog\ncfi=(7) main.c\ncfn=(1) main\ncalls=1 5\n0 5\n"
			  "cob=(2)\ncfi=(11) work.c\ncfn=(3) work\ncalls=1 4\n0 2\n"
			  "cob=(1)\ncfi=(2)\ncfn=(6) <Unknown>\ncalls=1 0\n0 1\n"
			  "\nob=(2)\nfl=(7)\nfn=(1)\n"
			  "cob=(2)\ncfi=(11)\ncfn=(3)\ncalls=1 4\n5 5\n"
			  "\nob=(2)\nfl=(11)\nfn=(3)\n4 2\nfi=(9) inl.h\n3 5\n"
			  "\nob=(1)\nfl=(2)\nfn=(6)\n0 1\n"
			  "\ntotals: 8\n");
}
END_TEST

START_TEST(callgrind_counts_each_function_once_a_sample)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment =
		experiment_of("main;f;f;g 5\nmain;g 2.5\ng;main 1\n", false);

	check_text(export(experiment, "callgrind", "samples"),
		CALLGRIND "samples\n"
			  "\nob=(1) <Unknown>\nfl=(2) ???\nfn=(5) <Total>\n"
			  "cob=(1)\ncfi=(2)\ncfn=(1) main\ncalls=1 0\n0 8\n"
			  "cob=(1)\ncfi=(2)\ncfn=(3) g\ncalls=1 0\n0 1\n"
			  "\nob=(1)\nfl=(2)\nfn=(1)\n0 1\n"
			  "cob=(1)\ncfi=(2)\ncfn=(2) f\ncalls=1 0\n0 5\n"
			  "cob=(1)\ncfi=(2)\ncfn=(3)\ncalls=1 0\n0 3\n"
			  "\nob=(1)\nfl=(2)\nfn=(2)\n"
			  "cob=(1)\ncfi=(2)\ncfn=(3)\ncalls=1 0\n0 5\n"
			  "\nob=(1)\nfl=(2)\nfn=(3)\n0 8\n"
			  "cob=(1)\ncfi=(2)\ncfn=(1)\ncalls=1 0\n0 1\n"
			  "\ntotals: 9\n");
}
END_TEST

START_TEST(callgrind_of_nothing_has_no_costs)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = experiment_of("", false);

	check_text(export(experiment, "callgrind", "samples"), CALLGRIND "samples\n\ntotals: 0\n");
}
END_TEST

START_TEST(callgrind_names_stay_in_their_lines)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(1)};

	ck_assert_ok(prof_experiment_create(&experiment));
	add_stack(experiment, "a\nfn=b|  |(1)", '|', values);
	check_text(export(experiment, "callgrind", "samples"),
		CALLGRIND "samples\n"
			  "\nob=(1) <Unknown>\nfl=(2) ???\nfn=(5) <Total>\n"
			  "cob=(1)\ncfi=(2)\ncfn=(1) a\\x0afn=b\ncalls=1 0\n0 1\n"
			  "\nob=(1)\nfl=(2)\nfn=(1)\n"
			  "cob=(1)\ncfi=(2)\ncfn=(2) ?\ncalls=1 0\n0 1\n"
			  "\nob=(1)\nfl=(2)\nfn=(2)\n"
			  "cob=(1)\ncfi=(2)\ncfn=(3) (1)\ncalls=1 0\n0 1\n"
			  "\nob=(1)\nfl=(2)\nfn=(3)\n0 1\n"
			  "\ntotals: 1\n");
}
END_TEST

START_TEST(finds_formats_by_name)
{
	const struct prof_export *format = NULL;
	struct prof_error *error = prof_export_find("pdf", &format);

	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_USAGE);
	ck_assert_str_eq(prof_error_message(error),
		"There is no format \"pdf\"; there are: folded, pprof, speedscope, callgrind, "
		"firefox, gprofng-text, json.");
	ck_assert_ptr_null(format);
	prof_error_destroy(error);
	for (format = prof_exports; format->name; format++)
		ck_assert(format->describe && format->print);
}
END_TEST

/* Each format has each metric, of what was sampled and of what was traced. */
START_TEST(formats_have_all_metrics)
{
	for (const struct prof_export *format = prof_exports; format->name; format++) {
		for (const struct prof_metric *metric = prof_metrics; *metric->name; metric++) {
			AUTO_EXPERIMENT struct prof_experiment *experiment = traced_create();
			const struct prof_filter all = {0};
			char *text =
				export_filtered(experiment, format->name, metric->name, true, &all);
			ck_assert_ptr_nonnull(text);
			free(text);
		}
	}
}
END_TEST

RUN_TESTS("export", formats_have_all_metrics, folds_each_stack_once_in_the_order_of_first_encounter,
	folds_times_in_ns, folds_nothing_of_nothing, keeps_names_from_breaking_lines,
	keeps_numbers_in_names_from_being_weights, names_what_has_no_name, reads_back_what_it_folds,
	speedscope_has_the_stacks_of_each_thread,
	speedscope_has_times_in_seconds_of_what_passes_the_filter,
	speedscope_adds_up_equal_neighbours_of_a_recording, speedscope_of_nothing_has_no_profiles,
	speedscope_names_break_nothing, callgrind_has_lines_calls_and_names_once,
	callgrind_names_the_file_of_code_from_elsewhere,
	callgrind_counts_each_function_once_a_sample, callgrind_of_nothing_has_no_costs,
	callgrind_names_stay_in_their_lines, finds_formats_by_name)
