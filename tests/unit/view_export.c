/* The export formats: one table, and folded stacks. */
#include "view_support.h"

#include "experiment/folded.h"
#include "view/export.h"

#include <unistd.h>

/* EXPERIMENT's METRIC as folded stacks. */
static char *fold(struct prof_experiment *experiment, const char *metric)
{
	const struct prof_export *format;
	const struct prof_metric *chosen;
	struct prof_profile *profile;
	struct prof_text text = {0};

	ck_assert_ok(prof_export_find("folded", &format));
	ck_assert_ok(prof_metric_find(metric, &chosen));
	ck_assert_ok(prof_profile_create(
		experiment, &(struct prof_profile_request){.metric = chosen}, NULL, &profile));
	ck_assert_ok(format->print(profile, &text));
	prof_profile_destroy(profile);
	char *folded = strdup(prof_text_get(&text));
	prof_text_deinit(&text);
	return folded;
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

START_TEST(finds_formats_by_name)
{
	const struct prof_export *format = NULL;
	struct prof_error *error = prof_export_find("pprof", &format);

	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_USAGE);
	ck_assert_str_eq(
		prof_error_message(error), "There is no format \"pprof\"; there are: folded.");
	ck_assert_ptr_null(format);
	prof_error_destroy(error);
	for (format = prof_exports; format->name; format++)
		ck_assert(format->describe && format->print);
}
END_TEST

RUN_TESTS("view_export", folds_each_stack_once_in_the_order_of_first_encounter, folds_times_in_ns,
	folds_nothing_of_nothing, keeps_names_from_breaking_lines, names_what_has_no_name,
	reads_back_what_it_folds, finds_formats_by_name)
