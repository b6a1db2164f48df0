/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/tracing/tracing_choice.h"

#include "plugin/option/amount.h"
#include "plugin/option/settings.h"
#include "tracing/ring.h"

#include "suite.h"

static const size_t MB = 1 << 20;

/* The settings; without GDB they are here. */
static size_t memory = 256 << 20;
static bool children;
static struct mpi_settings mpi = {.stacks = true, .buffer = 64 << 20};
static bool fails;

struct prof_error *settings_get_tracing(size_t *ret_memory, bool *ret_children)
{
	*ret_memory = memory;
	*ret_children = children;
	return fails ? prof_error_create(PROF_ERROR_USAGE, "Bad memory.") : NULL;
}

struct prof_error *mpi_settings_get(struct mpi_settings *ret)
{
	*ret = mpi;
	return NULL;
}

struct prof_error *amount_read_waits(const char *text, bool *calibrate, int64_t *threshold)
{
	*calibrate = !*text;
	*threshold = *text ? 5000 : 0;
	return strcmp(text, "bad") != 0 ? NULL : prof_error_create(PROF_ERROR_USAGE, "Bad waits.");
}

static struct tracing_request read_choice(struct tracing_choice choice)
{
	ck_assert_ok(tracing_choice_read(&choice));
	return choice.request;
}

START_TEST(options_choose_families)
{
	ck_assert_uint_eq(read_choice((struct tracing_choice){0}).families, 0);
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.heap = true}).families, PROF_FAMILY_HEAP);
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.sync = ""}).families, PROF_FAMILY_SYNC);
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.mpi = ""}).families, PROF_FAMILY_MPI);
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.omp = true}).families, PROF_FAMILY_OMP);
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.heap = true, .sync = "", .mpi = ""}).families,
		PROF_FAMILY_HEAP | PROF_FAMILY_SYNC | PROF_FAMILY_MPI);
	ck_assert_str_eq(tracing_choice_options.rows[0].name, "heap");
	ck_assert_uint_eq(tracing_choice_options.size, sizeof(struct tracing_choice));
}
END_TEST

START_TEST(mpi_takes_one_word)
{
	struct tracing_choice choice = {.mpi = "handshakes"};

	ck_assert(!read_choice((struct tracing_choice){.mpi = ""}).mpi_handshake);
	ck_assert(read_choice((struct tracing_choice){.mpi = "handshake"}).mpi_handshake);
	ck_assert_error(tracing_choice_read(&choice), "handshakes");
}
END_TEST

START_TEST(settings_are_read)
{
	children = true;
	struct tracing_request request = read_choice((struct tracing_choice){.sync = "5"});

	ck_assert(request.children && !request.calibrate);
	ck_assert_int_eq(request.threshold, 5000);
	ck_assert_uint_eq(request.memory, 256 * MB);
	children = false;
	request = read_choice((struct tracing_choice){.sync = ""});
	ck_assert(!request.children && request.calibrate);
}
END_TEST

START_TEST(ring_has_room_for_calls_of_mpi)
{
	/* Alone, they have the buffer that was asked for. */
	ck_assert_uint_eq(read_choice((struct tracing_choice){.mpi = ""}).memory, 64 * MB);
	ck_assert(read_choice((struct tracing_choice){.mpi = ""}).mpi.stacks);
	/* With others, the larger one. */
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.mpi = "", .heap = true}).memory, 256 * MB);
	mpi.buffer = 512 * MB;
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.mpi = "", .heap = true}).memory, 512 * MB);
	/* Neither too little to work with nor more than any machine has. */
	mpi.buffer = 720;
	ck_assert_uint_eq(read_choice((struct tracing_choice){.mpi = ""}).memory, MB);
	mpi.buffer = UINT64_C(1) << 50;
	ck_assert_uint_eq(
		read_choice((struct tracing_choice){.mpi = ""}).memory, UINT64_C(64) << 30);
	/* Without them it does not matter. */
	ck_assert_uint_eq(read_choice((struct tracing_choice){.heap = true}).memory, 256 * MB);
}
END_TEST

START_TEST(errors_are_returned)
{
	struct tracing_choice choice = {.sync = "bad"};

	ck_assert_error(tracing_choice_read(&choice), "Bad waits.");
	choice = (struct tracing_choice){.heap = true};
	fails = true;
	ck_assert_error(tracing_choice_read(&choice), "Bad memory.");
}
END_TEST

RUN_TESTS("tracing_choice", options_choose_families, mpi_takes_one_word, settings_are_read,
	ring_has_room_for_calls_of_mpi, errors_are_returned)
