/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/source.h"
#include "suite.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

struct fixture {
	int fd;
	Elf *elf;
	struct prof_strings strings;
	struct prof_source source;
};

static void open_self(struct fixture *fixture)
{
	*fixture = (struct fixture){.fd = open("/proc/self/exe", O_RDONLY)};
	elf_version(EV_CURRENT);
	fixture->elf = elf_begin(fixture->fd, ELF_C_READ_MMAP, NULL);
	ck_assert_ptr_nonnull(fixture->elf);
	fixture->source.strings = &fixture->strings;
}

static void close_self(struct fixture *fixture)
{
	prof_source_deinit(&fixture->source);
	prof_strings_deinit(&fixture->strings);
	elf_end(fixture->elf);
	close(fixture->fd);
}

static void add_label(struct fixture *fixture, uint64_t low, uint64_t high, const char *name)
{
	struct prof_source_label *label = prof_array_push(&fixture->source.labels);

	*label = (struct prof_source_label){.low = low,
		.high = high,
		.order = (uint32_t)fixture->source.labels.count,
		.function = true};
	ck_assert_ok(prof_strings_add(&fixture->strings, name, strlen(name), &label->name));
}

/* What is known at ADDRESS. */
static const struct prof_source_row *at(
	const struct fixture *fixture, uint64_t address, const char **name)
{
	AUTO_SOURCE_CURSOR struct prof_source_cursor cursor = {0};
	const struct prof_source_row *row;
	uint32_t string;

	ck_assert_ok(prof_source_move(&fixture->source, &cursor, address, &row, &string));
	*name = string == PROF_NONE ? NULL : prof_strings_get(&fixture->strings, string);
	return row;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && !strcmp(text + length - strlen(end), end);
}

START_TEST(lines_follow_each_other_and_have_code)
{
	struct fixture fixture;

	open_self(&fixture);
	ck_assert_ok(prof_source_read(&fixture.source, fixture.elf, NULL));
	ck_assert_uint_gt(fixture.source.rows.count, 100);
	for (size_t i = 0; i < fixture.source.rows.count; i++) {
		const struct prof_source_row *row = &fixture.source.rows.items[i];
		ck_assert_uint_lt(row->low, row->high);
		ck_assert(!i || row[-1].high <= row->low);
		ck_assert(*prof_strings_get(&fixture.strings, row->file));
	}
	close_self(&fixture);
}
END_TEST

START_TEST(a_place_has_its_line_and_innermost_function)
{
	struct fixture fixture;
	bool found = false;
	const char *name;

	open_self(&fixture);
	ck_assert_ok(prof_source_read(&fixture.source, fixture.elf, NULL));
	for (size_t i = 0; i < fixture.source.extents.count && !found; i++) {
		const struct prof_source_extent *extent = &fixture.source.extents.items[i];
		if (extent->name == PROF_NONE ||
			strcmp(prof_strings_get(&fixture.strings, extent->name), "ends_with") != 0)
			continue;
		const struct prof_source_row *row = at(&fixture, extent->low, &name);
		ck_assert_str_eq(name, "ends_with");
		ck_assert_ptr_nonnull(row);
		found = ends_with(prof_strings_get(&fixture.strings, row->file), "target/source.c");
	}
	ck_assert(found);
	close_self(&fixture);
}
END_TEST

START_TEST(a_cursor_finds_what_each_address_finds)
{
	AUTO_SOURCE_CURSOR struct prof_source_cursor cursor = {0};
	struct fixture fixture;

	open_self(&fixture);
	ck_assert_ok(prof_source_read(&fixture.source, fixture.elf, NULL));
	uint64_t low = fixture.source.rows.items[0].low;
	for (uint64_t address = low - 5; address < low + 600; address += 7) {
		const struct prof_source_row *row;
		const char *name;
		uint32_t string;
		ck_assert_ok(prof_source_move(&fixture.source, &cursor, address, &row, &string));
		ck_assert_ptr_eq(at(&fixture, address, &name), row);
		if (string == PROF_NONE)
			ck_assert_ptr_null(name);
		else
			ck_assert_str_eq(prof_strings_get(&fixture.strings, string), name);
	}
	close_self(&fixture);
}
END_TEST

START_TEST(labels_name_what_has_no_other_name)
{
	struct fixture fixture;
	const char *name;

	open_self(&fixture);
	add_label(&fixture, 0x30, 0x40, "third");
	add_label(&fixture, 0x10, 0x14, "short");
	add_label(&fixture, 0x10, 0x20, "first");
	add_label(&fixture, 0x10, 0x18, "middle");
	ck_assert_ok(prof_source_read(&fixture.source, fixture.elf, NULL));
	ck_assert_ptr_null(at(&fixture, 0xf, &name));
	ck_assert_ptr_null(name);
	at(&fixture, 0x10, &name);
	ck_assert_str_eq(name, "short");
	at(&fixture, 0x15, &name);
	ck_assert_str_eq(name, "middle");
	at(&fixture, 0x1f, &name);
	ck_assert_str_eq(name, "first");
	at(&fixture, 0x2f, &name);
	ck_assert_str_eq(name, "first");
	at(&fixture, 0x30, &name);
	ck_assert_str_eq(name, "third");
	close_self(&fixture);
}
END_TEST

static void add_extent(struct fixture *fixture, uint64_t low, uint64_t high, const char *name)
{
	struct prof_source_extent *extent = prof_array_push(&fixture->source.extents);

	*extent = (struct prof_source_extent){
		.low = low, .high = high, .order = (uint32_t)fixture->source.extents.count};
	ck_assert_ok(prof_strings_add(&fixture->strings, name, strlen(name), &extent->name));
}

START_TEST(the_innermost_function_has_a_place)
{
	static const char expected[] = "aabbeebbaaffa--";
	AUTO_SOURCE_CURSOR struct prof_source_cursor cursor = {0};
	struct fixture fixture = {.source.strings = &fixture.strings};

	add_extent(&fixture, 0, 130, "a");
	add_extent(&fixture, 20, 80, "b");
	add_extent(&fixture, 40, 60, "d");
	add_extent(&fixture, 40, 60, "e");
	add_extent(&fixture, 100, 120, "f");
	for (uint64_t i = 0; expected[i]; i++) {
		const struct prof_source_row *row;
		uint32_t name;
		ck_assert_ok(prof_source_move(&fixture.source, &cursor, 10 * i, &row, &name));
		ck_assert_ptr_null(row);
		ck_assert_int_eq(
			name == PROF_NONE ? '-' : *prof_strings_get(&fixture.strings, name),
			expected[i]);
	}
	prof_source_deinit(&fixture.source);
	prof_strings_deinit(&fixture.strings);
}
END_TEST

START_TEST(thousands_at_one_place_take_no_longer)
{
	enum { MANY = 100000 };
	AUTO_SOURCE_CURSOR struct prof_source_cursor cursor = {0};
	struct fixture fixture = {.source.strings = &fixture.strings};

	for (uint64_t i = 0; i < MANY; i++) {
		add_label(&fixture, 1, i + 2, "label");
		add_extent(&fixture, 0, MANY + i, "extent");
	}
	for (uint64_t address = 0; address < 3 * MANY; address++) {
		const struct prof_source_row *row;
		uint32_t name;
		ck_assert_ok(prof_source_move(&fixture.source, &cursor, address, &row, &name));
		ck_assert_str_eq(prof_strings_get(&fixture.strings, name),
			address < 2 * MANY - 1 ? "extent" : "label");
	}
	prof_source_deinit(&fixture.source);
	prof_strings_deinit(&fixture.strings);
}
END_TEST

RUN_TESTS("source", lines_follow_each_other_and_have_code,
	a_place_has_its_line_and_innermost_function, a_cursor_finds_what_each_address_finds,
	labels_name_what_has_no_other_name, the_innermost_function_has_a_place,
	thousands_at_one_place_take_no_longer)
