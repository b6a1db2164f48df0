/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes and releases locks as fast as it can, and says how long that took. */
#include "locks.h"

int main(int count, char **words)
{
	read_locks(count, words);
	printf("lock-ns %.2f\n", time_locks());
	return 0;
}
