/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/dynamic.h"

#include "target/linkmap.h"
#include "target/process.h"

#include <elf.h>
#include <string.h>

enum {
	MOST_DYNAMIC = 1024,
	MOST_CHAIN = 1 << 16, /* symbols with one hash value */
	MOST_NAME = 256,
};

/* The linker has relocated the addresses in most dynamic sections, but not in all. */
static uint64_t address_of(const struct prof_linked *linked, uint64_t value)
{
	return value < linked->bias ? value + linked->bias : value;
}

static void read_entry(
	struct prof_dynamic *dynamic, const struct prof_linked *linked, const Elf64_Dyn *entry)
{
	uint64_t value = entry->d_un.d_val;

	switch (entry->d_tag) {
	case DT_JMPREL:
		dynamic->jumps.address = address_of(linked, value);
		break;
	case DT_PLTRELSZ:
		dynamic->jumps.size = value;
		break;
	case DT_RELA:
		dynamic->others.address = address_of(linked, value);
		break;
	case DT_RELASZ:
		dynamic->others.size = value;
		break;
	case DT_SYMTAB:
		dynamic->symbols = address_of(linked, value);
		break;
	case DT_STRTAB:
		dynamic->strings.address = address_of(linked, value);
		break;
	case DT_STRSZ:
		dynamic->strings.size = value;
		break;
	case DT_VERSYM:
		dynamic->versions = address_of(linked, value);
		break;
	case DT_GNU_HASH:
		dynamic->hash = address_of(linked, value);
		break;
	default:
		break;
	}
}

struct prof_dynamic prof_dynamic_read(
	const struct prof_target *target, const struct prof_linked *linked)
{
	struct prof_dynamic dynamic = {0};
	uint64_t at = linked->dynamic;
	Elf64_Dyn entry;

	for (unsigned i = 0; i < MOST_DYNAMIC; i++, at += sizeof entry) {
		if (!prof_target_read(target, at, &entry, sizeof entry) || entry.d_tag == DT_NULL)
			break;
		read_entry(&dynamic, linked, &entry);
	}
	return dynamic;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;

	for (; *name; name++)
		hash = hash * 33 + (unsigned char)*name;
	return hash;
}

/* Does symbol INDEX have a version that exists for older programs only? */
static bool is_old(
	const struct prof_target *target, const struct prof_dynamic *dynamic, uint32_t index)
{
	const Elf64_Versym hidden = 0x8000;
	Elf64_Versym version;

	return dynamic->versions &&
		prof_target_read(target, dynamic->versions + index * sizeof version, &version,
			sizeof version) &&
		version & hidden;
}

/* Is symbol INDEX a definition of NAME?  If so, *RET becomes the symbol. */
static bool is_symbol(const struct prof_target *target, const struct prof_dynamic *dynamic,
	uint32_t index, const char *name, Elf64_Sym *ret)
{
	char found[MOST_NAME];
	size_t size = strlen(name) + 1;

	return size <= sizeof found &&
		prof_target_read(
			target, dynamic->symbols + index * sizeof *ret, ret, sizeof *ret) &&
		ret->st_shndx != SHN_UNDEF &&
		prof_target_read(target, dynamic->strings.address + ret->st_name, found, size) &&
		!memcmp(found, name, size) && !is_old(target, dynamic, index);
}

/*
 * The first symbol of the bucket for HASH; 0: there is none.  *CHAIN becomes the place of its
 * chain.
 */
static uint32_t find_bucket(const struct prof_target *target, const struct prof_dynamic *dynamic,
	uint32_t hash, uint64_t *chain)
{
	struct {
		uint32_t buckets, first, words, shift;
	} head;
	uint32_t symbol;

	if (!dynamic->hash || !dynamic->symbols || !dynamic->strings.address ||
		!prof_target_read(target, dynamic->hash, &head, sizeof head) || !head.buckets)
		return 0;
	uint64_t buckets = dynamic->hash + sizeof head + head.words * sizeof(uint64_t);
	if (!prof_target_read(target, buckets + hash % head.buckets * sizeof symbol, &symbol,
		    sizeof symbol) ||
		symbol < head.first)
		return 0;
	*chain = buckets + head.buckets * sizeof symbol +
		(uint64_t)(symbol - head.first) * sizeof symbol;
	return symbol;
}

struct prof_exported prof_dynamic_find(
	const struct prof_target *target, const struct prof_linked *linked, const char *name)
{
	const struct prof_dynamic dynamic = prof_dynamic_read(target, linked);
	uint32_t hash = hash_of(name), found;
	uint64_t chain;
	uint32_t index = find_bucket(target, &dynamic, hash, &chain);
	Elf64_Sym symbol;

	for (unsigned i = 0; index && i < MOST_CHAIN; i++, index++, chain += sizeof found) {
		if (!prof_target_read(target, chain, &found, sizeof found))
			break;
		/* The last symbol of a chain has the lowest bit set. */
		if ((found | 1) == (hash | 1) && is_symbol(target, &dynamic, index, name, &symbol))
			return (struct prof_exported){linked->bias + symbol.st_value,
				ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC};
		if (found & 1)
			break;
	}
	return (struct prof_exported){0};
}

struct prof_exported prof_dynamic_find_any(
	const struct prof_target *target, const struct prof_linkmap *map, const char *name)
{
	static const char kernel[] = "linux-vdso.so";
	struct prof_exported found = {0};

	for (size_t i = 0; i < map->items.count && !found.address; i++) {
		if (strncmp(map->items.items[i].path, kernel, sizeof kernel - 1) != 0)
			found = prof_dynamic_find(target, &map->items.items[i], name);
	}
	return found;
}

struct prof_exported prof_dynamic_find_in(pid_t pid, const char *name)
{
	struct prof_process process;
	struct prof_linkmap map = {0};

	prof_process_init(&process, pid);
	const struct prof_target target = prof_process_target(&process);
	prof_error_destroy(prof_linkmap_of_process(&map, &target, pid));
	const struct prof_exported found = prof_dynamic_find_any(&target, &map, name);
	prof_linkmap_deinit(&map);
	return found;
}
