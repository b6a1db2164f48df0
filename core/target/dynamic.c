#include "target/dynamic.h"

#include <elf.h>
#include <string.h>

enum {
	MOST_DYNAMIC = 1024,
	MOST_CHAIN = 1 << 16, /* symbols of one hash value */
	MOST_NAME = 256,
};

/* The linker has relocated the addresses of most dynamic sections, but not of all. */
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
	case DT_GNU_HASH:
		dynamic->hash = address_of(linked, value);
		break;
	default:
		break;
	}
}

static bool read_all(
	const struct prof_target *target, uint64_t address, void *buffer, size_t length)
{
	return target->read_memory(target->context, address, buffer, length) == length;
}

struct prof_dynamic prof_dynamic_read(
	const struct prof_target *target, const struct prof_linked *linked)
{
	struct prof_dynamic dynamic = {0};
	uint64_t at = linked->dynamic;
	Elf64_Dyn entry;

	for (unsigned i = 0; i < MOST_DYNAMIC; i++, at += sizeof entry) {
		if (!read_all(target, at, &entry, sizeof entry) || entry.d_tag == DT_NULL)
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

/* Is symbol INDEX a definition of NAME?  *VALUE is then its value. */
static bool is_symbol(const struct prof_target *target, const struct prof_dynamic *dynamic,
	uint32_t index, const char *name, uint64_t *value)
{
	char found[MOST_NAME];
	size_t size = strlen(name) + 1;
	Elf64_Sym symbol;

	if (size > sizeof found ||
		!read_all(
			target, dynamic->symbols + index * sizeof symbol, &symbol, sizeof symbol) ||
		symbol.st_shndx == SHN_UNDEF ||
		!read_all(target, dynamic->strings.address + symbol.st_name, found, size) ||
		memcmp(found, name, size) != 0)
		return false;
	*value = symbol.st_value;
	return true;
}

/* The first symbol of the bucket for HASH; 0: there is none.  *CHAIN is where its chain begins. */
static uint32_t find_bucket(const struct prof_target *target, const struct prof_dynamic *dynamic,
	uint32_t hash, uint64_t *chain)
{
	struct {
		uint32_t buckets, first, words, shift;
	} head;
	uint32_t symbol;

	if (!dynamic->hash || !dynamic->symbols || !dynamic->strings.address ||
		!read_all(target, dynamic->hash, &head, sizeof head) || !head.buckets)
		return 0;
	uint64_t buckets = dynamic->hash + sizeof head + head.words * sizeof(uint64_t);
	if (!read_all(target, buckets + hash % head.buckets * sizeof symbol, &symbol,
		    sizeof symbol) ||
		symbol < head.first)
		return 0;
	*chain = buckets + head.buckets * sizeof symbol +
		(uint64_t)(symbol - head.first) * sizeof symbol;
	return symbol;
}

uint64_t prof_dynamic_find(
	const struct prof_target *target, const struct prof_linked *linked, const char *name)
{
	const struct prof_dynamic dynamic = prof_dynamic_read(target, linked);
	uint32_t hash = hash_of(name), found;
	uint64_t chain, value;
	uint32_t symbol = find_bucket(target, &dynamic, hash, &chain);

	for (unsigned i = 0; symbol && i < MOST_CHAIN; i++, symbol++, chain += sizeof found) {
		if (!read_all(target, chain, &found, sizeof found))
			break;
		/* The last of a chain has the lowest bit set. */
		if ((found | 1) == (hash | 1) && is_symbol(target, &dynamic, symbol, name, &value))
			return linked->bias + value;
		if (found & 1)
			break;
	}
	return 0;
}

uint64_t prof_dynamic_find_any(
	const struct prof_target *target, const struct prof_linkmap *map, const char *name)
{
	uint64_t found = 0;

	for (size_t i = 0; i < map->items.count && !found; i++)
		found = prof_dynamic_find(target, &map->items.items[i], name);
	return found;
}
