/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/bar.h"

#include <string.h>

enum { EIGHTHS = 8 };

const char *prof_bar_print(double share, char *buffer)
{
	/* U+2588 is a full block, and U+258F an eighth of it. */
	static const char blocks[][4] = {" ", "\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d",
		"\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a", "\xe2\x96\x89", "\xe2\x96\x88"};
	double within = share > 0 ? share < 1 ? share : 1 : 0;
	int eighths = (int)(within * PROF_BAR_WIDTH * EIGHTHS + .5);
	char *at = buffer;

	if (within > 0 && !eighths)
		eighths = 1;
	for (int i = 0; i < PROF_BAR_WIDTH; i++) {
		int part = eighths - i * EIGHTHS;
		at = stpcpy(at, blocks[part < 0 ? 0 : part > EIGHTHS ? EIGHTHS : part]);
	}
	return buffer;
}
