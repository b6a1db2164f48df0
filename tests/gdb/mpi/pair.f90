! SPDX-License-Identifier: GPL-3.0-or-later
! What pair.c does, in Fortran.
program pair
  use mpi
  implicit none
  integer :: rank, ierr, request, data(100)
  double precision :: more(5)
  data = 0; more = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    call MPI_Send(data, 10, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
    call MPI_Isend(more, 5, MPI_DOUBLE_PRECISION, 1, 8, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  else if (rank == 1) then
    call MPI_Recv(data, 100, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Irecv(more, 5, MPI_DOUBLE_PRECISION, 0, 8, MPI_COMM_WORLD, request, ierr)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  end if
  call MPI_Bcast(data, 10, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
