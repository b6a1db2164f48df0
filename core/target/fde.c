/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/fde.h"

#include "base/ranges.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

/* Absolute pointers of 8 bytes: .debug_frame has them, and .eh_frame without an 'R'. */
enum { PLAIN = DW_EH_PE_absptr };

void prof_fdes_deinit(struct prof_fdes *table)
{
	free(table->items.items);
	*table = (struct prof_fdes){0};
}

/* The number of bytes of a pointer in ENCODING; 0: addresses of code do not have that encoding. */
static size_t pointer_size(unsigned encoding)
{
	switch (encoding & 0x07) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
		return 8;
	case DW_EH_PE_udata4:
		return 4;
	case DW_EH_PE_udata2:
		return 2;
	default:
		return 0;
	}
}

/* The encoding of addresses in the FDEs of CIE, or DW_EH_PE_omit. */
static unsigned find_encoding(const Dwarf_CIE *cie)
{
	const uint8_t *at = cie->augmentation_data;
	size_t left = cie->augmentation_data_size;

	if (!at || cie->augmentation[0] != 'z')
		return PLAIN;
	for (const char *letter = cie->augmentation + 1; *letter; letter++) {
		size_t skip = *letter == 'L' || *letter == 'P' || *letter == 'R';
		if (!skip)
			continue;
		if (!left)
			return DW_EH_PE_omit;
		if (*letter == 'R')
			return *at;
		if (*letter == 'P')
			skip += pointer_size(*at);
		if (skip > left)
			return DW_EH_PE_omit;
		at += skip;
		left -= skip;
	}
	return PLAIN;
}

static uint64_t read_number(const uint8_t *at, unsigned encoding)
{
	uint64_t wide = 0;
	size_t size = pointer_size(encoding);
	unsigned unused = 64 - 8 * (unsigned)size;

	memcpy(&wide, at, size); /* objects of the other byte order were refused before */
	if (encoding & DW_EH_PE_signed && unused)
		return (uint64_t)((int64_t)(wide << unused) >> unused);
	return wide;
}

/* The bounds of FDE, encoded as ENCODING says. */
static bool read_bounds(const struct prof_fde_section *section, const Dwarf_FDE *fde,
	unsigned encoding, struct prof_fde *ret)
{
	size_t size = pointer_size(encoding);
	const uint8_t *base = section->data->d_buf;

	if (encoding == DW_EH_PE_omit || !size || (size_t)(fde->end - fde->start) < 2 * size)
		return false;
	ret->low = read_number(fde->start, encoding);
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		break;
	case DW_EH_PE_pcrel:
		ret->low += section->address + (uint64_t)(fde->start - base);
		break;
	default:
		return false;
	}
	ret->high = ret->low + read_number(fde->start + size, encoding & 0x07);
	return ret->high > ret->low;
}

/* FDEs follow their CIE closely, so the last CIE that was read is kept. */
struct known_cie {
	Dwarf_Off offset;
	unsigned encoding;
};

static void look_up_cie(
	const struct prof_fde_section *section, Dwarf_Off offset, struct known_cie *known)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;

	if (known->offset == offset)
		return;
	known->offset = offset;
	known->encoding = DW_EH_PE_omit;
	if (!dwarf_next_cfi(
		    section->ident, section->data, section->eh_frame, offset, &next, &entry) &&
		dwarf_cfi_cie_p(&entry))
		known->encoding = section->eh_frame ? find_encoding(&entry.cie) : PLAIN;
}

bool prof_fdes_add(struct prof_fdes *table, const struct prof_fde_section *section)
{
	struct known_cie known = {.offset = (Dwarf_Off)-1};
	Dwarf_Off offset = 0;
	Dwarf_Off next;
	Dwarf_CFI_Entry entry;

	for (;; offset = next) {
		next = offset;
		int result = dwarf_next_cfi(
			section->ident, section->data, section->eh_frame, offset, &next, &entry);
		if (result > 0 || next <= offset)
			return true;
		if (result < 0 || dwarf_cfi_cie_p(&entry))
			continue;
		struct prof_fde bounds;
		look_up_cie(section, entry.fde.CIE_pointer, &known);
		if (!read_bounds(section, &entry.fde, known.encoding, &bounds))
			continue;
		struct prof_fde *added = prof_array_push(&table->items);
		if (!added)
			return false;
		*added = bounds;
	}
}

static int compare(const void *left, const void *right)
{
	const struct prof_fde *a = left;
	const struct prof_fde *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

void prof_fdes_sort(struct prof_fdes *table)
{
	if (table->items.count)
		qsort(table->items.items, table->items.count, sizeof *table->items.items, compare);
}

const struct prof_fde *prof_fdes_find(const struct prof_fdes *table, uint64_t address)
{
	return prof_ranges_find(
		table->items.items, table->items.count, sizeof *table->items.items, address);
}
