/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For GDB's jit-reader-load: knows the one function of a program that tests/programs/jit.c has put
 * into memory.  It pushes one register, %rbp, and has its return address above that.
 */
#include <elf.h>
#include <gdb/jit-reader.h>
#include <stdint.h>
#include <stdlib.h>

GDB_DECLARE_GPL_COMPATIBLE_READER

enum { RBP = 6, RSP = 7, RIP = 16 }; /* DWARF's numbers */
enum { RET = 0xc3 };

static GDB_CORE_ADDR begin, end;

static enum gdb_status read_code(
	struct gdb_reader_funcs *self, struct gdb_symbol_callbacks *gdb, void *memory, long size)
{
	const Elf64_Ehdr *header = memory;
	const Elf64_Phdr *segment = (const void *)((const char *)memory + header->e_phoff);

	(void)self;
	(void)size;
	for (int i = 0; i < header->e_phnum; i++, segment++)
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
			end = segment->p_vaddr + segment->p_memsz;
	begin = header->e_entry;
	struct gdb_object *object = gdb->object_open(gdb);
	struct gdb_symtab *table = gdb->symtab_open(gdb, object, "compiled.source");
	gdb->block_open(gdb, table, NULL, begin, end, "compiled");
	gdb->symtab_close(gdb, table);
	gdb->object_close(gdb, object);
	return GDB_SUCCESS;
}

static uint64_t get(struct gdb_unwind_callbacks *gdb, int number)
{
	struct gdb_reg_value *value = gdb->reg_get(gdb, number);
	uint64_t word = value->defined ? *(uint64_t *)(void *)value->value : 0;

	if (value->free)
		value->free(value);
	return word;
}

static void free_value(struct gdb_reg_value *value)
{
	free(value);
}

static void set(struct gdb_unwind_callbacks *gdb, int number, uint64_t word)
{
	struct gdb_reg_value *value = calloc(1, sizeof *value + sizeof word);

	if (!value)
		abort();
	value->size = sizeof word;
	value->defined = 1;
	value->free = free_value;
	*(uint64_t *)(void *)value->value = word;
	gdb->reg_set(gdb, number, value);
}

/* Where the frame's return address is; 0: it is another's frame. */
static uint64_t find_return(struct gdb_unwind_callbacks *gdb)
{
	GDB_CORE_ADDR pc = get(gdb, RIP);
	unsigned char code;

	if (pc < begin || pc >= end || !gdb->target_read(pc, &code, 1))
		return 0;
	return get(gdb, RSP) + (pc == begin || code == RET ? 0 : 8);
}

static enum gdb_status unwind(struct gdb_reader_funcs *self, struct gdb_unwind_callbacks *gdb)
{
	uint64_t place = find_return(gdb), word;

	(void)self;
	if (!place || !gdb->target_read(place, &word, sizeof word))
		return GDB_FAIL;
	set(gdb, RIP, word);
	set(gdb, RSP, place + 8);
	if (place == get(gdb, RSP))
		set(gdb, RBP, get(gdb, RBP));
	else if (gdb->target_read(place - 8, &word, sizeof word))
		set(gdb, RBP, word);
	return GDB_SUCCESS;
}

static struct gdb_frame_id get_id(struct gdb_reader_funcs *self, struct gdb_unwind_callbacks *gdb)
{
	(void)self;
	return (struct gdb_frame_id){begin, find_return(gdb)};
}

static void destroy(struct gdb_reader_funcs *self)
{
	(void)self;
}

struct gdb_reader_funcs *gdb_init_reader(void)
{
	static struct gdb_reader_funcs reader = {
		GDB_READER_INTERFACE_VERSION, NULL, read_code, unwind, get_id, destroy};

	return &reader;
}
