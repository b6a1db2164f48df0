/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parallel/mpi_stacks.h"

#include "parallel/class.h"
#include "parallel_stacks.h"

#define OMPI "[libopen-pal.so.40]"
#define VADER "[mca_btl_vader.so]"
#define MPICH "[libmpich.so.12]"
#define UCX "[libucp.so.0]"

/* Fails unless the stack of NAMES is of CLASS, an enum prof_class or 0. */
static void expect(const char *names, unsigned class)
{
	AUTO_EXPERIMENT struct prof_experiment *experiment;

	ck_assert_ok(prof_experiment_create(&experiment));
	uint32_t path = path_of_names(experiment, names);
	ck_assert_ok(prof_classes_update(experiment));
	unsigned found = prof_experiment_classes(experiment, path);
	ck_assert_msg(found == class, "%s: %u", names, found);
}

START_TEST(functions_are_known_by_their_names)
{
	ck_assert_uint_eq(prof_mpi_kinds("MPI_Send"), PROF_MPI_KIND_CALL);
	ck_assert_uint_eq(prof_mpi_kinds("PMPI_Allreduce"), PROF_MPI_KIND_CALL);
	ck_assert_uint_eq(prof_mpi_kinds("mpi_send_"), PROF_MPI_KIND_CALL);
	ck_assert_uint_eq(
		prof_mpi_kinds("pmpi_recv_"), PROF_MPI_KIND_CALL | PROF_MPI_KIND_BLOCKING);
	ck_assert_uint_eq(
		prof_mpi_kinds("MPI_Waitall"), PROF_MPI_KIND_CALL | PROF_MPI_KIND_BLOCKING);
	ck_assert_uint_eq(prof_mpi_kinds("MPI_Waiting"), PROF_MPI_KIND_CALL);
	ck_assert_uint_eq(prof_mpi_kinds("opal_progress"), PROF_MPI_KIND_POLLING);
	ck_assert_uint_eq(prof_mpi_kinds("__sched_yield"), PROF_MPI_KIND_POLLING);
	ck_assert_uint_eq(prof_mpi_kinds("<static>@0x1"), PROF_MPI_KIND_NAMELESS);
	ck_assert_uint_eq(prof_mpi_kinds("MPIR_Send"), 0);
	ck_assert_uint_eq(prof_mpi_kinds("mpi_"), 0);
	ck_assert_uint_eq(prof_mpi_kinds("P"), 0);
	ck_assert_uint_eq(prof_mpi_kinds("my_mpi_send_"), 0);
}
END_TEST

START_TEST(polling_waits)
{
	expect("main;MPI_Recv;mca_pml_ob1_recv;" OMPI "opal_progress", PROF_CLASS_MPI_WAIT);
	expect("main;MPI_Allreduce;" OMPI "opal_progress;" VADER "<static>@0x1",
		PROF_CLASS_MPI_WAIT);
	expect("main;PMPI_Allreduce;" MPICH "<static>@0x2;" UCX "ucp_worker_progress",
		PROF_CLASS_MPI_WAIT);
	expect("main;mpi_bcast_;PMPI_Bcast;ompi_request_default_wait", PROF_CLASS_MPI_WAIT);
	expect("main;MPI_Finalize;" OMPI "opal_progress;sched_yield", PROF_CLASS_MPI_WAIT);
}
END_TEST

START_TEST(without_a_name_the_call_decides)
{
	expect("main;MPI_Recv;" MPICH "<static>@0x2", PROF_CLASS_MPI_WAIT);
	expect("main;MPI_Wait", PROF_CLASS_MPI_WAIT);
	expect("main;MPI_Isend;" MPICH "<static>@0x2", PROF_CLASS_MPI_WORK);
	expect("main;MPI_Isend", PROF_CLASS_MPI_WORK);
}
END_TEST

START_TEST(what_polling_finds_is_work)
{
	expect("main;MPI_Recv;" OMPI "opal_progress;" VADER
	       "<static>@0x1;mca_pml_ob1_recv_frag_callback_match;memcpy",
		PROF_CLASS_MPI_WORK);
	expect("main;MPI_Send;mca_pml_ob1_send;memcpy", PROF_CLASS_MPI_WORK);
}
END_TEST

START_TEST(code_outside_of_mpi_is_in_no_class)
{
	expect("main;show_progress;poll", 0);
	expect("main;MPIDI_Recv", 0);
	/* The threads of its library are not inside of a call. */
	expect("clone3;start_thread;progress_engine;epoll_wait", 0);
}
END_TEST

RUN_TESTS("mpi stacks", functions_are_known_by_their_names, polling_waits,
	without_a_name_the_call_decides, what_polling_finds_is_work,
	code_outside_of_mpi_is_in_no_class)
