/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Vector registers that a stop clobbers.  gdbserver before version 14 writes all registers of a
 * thread that it resumes, and assumes Intel's layout of the XSAVE area.  That of AMD's CPUs with
 * AVX-512 is another: where the program has not used all parts of AVX-512, gdbserver clears bytes
 * of those that it has, zmm16 to zmm19 among them, in which the C library copies strings.
 */
#ifndef PROF_PLUGIN_ENGINE_CLOBBERED_H
#define PROF_PLUGIN_ENGINE_CLOBBERED_H

#include "base/text.h"

/* Warns, a sentence, where the current target may do so. */
void clobbered_say(struct prof_text *text);

#endif
