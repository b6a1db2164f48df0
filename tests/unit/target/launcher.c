/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/launcher.h"

#include "base/memory.h"

#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Finds the rank after those of Open MPI, MPICH, Slurm and PMIx were set; NULL: not set. */
static struct prof_launch find(const char *const values[][2])
{
	clearenv();
	for (size_t i = 0; values[i][0]; i++)
		setenv(values[i][0], values[i][1], 1);
	return prof_launcher_find(getenv);
}

START_TEST(each_launcher_tells_the_rank_in_its_way)
{
	static const char *const open[][2] = {{"OMPI_COMM_WORLD_RANK", "3"},
		{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_NAMESPACE", "819068929"}, {"PMIX_RANK", "3"},
		{NULL, NULL}};
	static const char *const mpich[][2] = {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}, {NULL, NULL}};
	static const char *const slurm[][2] = {{"SLURM_PROCID", "63"},
		{"SLURM_STEP_NUM_TASKS", "64"}, {"SLURM_STEP_ID", "0"}, {"SLURM_JOB_ID", "77"},
		{NULL, NULL}};
	static const char *const pmix[][2] = {
		{"PMIX_RANK", "2"}, {"PMIX_NAMESPACE", "slurm.pmix.77.0"}, {NULL, NULL}};
	struct prof_launch rank = find(open);

	ck_assert_str_eq(rank.launcher, "Open MPI");
	ck_assert_int_eq(rank.rank, 3);
	ck_assert_int_eq(rank.size, 4);
	ck_assert_str_eq(rank.job, "819068929");
	rank = find(mpich);
	ck_assert_str_eq(rank.launcher, "MPICH");
	ck_assert_int_eq(rank.rank, 0);
	ck_assert_int_eq(rank.size, 1);
	ck_assert_str_eq(rank.job, "");
	rank = find(slurm);
	ck_assert_str_eq(rank.launcher, "Slurm");
	ck_assert_int_eq(rank.rank, 63);
	ck_assert_int_eq(rank.size, 64);
	ck_assert_str_eq(rank.job, "77.0");
	rank = find(pmix);
	ck_assert_str_eq(rank.launcher, "PMIx");
	ck_assert_int_eq(rank.rank, 2);
	ck_assert_int_eq(rank.size, 0);
	ck_assert_str_eq(rank.job, "slurm.pmix.77.0");
}
END_TEST

START_TEST(job_of_mpich_has_a_name_where_slurm_gives_one)
{
	static const char *const mpich[][2] = {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"},
		{"PMI_JOBID", "77.3"}, {"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"},
		{"SLURM_STEP_ID", "3"}, {"SLURM_JOB_ID", "77"}, {NULL, NULL}};
	struct prof_launch rank = find(mpich);

	ck_assert_str_eq(rank.launcher, "MPICH");
	ck_assert_str_eq(rank.job, "77.3");
}
END_TEST

START_TEST(name_that_is_too_long_is_cut_off)
{
	char name[2 * PROF_LAUNCH_NAME];
	const char *const values[][2] = {
		{"PMIX_RANK", "2"}, {"PMIX_NAMESPACE", name}, {NULL, NULL}};

	memset(name, 'x', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	ck_assert_uint_eq(strlen(find(values).job), PROF_LAUNCH_NAME - 1);
}
END_TEST

START_TEST(environment_of_another_process_is_read)
{
	static const char block[] = "HOME=/\0XPMI_RANK=7\0PMI_RANK=3\0PMI_RANKS=9\0PMI_SIZE=4\0";
	struct prof_launch rank = prof_launcher_find_in(block);

	ck_assert_str_eq(rank.launcher, "MPICH");
	ck_assert_int_eq(rank.rank, 3);
	ck_assert_int_eq(rank.size, 4);
	ck_assert_ptr_null(prof_launcher_find_in("").launcher);
	ck_assert_ptr_null(prof_launcher_find_in("PMI_RANK=3\0").launcher);
}
END_TEST

START_TEST(the_library_knows_better_than_slurm)
{
	static const char *const both[][2] = {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"},
		{"SLURM_STEP_ID", "1"}, {"OMPI_COMM_WORLD_RANK", "5"},
		{"OMPI_COMM_WORLD_SIZE", "8"}, {NULL, NULL}};

	ck_assert_int_eq(find(both).rank, 5);
}
END_TEST

START_TEST(what_is_in_no_job_has_no_rank)
{
	static const char *const none[][2] = {{NULL, NULL}};
	static const char *const script[][2] = {
		{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "64"}, {NULL, NULL}};

	ck_assert_ptr_null(find(none).launcher);
	ck_assert_ptr_null(find(script).launcher);
}
END_TEST

START_TEST(nonsense_is_no_rank)
{
	static const char *const wrong[][2] = {{"", "4"}, {"-1", "4"}, {"4", "4"}, {"1x", "4"},
		{"1", "0"}, {"1", ""}, {"99999999999999999999", "99999999999999999999"}};

	for (size_t i = 0; i < PROF_COUNT(wrong); i++) {
		const char *const values[][2] = {
			{"PMI_RANK", wrong[i][0]}, {"PMI_SIZE", wrong[i][1]}, {NULL, NULL}};
		ck_assert_ptr_null(find(values).launcher);
	}
}
END_TEST

RUN_TESTS("launcher", each_launcher_tells_the_rank_in_its_way,
	job_of_mpich_has_a_name_where_slurm_gives_one, name_that_is_too_long_is_cut_off,
	environment_of_another_process_is_read, the_library_knows_better_than_slurm,
	what_is_in_no_job_has_no_rank, nonsense_is_no_rank)
