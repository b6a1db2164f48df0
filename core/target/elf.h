/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One ELF object as it is mapped into a process: its call frame information and build id. */
#ifndef PROF_TARGET_ELF_H
#define PROF_TARGET_ELF_H

#include "base/error.h"
#include "target/target.h"

#include <libelf.h>
#include <stdbool.h>
#include <sys/types.h>

struct prof_arch;
struct prof_cfi_rows;
struct prof_mapping;

struct prof_elf;

/*
 * Opens what MAPPING of process PID maps: the very file, if the kernel lets us have it, or else
 * the one of that name if it is still the same, even if the process has ended; [vdso] is read from
 * memory through TARGET.
 */
struct prof_error *prof_elf_open(pid_t pid, const struct prof_target *target,
	const struct prof_arch *arch, const struct prof_mapping *mapping,
	struct prof_elf **ret) PROF_MUST_CHECK;

/*
 * Opens the file that MAPPING names, as it was once mapped there, if its build id is still BUILD_ID
 * (hex, not ""): for addresses of a process that is gone.
 */
struct prof_error *prof_elf_open_file(const struct prof_arch *arch,
	const struct prof_mapping *mapping, const char *build_id,
	struct prof_elf **ret) PROF_MUST_CHECK;

/* NULL is fine. */
void prof_elf_close(struct prof_elf *module);

/* Whether the file that MODULE was opened from, as MAPPING of process PID, was not changed. */
bool prof_elf_is_current(
	const struct prof_elf *module, pid_t pid, const struct prof_mapping *mapping);

/* Like prof_cfi_compile(), with all call frame information of MODULE. */
uint32_t prof_elf_compile(struct prof_elf *module, struct prof_cfi_rows *rows,
	const struct prof_arch *arch, uint64_t address);

/* The bounds of the FDE that ADDRESS is in.  False: there is none. */
bool prof_elf_bounds(struct prof_elf *module, uint64_t address, uint64_t *low, uint64_t *high);

/* All of them by address, the file's own addresses: borrowed. */
const struct prof_fdes *prof_elf_fdes(struct prof_elf *module);

/* The file itself, borrowed. */
Elf *prof_elf_handle(const struct prof_elf *module);

/* Reads LENGTH bytes of code at ADDRESS into BUFFER, as they are in the file.  False: it cannot. */
bool prof_elf_code(const struct prof_elf *module, uint64_t address, void *buffer, size_t length);

/* The same of anything that is mapped from the file, as the program begins with it. */
bool prof_elf_data(const struct prof_elf *module, uint64_t address, void *buffer, size_t length);

/*
 * The contents of the section .init or .fini, if ADDRESS is in one: borrowed and not to be trusted,
 * *SIZE bytes, of which *OFFSET are before ADDRESS; or NULL.
 */
const unsigned char *prof_elf_edge(
	struct prof_elf *module, uint64_t address, size_t *size, size_t *offset);

/*
 * The name that the symbol table gives to the function at ADDRESS, borrowed and not to be trusted,
 * or NULL; *LOW is where it begins.
 */
const char *prof_elf_symbol(struct prof_elf *module, uint64_t address, uint64_t *low);

/*
 * The name of the function whose address the dynamic linker puts into the word at SLOT, borrowed
 * and not to be trusted, or NULL.
 */
const char *prof_elf_slot(const struct prof_elf *module, uint64_t slot);

/*
 * Takes symbols from the file PATH, which was split off that of MODULE, if its build id says so: it
 * has all those that the latter lacks.  False: there is no such file, and nothing has changed.
 */
bool prof_elf_add_symbols(struct prof_elf *module, const char *path);

/* What has to be taken off an address to have one of the file's own. */
uint64_t prof_elf_bias(const struct prof_elf *module);

/* The build id in hex, borrowed; "" if it has none. */
const char *prof_elf_build_id(struct prof_elf *module);

#endif
