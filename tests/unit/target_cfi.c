#include "target/cfi.h"
#include "target/elf.h"
#include "target/process.h"
#include "target/step.h"

#include "suite.h"

#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* DWARF numbers. */
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R11 = 11, R12, R15 = 15, RIP };

/*
 * Functions that are never run: their call frame information is what counts.  Every instruction is
 * a nop, of one byte.
 */
__asm__(".text\n"
	"cfi_frame: .cfi_startproc\n"
	"	nop\n"
	"	.cfi_def_cfa_offset 16\n	.cfi_offset rbp, -16\n	nop\n"
	"	.cfi_def_cfa_register rbp\n	nop\n	nop\n"
	"	.cfi_def_cfa rsp, 8\n	.cfi_restore rbp\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_frame_end:\n"
	"cfi_saved: .cfi_startproc\n"
	"	.cfi_def_cfa_offset 4096\n	.cfi_offset rbx, -16\n	.cfi_offset rbp, -24\n"
	"	.cfi_offset r12, -32\n	.cfi_offset r13, -40\n	.cfi_offset r14, -48\n"
	"	.cfi_offset r15, -56\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_kinds: .cfi_startproc\n"
	"	.cfi_signal_frame\n"
	"	.cfi_register rbx, r11\n	.cfi_undefined r12\n"
	"	.cfi_escape 0x14, 13, 3\n"                 /* DW_CFA_val_offset r13, 3 * -8 */
	"	.cfi_escape 0x10, 14, 3, 0x08, 16, 0x22\n" /* DW_CFA_expression r14: const1u 16,
							      plus */
	"	.cfi_escape 0x16, 15, 2, 0x77, 24\n"       /* DW_CFA_val_expression r15: breg7 24 */
	"	.cfi_escape 0x0f, 3, 0x77, 8, 0x06\n" /* DW_CFA_def_cfa_expression: breg7 8, deref
						       */
	"	nop\n"
	"	.cfi_endproc\n"
	"cfi_outermost: .cfi_startproc\n"
	"	.cfi_undefined rip\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_silent:\n"
	"	nop\n	nop\n"
	"cfi_twin: .cfi_startproc\n"
	"	nop\n"
	"	.cfi_endproc\n"
	"cfi_personal: .cfi_startproc\n"
	"	.cfi_personality 0x9b, cfi_pointer\n	.cfi_lsda 0x1b, cfi_frame\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_personal_end:\n"
	".section .data.rel.local,\"aw\"\n"
	"cfi_pointer: .quad cfi_frame\n"
	".text\n");

extern const char cfi_frame[], cfi_frame_end[], cfi_saved[], cfi_kinds[], cfi_outermost[];
extern const char cfi_silent[], cfi_twin[], cfi_personal[], cfi_personal_end[];

/* This program itself, as a module. */
struct own {
	struct prof_process process;
	struct prof_target target;
	struct prof_maps maps;
	struct prof_elf *module;
	struct prof_cfi_rows rows;
};

static void open_own(struct own *own, uint64_t address)
{
	*own = (struct own){0};
	prof_process_init(&own->process, getpid());
	own->target = prof_process_target(&own->process);
	ck_assert_ok(prof_maps_read(&own->maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&own->maps, address);
	ck_assert_ptr_nonnull(mapping);
	ck_assert_ok(
		prof_elf_open(getpid(), &own->target, &prof_arch_x86_64, mapping, &own->module));
}

static void close_own(struct own *own)
{
	prof_elf_close(own->module);
	prof_cfi_deinit(&own->rows);
	prof_maps_deinit(&own->maps);
}

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

/* A copy of this program on disk, as a mapping that is not there. */
struct copy {
	char path[32];
	int fd;
	size_t size;
	char *bytes;
	struct prof_mapping mapping;
};

static void make_copy(struct copy *copy)
{
	struct stat file;
	struct own own;

	strcpy(copy->path, "/tmp/prof_cfi_XXXXXX");
	copy->fd = mkstemp(copy->path);
	ck_assert_int_ge(copy->fd, 0);
	int exe = open("/proc/self/exe", O_RDONLY);
	ck_assert_int_eq(fstat(exe, &file), 0);
	copy->size = file.st_size;
	copy->bytes = malloc(copy->size);
	ck_assert_int_eq(read(exe, copy->bytes, copy->size), file.st_size);
	ck_assert_int_eq(write(copy->fd, copy->bytes, copy->size), file.st_size);
	close(exe);
	ck_assert_int_eq(fstat(copy->fd, &file), 0);
	open_own(&own, (uintptr_t)cfi_frame);
	copy->mapping = *prof_maps_find(&own.maps, (uintptr_t)cfi_frame);
	copy->mapping.path = copy->path;
	copy->mapping.inode = file.st_ino;
	/* Not where the kernel could give the real file. */
	copy->mapping.low -= 4096;
	copy->mapping.high -= 4096;
	close_own(&own);
}

static void drop_copy(struct copy *copy)
{
	unlink(copy->path);
	close(copy->fd);
	free(copy->bytes);
}

static struct prof_error *open_copy(const struct copy *copy, struct prof_elf **ret)
{
	struct prof_process process = {getpid()};
	struct prof_target target = prof_process_target(&process);

	return prof_elf_open(getpid(), &target, &prof_arch_x86_64, &copy->mapping, ret);
}

START_TEST(a_file_that_was_replaced_is_not_taken_for_it)
{
	struct prof_elf *module = NULL;
	struct copy copy;

	make_copy(&copy);
	ck_assert_ok(open_copy(&copy, &module));
	ck_assert(prof_elf_is_current(module, getpid(), &copy.mapping));
	ck_assert_int_eq(pwrite(copy.fd, "", 1, (off_t)copy.size), 1);
	ck_assert(!prof_elf_is_current(module, getpid(), &copy.mapping));
	prof_elf_close(module);
	copy.mapping.inode++;
	struct prof_error *error = open_copy(&copy, &module);
	ck_assert_ptr_nonnull(error);
	prof_error_destroy(error);
	drop_copy(&copy);
}
END_TEST

/* Walks a little by whatever rules there are for ADDRESS, over memory that is all the same. */
static void use_module(struct prof_elf *module, struct prof_cfi_rows *rows, uint64_t address)
{
	struct prof_process process = {getpid()};
	struct prof_target target = prof_process_target(&process);
	struct prof_registers registers = {.valid = 0x1ffff};
	struct prof_window window;
	uint64_t low, high;
	uint64_t stack[32];
	uint32_t row = prof_elf_compile(module, rows, &prof_arch_x86_64, address);

	if (prof_elf_bounds(module, address, &low, &high))
		ck_assert(low <= address && address < high);
	if (row == PROF_NONE)
		return;
	for (unsigned i = 0; i < 32; i++)
		stack[i] = (uintptr_t)&stack[i / 2];
	for (unsigned i = 0; i <= RIP; i++)
		registers.value[i] = (uintptr_t)stack;
	prof_window_init(&window, &target);
	prof_window_begin(&window, (uintptr_t)stack, 0);
	const struct prof_stepper stepper = {&prof_arch_x86_64, rows, &window};
	(void)prof_step_by_row(&stepper, &rows->rows.items[row], &registers);
	prof_window_deinit(&window);
}

/* The stretch of COPY that holds .eh_frame_hdr and what follows it, by the segments. */
static void find_eh_frame(const struct copy *copy, size_t *offset, size_t *length)
{
	const ElfW(Ehdr) *header = (const void *)copy->bytes;
	const ElfW(Phdr) *segments = (const void *)(copy->bytes + header->e_phoff);

	for (unsigned i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type != PT_GNU_EH_FRAME)
			continue;
		*offset = segments[i].p_offset;
		*length = 6 * segments[i].p_filesz; /* .eh_frame takes several times as much */
		if (*offset + *length > copy->size)
			*length = copy->size - *offset;
		return;
	}
	ck_abort_msg("no PT_GNU_EH_FRAME");
}

static unsigned roll(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(*state >> 33);
}

/* Overwrites some bytes of COPY from OFFSET on, uses what is left, and puts them back. */
static void try_damage(struct copy *copy, uint64_t *state, size_t offset, size_t length)
{
	struct prof_cfi_rows rows = {0};
	struct prof_elf *module = NULL;
	unsigned hits = 1 + roll(state) % 64;
	size_t places[64];

	for (unsigned i = 0; i < hits; i++) {
		unsigned char byte = (unsigned char)(roll(state) % 3 ? roll(state) : 0xff);
		places[i] = offset + roll(state) % length;
		ck_assert_int_eq(pwrite(copy->fd, &byte, 1, (off_t)places[i]), 1);
	}
	struct prof_error *error = open_copy(copy, &module);
	uint64_t span = copy->mapping.high - copy->mapping.low;
	for (unsigned i = 0; !error && i < 64; i++)
		use_module(module, &rows, copy->mapping.low + roll(state) % span);
	if (!error)
		(void)prof_elf_build_id(module);
	prof_error_destroy(error);
	prof_elf_close(module);
	prof_cfi_deinit(&rows);
	for (unsigned i = 0; i < hits; i++)
		ck_assert_int_eq(pwrite(copy->fd, copy->bytes + places[i], 1, (off_t)places[i]), 1);
}

/* PROF_FUZZ in the environment sets how often, and where the dice begin. */
START_TEST(damaged_objects_do_no_harm)
{
	const char *wish = getenv("PROF_FUZZ");
	unsigned rounds = wish ? (unsigned)atoi(wish) : 300;
	uint64_t state = wish ? rounds : 1;
	size_t offset, length;
	struct copy copy;

	make_copy(&copy);
	find_eh_frame(&copy, &offset, &length);
	for (unsigned i = 0; i < rounds; i++) {
		try_damage(&copy, &state, offset, length);
		try_damage(&copy, &state, 0, 1024);
		try_damage(&copy, &state, copy.size - 2048, 2048);
	}
	drop_copy(&copy);
}
END_TEST

START_TEST(cut_off_objects_do_no_harm)
{
	struct copy copy;

	make_copy(&copy);
	for (size_t size = copy.size; size > 64; size = size * 9 / 10) {
		struct prof_cfi_rows rows = {0};
		struct prof_elf *module = NULL;
		ck_assert_int_eq(ftruncate(copy.fd, (off_t)size), 0);
		struct prof_error *error = open_copy(&copy, &module);
		for (uint64_t at = copy.mapping.low; !error && at < copy.mapping.high; at += 999)
			use_module(module, &rows, at);
		prof_error_destroy(error);
		prof_elf_close(module);
		prof_cfi_deinit(&rows);
	}
	drop_copy(&copy);
}
END_TEST

RUN_TESTS("target_cfi", follows_a_frame_from_prologue_to_epilogue,
	addresses_with_the_same_rules_share_a_row, knows_where_every_saved_register_lies,
	knows_every_kind_of_rule, steps_by_every_kind_of_rule,
	an_undefined_return_address_is_the_end, code_without_information_has_no_row,
	bounds_are_those_of_the_function, tells_the_build_id, the_vdso_is_a_module_too,
	a_file_that_was_replaced_is_not_taken_for_it, damaged_objects_do_no_harm,
	cut_off_objects_do_no_harm)
