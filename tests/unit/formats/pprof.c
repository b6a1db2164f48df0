/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of pprof, as other tools may write them; its own are in view_pprof.c. */
#include "formats/pprof.h"

#include "experiment_support.h"
#include "random_experiment.h"
#include "formats/import.h"
#include "formats/pprof.pb-c.h"

#include <zlib.h>

static const char *const texts[] = {"", "samples", "count", "cpu", "nanoseconds", "main", "work",
	"inl", "main.c", "/bin/prog", "00ff", "thread", "worker", "thread_id", "state", "lock",
	"wall", "space", "bytes", "_work"};
enum {
	EMPTY,
	SAMPLES,
	COUNT,
	CPU,
	NANOSECONDS,
	MAIN,
	WORK,
	INL,
	MAIN_C,
	PROG,
	BUILD_ID,
	THREAD,
	WORKER,
	THREAD_ID,
	STATE,
	LOCK,
	WALL,
	SPACE,
	BYTES,
	WORK_SYSTEM,
};

static Pprof__ValueType types[] = {
	{PROTOBUF_C_MESSAGE_INIT(&pprof__value_type__descriptor), SAMPLES, COUNT},
	{PROTOBUF_C_MESSAGE_INIT(&pprof__value_type__descriptor), CPU, NANOSECONDS},
	{PROTOBUF_C_MESSAGE_INIT(&pprof__value_type__descriptor), WALL, NANOSECONDS}};
static Pprof__Function functions[3];
static Pprof__Mapping mapping;
static Pprof__Line lines[4];
static Pprof__Location locations[3];
static Pprof__Label labels[3];
static Pprof__Sample samples[2];
static uint64_t stacks[2][2] = {{300, 7}, {7}};
static int64_t values[2][3] = {{3, 30, 40}, {1, 10, 10}};

static void *function_list[] = {&functions[0], &functions[1], &functions[2]};
static void *type_list[] = {&types[0], &types[1], &types[2]};
static void *location_list[] = {&locations[0], &locations[1], &locations[2]};
static void *label_list[] = {&labels[0], &labels[1], &labels[2]};
static void *line_list[] = {&lines[0], &lines[1], &lines[2], &lines[3]};
static void *sample_list[] = {&samples[0], &samples[1]};
static void *mapping_list[] = {&mapping};

static void make_functions(void)
{
	const int64_t names[][2] = {{MAIN, EMPTY}, {EMPTY, WORK_SYSTEM}, {INL, EMPTY}};

	for (int i = 0; i < 3; i++) {
		pprof__function__init(&functions[i]);
		functions[i].id = (uint64_t)i + 1;
		functions[i].name = names[i][0];
		functions[i].system_name = names[i][1];
		functions[i].filename = i ? MAIN_C : EMPTY;
	}
}

static void make_locations(void)
{
	const struct {
		uint64_t id, address;
		size_t first, count;
	} rows[] = {{7, 0x1010, 0, 1}, {300, 0x1020, 1, 2}, {301, 0, 1, 2}};
	const uint64_t called[] = {1, 3, 2, 2};

	for (int i = 0; i < 4; i++) {
		pprof__line__init(&lines[i]);
		lines[i].function_id = called[i];
		lines[i].line = 10 * i;
	}
	for (int i = 0; i < 3; i++) {
		pprof__location__init(&locations[i]);
		locations[i].id = rows[i].id;
		locations[i].mapping_id = 9;
		locations[i].address = rows[i].address;
		locations[i].n_line = rows[i].count;
		locations[i].line = (Pprof__Line **)&line_list[rows[i].first];
	}
}

static void make_samples(void)
{
	const int64_t told[][3] = {{THREAD, WORKER, 0}, {THREAD_ID, 0, 12}, {STATE, LOCK, 0}};

	for (int i = 0; i < 3; i++) {
		pprof__label__init(&labels[i]);
		labels[i].key = told[i][0];
		labels[i].str = told[i][1];
		labels[i].num = told[i][2];
	}
	for (int i = 0; i < 2; i++) {
		pprof__sample__init(&samples[i]);
		samples[i].n_location_id = (size_t)(2 - i);
		samples[i].location_id = stacks[i];
		samples[i].n_value = 3;
		samples[i].value = values[i];
	}
	samples[0].n_label = 3;
	samples[0].label = (Pprof__Label **)label_list;
}

/* A profile of two samples, which tests change before they write it. */
static Pprof__Profile make(void)
{
	Pprof__Profile profile = PPROF__PROFILE__INIT;

	make_functions();
	make_locations();
	make_samples();
	pprof__mapping__init(&mapping);
	mapping.id = 9;
	mapping.memory_start = 0x1000;
	mapping.memory_limit = 0x2000;
	mapping.file_offset = 0x100;
	mapping.filename = PROG;
	mapping.build_id = BUILD_ID;
	profile.n_sample_type = 3;
	profile.sample_type = (Pprof__ValueType **)type_list;
	profile.n_sample = 2;
	profile.sample = (Pprof__Sample **)sample_list;
	profile.n_mapping = 1;
	profile.mapping = (Pprof__Mapping **)mapping_list;
	profile.n_location = 3;
	profile.location = (Pprof__Location **)location_list;
	profile.n_function = 3;
	profile.function = (Pprof__Function **)function_list;
	profile.n_string_table = PROF_COUNT(texts);
	profile.string_table = (char **)(void *)texts;
	profile.time_nanos = INT64_C(1700000000000000000);
	profile.duration_nanos = 5000;
	return profile;
}

/* PROFILE, packed, which is the caller's. */
static uint8_t *pack(const Pprof__Profile *profile, size_t *length)
{
	uint8_t *bytes = malloc(pprof__profile__get_packed_size(profile));

	ck_assert_ptr_nonnull(bytes);
	*length = pprof__profile__pack(profile, bytes);
	return bytes;
}

static void write_profile(const Pprof__Profile *profile)
{
	size_t length;
	AUTO_FREE uint8_t *bytes = pack(profile, &length);

	write_text("x", (char *)bytes, length);
}

/* Reads what is in the file x. */
static struct prof_experiment *read_file(void)
{
	struct prof_experiment *experiment;

	ck_assert_ok(prof_import_read("x", NULL, &experiment));
	prof_experiment_check(experiment);
	return experiment;
}

static struct prof_experiment *read_profile(const Pprof__Profile *profile)
{
	enter_scratch();
	write_profile(profile);
	return read_file();
}

/* PROFILE is refused, and told of with PART. */
static void assert_damaged(const Pprof__Profile *profile, const char *part)
{
	struct prof_experiment *experiment;

	write_profile(profile);
	assert_error(prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, part);
}

static void assert_value(const struct prof_experiment *experiment, size_t sample,
	enum prof_quantity quantity, int64_t expected)
{
	ck_assert(value_at(experiment, quantity, sample) == prof_value_of(expected));
}

static const struct prof_frame *frame_of(const struct prof_experiment *experiment, uint32_t path)
{
	return &experiment->frames.items[experiment->paths.items[path].frame];
}

static void assert_location(const struct prof_experiment *experiment,
	const struct prof_frame *frame, uint32_t number, const char *name, const char *file,
	uint32_t line)
{
	ck_assert_uint_lt(number, frame->locations);
	const struct prof_location *location =
		&experiment->locations.items[frame->first_location + number];
	ck_assert_str_eq(prof_experiment_function_name(experiment, location->function), name);
	ck_assert_str_eq(prof_strings_get(&experiment->strings, location->file), file);
	ck_assert_uint_eq(location->line, line);
}

START_TEST(stacks_have_code_with_lines_in_its_object)
{
	Pprof__Profile profile = make();
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_profile(&profile);

	ck_assert_uint_eq(experiment->samples.count, 2);
	uint32_t leaf = sample_at(experiment, 0).path;
	uint32_t root = experiment->paths.items[leaf].parent;
	ck_assert_uint_eq(root, sample_at(experiment, 1).path);
	ck_assert_uint_eq(experiment->paths.items[root].parent, 0);
	ck_assert_uint_eq(frame_of(experiment, leaf)->address, 0x1020);
	assert_location(experiment, frame_of(experiment, leaf), 0, "inl", "main.c", 10);
	assert_location(experiment, frame_of(experiment, leaf), 1, "_work", "main.c", 20);
	assert_location(experiment, frame_of(experiment, root), 0, "main", "", 0);
	const struct prof_module *module =
		&experiment->modules.items[frame_of(experiment, leaf)->module];
	ck_assert_str_eq(prof_strings_get(&experiment->strings, module->path), "/bin/prog");
	ck_assert_str_eq(prof_strings_get(&experiment->strings, module->build_id), "00ff");
	ck_assert_uint_eq(module->ranges.count, 1);
	ck_assert_uint_eq(module->ranges.items[0].offset, 0x100);
	ck_assert_int_eq(experiment->recording.date, 1700000000);
	ck_assert_int_eq(experiment->recording.duration, 5000);
}
END_TEST

START_TEST(labels_tell_the_thread_and_the_state)
{
	Pprof__Profile profile = make();
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_profile(&profile);
	const struct prof_sample sample[] = {sample_at(experiment, 0), sample_at(experiment, 1)};

	ck_assert_int_eq(prof_experiment_thread_row(experiment, sample->thread).id, 12);
	ck_assert_str_eq(prof_strings_get(&experiment->strings,
				 prof_experiment_thread_row(experiment, sample->thread).name),
		"worker");
	ck_assert_uint_eq(sample->state, PROF_STATE_LOCK);
	ck_assert_int_eq(prof_experiment_thread_row(experiment, sample[1].thread).id, 0);
	ck_assert_uint_eq(sample[1].state, PROF_STATE_USER);
	/* Of 40 ns 30 were on a CPU, the rest was in the state; all of 10 ns were on a CPU. */
	assert_value(experiment, 0, PROF_QUANTITY_SAMPLES, 3);
	assert_value(experiment, 0, PROF_QUANTITY_SPENT + PROF_STATE_USER, 30);
	assert_value(experiment, 0, PROF_QUANTITY_SPENT + PROF_STATE_LOCK, 10);
	assert_value(experiment, 1, PROF_QUANTITY_SPENT + PROF_STATE_USER, 10);
	assert_value(experiment, 1, PROF_QUANTITY_SPENT + PROF_STATE_OTHER, 0);
}
END_TEST

START_TEST(the_default_type_is_counted_or_else_the_last)
{
	Pprof__ValueType last = {
		PROTOBUF_C_MESSAGE_INIT(&pprof__value_type__descriptor), SPACE, BYTES};
	void *list[] = {&types[1], &types[2], &last};
	Pprof__Profile profile = make();

	profile.sample_type = (Pprof__ValueType **)list;
	AUTO_EXPERIMENT struct prof_experiment *first = read_profile(&profile);
	assert_value(first, 0, PROF_QUANTITY_SAMPLES, 40);
	profile.default_sample_type = WALL;
	write_profile(&profile);
	AUTO_EXPERIMENT struct prof_experiment *second = read_file();
	assert_value(second, 0, PROF_QUANTITY_SAMPLES, 30);
	assert_value(second, 0, PROF_QUANTITY_SPENT + PROF_STATE_USER, 3);
	assert_value(second, 0, PROF_QUANTITY_SPENT + PROF_STATE_LOCK, 27);
}
END_TEST

START_TEST(code_without_an_address_has_a_frame_for_each_line)
{
	Pprof__Profile profile = make();

	stacks[0][0] = 301;
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_profile(&profile);
	stacks[0][0] = 300;
	uint32_t leaf = sample_at(experiment, 0).path;
	uint32_t next = experiment->paths.items[leaf].parent;
	ck_assert_uint_eq(frame_of(experiment, leaf)->address, 0);
	assert_location(experiment, frame_of(experiment, leaf), 0, "inl", "main.c", 10);
	assert_location(experiment, frame_of(experiment, next), 0, "_work", "main.c", 20);
	ck_assert_uint_eq(experiment->paths.items[next].parent, sample_at(experiment, 1).path);
}
END_TEST

START_TEST(other_code_at_the_same_address_has_frames_of_its_own)
{
	Pprof__Profile profile = make();

	locations[2].address = 0x1010;
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_profile(&profile);
	ck_assert_uint_eq(experiment->frames.count, 4);
	ck_assert_uint_eq(experiment->frames.items[3].address, 0);
}
END_TEST

START_TEST(profiles_are_read_packed_or_not)
{
	Pprof__Profile profile = make();
	size_t length;
	AUTO_FREE uint8_t *bytes = pack(&profile, &length);

	enter_scratch();
	gzFile file = gzopen("x", "w");
	ck_assert_int_eq(gzwrite(file, bytes, (unsigned)length), (int)length);
	gzclose(file);
	AUTO_EXPERIMENT struct prof_experiment *experiment = read_file();
	ck_assert_uint_eq(experiment->samples.count, 2);
}
END_TEST

START_TEST(what_is_not_there_is_told_with_its_place)
{
	Pprof__Profile profile = make();

	enter_scratch();
	stacks[0][1] = 8;
	assert_damaged(&profile, "\"x\" is damaged: its byte 18 refers to the location 8, which");
	stacks[0][1] = 7;
	lines[0].function_id = 4;
	assert_damaged(&profile, "refers to the function 4, which");
	profile = make();
	locations[0].mapping_id = 10;
	assert_damaged(&profile, "refers to the mapping 10, which");
	profile = make();
	functions[1].system_name = 99;
	assert_damaged(&profile, "refers to the string 99 of 20");
	functions[1].system_name = -1;
	assert_damaged(&profile, "refers to the string -1 of 20");
	profile = make();
	functions[1].id = 1;
	assert_damaged(&profile, "has the id 1, like one before");
	profile = make();
	mapping.id = 0;
	assert_damaged(&profile, "has the id 0");
	profile = make();
	samples[1].n_value = 2;
	assert_damaged(&profile, "has a sample of 2 values, and not 3");
	profile = make();
	values[1][2] = -1;
	assert_damaged(&profile, "negative value -1");
	values[1][2] = 10;
	profile.n_sample = 0;
	assert_damaged(&profile, "\"x\" has no samples");
	profile.n_string_table = 0;
	assert_damaged(&profile, "it has no strings");
}
END_TEST

/* Is an error or an experiment that is right what comes of the file x? */
static void try_file(void)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = NULL;
	AUTO_ERROR struct prof_error *error = prof_pprof_read("x", NULL, &experiment);

	if (error)
		ck_assert_ptr_nonnull(strstr(prof_error_message(error), "\"x\""));
	else
		prof_experiment_check(experiment);
}

START_TEST(damaged_files_break_nothing)
{
	Pprof__Profile profile = make();
	uint64_t state = 7;
	size_t length;
	AUTO_FREE uint8_t *bytes = pack(&profile, &length);

	enter_scratch();
	for (size_t i = 0; i < length; i++) {
		write_text("x", (char *)bytes, i);
		try_file();
		uint8_t right = bytes[i];
		bytes[i] = (uint8_t)chance(&state, 256);
		write_text("x", (char *)bytes, length);
		try_file();
		bytes[i] = right;
	}
}
END_TEST

/* Writes BYTES, gzip'd, and again what of it is left by CUT. */
static void write_gzip(const uint8_t *bytes, size_t length, size_t cut)
{
	gzFile file = gzopen("x", "w");
	size_t size;

	ck_assert_int_eq(gzwrite(file, bytes, (unsigned)length), (int)length);
	gzclose(file);
	AUTO_FREE char *packed = read_bytes("x", &size);
	write_text("x", packed, size - cut);
}

START_TEST(what_can_not_be_unpacked_is_told_with_its_place)
{
	struct prof_experiment *experiment;
	Pprof__Profile profile = make();
	size_t length;
	AUTO_FREE uint8_t *bytes = pack(&profile, &length);

	enter_scratch();
	for (size_t cut = 1; cut < 100; cut++) {
		write_gzip(bytes, length, cut);
		assert_error(prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED,
			"it is truncated at byte ");
	}
	write_text("x", "\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff", 14);
	assert_error(prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED, "damaged: ");
	write_gzip((const uint8_t *)"main;f 1\n", 9, 0);
	assert_error(prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED,
		"\"x\" is damaged: unpacked, its byte 5 begins a field that");
}
END_TEST

START_TEST(what_unpacks_without_end_is_refused)
{
	enum { SIZE = 64 << 20 };
	struct prof_experiment *experiment;
	AUTO_FREE uint8_t *zeroes = calloc(1, SIZE);

	enter_scratch();
	write_gzip(zeroes, SIZE, 0);
	assert_error(prof_import_read("x", NULL, &experiment), PROF_ERROR_DAMAGED,
		"unpack to more than 40 times as many");
}
END_TEST

/* A location that is many functions, many times in a stack, would fill the memory. */
START_TEST(stacks_far_larger_than_the_file_are_refused)
{
	enum { MANY = 20000 };
	Pprof__Profile profile = make();
	AUTO_FREE uint64_t *stack = calloc(MANY, sizeof *stack);
	AUTO_FREE void **list = calloc(MANY, sizeof *list);

	enter_scratch();
	for (int i = 0; i < MANY; i++) {
		stack[i] = 301;
		list[i] = &lines[1];
	}
	locations[2].n_line = MANY;
	locations[2].line = (Pprof__Line **)list;
	samples[0].n_location_id = MANY;
	samples[0].location_id = stack;
	assert_damaged(&profile, "has a stack too deep for the size of the file");
}
END_TEST

RUN_TESTS("pprof", stacks_have_code_with_lines_in_its_object, labels_tell_the_thread_and_the_state,
	the_default_type_is_counted_or_else_the_last,
	code_without_an_address_has_a_frame_for_each_line,
	other_code_at_the_same_address_has_frames_of_its_own, profiles_are_read_packed_or_not,
	what_is_not_there_is_told_with_its_place, damaged_files_break_nothing,
	what_can_not_be_unpacked_is_told_with_its_place, what_unpacks_without_end_is_refused,
	stacks_far_larger_than_the_file_are_refused)
