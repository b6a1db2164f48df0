! SPDX-License-Identifier: GPL-3.0-or-later
! A module and a contained procedure: what Fortran mangles.
module work
  implicit none
  integer, volatile :: total = 0
contains
  subroutine spin(turns)
    integer, intent(in) :: turns
    integer :: i
    do i = 1, turns
      total = mod(total + i, 1000) ! LOOP
    end do
  end subroutine spin

  subroutine count_up(turns)
    integer, intent(in) :: turns
    integer :: i
    do i = 1, turns
      call spin(1000000)
    end do
  end subroutine count_up
end module work

program names
  use work
  call count_up(300)
end program names
