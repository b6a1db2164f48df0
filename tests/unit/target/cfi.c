/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/window.h"
#include "target_cfi.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

/* The number of the row for LABEL + OFFSET. */
static uint32_t compile(struct own *own, const char *label, unsigned offset)
{
	return prof_elf_compile(
		own->module, &own->rows, &prof_arch_x86_64, (uintptr_t)label + offset);
}

static const struct prof_cfi_row *find_row(struct own *own, const char *label, unsigned offset)
{
	uint32_t row = compile(own, label, offset);

	ck_assert_uint_ne(row, PROF_NONE);
	return &own->rows.rows.items[row];
}

static const struct prof_cfi_rule *find_rule(const struct prof_cfi_row *row, unsigned number)
{
	for (unsigned i = 0; i < row->count; i++) {
		if (row->rules[i].number == number)
			return &row->rules[i];
	}
	return NULL;
}

static void check_cfa(const struct prof_cfi_row *row, unsigned source, int offset)
{
	ck_assert_uint_eq(row->cfa.kind, PROF_CFI_REGISTER);
	ck_assert_uint_eq(row->cfa.source, source);
	ck_assert_int_eq(row->cfa.offset, offset);
	ck_assert_uint_eq(row->return_address.kind, PROF_CFI_AT_CFA);
	ck_assert_int_eq(row->return_address.offset, -8);
}

START_TEST(follows_a_frame_from_prologue_to_epilogue)
{
	struct own own;

	open_own(&own, (uintptr_t)cfi_frame);
	check_cfa(find_row(&own, cfi_frame, 0), RSP, 8);
	ck_assert_uint_eq(find_row(&own, cfi_frame, 0)->count, 0);
	check_cfa(find_row(&own, cfi_frame, 1), RSP, 16);
	check_cfa(find_row(&own, cfi_frame, 2), RBP, 16);
	const struct prof_cfi_row *row = find_row(&own, cfi_frame, 3);
	ck_assert_uint_eq(row->count, 1);
	ck_assert_uint_eq(row->rules[0].number, RBP);
	ck_assert_uint_eq(row->rules[0].kind, PROF_CFI_AT_CFA);
	ck_assert_int_eq(row->rules[0].offset, -16);
	ck_assert_uint_eq(find_row(&own, cfi_frame, 4)->count, 0);
	close_own(&own);
}
END_TEST

START_TEST(addresses_with_the_same_rules_share_a_row)
{
	struct own own;

	open_own(&own, (uintptr_t)cfi_frame);
	uint32_t entry = compile(&own, cfi_frame, 0);
	ck_assert_uint_eq(compile(&own, cfi_frame, 4), entry);
	ck_assert_uint_eq(compile(&own, cfi_twin, 0), entry);
	ck_assert_uint_ne(compile(&own, cfi_frame, 1), entry);
	ck_assert_uint_eq(compile(&own, cfi_frame, 2), compile(&own, cfi_frame, 3));
	close_own(&own);
}
END_TEST

START_TEST(knows_where_every_saved_register_lies)
{
	static const unsigned saved[] = {RBX, RBP, R12, 13, 14, R15};
	struct own own;

	open_own(&own, (uintptr_t)cfi_frame);
	const struct prof_cfi_row *row = find_row(&own, cfi_saved, 0);
	check_cfa(row, RSP, 4096);
	ck_assert_uint_eq(row->count, PROF_COUNT(saved));
	for (unsigned i = 0; i < PROF_COUNT(saved); i++) {
		const struct prof_cfi_rule *rule = find_rule(row, saved[i]);
		ck_assert_ptr_nonnull(rule);
		ck_assert_uint_eq(rule->kind, PROF_CFI_AT_CFA);
		ck_assert_int_eq(rule->offset, -16 - 8 * (int)i);
	}
	close_own(&own);
}
END_TEST

START_TEST(knows_every_kind_of_rule)
{
	static const uint8_t kinds[RIP] = {[RBX] = PROF_CFI_REGISTER,
		[R12] = PROF_CFI_UNDEFINED,
		[13] = PROF_CFI_CFA,
		[14] = PROF_CFI_AT_EXPRESSION,
		[R15] = PROF_CFI_EXPRESSION};
	struct own own;

	open_own(&own, (uintptr_t)cfi_frame);
	const struct prof_cfi_row *row = find_row(&own, cfi_kinds, 0);
	ck_assert_uint_eq(row->cfa.kind, PROF_CFI_EXPRESSION);
	ck_assert(row->signal);
	ck_assert_uint_eq(row->count, 5);
	for (unsigned i = 0; i < row->count; i++)
		ck_assert_uint_eq(row->rules[i].kind, kinds[row->rules[i].number]);
	ck_assert_uint_eq(find_rule(row, RBX)->source, R11);
	ck_assert_int_eq(find_rule(row, 13)->offset, -24);
	ck_assert(!find_row(&own, cfi_frame, 0)->signal);
	close_own(&own);
}
END_TEST

START_TEST(steps_by_every_kind_of_rule)
{
	/* The CFA is the word at rsp + 8; the return address and a saved register lie there. */
	uint64_t stack[8] = {[1] = (uintptr_t)&stack[4], [3] = 0x1234, [6] = 0x5678};
	struct prof_registers registers = {.valid = 0x1ffff};
	struct prof_window window;
	struct own own;

	for (unsigned i = 0; i <= RIP; i++)
		registers.value[i] = 1000 + i;
	registers.value[RSP] = (uintptr_t)stack;
	open_own(&own, (uintptr_t)cfi_frame);
	const struct prof_cfi_row *row = find_row(&own, cfi_kinds, 0);
	prof_window_init(&window, &own.target);
	prof_window_begin(&window, (uintptr_t)stack, 0);
	const struct prof_stepper stepper = {&prof_arch_x86_64, &own.rows, &window};
	ck_assert_int_eq(prof_step_by_row(&stepper, row, &registers), PROF_STEP_CALLER);
	ck_assert_uint_eq(registers.pc, 0x1234);
	ck_assert_uint_eq(registers.value[RIP], 0x1234);
	ck_assert_uint_eq(registers.value[RSP], (uintptr_t)&stack[4]);
	ck_assert_uint_eq(registers.value[RBX], 1000 + R11);
	ck_assert_uint_eq(registers.value[RBP], 1000 + RBP);
	ck_assert_uint_eq(registers.value[13], (uintptr_t)&stack[1]);
	ck_assert_uint_eq(registers.value[14], 0x5678);
	ck_assert_uint_eq(registers.value[R15], (uintptr_t)&stack[3]);
	ck_assert_uint_eq(registers.valid,
		1 << RBX | 1 << RBP | 1 << RSP | 1 << 13 | 1 << 14 | 1 << R15 | 1 << RIP);
	prof_window_deinit(&window);
	close_own(&own);
}
END_TEST

START_TEST(an_undefined_return_address_is_the_end)
{
	struct prof_registers registers = {.valid = 0x1ffff};
	struct own own;

	open_own(&own, (uintptr_t)cfi_frame);
	const struct prof_cfi_row *row = find_row(&own, cfi_outermost, 0);
	const struct prof_stepper stepper = {&prof_arch_x86_64, &own.rows, NULL};
	ck_assert_int_eq(prof_step_by_row(&stepper, row, &registers), PROF_STEP_WHOLE);
	close_own(&own);
}
END_TEST

START_TEST(code_without_information_has_no_row)
{
	struct own own;
	uint64_t low, high;

	open_own(&own, (uintptr_t)cfi_frame);
	ck_assert_uint_eq(compile(&own, cfi_silent, 0), PROF_NONE);
	ck_assert_uint_eq(compile(&own, cfi_silent, 1), PROF_NONE);
	ck_assert_uint_eq(compile(&own, NULL, 0), PROF_NONE);
	ck_assert(!prof_elf_bounds(own.module, (uintptr_t)cfi_silent, &low, &high));
	close_own(&own);
}
END_TEST

static void check_bounds(struct own *own, const char *begin, const char *end)
{
	for (const char *at = begin; at < end; at++) {
		uint64_t low = 0, high = 0;
		ck_assert(prof_elf_bounds(own->module, (uintptr_t)at, &low, &high));
		ck_assert_uint_eq(low, (uintptr_t)begin);
		ck_assert_uint_eq(high, (uintptr_t)end);
	}
}

START_TEST(bounds_are_those_of_the_function)
{
	struct own own;

	open_own(&own, (uintptr_t)cfi_frame);
	check_bounds(&own, cfi_frame, cfi_frame_end);
	check_bounds(&own, cfi_saved, cfi_kinds);
	check_bounds(&own, cfi_twin, cfi_personal);
	check_bounds(&own, cfi_personal, cfi_personal_end);
	close_own(&own);
}
END_TEST

/* Prints the build id that the notes of this program hold. */
static int print_build_id(struct dl_phdr_info *info, size_t size, void *text)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const char *at = (const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		const char *end = at + info->dlpi_phdr[i].p_memsz;
		while (info->dlpi_phdr[i].p_type == PT_NOTE && at < end) {
			const ElfW(Nhdr) *note = (const void *)at;
			const unsigned char *id = (const unsigned char *)at + 16;
			at += sizeof *note + (note->n_namesz + 3) / 4 * 4 +
				(note->n_descsz + 3) / 4 * 4;
			if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4)
				continue;
			for (unsigned j = 0; j < note->n_descsz; j++)
				sprintf((char *)text + 2 * j, "%02x", id[j]);
			return 1;
		}
	}
	return 1; /* the program itself comes first */
}

START_TEST(tells_the_build_id)
{
	struct own own;
	char text[129] = "";

	dl_iterate_phdr(print_build_id, text);
	open_own(&own, (uintptr_t)cfi_frame);
	ck_assert_str_eq(prof_elf_build_id(own.module), text);
	ck_assert_str_eq(prof_elf_build_id(own.module), text);
	close_own(&own);
}
END_TEST

START_TEST(the_vdso_is_a_module_too)
{
	unsigned long vdso = getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *header = (const void *)vdso;
	struct own own;
	uint64_t low, high;
	unsigned found = 0;

	if (!vdso)
		return;
	open_own(&own, vdso);
	ck_assert_uint_eq(header->e_machine, EM_X86_64);
	ck_assert_str_ne(prof_elf_build_id(own.module), "");
	for (uint64_t at = vdso; at < vdso + 4096; at += 16) {
		if (compile(&own, (const char *)at, 0) == PROF_NONE)
			continue;
		ck_assert(prof_elf_bounds(own.module, at, &low, &high));
		ck_assert(low <= at && at < high);
		found++;
	}
	ck_assert_uint_gt(found, 0);
	close_own(&own);
}
END_TEST

RUN_TESTS("cfi", follows_a_frame_from_prologue_to_epilogue,
	addresses_with_the_same_rules_share_a_row, knows_where_every_saved_register_lies,
	knows_every_kind_of_rule, steps_by_every_kind_of_rule,
	an_undefined_return_address_is_the_end, code_without_information_has_no_row,
	bounds_are_those_of_the_function, tells_the_build_id, the_vdso_is_a_module_too)
