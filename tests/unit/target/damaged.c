/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of programs that were replaced, damaged or cut off: this program's own, as a copy. */
#include "target/window.h"
#include "target_cfi.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>

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

	unsigned char code[16];
	(void)prof_elf_code(module, address, code, sizeof code);
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

RUN_TESTS("damaged", a_file_that_was_replaced_is_not_taken_for_it, damaged_objects_do_no_harm,
	cut_off_objects_do_no_harm)
