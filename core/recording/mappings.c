/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "recording/mappings.h"

#include "recording/queue.h"
#include "target/arch.h"
#include "target/elf.h"
#include "target/kallsyms.h"
#include "target/maps.h"

#include <string.h>

/* A build id in hex, with its NUL: longer ones are cut. */
enum { BUILD_ID = 128 };

/* The build id of what MAPPING maps, in hex, copied to TEXT of SIZE bytes; "" if it has none. */
static void find_build_id(pid_t pid, const struct prof_target *target,
	const struct prof_mapping *mapping, char *text, size_t size)
{
	const struct prof_arch *arch = prof_arch_native();
	struct prof_elf *module = NULL;

	text[0] = '\0';
	if (!arch)
		return;
	/* A file that cannot be opened is known by its path alone. */
	AUTO_ERROR struct prof_error *error = prof_elf_open(pid, target, arch, mapping, &module);
	if (error)
		return;
	const char *id = prof_elf_build_id(module);
	size_t length = strlen(id);
	if (length < size)
		memcpy(text, id, length + 1);
	prof_elf_close(module);
}

void prof_mappings_begin(struct prof_batch *list, pid_t pid)
{
	const struct prof_message message = {.kind = PROF_MESSAGE_UNMAP, .mapping.process = pid};

	prof_batch_add(list, &message, NULL);
}

void prof_mappings_add(struct prof_batch *list, pid_t pid, const struct prof_mapping *mapping,
	const char *build_id)
{
	/* The path and the id, each with its NUL, one after the other. */
	char data[4096 + BUILD_ID];
	size_t path = strnlen(mapping->path, sizeof data - BUILD_ID - 1);
	size_t id = strnlen(build_id, BUILD_ID - 1);

	if (!path) /* generated code, which has no load object */
		return;
	memcpy(data, mapping->path, path);
	data[path] = '\0';
	memcpy(data + path + 1, build_id, id);
	data[path + 1 + id] = '\0';
	const struct prof_message message = {
		.kind = PROF_MESSAGE_MAPPING,
		.size = (uint32_t)(path + id + 2),
		.mapping = {pid, mapping->low, mapping->high, mapping->offset},
	};
	prof_batch_add(list, &message, data);
}

void prof_mappings_put(struct prof_queue *queue, pid_t pid, const struct prof_target *target,
	const struct prof_maps *maps)
{
	PROF_AUTO(prof_batch_deinit) struct prof_batch list = {0};

	prof_mappings_begin(&list, pid);
	for (size_t i = 0; i < maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		char id[BUILD_ID] = "";
		if (*mapping->path)
			find_build_id(pid, target, mapping, id, sizeof id);
		prof_mappings_add(&list, pid, mapping, id);
	}
	prof_queue_put_batch(queue, &list);
}

void prof_mappings_put_kernel(struct prof_queue *queue)
{
	/* The path, and an empty build id. */
	static const char data[] = PROF_KERNEL_OBJECT "\0";
	const struct prof_message message = {
		.kind = PROF_MESSAGE_MAPPING,
		.size = sizeof data,
		.mapping = {0, PROF_KERNEL_BEGIN, UINT64_MAX, PROF_KERNEL_BEGIN},
	};

	prof_queue_put(queue, &message, data);
}
