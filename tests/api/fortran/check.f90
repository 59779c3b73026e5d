! What the Fortran tests share.
module check
  implicit none
  integer :: failures = 0
contains
  subroutine expect(ok, what)
    logical, intent(in) :: ok
    character(len=*), intent(in) :: what
    if (ok) return
    failures = failures + 1
    print "(2a)", "failed: ", what
  end subroutine
  subroutine finish_checks()
    if (failures > 0) error stop 1
  end subroutine
end module
