! SPDX-License-Identifier: GPL-3.0-or-later
! The same by the module of Fortran 2008.
program pair
  use mpi_f08
  implicit none
  integer :: rank, ierr, data(100)
  type(MPI_Request) :: request
  double precision :: more(5)
  data = 0; more = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Send(data, 10, MPI_INTEGER, 1, 7, MPI_COMM_WORLD)
    call MPI_Isend(more, 5, MPI_DOUBLE_PRECISION, 1, 8, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  else if (rank == 1) then
    call MPI_Recv(data, 100, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Irecv(more, 5, MPI_DOUBLE_PRECISION, 0, 8, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
  end if
  call MPI_Bcast(data, 10, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Finalize()
end program
