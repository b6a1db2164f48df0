/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which functions can be patched: patchable FILE...  For each ELF file it prints how many functions
 * it has, and of these the percentages that a jump of 5 bytes and one of 2 bytes fit, and for the
 * rest how many there are for each reason; and how long it took to find out.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "patching/functions.h"
#include "target/arch.h"
#include "target/elf.h"
#include "target/maps.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct totals {
	size_t functions, patches[PROF_PATCH_HOP + 1], obstacles[PROF_OBSTACLES];
};

/* How the file PATH would be mapped at its own addresses.  False: it is no ELF file with code. */
static bool map(char *path, struct prof_mapping *ret)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
	GElf_Phdr segment = {0};
	size_t count;
	bool found = false;
	struct stat file;

	elf_version(EV_CURRENT);
	Elf *elf = fd < 0 || fstat(fd, &file) ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return false;
	if (elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; i < count && !found; i++) {
		found = gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD &&
			segment.p_flags & PF_X;
	}
	elf_end(elf);
	*ret = (struct prof_mapping){
		.low = segment.p_vaddr & ~UINT64_C(4095),
		.high = segment.p_vaddr + segment.p_memsz,
		.offset = segment.p_offset & ~UINT64_C(4095),
		.inode = file.st_ino,
		.path = path,
	};
	return found;
}

static bool read_code(void *context, uint64_t address, void *buffer, size_t length)
{
	return prof_elf_data(context, address, buffer, length);
}

static void print(const char *path, const struct totals *totals, double ms)
{
	printf("%s: %zu functions; jump %.2f %%, hop %.2f %%, neither %.2f %%", path,
		totals->functions,
		100. * (double)totals->patches[PROF_PATCH_JUMP] / (double)totals->functions,
		100. * (double)totals->patches[PROF_PATCH_HOP] / (double)totals->functions,
		100. * (double)totals->patches[PROF_PATCH_NONE] / (double)totals->functions);
	const char *separator = " (";
	for (size_t i = 1; i < PROF_OBSTACLES; i++) {
		if (!totals->obstacles[i] || i == PROF_OBSTACLE_PART)
			continue;
		printf("%s%zu: %s", separator, totals->obstacles[i], prof_obstacle_reasons[i]);
		separator = "; ";
	}
	printf("%s; %.0f ms\n", *separator == ';' ? ")" : "", ms);
}

static int count(char *path)
{
	struct prof_mapping mapping;
	struct prof_elf *elf;
	struct prof_entry_functions functions = {0};
	struct prof_entries entries = {0};
	struct totals totals = {0};

	if (!map(path, &mapping))
		return 1;
	AUTO_ERROR struct prof_error *error =
		prof_elf_open(getpid(), NULL, prof_arch_native(), &mapping, &elf);
	if (error)
		return 1;
	int64_t start = prof_clock();
	error = prof_entry_functions_read(&functions, elf, prof_arch_native());
	if (!error) {
		const struct prof_entry_code code = {read_code, elf};
		error = prof_entries_find(&entries, &code, functions.items.items,
			functions.items.count, functions.words.items, functions.words.count);
	}
	for (size_t i = 0; i < entries.items.count; i++) {
		const struct prof_entry *entry = &entries.items.items[i];
		if (entry->obstacle != PROF_OBSTACLE_PART) {
			totals.functions++;
			totals.patches[entry->patch]++;
		}
		totals.obstacles[entry->obstacle]++;
	}
	if (totals.functions)
		print(path, &totals, (double)(prof_clock() - start) / 1e6);
	prof_entries_deinit(&entries);
	prof_entry_functions_deinit(&functions);
	prof_elf_close(elf);
	return !totals.functions;
}

int main(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		status |= count(argv[i]);
	return status;
}
