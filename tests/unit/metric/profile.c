/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "metric/profile.h"

#include "metric_stacks.h"
#include "model/experiment.h"

/* The path of the frames FRAMES below PARENT. */
static uint32_t path(
	struct prof_experiment *experiment, uint32_t parent, size_t count, const uint32_t *frames)
{
	for (size_t i = 0; i < count; i++)
		ck_assert_ok(prof_experiment_path(experiment, parent, frames[i], &parent));
	return parent;
}

static uint32_t function(struct prof_experiment *experiment, const char *name)
{
	uint32_t number;

	ck_assert_ok(prof_experiment_function(experiment, name, strlen(name), 0, &number));
	return number;
}

/* The frame at ADDRESS, resolved to the function NAME alone unless that is NULL. */
static uint32_t frame(struct prof_experiment *experiment, uint64_t address, const char *name)
{
	uint32_t number;

	ck_assert_ok(prof_experiment_frame(experiment, 0, address, &number));
	if (name) {
		struct prof_location location = {.function = function(experiment, name)};
		ck_assert_ok(prof_experiment_string(experiment, "", &location.file));
		ck_assert_ok(prof_experiment_resolve(experiment, number, &location, 1));
	}
	return number;
}

static void add_sample(struct prof_experiment *experiment, uint32_t on, int64_t samples)
{
	prof_value values[PROF_QUANTITIES] = {[PROF_QUANTITY_SAMPLES] = prof_value_of(samples)};
	struct prof_sample sample = {.path = on};

	if (!experiment->threads.count) {
		uint32_t thread;
		ck_assert_ok(prof_experiment_thread(experiment, 1, "", &thread));
	}
	ck_assert_ok(prof_experiment_sample(experiment, &sample, values));
}

static struct prof_profile *create(struct prof_experiment *experiment)
{
	struct prof_profile *profile;

	prof_experiment_check(experiment);
	ck_assert_ok(prof_profile_create(experiment,
		&(struct prof_profile_request){.metric = prof_metrics}, NULL, &profile));
	prof_profile_check(profile);
	ck_assert_ptr_eq(profile->experiment, experiment);
	ck_assert_ptr_eq(profile->metric, prof_metrics);
	return profile;
}

/* Fails unless NODE is the function NAME below PARENT, with these values. */
static void expect(const struct prof_profile *profile, uint32_t node, uint32_t parent,
	const char *name, int64_t self, int64_t inclusive)
{
	ck_assert_uint_lt(node, profile->tree.nodes.count);
	const struct prof_call *call = &profile->tree.nodes.items[node];
	ck_assert_uint_eq(call->parent, parent);
	ck_assert_str_eq(prof_experiment_function_name(profile->experiment, call->function), name);
	ck_assert_value(profile->self[node], prof_value_of(self));
	ck_assert_value(profile->inclusive[node], prof_value_of(inclusive));
}

START_TEST(joins_the_places_of_a_function)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t main1 = frame(experiment, 0x10, "main");
	uint32_t main2 = frame(experiment, 0x18, "main");
	uint32_t leaf = frame(experiment, 0x20, "leaf");
	add_sample(experiment, path(experiment, 0, 2, (uint32_t[]){main1, leaf}), 1);
	add_sample(experiment, path(experiment, 0, 1, (uint32_t[]){main2}), 2);
	add_sample(experiment, path(experiment, 0, 2, (uint32_t[]){main2, leaf}), 4);
	struct prof_profile *profile = create(experiment);
	ck_assert_uint_eq(profile->tree.nodes.count, 3);
	expect(profile, 1, 0, "main", 2, 7);
	expect(profile, 2, 1, "leaf", 5, 5);
	ck_assert_value(profile->inclusive[0], prof_value_of(7));
	prof_profile_destroy(profile);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(makes_functions_of_inlined_code)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t at = frame(experiment, 0x10, NULL);
	uint32_t file;
	ck_assert_ok(prof_experiment_string(experiment, "", &file));
	struct prof_location locations[] = {
		{.function = function(experiment, "inner"), .file = file},
		{.function = function(experiment, "middle"), .file = file},
		{.function = function(experiment, "outer"), .file = file},
	};
	ck_assert_ok(prof_experiment_resolve(experiment, at, locations, 3));
	add_sample(experiment, path(experiment, 0, 2, (uint32_t[]){at, at}), 3);
	struct prof_profile *profile = create(experiment);
	ck_assert_uint_eq(profile->tree.nodes.count, 7);
	expect(profile, 1, 0, "outer", 0, 3);
	expect(profile, 2, 1, "middle", 0, 3);
	expect(profile, 3, 2, "inner", 0, 3);
	expect(profile, 4, 3, "outer", 0, 3);
	expect(profile, 5, 4, "middle", 0, 3);
	expect(profile, 6, 5, "inner", 3, 3);
	prof_profile_destroy(profile);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(counts_what_is_not_known_as_unknown)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t known = frame(experiment, 0x10, "main");
	uint32_t unknown1 = frame(experiment, 0x20, NULL);
	uint32_t unknown2 = frame(experiment, 0x30, NULL);
	add_sample(experiment, 0, 1);
	add_sample(experiment, path(experiment, 0, 2, (uint32_t[]){known, unknown1}), 2);
	add_sample(experiment, path(experiment, 0, 2, (uint32_t[]){known, unknown2}), 4);
	struct prof_profile *profile = create(experiment);
	prof_experiment_check(experiment);
	ck_assert_uint_eq(profile->tree.nodes.count, 4);
	expect(profile, 1, 0, "main", 0, 6);
	expect(profile, 2, 1, "<Unknown>", 6, 6);
	expect(profile, 3, 0, "<Unknown>", 1, 1);
	ck_assert_value(profile->self[0], 0);
	ck_assert_value(profile->inclusive[0], prof_value_of(7));
	prof_profile_destroy(profile);
	prof_experiment_destroy(experiment);
}
END_TEST

START_TEST(makes_nothing_of_an_empty_experiment)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	struct prof_profile *profile = create(experiment);
	ck_assert_uint_eq(profile->tree.nodes.count, 1);
	ck_assert_uint_eq(experiment->functions.count, 0);
	ck_assert_value(profile->inclusive[0], 0);
	prof_profile_destroy(profile);
	prof_experiment_destroy(experiment);
}
END_TEST

static bool refuse_the_tree(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)context, (void)done, (void)total;
	return strcmp(what, "Building the call tree") != 0;
}

START_TEST(can_be_interrupted)
{
	struct prof_experiment *experiment;
	struct prof_profile *profile = NULL;
	struct prof_progress progress = {.report = refuse_the_tree};
	uint32_t at = 0;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t rec = frame(experiment, 0x10, "rec");
	for (uint32_t i = 0; i <= PROF_PROGRESS_STEP; i++)
		at = path(experiment, at, 1, &rec);
	add_sample(experiment, at, 1);
	struct prof_error *error = prof_profile_create(experiment,
		&(struct prof_profile_request){.metric = prof_metrics}, &progress, &profile);
	ck_assert_ptr_nonnull(error);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	ck_assert_ptr_null(profile);
	prof_error_destroy(error);
	prof_experiment_destroy(experiment);
}
END_TEST

RUN_TESTS("profile", joins_the_places_of_a_function, makes_functions_of_inlined_code,
	counts_what_is_not_known_as_unknown, makes_nothing_of_an_empty_experiment,
	can_be_interrupted)
