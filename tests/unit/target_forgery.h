/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that were made up, in memory that was, for the tests of what is read from programs. */
#ifndef PROF_TESTS_TARGET_FORGERY_H
#define PROF_TESTS_TARGET_FORGERY_H

#include "suite.h"
#include "target/linkmap.h"
#include "target/process.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

/* This very process, its own target. */
static struct prof_process own __attribute__((unused));

static inline struct prof_target self(void)
{
	prof_process_init(&own, getpid());
	return prof_process_target(&own);
}

/* Memory that was made up: BYTES are at FORGED, and nothing is elsewhere. */
enum { FORGED = 0x10000, ROOM = 8192 };

static _Alignas(8) unsigned char forged[ROOM];

static inline size_t read_forged(void *context, uint64_t address, void *buffer, size_t length)
{
	(void)context;
	if (address < FORGED || address >= FORGED + ROOM)
		return 0;
	size_t left = FORGED + ROOM - address;
	if (length > left)
		length = left;
	memcpy(buffer, forged + (address - FORGED), length);
	return length;
}

static const struct prof_target forgery __attribute__((unused)) = {read_forged, NULL};

static inline void put(size_t offset, const void *bytes, size_t size)
{
	ck_assert_uint_le(offset + size, ROOM);
	memcpy(forged + offset, bytes, size);
}

/* Where the parts of the forged program are. */
enum {
	HEADERS = 0,
	INTERPRETER = 512,
	DYNAMIC = 1024,
	DEBUG = 2048,
	LIST = 2560,
	SYMBOLS = 3072,
	STRINGS = 4096,
	JUMPS = 5120,
	STUB = 6144,
	SLOT = 7168,
};

static inline void forge_headers(bool is_static)
{
	const Elf64_Phdr headers[] = {
		{.p_type = PT_PHDR, .p_vaddr = HEADERS},
		{.p_type = is_static ? PT_LOAD : PT_INTERP, .p_vaddr = INTERPRETER},
		{.p_type = PT_DYNAMIC, .p_vaddr = DYNAMIC},
	};

	put(HEADERS, headers, sizeof headers);
	put(INTERPRETER, "/lib/ld.so", 11);
}

static inline void forge_dynamic(uint64_t debug, uint64_t jumps_size, uint64_t strings_size)
{
	const Elf64_Dyn dynamic[] = {
		{DT_DEBUG, {debug}},
		{DT_JMPREL, {FORGED + JUMPS}},
		{DT_PLTRELSZ, {jumps_size}},
		{DT_SYMTAB, {SYMBOLS}}, /* one that was not relocated */
		{DT_STRTAB, {FORGED + STRINGS}},
		{DT_STRSZ, {strings_size}},
		{DT_NULL, {0}},
	};

	put(DYNAMIC, dynamic, sizeof dynamic);
}

static inline void forge_list(uint64_t next)
{
	const struct r_debug debug = {
		.r_version = 1, .r_map = (struct link_map *)(uintptr_t)(FORGED + LIST)};
	const struct link_map entry = {
		.l_addr = FORGED,
		.l_name = (char *)(uintptr_t)(FORGED + STRINGS),
		.l_ld = (Elf64_Dyn *)(uintptr_t)(FORGED + DYNAMIC),
		.l_next = (struct link_map *)(uintptr_t)next,
	};

	put(DEBUG, &debug, sizeof debug);
	put(LIST, &entry, sizeof entry);
}

static inline void forge_slot(uint32_t symbol, uint32_t name, bool marked)
{
	static const unsigned char plain[] = {0x68, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0};
	static const unsigned char tracked[] = {0xf3, 0x0f, 0x1e, 0xfa, 0x68, 0, 0, 0, 0, 0xe9};
	const Elf64_Rela relocation = {SLOT, ELF64_R_INFO(symbol, R_X86_64_JUMP_SLOT), 0};
	const Elf64_Sym symbols[] = {{0}, {.st_name = name}};
	const uint64_t stub = FORGED + STUB;

	put(JUMPS, &relocation, sizeof relocation);
	put(SYMBOLS, symbols, sizeof symbols);
	put(STRINGS, "\0getppid", 9);
	put(STUB, marked ? tracked : plain, sizeof plain);
	put(SLOT, &stub, sizeof stub);
}

static inline void forge(void)
{
	memset(forged, 0, sizeof forged);
	forge_headers(false);
	forge_dynamic(FORGED + DEBUG, sizeof(Elf64_Rela), 9);
	forge_list(0);
	forge_slot(1, 1, false);
}

static const struct prof_linked object
	__attribute__((unused)) = {.bias = FORGED, .dynamic = FORGED + DYNAMIC};

#endif
