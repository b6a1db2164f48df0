/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The emulator at the other end of a connection: a child whose program has the name of one. */
#include "plugin/interpose/stub.h"

#include "sample_child.h"
#include "scratch.h"

#include <arpa/inet.h>
#include <limits.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

/* What the child executes, and the socket that its program has open: its end of a connection. */
static struct {
	char program[PATH_MAX];
	struct sockaddr_un path; /* to which it connects first; sun_family 0: it need not */
} child;

static void run(void)
{
	if (child.path.sun_family) {
		int file = socket(AF_UNIX, SOCK_STREAM, 0);
		if (connect(file, (struct sockaddr *)&child.path, sizeof child.path))
			_exit(1);
	}
	execl(child.program, child.program, "1000000", NULL);
	_exit(1);
}

/* Starts a child that sleeps, by the name of NAME, and has what the test has open. */
static pid_t start(const char *name)
{
	char command[2 * PATH_MAX], link[64], now[PATH_MAX];
	ssize_t length;

	snprintf(child.program, sizeof child.program, "%s/%s", scratch, name);
	snprintf(command, sizeof command, "cp \"$(command -v sleep)\" %s", child.program);
	ck_assert_int_eq(system(command), 0);
	pid_t process = child_start(run);
	snprintf(link, sizeof link, "/proc/%ld/exe", (long)process);
	do {
		length = readlink(link, now, sizeof now - 1);
		ck_assert_int_gt(length, 0);
		now[length] = '\0';
	} while (strcmp(now, child.program) != 0);
	return process;
}

/* Two ends of a connection over the loopback: of GDB, and of the target that listens. */
struct ends {
	int gdb, target;
};

/* Connects to LISTENER, which is bound, by a socket of FAMILY. */
static struct ends connect_to(int listener, int family, struct sockaddr *address, socklen_t size)
{
	struct ends ends = {.gdb = socket(family, SOCK_STREAM, 0)};

	ck_assert_int_eq(listen(listener, 1), 0);
	ck_assert_int_ge(ends.gdb, 0);
	ck_assert_int_eq(connect(ends.gdb, address, size), 0);
	ends.target = accept(listener, NULL, NULL);
	ck_assert_int_ge(ends.target, 0);
	close(listener);
	return ends;
}

static struct ends connect_four(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0);

	ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, size), 0);
	ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	return connect_to(listener, AF_INET, (struct sockaddr *)&address, size);
}

/* By IPv6, which machines may lack: then *ENDS stays as it is.  MAPPED: to IPv4's loopback. */
static bool connect_six(bool mapped, struct ends *ends)
{
	struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET6, SOCK_STREAM, 0);

	if (mapped)
		ck_assert_int_eq(inet_pton(AF_INET6, "::ffff:127.0.0.1", &address.sin6_addr), 1);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, size))
		return false;
	ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	*ends = connect_to(listener, AF_INET6, (struct sockaddr *)&address, size);
	return true;
}

/* Must find PROCESS at the other end of WIRE. */
static void check_found(int wire, pid_t process)
{
	int status;
	int stub = stub_open(wire);

	ck_assert_int_ge(stub, 0);
	/* Its program has no handler. */
	ck_assert(stub_interrupt(stub));
	ck_assert_int_eq(waitpid(process, &status, 0), process);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), SIGINT);
	ck_assert(!stub_interrupt(stub));
	close(stub);
	ck_assert_int_lt(stub_open(wire), 0);
}

START_TEST(emulator_is_found_over_ipv4)
{
	enter_scratch();
	struct ends ends = connect_four();
	pid_t process = start("qemu-aarch64");

	close(ends.target);
	check_found(ends.gdb, process);
}
END_TEST

START_TEST(emulator_is_found_over_ipv6)
{
	struct ends ends;

	for (int mapped = 0; mapped < 2; mapped++) {
		if (!connect_six(mapped, &ends))
			continue;
		enter_scratch();
		pid_t process = start("qemu-aarch64-static");
		close(ends.target);
		check_found(ends.gdb, process);
		close(ends.gdb);
	}
}
END_TEST

START_TEST(emulator_is_found_over_a_local_socket)
{
	enter_scratch();
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	child.path.sun_family = AF_UNIX;
	snprintf(child.path.sun_path, sizeof child.path.sun_path, "%s/socket", scratch);
	ck_assert_int_eq(bind(listener, (struct sockaddr *)&child.path, sizeof child.path), 0);
	ck_assert_int_eq(listen(listener, 1), 0);
	pid_t process = start("qemu-arm");
	int wire = accept(listener, NULL, NULL);

	ck_assert_int_ge(wire, 0);
	check_found(wire, process);
}
END_TEST

START_TEST(other_programs_are_no_emulators)
{
	static const char *const names[] = {
		"qemu-system-aarch64", "gdbserver", "qemu", "my-qemu-aarch64"};

	enter_scratch();
	struct ends ends = connect_four();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		pid_t process = start(names[i]);
		ck_assert_msg(stub_open(ends.gdb) < 0, "%s", names[i]);
		kill(process, SIGKILL);
	}
	close(ends.target);
	children_end();
}
END_TEST

START_TEST(emulator_with_another_connection_is_another)
{
	enter_scratch();
	struct ends other = connect_four();
	pid_t process = start("qemu-aarch64");
	struct ends ends = connect_four();

	ck_assert_int_lt(stub_open(ends.gdb), 0);
	close(other.target);
	check_found(other.gdb, process);
}
END_TEST

START_TEST(emulator_that_has_hung_up_is_none)
{
	enter_scratch();
	struct ends ends = connect_four();

	close(ends.target);
	start("qemu-aarch64");
	ck_assert_int_lt(stub_open(ends.gdb), 0);
	children_end();
}
END_TEST

START_TEST(what_is_no_connection_has_no_other_end)
{
	int ends[2];

	ck_assert_int_lt(stub_open(-1), 0);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_lt(stub_open(ends[0]), 0);
	ck_assert_int_lt(stub_open(socket(AF_INET, SOCK_STREAM, 0)), 0);
	ck_assert_int_lt(stub_open(socket(AF_UNIX, SOCK_STREAM, 0)), 0);
	/* Both ends are the test's, which is no emulator. */
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	ck_assert_int_lt(stub_open(ends[0]), 0);
	ck_assert_int_lt(stub_open(connect_four().gdb), 0);
	ck_assert(!stub_interrupt(-1));
}
END_TEST

RUN_TESTS("stub", emulator_is_found_over_ipv4, emulator_is_found_over_ipv6,
	emulator_is_found_over_a_local_socket, other_programs_are_no_emulators,
	emulator_with_another_connection_is_another, emulator_that_has_hung_up_is_none,
	what_is_no_connection_has_no_other_end)
