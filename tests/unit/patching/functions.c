/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and their entries of this very program and of its C library. */
#include "patching/functions.h"

#include "decoder.h"
#include "target/arch.h"
#include "target/maps.h"

#include <stdlib.h>
#include <unistd.h>

/* A function, and code that is reached with more on the stack. */
extern const char called[], part[];

__asm__(".text\n"
	"called:\n	.cfi_startproc\n	xor %eax,%eax\n	nopl 0(%rax)\n	ret\n	.cfi_endproc\n"
	"part:\n	.cfi_startproc\n	.cfi_def_cfa_offset 32\n	add $24,%rsp\n	ret\n"
	"	.cfi_endproc\n");

/* Addresses of its labels are in the data. */
static const void *const *labelled(unsigned number)
{
	static const void *const labels[] = {&&one, &&two};

	goto *labels[number % 2];
one:
	return labels;
two:
	return labels + 1;
}

/* Opens what is mapped at ADDRESS. */
static struct prof_elf *open_at(const void *address)
{
	PROF_AUTO(prof_maps_deinit) struct prof_maps maps = {0};
	struct prof_elf *elf;

	ck_assert_ok(prof_maps_read(&maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&maps, (uint64_t)(uintptr_t)address);
	ck_assert_ptr_nonnull(mapping);
	ck_assert_ok(prof_elf_open(getpid(), NULL, prof_arch_native(), mapping, &elf));
	return elf;
}

static const struct prof_entry_function *find(
	const struct prof_entry_functions *functions, uint64_t low)
{
	for (size_t i = 0; i < functions->items.count; i++) {
		if (functions->items.items[i].low == low)
			return &functions->items.items[i];
	}
	return NULL;
}

START_TEST(functions_are_told_from_parts_of_them)
{
	struct prof_elf *elf = open_at(called);
	uint64_t bias = prof_elf_bias(elf);
	struct prof_entry_functions functions = {0};

	ck_assert_ok(prof_entry_functions_read(&functions, elf, prof_arch_native()));
	const struct prof_entry_function *found =
		find(&functions, (uint64_t)(uintptr_t)called - bias);
	ck_assert_ptr_nonnull(found);
	ck_assert(!found->part);
	ck_assert_uint_eq(found->high - found->low, 6);
	found = find(&functions, (uint64_t)(uintptr_t)part - bias);
	ck_assert_ptr_nonnull(found);
	ck_assert(found->part);
	for (size_t i = 1; i < functions.items.count; i++)
		ck_assert_uint_le(functions.items.items[i - 1].high, functions.items.items[i].low);
	prof_entry_functions_deinit(&functions);
	prof_elf_close(elf);
}
END_TEST

START_TEST(addresses_of_labels_are_words)
{
	const void *const *labels = labelled(0);
	struct prof_elf *elf = open_at(called);
	struct prof_entry_functions functions = {0};
	unsigned found = 0;

	ck_assert_ptr_eq(labelled(1), labels + 1);
	ck_assert_ok(prof_entry_functions_read(&functions, elf, prof_arch_native()));
	for (size_t i = 0; i < functions.words.count; i++) {
		uint64_t word = functions.words.items[i] + prof_elf_bias(elf);
		found |= (word == (uint64_t)(uintptr_t)labels[0] ? 1U : 0) |
			(word == (uint64_t)(uintptr_t)labels[1] ? 2U : 0);
	}
	ck_assert_uint_eq(found, 3);
	prof_entry_functions_deinit(&functions);
	prof_elf_close(elf);
}
END_TEST

static bool read_code(void *context, uint64_t address, void *buffer, size_t length)
{
	return prof_elf_data(context, address + prof_elf_bias(context), buffer, length);
}

START_TEST(nearly_all_functions_of_the_c_library_can_be_patched)
{
	struct prof_elf *elf = open_at((const void *)(uintptr_t)qsort);
	struct prof_entry_functions functions = {0};
	PROF_AUTO(prof_entries_deinit) struct prof_entries entries = {0};
	const struct prof_entry_code code = {read_code, elf};
	size_t patched = 0, whole = 0;

	ck_assert_ok(prof_entry_functions_read(&functions, elf, prof_arch_native()));
	ck_assert_ok(prof_entries_find(&entries, &code, functions.items.items,
		functions.items.count, functions.words.items, functions.words.count));
	for (size_t i = 0; i < entries.items.count; i++) {
		whole += entries.items.items[i].obstacle != PROF_OBSTACLE_PART;
		patched += entries.items.items[i].patch != PROF_PATCH_NONE;
	}
	ck_assert_uint_gt(whole, 1000);
	ck_assert_uint_ge(100 * patched, 98 * whole);
	prof_entry_functions_deinit(&functions);
	prof_elf_close(elf);
}
END_TEST

RUN_DECODER_TESTS("functions", functions_are_told_from_parts_of_them, addresses_of_labels_are_words,
	nearly_all_functions_of_the_c_library_can_be_patched)
