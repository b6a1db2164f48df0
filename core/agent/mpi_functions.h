/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions of MPI whose calls the agent can take: those that the Sun Studio collector traced,
 * and those of later versions of MPI that messages cannot be matched without.  A row has the name
 * behind MPI_, how many arguments the function has, and what it does with messages
 * (enum prof_mpi_class).  Each is there under a second name, behind PMPI_: what a program has in
 * other languages, or for profiling, calls that one.
 */
#ifndef PROF_AGENT_MPI_FUNCTIONS_H
#define PROF_AGENT_MPI_FUNCTIONS_H

/* clang-format off */
#define PROF_MPI_FUNCTIONS(f) \
	f(Abort, 2, OTHER) \
	f(Accumulate, 9, OTHER) \
	f(Address, 2, OTHER) \
	f(Allgather, 7, ALL) \
	f(Allgatherv, 8, ALL) \
	f(Allreduce, 6, ALL) \
	f(Alltoall, 7, ALL) \
	f(Alltoallv, 9, ALL) \
	f(Alltoallw, 9, ALL) \
	f(Attr_delete, 2, OTHER) \
	f(Attr_get, 4, OTHER) \
	f(Attr_put, 3, OTHER) \
	f(Barrier, 1, BARRIER) \
	f(Bcast, 5, FROM_ROOT) \
	f(Bsend, 6, SEND) \
	f(Bsend_init, 7, SEND_INIT) \
	f(Buffer_attach, 2, OTHER) \
	f(Buffer_detach, 2, OTHER) \
	f(Cancel, 1, OTHER) \
	f(Cart_coords, 4, OTHER) \
	f(Cart_create, 6, COMM_MAKE) \
	f(Cart_get, 5, OTHER) \
	f(Cart_map, 5, OTHER) \
	f(Cart_rank, 3, OTHER) \
	f(Cart_shift, 5, OTHER) \
	f(Cart_sub, 3, COMM_MAKE) \
	f(Cartdim_get, 2, OTHER) \
	f(Comm_compare, 3, OTHER) \
	f(Comm_create, 3, COMM_MAKE) \
	f(Comm_create_group, 4, COMM_OF_GROUP) \
	f(Comm_disconnect, 1, COMM_FREE) \
	f(Comm_dup, 2, COMM_MAKE) \
	f(Comm_dup_with_info, 3, COMM_MAKE) \
	f(Comm_free, 1, COMM_FREE) \
	f(Comm_group, 2, OTHER) \
	f(Comm_idup, 3, COMM_IDUP) \
	f(Comm_idup_with_info, 4, COMM_IDUP) \
	f(Comm_rank, 2, OTHER) \
	f(Comm_remote_group, 2, OTHER) \
	f(Comm_remote_size, 2, OTHER) \
	f(Comm_size, 2, OTHER) \
	f(Comm_split, 4, COMM_MAKE) \
	f(Comm_split_type, 5, COMM_MAKE) \
	f(Comm_test_inter, 2, OTHER) \
	f(Dims_create, 3, OTHER) \
	f(Dist_graph_create, 9, COMM_MAKE) \
	f(Dist_graph_create_adjacent, 10, COMM_MAKE) \
	f(Errhandler_create, 2, OTHER) \
	f(Errhandler_free, 1, OTHER) \
	f(Errhandler_get, 2, OTHER) \
	f(Errhandler_set, 2, OTHER) \
	f(Error_class, 2, OTHER) \
	f(Error_string, 3, OTHER) \
	f(File_close, 1, OTHER) \
	f(File_delete, 2, OTHER) \
	f(File_get_amode, 2, OTHER) \
	f(File_get_atomicity, 2, OTHER) \
	f(File_get_byte_offset, 3, OTHER) \
	f(File_get_group, 2, OTHER) \
	f(File_get_info, 2, OTHER) \
	f(File_get_position, 2, OTHER) \
	f(File_get_position_shared, 2, OTHER) \
	f(File_get_size, 2, OTHER) \
	f(File_get_type_extent, 3, OTHER) \
	f(File_get_view, 5, OTHER) \
	f(File_iread, 5, OTHER) \
	f(File_iread_at, 6, OTHER) \
	f(File_iread_shared, 5, OTHER) \
	f(File_iwrite, 5, OTHER) \
	f(File_iwrite_at, 6, OTHER) \
	f(File_iwrite_shared, 5, OTHER) \
	f(File_open, 5, OTHER) \
	f(File_preallocate, 2, OTHER) \
	f(File_read, 5, OTHER) \
	f(File_read_all, 5, OTHER) \
	f(File_read_all_begin, 4, OTHER) \
	f(File_read_all_end, 3, OTHER) \
	f(File_read_at, 6, OTHER) \
	f(File_read_at_all, 6, OTHER) \
	f(File_read_at_all_begin, 5, OTHER) \
	f(File_read_at_all_end, 3, OTHER) \
	f(File_read_ordered, 5, OTHER) \
	f(File_read_ordered_begin, 4, OTHER) \
	f(File_read_ordered_end, 3, OTHER) \
	f(File_read_shared, 5, OTHER) \
	f(File_seek, 3, OTHER) \
	f(File_seek_shared, 3, OTHER) \
	f(File_set_atomicity, 2, OTHER) \
	f(File_set_info, 2, OTHER) \
	f(File_set_size, 2, OTHER) \
	f(File_set_view, 6, OTHER) \
	f(File_sync, 1, OTHER) \
	f(File_write, 5, OTHER) \
	f(File_write_all, 5, OTHER) \
	f(File_write_all_begin, 4, OTHER) \
	f(File_write_all_end, 3, OTHER) \
	f(File_write_at, 6, OTHER) \
	f(File_write_at_all, 6, OTHER) \
	f(File_write_at_all_begin, 5, OTHER) \
	f(File_write_at_all_end, 3, OTHER) \
	f(File_write_ordered, 5, OTHER) \
	f(File_write_ordered_begin, 4, OTHER) \
	f(File_write_ordered_end, 3, OTHER) \
	f(File_write_shared, 5, OTHER) \
	f(Finalize, 0, FINALIZE) \
	f(Gather, 8, TO_ROOT) \
	f(Gatherv, 9, TO_ROOT) \
	f(Get, 8, OTHER) \
	f(Get_count, 3, OTHER) \
	f(Get_elements, 3, OTHER) \
	f(Get_processor_name, 2, OTHER) \
	f(Get_version, 2, OTHER) \
	f(Graph_create, 6, COMM_MAKE) \
	f(Graph_get, 5, OTHER) \
	f(Graph_map, 5, OTHER) \
	f(Graph_neighbors, 4, OTHER) \
	f(Graph_neighbors_count, 3, OTHER) \
	f(Graphdims_get, 3, OTHER) \
	f(Group_compare, 3, OTHER) \
	f(Group_difference, 3, OTHER) \
	f(Group_excl, 4, OTHER) \
	f(Group_free, 1, OTHER) \
	f(Group_incl, 4, OTHER) \
	f(Group_intersection, 3, OTHER) \
	f(Group_rank, 2, OTHER) \
	f(Group_size, 2, OTHER) \
	f(Group_translate_ranks, 5, OTHER) \
	f(Group_union, 3, OTHER) \
	f(Ibsend, 7, ISEND) \
	f(Improbe, 6, IMPROBE) \
	f(Imrecv, 5, IMRECV) \
	f(Init, 2, INIT) \
	f(Init_thread, 4, INIT) \
	f(Intercomm_create, 6, INTERCOMM) \
	f(Intercomm_merge, 3, COMM_MAKE) \
	f(Irecv, 7, IRECV) \
	f(Irsend, 7, ISEND) \
	f(Isend, 7, ISEND) \
	f(Isendrecv, 12, ISENDRECV) \
	f(Isendrecv_replace, 9, ISENDRECV_REPLACE) \
	f(Issend, 7, ISEND) \
	f(Keyval_create, 4, OTHER) \
	f(Keyval_free, 1, OTHER) \
	f(Mprobe, 5, MPROBE) \
	f(Mrecv, 5, MRECV) \
	f(Op_create, 3, OTHER) \
	f(Op_free, 1, OTHER) \
	f(Pack, 7, OTHER) \
	f(Pack_size, 4, OTHER) \
	f(Probe, 4, OTHER) \
	f(Put, 8, OTHER) \
	f(Recv, 7, RECV) \
	f(Recv_init, 7, RECV_INIT) \
	f(Reduce, 7, TO_ROOT) \
	f(Reduce_scatter, 6, ALL) \
	f(Request_free, 1, REQUEST_FREE) \
	f(Rsend, 6, SEND) \
	f(Rsend_init, 7, SEND_INIT) \
	f(Scan, 6, OTHER) \
	f(Scatter, 8, FROM_ROOT) \
	f(Scatterv, 9, FROM_ROOT) \
	f(Send, 6, SEND) \
	f(Send_init, 7, SEND_INIT) \
	f(Sendrecv, 12, SENDRECV) \
	f(Sendrecv_replace, 9, SENDRECV_REPLACE) \
	f(Ssend, 6, SEND) \
	f(Ssend_init, 7, SEND_INIT) \
	f(Start, 1, START) \
	f(Startall, 2, STARTALL) \
	f(Test, 3, TEST) \
	f(Test_cancelled, 2, OTHER) \
	f(Testall, 4, TESTALL) \
	f(Testany, 5, TESTANY) \
	f(Testsome, 5, TESTSOME) \
	f(Topo_test, 2, OTHER) \
	f(Type_commit, 1, OTHER) \
	f(Type_contiguous, 3, OTHER) \
	f(Type_extent, 2, OTHER) \
	f(Type_free, 1, OTHER) \
	f(Type_hindexed, 5, OTHER) \
	f(Type_hvector, 5, OTHER) \
	f(Type_indexed, 5, OTHER) \
	f(Type_lb, 2, OTHER) \
	f(Type_size, 2, OTHER) \
	f(Type_struct, 5, OTHER) \
	f(Type_ub, 2, OTHER) \
	f(Type_vector, 5, OTHER) \
	f(Unpack, 7, OTHER) \
	f(Wait, 2, WAIT) \
	f(Waitall, 3, WAITALL) \
	f(Waitany, 4, WAITANY) \
	f(Waitsome, 5, WAITSOME) \
	f(Win_complete, 1, OTHER) \
	f(Win_create, 6, OTHER) \
	f(Win_fence, 2, OTHER) \
	f(Win_free, 1, OTHER) \
	f(Win_lock, 4, OTHER) \
	f(Win_post, 3, OTHER) \
	f(Win_start, 3, OTHER) \
	f(Win_test, 2, OTHER) \
	f(Win_unlock, 2, OTHER)
/* clang-format on */

/* What a function does with messages. */
enum prof_mpi_class {
	PROF_MPI_OTHER, /* it neither sends nor receives any */
	PROF_MPI_SEND,
	PROF_MPI_ISEND,
	PROF_MPI_RECV,
	PROF_MPI_IRECV,
	PROF_MPI_SENDRECV,
	PROF_MPI_SENDRECV_REPLACE,
	PROF_MPI_ISENDRECV,
	PROF_MPI_ISENDRECV_REPLACE,
	PROF_MPI_SEND_INIT,
	PROF_MPI_RECV_INIT,
	PROF_MPI_START,
	PROF_MPI_STARTALL,
	PROF_MPI_WAIT,
	PROF_MPI_WAITALL,
	PROF_MPI_WAITANY,
	PROF_MPI_WAITSOME,
	PROF_MPI_TEST,
	PROF_MPI_TESTALL,
	PROF_MPI_TESTANY,
	PROF_MPI_TESTSOME,
	PROF_MPI_MPROBE, /* it finds a message, which one of the next two receives */
	PROF_MPI_IMPROBE,
	PROF_MPI_MRECV,
	PROF_MPI_IMRECV,
	PROF_MPI_REQUEST_FREE,
	PROF_MPI_COMM_FREE,
	PROF_MPI_COMM_MAKE,     /* of the communicator that comes first the one that comes last */
	PROF_MPI_COMM_OF_GROUP, /* it makes the one that comes last, of a group of the first one */
	PROF_MPI_COMM_IDUP,     /* the one before the request is made when that is complete */
	PROF_MPI_INTERCOMM,     /* it makes the one that comes last, of two groups */
	PROF_MPI_INIT,
	PROF_MPI_FINALIZE,
	/* Collective, and the last argument is the communicator; before it comes the root. */
	PROF_MPI_BARRIER,
	PROF_MPI_ALL,
	PROF_MPI_FROM_ROOT,
	PROF_MPI_TO_ROOT,
};

#endif
