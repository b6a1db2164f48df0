/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has call frame information of every kind, for the tests that read it, and that damage it. */
#ifndef PROF_TESTS_TARGET_CFI_H
#define PROF_TESTS_TARGET_CFI_H

#include "target/arch.h"
#include "target/cfi.h"
#include "target/elf.h"
#include "target/maps.h"
#include "target/process.h"
#include "target/step.h"

#include "suite.h"

#include <unistd.h>

/* DWARF numbers. */
enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R11 = 11, R12, R15 = 15, RIP };

/*
 * Functions that are never run: their call frame information is what counts.  Every instruction is
 * a nop, of one byte.
 */
__asm__(".text\n"
	"cfi_frame: .cfi_startproc\n"
	"	nop\n"
	"	.cfi_def_cfa_offset 16\n	.cfi_offset rbp, -16\n	nop\n"
	"	.cfi_def_cfa_register rbp\n	nop\n	nop\n"
	"	.cfi_def_cfa rsp, 8\n	.cfi_restore rbp\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_frame_end:\n"
	"cfi_saved: .cfi_startproc\n"
	"	.cfi_def_cfa_offset 4096\n	.cfi_offset rbx, -16\n	.cfi_offset rbp, -24\n"
	"	.cfi_offset r12, -32\n	.cfi_offset r13, -40\n	.cfi_offset r14, -48\n"
	"	.cfi_offset r15, -56\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_kinds: .cfi_startproc\n"
	"	.cfi_signal_frame\n"
	"	.cfi_register rbx, r11\n	.cfi_undefined r12\n"
	"	.cfi_escape 0x14, 13, 3\n"                 /* DW_CFA_val_offset r13, 3 * -8 */
	"	.cfi_escape 0x10, 14, 3, 0x08, 16, 0x22\n" /* DW_CFA_expression r14: const1u 16,
							      plus */
	"	.cfi_escape 0x16, 15, 2, 0x77, 24\n"       /* DW_CFA_val_expression r15: breg7 24 */
	"	.cfi_escape 0x0f, 3, 0x77, 8, 0x06\n" /* DW_CFA_def_cfa_expression: breg7 8, deref
						       */
	"	nop\n"
	"	.cfi_endproc\n"
	"cfi_outermost: .cfi_startproc\n"
	"	.cfi_undefined rip\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_silent:\n"
	"	nop\n	nop\n"
	"cfi_twin: .cfi_startproc\n"
	"	nop\n"
	"	.cfi_endproc\n"
	"cfi_personal: .cfi_startproc\n"
	"	.cfi_personality 0x9b, cfi_pointer\n	.cfi_lsda 0x1b, cfi_frame\n	nop\n"
	"	.cfi_endproc\n"
	"cfi_personal_end:\n"
	".section .data.rel.local,\"aw\"\n"
	"cfi_pointer: .quad cfi_frame\n"
	".text\n");

extern const char cfi_frame[], cfi_frame_end[], cfi_saved[], cfi_kinds[], cfi_outermost[];
extern const char cfi_silent[], cfi_twin[], cfi_personal[], cfi_personal_end[];

/* This program itself, as a module. */
struct own {
	struct prof_process process;
	struct prof_target target;
	struct prof_maps maps;
	struct prof_elf *module;
	struct prof_cfi_rows rows;
};

static inline void open_own(struct own *own, uint64_t address)
{
	*own = (struct own){0};
	prof_process_init(&own->process, getpid());
	own->target = prof_process_target(&own->process);
	ck_assert_ok(prof_maps_read(&own->maps, getpid()));
	const struct prof_mapping *mapping = prof_maps_find(&own->maps, address);
	ck_assert_ptr_nonnull(mapping);
	ck_assert_ok(
		prof_elf_open(getpid(), &own->target, &prof_arch_x86_64, mapping, &own->module));
}

static inline void close_own(struct own *own)
{
	prof_elf_close(own->module);
	prof_cfi_deinit(&own->rows);
	prof_maps_deinit(&own->maps);
}

#endif
