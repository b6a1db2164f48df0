/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/image.h"
#include "experiment_support.h"

#include <elf.h>

static void image_auto(struct prof_image **image)
{
	prof_image_destroy(*image);
}
#define AUTO_IMAGE PROF_AUTO(image_auto)

/* Functions that the image of this program must have. */
int global_one(int number);
__attribute__((noinline, noclone, visibility("default"))) int global_one(int number)
{
	return number * 3;
}

__attribute__((noinline, noclone)) static int local_one(int number)
{
	return global_one(number) + 1;
}

__attribute__((weak, noinline, visibility("default"))) int weak_one(int number);
int weak_one(int number)
{
	return local_one(number);
}

/* The number of the function NAME, which there is once. */
static uint32_t number_of(const struct prof_image *image, const char *name)
{
	uint32_t found = PROF_NONE;

	for (uint32_t i = 0; i < image->functions.count; i++) {
		if (strcmp(prof_image_text(image, image->functions.items[i].name), name) != 0)
			continue;
		ck_assert_uint_eq(found, PROF_NONE);
		found = i;
	}
	return found;
}

static const struct prof_image_symbol *function_of(const struct prof_image *image, const char *name)
{
	uint32_t number = number_of(image, name);

	ck_assert_msg(number != PROF_NONE, "there is no %s", name);
	return &image->functions.items[number];
}

/* What holds of every table. */
static void check_symbols(const struct prof_image *image, const struct prof_image_symbols *symbols)
{
	for (size_t i = 0; i < symbols->count; i++) {
		const struct prof_image_symbol *symbol = &symbols->items[i];
		uint64_t next = i + 1 < symbols->count ? symbol[1].low : image->text_high;
		ck_assert_uint_ge(symbol->high, next);
		ck_assert(symbol->high == next || symbol->marked);
		ck_assert(i + 1 == symbols->count || symbol->low < next);
		ck_assert_ptr_nonnull(prof_image_text(image, symbol->name));
		ck_assert((symbol->file == PROF_NONE) == (symbol->line == 0));
	}
}

START_TEST(this_program_has_its_functions)
{
	AUTO_IMAGE struct prof_image *image = NULL;

	ck_assert_int_eq(weak_one(2), 7);
	ck_assert_ok(prof_image_read("/proc/self/exe", NULL, &image));
	ck_assert_uint_eq(image->word, sizeof(void *));
	ck_assert(!image->big_endian);
	ck_assert_str_eq(image->path, "/proc/self/exe");
	check_symbols(image, &image->functions);
	check_symbols(image, &image->lines);
	ck_assert(!function_of(image, "global_one")->local);
	ck_assert(function_of(image, "local_one")->local);
	ck_assert(!function_of(image, "weak_one")->local);
	ck_assert(function_of(image, "main")->marked);
	ck_assert_uint_eq(number_of(image, "puts"), PROF_NONE);
	ck_assert_uint_eq(number_of(image, "target/image.c"), PROF_NONE);
}
END_TEST

START_TEST(functions_and_lines_are_found_by_address)
{
	AUTO_IMAGE struct prof_image *image = NULL;

	ck_assert_ok(prof_image_read("/proc/self/exe", NULL, &image));
	uint32_t number = number_of(image, "local_one");
	const struct prof_image_symbol *symbol = &image->functions.items[number];
	ck_assert_uint_eq(prof_image_symbols_find(&image->functions, symbol->low), number);
	ck_assert_uint_eq(prof_image_symbols_find(&image->functions, symbol->low + 1), number);
	ck_assert_uint_ne(prof_image_symbols_find(&image->functions, symbol->low - 1), number);
	ck_assert_uint_eq(prof_image_symbols_find(&image->functions, 0), PROF_NONE);
	ck_assert_uint_eq(prof_image_symbols_find(&image->functions, UINT64_MAX), PROF_NONE);
	ck_assert_str_eq(prof_image_text(image, symbol->file) +
			strlen(prof_image_text(image, symbol->file)) - strlen("target/image.c"),
		"target/image.c");
	const struct prof_image_symbol *line =
		&image->lines.items[prof_image_symbols_find(&image->lines, symbol->low)];
	ck_assert_uint_eq(line->low, symbol->low);
	ck_assert(line->marked);
	ck_assert(!line[1].marked);
	ck_assert_str_eq(prof_image_text(image, line[1].name), "local_one");
	ck_assert_uint_eq(line[1].file, symbol->file);
	ck_assert_uint_gt(line[1].line, symbol->line);
}
END_TEST

static void assert_refused(const char *path, enum prof_error_code code, const char *part)
{
	struct prof_image *image = NULL;

	assert_error(prof_image_read(path, NULL, &image), code, part);
	ck_assert_ptr_null(image);
}

static bool give_up(void *context, const char *what, uint64_t done, uint64_t total)
{
	(void)context, (void)what, (void)done, (void)total;
	return false;
}

START_TEST(reading_can_be_given_up)
{
	const struct prof_progress progress = {.report = give_up};
	struct prof_image *image = NULL;

	AUTO_ERROR struct prof_error *error = prof_image_read("/proc/self/exe", &progress, &image);
	ck_assert_int_eq(prof_error_code(error), PROF_ERROR_INTERRUPTED);
	ck_assert_ptr_null(image);
}
END_TEST

START_TEST(what_is_no_program_is_refused)
{
	enter_scratch();
	ck_assert(!prof_image_probe("\177EL", 3));
	ck_assert(prof_image_probe("\177ELF", 4));
	assert_refused("x", PROF_ERROR_SYSTEM, "\"x\" cannot be read");
	assert_refused(".", PROF_ERROR_DAMAGED, "not a regular file");
	write_text("x", "nothing", 7);
	assert_refused("x", PROF_ERROR_DAMAGED, "not an ELF file");
	write_text("x", "\177ELF", 4);
	assert_refused("x", PROF_ERROR_DAMAGED, "not an ELF file");
}
END_TEST

/* Reads the LENGTH BYTES as a program: an error or a program whose tables are sound. */
static void read_anything(const char *bytes, size_t length)
{
	AUTO_IMAGE struct prof_image *image = NULL;

	write_text("x", bytes, length);
	AUTO_ERROR struct prof_error *error = prof_image_read("x", NULL, &image);
	ck_assert(!error == (image != NULL));
	if (image) {
		check_symbols(image, &image->functions);
		check_symbols(image, &image->lines);
	}
}

START_TEST(damaged_programs_do_no_harm)
{
	size_t length;

	enter_scratch();
	AUTO_FREE char *bytes = read_bytes("/proc/self/exe", &length);
	const Elf64_Ehdr *header = (const void *)bytes;
	size_t table = header->e_shoff;
	for (size_t cut = 0; cut < 20; cut++)
		read_anything(bytes, length * cut / 20);
	/* Where the sections are said to be, and how long. */
	for (size_t i = 0; i < 60; i++) {
		size_t at = table + (i * 7919) % (length - table);
		char byte = bytes[at];
		bytes[at] = (char)(i * 37 + 1);
		read_anything(bytes, length);
		bytes[at] = byte;
	}
}
END_TEST

RUN_TESTS("image", this_program_has_its_functions, functions_and_lines_are_found_by_address,
	reading_can_be_given_up, what_is_no_program_is_refused, damaged_programs_do_no_harm)
