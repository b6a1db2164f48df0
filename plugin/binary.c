#include "plugin/binary.h"

#include "target/arch.h"

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

struct prof_elf *binary_open(struct binary *binary, const struct prof_experiment *experiment,
	uint32_t module, uint64_t address)
{
	const struct prof_module *of = &experiment->modules.items[module];
	const char *build_id = prof_strings_get(&experiment->strings, of->build_id);
	const struct prof_range *range = binary_range(experiment, module, address);
	const struct prof_arch *arch = prof_arch_native();

	if (binary->tried && binary->module == module && range && binary->range.low == range->low)
		return binary->file;
	binary_close(binary);
	if (!range || !arch || !*build_id)
		return NULL;
	*binary = (struct binary){.tried = true, .module = module, .range = *range};
	const struct prof_mapping mapping = {
		.low = range->low,
		.high = range->high,
		.offset = range->offset,
		.path = (char *)prof_strings_get(&experiment->strings, of->path),
	};
	/* Without the file nothing more is known, and views say so. */
	prof_error_destroy(prof_elf_open_file(arch, &mapping, build_id, &binary->file));
	return binary->file;
}

void binary_close(struct binary *binary)
{
	prof_elf_close(binary->file);
	*binary = (struct binary){0};
}
