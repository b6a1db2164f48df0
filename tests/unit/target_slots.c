#include "target/dynamic.h"
#include "target/slots.h"

#include "suite.h"
#include "target/process.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

static const char *const names[] = {"getppid", "strtold", "no_such_function"};
enum { GETPPID, STRTOLD };

/* This very process, its own target. */
static struct prof_process own;

static struct prof_target self(void)
{
	prof_process_init(&own, getpid());
	return prof_process_target(&own);
}

/* The slots of object INDEX of this process for the functions above. */
static void find_own(struct prof_slots *slots, size_t index)
{
	const struct prof_target target = self();
	struct prof_linkmap map = {0};

	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_uint_lt(index, map.items.count);
	ck_assert_ok(
		prof_slots_find(slots, &target, &map.items.items[index], names, PROF_COUNT(names)));
	prof_linkmap_deinit(&map);
}

START_TEST(lists_the_objects_of_a_process)
{
	const struct prof_target target = self();
	struct prof_linkmap map = {0};
	bool libc = false, linker = false;

	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_str_eq(map.items.items[0].path, "");
	ck_assert_ptr_nonnull(strstr(map.interpreter, "ld-linux"));
	for (size_t i = 0; i < map.items.count; i++) {
		libc |= strstr(map.items.items[i].path, "libc.so") != NULL;
		linker |= map.items.items[i].bias == map.linker;
	}
	ck_assert(libc);
	ck_assert(linker);
	prof_linkmap_deinit(&map);
}
END_TEST

START_TEST(finds_the_slot_of_a_function_before_and_after_it_is_bound)
{
	struct prof_slots before = {0}, after = {0};

	find_own(&before, 0);
	ck_assert_int_ne(getppid(), 0);
	find_own(&after, 0);
	ck_assert_uint_eq(before.items.count, after.items.count);
	bool found = false;
	for (size_t i = 0; i < after.items.count; i++) {
		const struct prof_slot *slot = &after.items.items[i];
		if (slot->name != GETPPID)
			continue;
		found = true;
		ck_assert(!slot->unbound);
		ck_assert_uint_eq(slot->value, (uintptr_t)dlsym(RTLD_DEFAULT, "getppid"));
		ck_assert_uint_eq(slot->value, *(uint64_t *)(uintptr_t)slot->address);
		/* Bound when it was called, unless all are when the program begins. */
		const struct prof_slot *earlier = &before.items.items[i];
		ck_assert_uint_eq(earlier->address, slot->address);
		ck_assert(earlier->unbound || earlier->value == slot->value);
	}
	ck_assert(found);
	prof_slots_deinit(&before);
	prof_slots_deinit(&after);
}
END_TEST

START_TEST(finds_none_of_functions_that_are_not_called)
{
	struct prof_slots slots = {0};

	find_own(&slots, 0);
	for (size_t i = 0; i < slots.items.count; i++)
		ck_assert_uint_eq(slots.items.items[i].name, GETPPID);
	prof_slots_deinit(&slots);
}
END_TEST

START_TEST(finds_what_objects_export)
{
	const struct prof_target target = self();
	struct prof_linkmap map = {0};

	ck_assert_ok(prof_linkmap_of_process(&map, &target, getpid()));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "getppid"),
		(uintptr_t)dlsym(RTLD_DEFAULT, "getppid"));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "srunner_create"),
		(uintptr_t)dlsym(RTLD_DEFAULT, "srunner_create"));
	ck_assert_uint_eq(prof_dynamic_find_any(&target, &map, "no_such_function"), 0);
	prof_linkmap_deinit(&map);
}
END_TEST

/* Memory that was made up: BYTES are at FORGED, and nothing is elsewhere. */
enum { FORGED = 0x10000, ROOM = 8192 };

static _Alignas(8) unsigned char forged[ROOM];

static size_t read_forged(void *context, uint64_t address, void *buffer, size_t length)
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

static const struct prof_target forgery = {read_forged, NULL};

static void put(size_t offset, const void *bytes, size_t size)
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

static void forge_headers(bool is_static)
{
	const Elf64_Phdr headers[] = {
		{.p_type = PT_PHDR, .p_vaddr = HEADERS},
		{.p_type = is_static ? PT_LOAD : PT_INTERP, .p_vaddr = INTERPRETER},
		{.p_type = PT_DYNAMIC, .p_vaddr = DYNAMIC},
	};

	put(HEADERS, headers, sizeof headers);
	put(INTERPRETER, "/lib/ld.so", 11);
}

static void forge_dynamic(uint64_t debug, uint64_t jumps_size, uint64_t strings_size)
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

static void forge_list(uint64_t next)
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

static void forge_slot(uint32_t symbol, uint32_t name, bool marked)
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

static void forge(void)
{
	memset(forged, 0, sizeof forged);
	forge_headers(false);
	forge_dynamic(FORGED + DEBUG, sizeof(Elf64_Rela), 9);
	forge_list(0);
	forge_slot(1, 1, false);
}

static const struct prof_linked object = {.bias = FORGED, .dynamic = FORGED + DYNAMIC};

static size_t count_forged(struct prof_slots *slots)
{
	ck_assert_ok(prof_slots_find(slots, &forgery, &object, names, PROF_COUNT(names)));
	return slots->items.count;
}

START_TEST(knows_the_stub_of_a_slot_that_is_not_bound)
{
	struct prof_slots slots = {0};

	forge();
	ck_assert_uint_eq(count_forged(&slots), 1);
	ck_assert_uint_eq(slots.items.items[0].address, FORGED + SLOT);
	ck_assert_uint_eq(slots.items.items[0].value, FORGED + STUB);
	ck_assert(slots.items.items[0].unbound);
	forge_slot(1, 1, true);
	ck_assert_uint_eq(count_forged(&slots), 2);
	ck_assert(slots.items.items[1].unbound);
	prof_slots_deinit(&slots);
}
END_TEST

START_TEST(what_is_no_stub_is_bound)
{
	struct prof_slots slots = {0};

	forge();
	memset(forged + STUB, 0x90, 16);
	ck_assert_uint_eq(count_forged(&slots), 1);
	ck_assert(!slots.items.items[0].unbound);
	prof_slots_deinit(&slots);
}
END_TEST

START_TEST(damaged_tables_have_no_slots)
{
	struct prof_slots slots = {0};

	forge();
	forge_slot(0x00ffffff, 1, false); /* a symbol that is nowhere */
	ck_assert_uint_eq(count_forged(&slots), 0);
	forge_slot(1, 0x7fffffff, false); /* a name that is nowhere */
	ck_assert_uint_eq(count_forged(&slots), 0);
	forge();
	forge_dynamic(FORGED + DEBUG, UINT64_MAX, UINT64_MAX); /* tables without end */
	count_forged(&slots);
	prof_slots_deinit(&slots);
}
END_TEST

START_TEST(damaged_hash_tables_have_no_names)
{
	static const uint32_t circles[] = {1, 0, 0, 0, 1, 0, 0, 0};
	const Elf64_Dyn hash = {DT_GNU_HASH, {FORGED + JUMPS}};

	forge();
	put(DYNAMIC, &hash, sizeof hash);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
	put(JUMPS, circles, sizeof circles);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
	memset(forged + JUMPS, 0xff, 64);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
	forge_dynamic(UINT64_MAX, 0, 0);
	ck_assert_uint_eq(prof_dynamic_find(&forgery, &object, "getppid"), 0);
}
END_TEST

START_TEST(a_static_program_has_no_linker)
{
	struct prof_linkmap map = {0};

	forge();
	forge_headers(true);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "linked statically");
}
END_TEST

START_TEST(a_program_that_has_not_begun_has_no_list)
{
	struct prof_linkmap map = {0};

	forge();
	forge_dynamic(0, 0, 0);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "not begun");
}
END_TEST

START_TEST(a_list_in_a_circle_ends)
{
	struct prof_linkmap map = {0};

	forge();
	forge_list(FORGED + LIST);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "damaged");
	forge_list(0x42);
	ck_assert_error(prof_linkmap_read(&map, &forgery, FORGED, 3), "damaged");
	ck_assert_uint_eq(map.items.count, 0);
}
END_TEST

RUN_TESTS("slots", finds_what_objects_export, lists_the_objects_of_a_process,
	finds_the_slot_of_a_function_before_and_after_it_is_bound,
	finds_none_of_functions_that_are_not_called, knows_the_stub_of_a_slot_that_is_not_bound,
	what_is_no_stub_is_bound, damaged_tables_have_no_slots, damaged_hash_tables_have_no_names,
	a_static_program_has_no_linker, a_program_that_has_not_begun_has_no_list,
	a_list_in_a_circle_ends)
