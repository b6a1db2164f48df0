/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampling/perf_shared.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool prof_perf_shared_add(struct prof_perf_shared *shared, int fd, size_t bytes, size_t least)
{
	bool good = false;

	if (shared->files.count)
		good = !ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, shared->files.items[0]);
	for (; !shared->files.count && !good && bytes >= least; bytes /= 2)
		good = prof_perf_ring_map(&shared->ring, fd, bytes);
	int reason = good ? ENOMEM : errno;
	int *file = good ? prof_array_push(&shared->files) : NULL;
	if (file) {
		*file = fd;
		return true;
	}
	if (!shared->files.count)
		prof_perf_ring_unmap(&shared->ring);
	close(fd);
	errno = reason;
	return false;
}

void prof_perf_shared_close(struct prof_perf_shared *shared)
{
	prof_perf_ring_unmap(&shared->ring);
	while (shared->files.count)
		close(shared->files.items[--shared->files.count]);
	free(shared->files.items);
	*shared = (struct prof_perf_shared){0};
}
