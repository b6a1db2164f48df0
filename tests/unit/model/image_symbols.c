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

RUN_TESTS("image_symbols", symbols_are_found_by_address)
