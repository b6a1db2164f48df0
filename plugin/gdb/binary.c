/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/gdb/binary.h"

#include "plugin/gdb/host.h"
#include "target/arch.h"
#include "target/elf.h"
#include "target/maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct prof_range *binary_range(
	const struct prof_experiment *experiment, uint32_t module, uint64_t address)
{
	const struct prof_module *of = &experiment->modules.items[module];

	for (size_t i = 0; i < of->ranges.count; i++) {
		const struct prof_range *range = &of->ranges.items[i];
		if (address >= range->low && address < range->high)
			return range;
	}
	return NULL;
}

/* The folders in which GDB looks for files with debugging information, borrowed. */
static const char *find_folders(struct binaries *binaries)
{
	if (!binaries->folders)
		host_forget(host_parameter("debug-file-directory", &binaries->folders));
	return binaries->folders ? binaries->folders : "";
}

/* Finds the file with the symbols of BINARY, which has BUILD_ID, as GDB does. */
static void find_split(struct binaries *binaries, struct binary *binary, const char *build_id)
{
	const char *folder = find_folders(binaries);

	while (*folder && strlen(build_id) > 2 && !binary->split) {
		size_t length = strcspn(folder, ":");
		char *path;
		if (asprintf(&path, "%.*s/.build-id/%.2s/%s.debug", (int)length, folder, build_id,
			    build_id + 2) < 0)
			return;
		if (prof_elf_add_symbols(binary->file, path))
			binary->split = path;
		else
			free(path);
		folder += length + (folder[length] == ':');
	}
}

static void close_one(struct binary *binary)
{
	prof_elf_close(binary->file);
	free(binary->split);
	*binary = (struct binary){0};
}

const struct binary *binaries_open(struct binaries *binaries,
	const struct prof_experiment *experiment, uint32_t module, uint64_t address)
{
	const struct prof_module *of = &experiment->modules.items[module];
	const char *build_id = prof_strings_get(&experiment->strings, of->build_id);
	const struct prof_range *range = binary_range(experiment, module, address);
	const struct prof_arch *arch = prof_arch_native();

	if (!range || !arch || !*build_id)
		return NULL;
	for (size_t i = 0; i < BINARIES; i++) {
		const struct binary *known = &binaries->items[i];
		if (known->tried && known->module == module && known->range.low == range->low)
			return known->file ? known : NULL;
	}
	struct binary *binary = &binaries->items[binaries->next];
	binaries->next = (binaries->next + 1) % BINARIES;
	close_one(binary);
	*binary = (struct binary){.tried = true, .module = module, .range = *range};
	const struct prof_mapping mapping = {
		.low = range->low,
		.high = range->high,
		.offset = range->offset,
		.path = (char *)prof_strings_get(&experiment->strings, of->path),
	};
	/* Without the file nothing more is known, and views say so. */
	prof_error_destroy(prof_elf_open_file(arch, &mapping, build_id, &binary->file));
	if (!binary->file)
		return NULL;
	find_split(binaries, binary, build_id);
	return binary;
}

void binaries_close(struct binaries *binaries)
{
	for (size_t i = 0; i < BINARIES; i++)
		close_one(&binaries->items[i]);
	free(binaries->folders);
	*binaries = (struct binaries){0};
}
