/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Bars: shares as a row of blocks, for terminals that show them. */
#ifndef PROF_REPORT_BAR_H
#define PROF_REPORT_BAR_H

#include <stddef.h>

enum {
	PROF_BAR_WIDTH = 10,                   /* columns */
	PROF_BAR_TEXT = 3 * PROF_BAR_WIDTH + 1 /* bytes, the NUL included */
};

/*
 * Writes the bar of SHARE, from 0 to 1, in eighths of blocks and padded to its width, into BUFFER
 * of PROF_BAR_TEXT bytes.  Returns it.  Whatever is more than nothing is seen.
 */
const char *prof_bar_print(double share, char *buffer);

#endif
