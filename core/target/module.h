/* One ELF object as it is mapped into a process: its call frame information and build id. */
#ifndef PROF_TARGET_MODULE_H
#define PROF_TARGET_MODULE_H

#include "base/error.h"
#include "target/arch.h"
#include "target/cfi.h"
#include "target/maps.h"
#include "target/target.h"

#include <stdbool.h>
#include <sys/types.h>

struct prof_module;

/*
 * Opens what MAPPING of process PID maps: the very file, if the kernel lets us have it, or else
 * the one of that name if it is still the same; [vdso] is read from memory through TARGET.
 */
struct prof_error *prof_module_open(pid_t pid, const struct prof_target *target,
	const struct prof_arch *arch, const struct prof_mapping *mapping,
	struct prof_module **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_module_close(struct prof_module *module);

/* Whether the file that MODULE was opened from, as MAPPING of process PID, was not changed. */
bool prof_module_is_current(
	const struct prof_module *module, pid_t pid, const struct prof_mapping *mapping);

/* As prof_cfi_compile() does, from all call frame information of MODULE. */
uint32_t prof_module_compile(struct prof_module *module, struct prof_cfi_rows *rows,
	const struct prof_arch *arch, uint64_t address);

/* The bounds of the FDE that ADDRESS is in.  False: there is none. */
bool prof_module_bounds(
	struct prof_module *module, uint64_t address, uint64_t *low, uint64_t *high);

/* The build id in hex, borrowed; "" if it has none. */
const char *prof_module_build_id(struct prof_module *module);

#endif
