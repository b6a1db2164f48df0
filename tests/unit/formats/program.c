/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/program.h"

#include "gmon_support.h"
#include "experiment_support.h"

/* An experiment of counts whose program is not known. */
static struct prof_experiment *made(void)
{
	static const struct call calls[] = {{'m', 'a', 2}, {0, 0, 0}};
	static const unsigned samples[] = {1, 2};
	struct prof_experiment *experiment = make_gmon("ma", samples, calls);

	forget_program(experiment);
	return experiment;
}

START_TEST(the_program_tells_the_functions)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = made();
	bool found = false;

	ck_assert_ok(prof_program_resolve(experiment, "/proc/self/exe", NULL));
	prof_experiment_check(experiment);
	ck_assert_str_eq(experiment->recording.program, "/proc/self/exe");
	for (size_t i = 0; i < experiment->gmon.functions.count; i++) {
		uint32_t function = experiment->gmon.functions.items[i].function;
		ck_assert_uint_lt(function, experiment->functions.count);
		found |= !strcmp(prof_experiment_function_name(experiment, function), "main");
	}
	ck_assert(found);
	ck_assert_uint_gt(experiment->gmon.lines.count, experiment->gmon.functions.count);
	for (size_t i = 0; i < experiment->gmon.lines.count; i++) {
		const struct prof_image_symbol *line = &experiment->gmon.lines.items[i];
		ck_assert_uint_eq(line->function, PROF_NONE);
		ck_assert_uint_lt(line->name, experiment->strings.texts.count);
	}
}
END_TEST

START_TEST(a_program_of_another_machine_is_told)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = made();

	experiment->gmon.big_endian = true;
	ck_assert_error(prof_program_resolve(experiment, "/proc/self/exe", NULL),
		"has 64 bits and is little-endian, but the gmon.out has 64 bits and is big-endian.");
	ck_assert_uint_eq(experiment->gmon.functions.count, 0);
}
END_TEST

START_TEST(a_program_that_is_known_must_be_the_same)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = made();

	ck_assert_ok(prof_program_resolve(experiment, "/proc/self/exe", NULL));
	size_t functions = experiment->gmon.functions.count;
	ck_assert_ok(prof_program_resolve(experiment, "/proc/self/exe", NULL));
	ck_assert_uint_eq(experiment->gmon.functions.count, functions);
	experiment->gmon.lines.items[0].line++;
	ck_assert_error(prof_program_resolve(experiment, "/proc/self/exe", NULL),
		"The program \"/proc/self/exe\" is not the one of the saved profile: its functions or lines differ.");
	prof_experiment_check(experiment);
}
END_TEST

RUN_TESTS("program", the_program_tells_the_functions, a_program_that_is_known_must_be_the_same,
	a_program_of_another_machine_is_told)
