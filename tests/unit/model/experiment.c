/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment_support.h"
#include "random_experiment.h"

#include <signal.h>
#include <sys/wait.h>

static struct prof_experiment *create(void)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	return experiment;
}

static uint32_t add_function(struct prof_experiment *experiment, const char *name, uint32_t module)
{
	uint32_t id;

	ck_assert_ok(prof_experiment_function(experiment, name, strlen(name), module, &id));
	return id;
}

static uint32_t add_frame(struct prof_experiment *experiment, uint32_t module, uint64_t address)
{
	uint32_t id;

	ck_assert_ok(prof_experiment_frame(experiment, module, address, &id));
	return id;
}

static uint32_t add_frame_of(struct prof_experiment *experiment, uint32_t function)
{
	uint32_t id;

	ck_assert_ok(prof_experiment_frame_of(experiment, function, &id));
	return id;
}

static uint32_t add_path(struct prof_experiment *experiment, uint32_t parent, uint32_t frame)
{
	uint32_t id;

	ck_assert_ok(prof_experiment_path(experiment, parent, frame, &id));
	return id;
}

START_TEST(new_one_has_the_unknown_module_and_the_empty_path)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();

	prof_experiment_check(experiment);
	ck_assert_uint_eq(experiment->modules.count, 1);
	ck_assert_str_eq(prof_strings_get(&experiment->strings, experiment->modules.items[0].path),
		"<Unknown>");
	ck_assert_uint_eq(experiment->paths.count, 1);
	ck_assert_uint_eq(experiment->samples.count, 0);
	ck_assert_str_eq(experiment->recording.program, "");
}
END_TEST

START_TEST(destroys_none)
{
	prof_experiment_destroy(NULL);
}
END_TEST

START_TEST(module_is_known_by_path_and_build_id)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t first, other, again;

	ck_assert_ok(prof_experiment_module(experiment, "/bin/true", "ab", &first));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/true", "", &other));
	ck_assert_ok(prof_experiment_module(experiment, "/bin/true", "ab", &again));
	ck_assert_uint_eq(first, 1);
	ck_assert_uint_eq(other, 2);
	ck_assert_uint_eq(again, first);
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(range_is_added_once)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const struct prof_range range = {0x1000, 0x2000, 0}, moved = {0x1000, 0x2000, 0x1000};

	ck_assert_ok(prof_experiment_range(experiment, 0, &range));
	ck_assert_ok(prof_experiment_range(experiment, 0, &range));
	ck_assert_uint_eq(experiment->modules.items[0].ranges.count, 1);
	ck_assert_ok(prof_experiment_range(experiment, 0, &moved));
	ck_assert_uint_eq(experiment->modules.items[0].ranges.count, 2);
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(threads_of_the_same_id_and_name_are_two)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t first, second;

	ck_assert_ok(prof_experiment_thread(experiment, 77, "worker", &first));
	ck_assert_ok(prof_experiment_thread(experiment, 77, "worker", &second));
	ck_assert_uint_ne(first, second);
	ck_assert_int_eq(prof_experiment_thread_row(experiment, second).id, 77);
}
END_TEST

START_TEST(function_is_known_by_name_and_module)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t module, shortened;

	ck_assert_ok(prof_experiment_module(experiment, "/bin/true", "", &module));
	uint32_t first = add_function(experiment, "main", 0);
	ck_assert_uint_ne(add_function(experiment, "main", module), first);
	ck_assert_uint_ne(add_function(experiment, "mai", 0), first);
	ck_assert_uint_eq(add_function(experiment, "main", 0), first);
	ck_assert_ok(prof_experiment_function(experiment, "main()", 4, 0, &shortened));
	ck_assert_uint_eq(shortened, first);
	ck_assert_str_eq(prof_experiment_function_name(experiment, first), "main");
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(frame_is_known_by_module_and_address)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t module;

	ck_assert_ok(prof_experiment_module(experiment, "/bin/true", "", &module));
	uint32_t first = add_frame(experiment, 0, 0x1000);
	ck_assert_uint_ne(add_frame(experiment, module, 0x1000), first);
	ck_assert_uint_ne(add_frame(experiment, 0, 0x1001), first);
	ck_assert_uint_eq(add_frame(experiment, 0, 0x1000), first);
	ck_assert_uint_eq(experiment->frames.items[first].locations, 0);
	prof_experiment_check(experiment);
}
END_TEST

/* The key of module 1 is the address, spread by a constant: here both have the same. */
START_TEST(frames_whose_keys_collide_are_two)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15);
	uint32_t module;

	ck_assert_ok(prof_experiment_module(experiment, "/bin/true", "", &module));
	ck_assert_uint_eq(module, 1);
	uint32_t first = add_frame(experiment, 0, 5 ^ spread);
	uint32_t second = add_frame(experiment, 1, 5);
	ck_assert_uint_ne(first, second);
	uint32_t function = add_function(experiment, "f", 0);
	uint32_t artificial = add_frame_of(experiment, function);
	ck_assert_uint_ne(add_frame(experiment, 0, prof_map_pair(PROF_NONE, function)), artificial);
	ck_assert_uint_eq(add_frame_of(experiment, function), artificial);
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(frame_of_a_function_is_resolved_and_one)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t f = add_function(experiment, "f", 0), g = add_function(experiment, "g", 0);
	uint32_t frame = add_frame_of(experiment, f);

	ck_assert_uint_ne(add_frame_of(experiment, g), frame);
	ck_assert_uint_eq(add_frame_of(experiment, f), frame);
	ck_assert_uint_eq(experiment->frames.items[frame].address, 0);
	ck_assert_uint_eq(experiment->frames.items[frame].locations, 1);
	ck_assert_uint_eq(
		experiment->locations.items[experiment->frames.items[frame].first_location]
			.function,
		f);
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(nothing_is_at_address_zero)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t frame = add_frame(experiment, 0, 0);

	ck_assert_uint_eq(
		add_frame_of(experiment, add_function(experiment, "<Unknown>", 0)), frame);
	prof_experiment_check(experiment);
}
END_TEST

/* Views count what has no name as "<Unknown>", and only read: the table need not have it. */
START_TEST(the_unknown_function_has_a_number_before_it_is_added)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();

	add_function(experiment, "main", 0);
	ck_assert_uint_eq(prof_experiment_unknown(experiment), 1);
	ck_assert_uint_eq(prof_experiment_functions(experiment), 2);
	ck_assert_uint_eq(experiment->functions.count, 1);
	ck_assert_str_eq(prof_experiment_function_name(experiment, 1), "<Unknown>");
	ck_assert_uint_eq(prof_experiment_function_row(experiment, 1).module, 0);
	ck_assert_uint_eq(prof_experiment_find_frame_of(experiment, 1), PROF_NONE);

	uint32_t frame = add_frame(experiment, 0, 0);
	add_function(experiment, "work", 0);
	ck_assert_uint_eq(prof_experiment_unknown(experiment), 1);
	ck_assert_uint_eq(prof_experiment_functions(experiment), 3);
	ck_assert_uint_eq(prof_experiment_find_frame_of(experiment, 1), frame);
}
END_TEST

START_TEST(inlined_frame_has_several_locations)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t first = add_frame(experiment, 0, 0x1000),
		 second = add_frame(experiment, 0, 0x2000);
	struct prof_location locations[] = {
		{.function = add_function(experiment, "inlined", 0), .line = 7},
		{.function = add_function(experiment, "around", 0), .line = 9},
	};

	ck_assert_ok(prof_experiment_resolve(experiment, second, locations, 1));
	ck_assert_ok(prof_experiment_resolve(experiment, first, locations, 2));
	prof_experiment_check(experiment);
	ck_assert_uint_eq(experiment->frames.items[first].first_location, 1);
	ck_assert_uint_eq(experiment->locations.items[2].line, 9);
}
END_TEST

START_TEST(path_is_known_by_parent_and_frame)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	uint32_t frame = add_frame(experiment, 0, 0x1000);
	uint32_t root = add_path(experiment, 0, frame);
	uint32_t leaf = add_path(experiment, root, frame);

	ck_assert_uint_eq(root, 1);
	ck_assert_uint_ne(leaf, root);
	ck_assert_uint_eq(add_path(experiment, 0, frame), root);
	ck_assert_uint_eq(add_path(experiment, root, frame), leaf);
	ck_assert_uint_eq(experiment->paths.items[leaf].parent, root);
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(values_belong_to_their_samples)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create();
	const struct prof_sample sample = {.time = 1};
	const prof_value none[PROF_QUANTITIES] = {0};
	const prof_value some[PROF_QUANTITIES] = {[PROF_QUANTITY_SPENT] = 5};
	uint32_t thread;

	ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, none));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, some));
	ck_assert_ok(prof_experiment_sample(experiment, &sample, none));
	ck_assert(!experiment->samples.totals[PROF_QUANTITY_SPENT + PROF_STATE_OTHER]);
	ck_assert(experiment->samples.totals[PROF_QUANTITY_SPENT] == 5);
	for (size_t i = 0; i < 3; i++)
		ck_assert(value_at(experiment, PROF_QUANTITY_SPENT, i) == (i == 1 ? 5 : 0));
	prof_experiment_check(experiment);
}
END_TEST

START_TEST(random_ones_pass_the_check)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		AUTO_EXPERIMENT struct prof_experiment *experiment = random_experiment(seed, 300);
		prof_experiment_check(experiment);
	}
}
END_TEST

enum { BREAKS = 8 };

/* What the check must not accept. */
static void break_it(struct prof_experiment *experiment, int way)
{
	struct prof_sample_row row = row_at(experiment, 1);

	switch (way) {
	case 0:
		experiment->paths.items[3].parent = 3;
		break;
	case 1:
		row.sample.path = (uint32_t)experiment->paths.count;
		set_row(experiment, 1, &row);
		break;
	case 2:
		row.sample.state = PROF_STATES;
		set_row(experiment, 1, &row);
		break;
	case 3:
		set_value(experiment, 0, PROF_QUANTITY_SAMPLES, -1);
		break;
	case 4:
		experiment->functions.items[0].module = 1000;
		break;
	case 5:
		experiment->locations.count--;
		break;
	case 6:
		set_time(experiment, 0, INT64_MIN);
		break;
	case 7:
		experiment->frames.items[0].address = 1;
		experiment->frames.items[0].module = 1000;
		break;
	}
}

START_TEST(check_aborts_on_what_is_broken)
{
	struct prof_experiment *experiment = random_experiment(1, 100);
	int status;

	for (int way = 0; way < BREAKS; way++) {
		pid_t child = fork();
		if (!child) {
			fclose(stderr);
			break_it(experiment, way);
			prof_experiment_check(experiment);
			_exit(0);
		}
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
			"way %d went unnoticed", way);
	}
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("experiment", new_one_has_the_unknown_module_and_the_empty_path, destroys_none,
	module_is_known_by_path_and_build_id, range_is_added_once,
	threads_of_the_same_id_and_name_are_two, function_is_known_by_name_and_module,
	frame_is_known_by_module_and_address, frames_whose_keys_collide_are_two,
	frame_of_a_function_is_resolved_and_one, nothing_is_at_address_zero,
	the_unknown_function_has_a_number_before_it_is_added, inlined_frame_has_several_locations,
	path_is_known_by_parent_and_frame, values_belong_to_their_samples,
	random_ones_pass_the_check, check_aborts_on_what_is_broken)
