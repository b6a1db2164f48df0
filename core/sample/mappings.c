#include "sample/mappings.h"

#include "target/elf.h"
#include "target/kallsyms.h"

#include <string.h>

/* The build id of what MAPPING maps, in hex, copied to TEXT of SIZE bytes; "" if it has none. */
static void build_id(pid_t pid, const struct prof_target *target,
	const struct prof_mapping *mapping, char *text, size_t size)
{
	const struct prof_arch *arch = prof_arch_native();
	struct prof_elf *module = NULL;

	text[0] = '\0';
	if (!arch)
		return;
	/* What can't be opened is known by its path alone. */
	AUTO_ERROR struct prof_error *error = prof_elf_open(pid, target, arch, mapping, &module);
	if (error)
		return;
	const char *id = prof_elf_build_id(module);
	size_t length = strlen(id);
	if (length < size)
		memcpy(text, id, length + 1);
	prof_elf_close(module);
}

void prof_mappings_put(struct prof_queue *queue, pid_t pid, const struct prof_target *target,
	const struct prof_maps *maps)
{
	struct prof_record record = {.kind = PROF_RECORD_UNMAP, .mapping.process = pid};

	prof_queue_put(queue, &record, NULL);
	for (size_t i = 0; i < maps->mappings.count; i++) {
		const struct prof_mapping *mapping = &maps->mappings.items[i];
		char id[128];
		/* The path and the id, each with its NUL, one after the other. */
		char data[4096 + sizeof id];
		size_t path = strnlen(mapping->path, sizeof data - sizeof id - 1);
		if (!path) /* generated code: no load object */
			continue;
		build_id(pid, target, mapping, id, sizeof id);
		memcpy(data, mapping->path, path);
		data[path] = '\0';
		strcpy(data + path + 1, id);
		record = (struct prof_record){
			.kind = PROF_RECORD_MAPPING,
			.size = (uint32_t)(path + strlen(id) + 2),
			.mapping = {pid, mapping->low, mapping->high, mapping->offset},
		};
		prof_queue_put(queue, &record, data);
	}
}

void prof_mappings_put_kernel(struct prof_queue *queue, pid_t pid)
{
	/* The path, and an empty build id. */
	static const char data[] = PROF_KERNEL_OBJECT "\0";
	struct prof_record record = {
		.kind = PROF_RECORD_MAPPING,
		.size = sizeof data,
		.mapping = {pid, PROF_KERNEL_BEGIN, UINT64_MAX, PROF_KERNEL_BEGIN},
	};

	prof_queue_put(queue, &record, data);
}
