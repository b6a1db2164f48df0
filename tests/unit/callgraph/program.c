#include "callgraph/program.h"

#include "counts_support.h"
#include "experiment_support.h"

/* An experiment of counts whose program is not known. */
static struct prof_experiment *made(void)
{
	static const struct call calls[] = {{'m', 'a', 2}, {0, 0, 0}};
	static const unsigned ticks[] = {1, 2};
	struct prof_experiment *experiment = make_counts("ma", ticks, calls);

	forget_program(experiment);
	return experiment;
}

START_TEST(the_program_tells_the_functions)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = made();
	bool found = false;

	ck_assert_ok(prof_counts_resolve(experiment, "/proc/self/exe", NULL));
	prof_experiment_check(experiment);
	ck_assert_str_eq(experiment->recording.program, "/proc/self/exe");
	for (size_t i = 0; i < experiment->counts.functions.count; i++) {
		uint32_t function = experiment->counts.functions.items[i].function;
		ck_assert_uint_lt(function, experiment->functions.count);
		found |= !strcmp(prof_experiment_function_name(experiment, function), "main");
	}
	ck_assert(found);
	ck_assert_uint_gt(experiment->counts.lines.count, experiment->counts.functions.count);
	for (size_t i = 0; i < experiment->counts.lines.count; i++) {
		const struct prof_image_symbol *line = &experiment->counts.lines.items[i];
		ck_assert_uint_eq(line->function, PROF_NONE);
		ck_assert_uint_lt(line->name, experiment->strings.texts.count);
	}
}
END_TEST

START_TEST(a_program_of_another_machine_is_told)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = made();

	experiment->counts.big_endian = true;
	ck_assert_error(prof_counts_resolve(experiment, "/proc/self/exe", NULL),
		"has 64 bits and is little-endian, but the gmon.out has 64 bits and is big-endian.");
	ck_assert_uint_eq(experiment->counts.functions.count, 0);
}
END_TEST

START_TEST(a_program_that_is_known_must_be_the_same)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = made();

	ck_assert_ok(prof_counts_resolve(experiment, "/proc/self/exe", NULL));
	size_t functions = experiment->counts.functions.count;
	ck_assert_ok(prof_counts_resolve(experiment, "/proc/self/exe", NULL));
	ck_assert_uint_eq(experiment->counts.functions.count, functions);
	experiment->counts.lines.items[0].line++;
	ck_assert_error(prof_counts_resolve(experiment, "/proc/self/exe", NULL),
		"The program \"/proc/self/exe\" is not the one of the saved profile: its functions or lines differ.");
	prof_experiment_check(experiment);
}
END_TEST

RUN_TESTS("program", the_program_tells_the_functions, a_program_that_is_known_must_be_the_same,
	a_program_of_another_machine_is_told)
