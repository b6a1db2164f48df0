/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prof-messages --waits, of a rank that waits for the message of another. */
#include "operations.h"
#include "traced_program.h"

static struct prof_experiment *create(bool any)
{
	struct prof_experiment *experiment = traced_create();

	experiment->recording.rate_asked = 0;
	experiment->recording.families = experiment->recording.events = 0;
	if (!any)
		return experiment;
	for (int64_t rank = 0; rank < 2; rank++)
		operate_init(rank);
	operate_message(PROF_OPERATION_SEND, 0, 1, 2500000, 2600000);
	operate_message(PROF_OPERATION_RECEIVE, 1, 0, 1000000, 2700000);
	operate_all(PROF_OPERATION_BARRIER, 0, -1, 2, 3000000, 4000000);
	operate_all(PROF_OPERATION_BARRIER, 1, -1, 2, 3500000, 4000000);
	/* A message that nobody has received so far. */
	operate_message(PROF_OPERATION_SEND, 0, 1, 5000000, 5000000);
	for (size_t i = 0; i < operation_count; i++)
		ck_assert_ok(prof_mpi_operation_add(experiment, &operations[i]));
	return experiment;
}

static char *show_waits(bool any, struct prof_choice choice)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment = create(any);

	return show("messages", experiment, &choice);
}

START_TEST(waits_have_their_cause_and_ranks)
{
	check_text(show_waits(true, (struct prof_choice){.own = choose("messages", "waits")}),
		"Matched: 1 of 2 messages, 1 of 1 collective operations.\n"
		"    Wait          Longest\n"
		"    Time  Waits      Wait\n"
		"    sec.             sec.  Cause\n"
		"0.002000      2  0.001500  <Total>\n"
		"0.001500      1  0.001500  Late Sender: rank 1 waits for rank 0\n"
		"0.000500      1  0.000500  Wait at Barrier: rank 0 waits for rank 1\n");
}
END_TEST

START_TEST(data_has_a_row_for_each_cause_and_pair)
{
	check_text(show_waits(true,
			   (struct prof_choice){.format = PROF_FORMAT_CSV,
				   .own = choose("messages", "waits limit=1")}),
		"cause,rank,for_rank,waits,wait,longest\nlate_sender,1,0,1,0.0015,0.0015\n");
}
END_TEST

START_TEST(without_messages_it_says_how_to_record_them)
{
	check_text(show_waits(false, (struct prof_choice){.own = choose("messages", "waits")}),
		"No messages between ranks: prof-start --mpi records them.\n");
}
END_TEST

RUN_TESTS("message_waits", waits_have_their_cause_and_ranks, data_has_a_row_for_each_cause_and_pair,
	without_messages_it_says_how_to_record_them)
