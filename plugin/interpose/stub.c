/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/interpose/stub.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The address of a socket whose other end is looked for. */
union address {
	struct sockaddr any;
	struct sockaddr_in four;
	struct sockaddr_in6 six;
};

/* The port of ADDRESS, if that is of this machine's loopback; otherwise 0. */
static unsigned int loopback_port(const union address *address)
{
	const struct in6_addr *six = &address->six.sin6_addr;

	if (address->any.sa_family == AF_INET)
		return ntohl(address->four.sin_addr.s_addr) >> 24 == 127
			? ntohs(address->four.sin_port)
			: 0;
	if (address->any.sa_family != AF_INET6)
		return 0;
	bool is_loopback =
		IN6_IS_ADDR_LOOPBACK(six) || (IN6_IS_ADDR_V4MAPPED(six) && six->s6_addr[12] == 127);
	return is_loopback ? ntohs(address->six.sin6_port) : 0;
}

/*
 * The inode of the socket with port LOCAL that is connected to port REMOTE, from a table of the
 * kernel's; 0 if there is none.
 */
static uint64_t find_inode(const char *table, unsigned int local, unsigned int remote)
{
	FILE *file = fopen(table, "re");
	unsigned int here, there;
	uint64_t inode, found = 0;
	char line[512];

	while (file && !found && fgets(line, sizeof line, file)) {
		/* sl local remote st tx:rx tr:when retransmitted uid timeout inode */
		if (sscanf(line,
			    " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%x %*x %*s %*s %*s %*u %*u %" SCNu64,
			    &here, &there, &inode) == 3 &&
			here == local && there == remote)
			found = inode;
	}
	if (file)
		fclose(file);
	return found;
}

/* Is NAME in FOLDER a link to WANTED? */
static bool is_link(const char *folder, const char *name, const char *wanted)
{
	char path[64 + NAME_MAX], link[64];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	ssize_t length = readlink(path, link, sizeof link);
	return length == (ssize_t)strlen(wanted) && !memcmp(link, wanted, (size_t)length);
}

/* Does the process PID have the socket INODE open? */
static bool has_socket(long pid, uint64_t inode)
{
	char folder[32], wanted[48];
	bool found = false;

	snprintf(folder, sizeof folder, "/proc/%ld/fd", pid);
	snprintf(wanted, sizeof wanted, "socket:[%" PRIu64 "]", inode);
	DIR *files = opendir(folder);
	for (struct dirent *entry; files && !found && (entry = readdir(files));)
		found = is_link(folder, entry->d_name, wanted);
	if (files)
		closedir(files);
	return found;
}

/* Is PID one of the user-mode emulators: "qemu-aarch64", not "qemu-system-aarch64"? */
static bool is_emulator(long pid)
{
	char path[32], program[PATH_MAX];

	snprintf(path, sizeof path, "/proc/%ld/exe", pid);
	ssize_t length = readlink(path, program, sizeof program - 1);
	program[length > 0 ? length : 0] = '\0';
	const char *slash = strrchr(program, '/');
	return slash && !strncmp(slash, "/qemu-", 6) && strncmp(slash, "/qemu-system-", 13) != 0;
}

/* The emulator that has opened the socket INODE, or 0. */
static long find_owner(uint64_t inode)
{
	DIR *processes = opendir("/proc");
	long found = 0;

	for (struct dirent *entry; processes && !found && (entry = readdir(processes));) {
		long pid = strtol(entry->d_name, NULL, 10);
		if (pid > 0 && is_emulator(pid) && has_socket(pid, inode))
			found = pid;
	}
	if (processes)
		closedir(processes);
	return found;
}

static long find_process(int wire)
{
	union address own, other;
	socklen_t own_size = sizeof own, other_size = sizeof other;
	struct ucred peer;
	socklen_t peer_size = sizeof peer;

	if (getsockname(wire, &own.any, &own_size) || getpeername(wire, &other.any, &other_size))
		return 0;
	if (own.any.sa_family == AF_UNIX)
		return getsockopt(wire, SOL_SOCKET, SO_PEERCRED, &peer, &peer_size) ||
				!is_emulator(peer.pid)
			? 0
			: peer.pid;
	unsigned int local = loopback_port(&other);
	unsigned int remote = loopback_port(&own);
	if (!local || !remote)
		return 0;
	uint64_t inode = find_inode("/proc/net/tcp", local, remote);
	if (!inode)
		inode = find_inode("/proc/net/tcp6", local, remote);
	return inode ? find_owner(inode) : 0;
}

int stub_open(int wire)
{
	long pid = find_process(wire);

	return pid ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
}

bool stub_interrupt(int stub)
{
	return !syscall(SYS_pidfd_send_signal, stub, SIGINT, NULL, 0);
}
