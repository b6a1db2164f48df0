/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates as fast as it can, and says how long that took. */
#include "pairs.h"

int main(int count, char **words)
{
	struct pairs pairs = read_pairs(count, words);

	printf("pair-ns %.2f\n", time_pairs(&pairs));
	return 0;
}
