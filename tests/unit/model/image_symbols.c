/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/image_symbols.h"

#include "base/map.h"
#include "base/memory.h"
#include "suite.h"

START_TEST(symbols_are_found_by_address)
{
	struct prof_image_symbol items[] = {{.low = 0x10, .high = 0x20},
		{.low = 0x20, .high = 0x28}, {.low = 0x30, .high = 0x20}};
	const struct prof_image_symbols symbols = {items, PROF_COUNT(items), 0};
	const struct prof_image_symbols none = {0};

	ck_assert_uint_eq(prof_image_symbols_find(&symbols, 0xf), PROF_NONE);
	ck_assert_uint_eq(prof_image_symbols_find(&symbols, 0x10), 0);
	ck_assert_uint_eq(prof_image_symbols_find(&symbols, 0x1f), 0);
	ck_assert_uint_eq(prof_image_symbols_find(&symbols, 0x20), 1);
	ck_assert_uint_eq(prof_image_symbols_find(&symbols, 0x28), PROF_NONE);
	ck_assert_uint_eq(prof_image_symbols_find(&symbols, 0x30), PROF_NONE);
	ck_assert_uint_eq(prof_image_symbols_find(&none, 0x10), PROF_NONE);
}
END_TEST

START_TEST(programs_are_the_same_if_all_symbols_are)
{
	struct prof_strings strings = {0}, others = {0};
	struct prof_image_symbol items[] = {{.low = 1, .high = 2, .name = 0, .file = 1},
		{.low = 2, .high = 3, .name = 1, .file = PROF_NONE, .function = 7}};
	struct prof_image_symbol other_items[] = {{.low = 1, .high = 2, .name = 1, .file = 0},
		{.low = 2, .high = 3, .name = 0, .file = PROF_NONE}};
	const struct prof_image_symbols symbols = {items, 2, 0}, same = {other_items, 2, 0};
	const struct prof_image_symbols fewer = {other_items, 1, 0};
	uint32_t number;

	ck_assert_ok(prof_strings_add(&strings, "f", 1, &number));
	ck_assert_ok(prof_strings_add(&strings, "x.c", 3, &number));
	ck_assert_ok(prof_strings_add(&others, "x.c", 3, &number));
	ck_assert_ok(prof_strings_add(&others, "f", 1, &number));
	ck_assert(prof_image_symbols_are_same(&symbols, &strings, &same, &others));
	ck_assert(!prof_image_symbols_are_same(&symbols, &strings, &fewer, &others));
	other_items[1].file = 0;
	ck_assert(!prof_image_symbols_are_same(&symbols, &strings, &same, &others));
	other_items[1].file = PROF_NONE;
	other_items[0].name = 0;
	ck_assert(!prof_image_symbols_are_same(&symbols, &strings, &same, &others));
	other_items[0].name = 1;
	other_items[0].marked = true;
	ck_assert(!prof_image_symbols_are_same(&symbols, &strings, &same, &others));
	prof_strings_deinit(&strings);
	prof_strings_deinit(&others);
}
END_TEST

RUN_TESTS("image_symbols", symbols_are_found_by_address, programs_are_the_same_if_all_symbols_are)
