/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of two ranks that were added up, and of a third one, which was not recorded. */
#include "traced_program.h"

/* Rank RANK - 1 and PEER - 1 exchanged messages. */
static void add_exchange(struct prof_experiment *experiment, int second, uint32_t rank,
	uint32_t peer, int64_t sends, int64_t sent, int64_t receives, int64_t received)
{
	const int64_t values[PROF_TRACED_VALUES] = {[PROF_TRACED_MPI_SENDS] = sends,
		[PROF_TRACED_MPI_SENT] = sent,
		[PROF_TRACED_MPI_RECEIVES] = receives,
		[PROF_TRACED_MPI_RECEIVED] = received};
	uint32_t frame = 0;
	uint32_t number = traced_total(experiment, &frame, 1, 0, second, values);

	prof_experiment_ranks(experiment, number, (int64_t)rank - 1, (int64_t)peer - 1);
}

static char *show_messages(const struct prof_choice *choice)
{
	struct prof_experiment *experiment = traced_create();

	experiment->recording.rate_asked = 0;
	experiment->recording.families = experiment->recording.events = 0;
	add_exchange(experiment, 1, 1, 2, 2, 80, 0, 0);
	add_exchange(experiment, 2, 1, 2, 1, 20, 1, 8);
	add_exchange(experiment, 1, 2, 1, 1, 8, 3, 100);
	add_exchange(experiment, 1, 2, 3, 1, 4000, 5, 6);
	add_exchange(experiment, 1, 2, 0, 0, 0, 1, 1);
	add_exchange(experiment, 1, 2, 0, 0, 0, 0, 0);
	char *shown = show("messages", experiment, choice);
	prof_experiment_destroy(experiment);
	return shown;
}

START_TEST(pairs_are_sorted_by_bytes)
{
	check_text(show_messages(&(struct prof_choice){0}),
		"  MPI  Bytes       MPI     Bytes\n"
		"Sends   Sent  Receives  Received  Messages\n"
		"    5   4108        10       115  <Total>\n"
		"    1   4000         0         0  from rank 1 to rank 2\n"
		"    3    100         3       100  from rank 0 to rank 1\n"
		"    1      8         1         8  from rank 1 to rank 0\n"
		"    0      0         5         6  from rank 2 to rank 1\n"
		"    0      0         1         1  from " PROF_UNKNOWN " to rank 1\n");
}
END_TEST

START_TEST(data_has_a_row_for_each_pair)
{
	struct prof_choice choice = {
		.format = PROF_FORMAT_CSV, .own = choose("messages", "limit=4")};

	check_text(show_messages(&choice),
		"sender,receiver,mpi_sends,mpi_sent,mpi_receives,mpi_received\n"
		"1,2,1,4000,0,0\n0,1,3,100,3,100\n1,0,1,8,1,8\n2,1,0,0,5,6\n");
	choice.own = NULL;
	choice.filter.values[PROF_CONDITION_THREAD] = "21";
	check_text(show_messages(&choice),
		"sender,receiver,mpi_sends,mpi_sent,mpi_receives,mpi_received\n");
}
END_TEST

START_TEST(a_matrix_has_senders_and_receivers)
{
	check_text(show_messages(&(struct prof_choice){.own = choose("messages", "matrix")}),
		"to   to    to\n"
		" 0    1     2  Bytes\n"
		"    100        from rank 0\n"
		" 8       4000  from rank 1\n"
		"      6        from rank 2\n");
}
END_TEST

START_TEST(the_picture_is_the_matrix)
{
	struct prof_choice choice = {.format = PROF_FORMAT_PICTURE};
	char *shown = show_messages(&choice);

	ck_assert_ptr_nonnull(strstr(shown, "from rank 1 to rank 2: 4000 bytes in 1 message<"));
	ck_assert_ptr_nonnull(strstr(shown, "Bytes Sent</title>"));
	ck_assert_ptr_nonnull(
		strstr(shown, ">Left out: messages from or to unknown ranks: 1, bytes: 1.</text>"));
	free(shown);
	choice.filter.values[PROF_CONDITION_THREAD] = "21";
	shown = show_messages(&choice);
	ck_assert_ptr_nonnull(strstr(shown, ">Filter: --thread=21 (2 of 13 records).</text>"));
	ck_assert_ptr_nonnull(strstr(shown, ">No messages between ranks: "));
	ck_assert_ptr_null(strstr(shown, "Left out"));
	free(shown);
}
END_TEST

START_TEST(waits_have_no_picture)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = traced_create();
	AUTO_TEXT struct prof_text text = {0};
	const struct prof_choice choice = {
		.format = PROF_FORMAT_PICTURE, .own = choose("messages", "waits")};

	ck_assert_error(
		prof_view_print(prof_view_find("messages"), experiment, &choice, NULL, &text),
		"prof-messages draws the matrix, not waits: leave out --waits, or choose "
		"another --format.");
}
END_TEST

START_TEST(without_messages_it_says_how_to_record_them)
{
	check_text(traced_show("messages", &(struct prof_choice){0}),
		"No messages between ranks: prof-start --mpi records them.\n");
}
END_TEST

RUN_TESTS("messages", pairs_are_sorted_by_bytes, data_has_a_row_for_each_pair,
	a_matrix_has_senders_and_receivers, the_picture_is_the_matrix, waits_have_no_picture,
	without_messages_it_says_how_to_record_them)
