! Strings, sizes and types of Fortran: what is padded, trimmed and cut, and what MPI makes of kinds.
program facts
  use mpi_f08
  use check
  implicit none
  call MPI_Init()
  call names()
  call infos()
  call sizes()
  call types_of_kinds()
  call statuses()
  call MPI_Finalize()
  call finish_checks()

contains

  subroutine names()
    character(len=MPI_MAX_OBJECT_NAME) :: name
    character(len=5) :: short
    character(len=MPI_MAX_ERROR_STRING) :: text
    integer :: length
    call MPI_Comm_set_name(MPI_COMM_SELF, "  a name of mine    ")
    name = repeat("x", len(name))
    call MPI_Comm_get_name(MPI_COMM_SELF, name, length)
    call expect(name == "  a name of mine" .and. length == 16, "a name, padded with blanks")
    call MPI_Comm_get_name(MPI_COMM_SELF, short, length)
    call expect(short == "  a n" .and. length == 16, "a name that is too long for its variable")
    call MPI_Error_string(MPI_ERR_COUNT, text, length)
    call expect(length == len_trim(text) .and. index(text, "MPI_ERR_COUNT") > 0, "MPI_Error_string")
    call MPI_Comm_set_name(MPI_COMM_SELF, "")
    call MPI_Comm_get_name(MPI_COMM_SELF, name, length)
    call expect(name == "" .and. length == 0, "no name")
  end subroutine

  subroutine infos()
    type(MPI_Info) :: info
    character(len=8) :: value
    character(len=20) :: key
    integer :: length
    logical :: found
    call MPI_Info_create(info)
    call MPI_Info_set(info, "  key ", " a value ")
    call MPI_Info_get_nthkey(info, 0, key)
    call expect(key == "key", "blanks around a key")
    length = 0
    call MPI_Info_get_string(info, "key", length, value, found)
    call expect(found .and. length == 7, "the length of a value, without the null character")
    value = "xxxxxxxx"
    length = len(value)
    call MPI_Info_get_string(info, " key", length, value, found)
    call expect(found .and. value == "a value" .and. length == 7, "MPI_Info_get_string")
    length = 3
    call MPI_Info_get_string(info, "key", length, value, found)
    call expect(found .and. value == "a v" .and. length == 7, "a value that is cut")
    value = "xxxxxxxx"
    length = len(value)
    call MPI_Info_get_string(info, "other", length, value, found)
    call expect(.not. found .and. value == "xxxxxxxx", "a key that is not there")
    call MPI_Info_get_valuelen(info, "key", length, found)
    call expect(found .and. length == 7, "MPI_Info_get_valuelen")
    call MPI_Info_free(info)
    call expect(info == MPI_INFO_NULL, "MPI_Info_free")
  end subroutine

  subroutine sizes()
    integer :: size
    complex(8) :: wide(3)
    character(len=11) :: text
    logical(1) :: small
    call MPI_Sizeof(wide, size)
    call expect(size == 16, "MPI_Sizeof of an array")
    call MPI_Sizeof(wide(1:3:2), size)
    call expect(size == 16, "MPI_Sizeof of a section")
    call MPI_Sizeof(text, size)
    call expect(size == 11, "MPI_Sizeof of a text")
    call MPI_Sizeof(small, size)
    call expect(size == 1, "MPI_Sizeof of a LOGICAL")
    call expect(MPI_Aint_add(MPI_Aint_diff(7_MPI_ADDRESS_KIND, 2_MPI_ADDRESS_KIND), -5_MPI_ADDRESS_KIND) == 0, "addresses")
    call expect(kind(1) == MPI_INTEGER_KIND .and. MPI_STATUS_SIZE == 8, "kinds")
  end subroutine

  subroutine types_of_kinds()
    type(MPI_Datatype) :: type, again
    integer :: size
    call MPI_Type_create_f90_real(precision(1d0), range(1d0), type)
    call MPI_Type_size(type, size)
    call expect(size == 8, "MPI_Type_create_f90_real")
    call MPI_Type_create_f90_real(precision(1d0), range(1d0), again)
    call expect(type == again, "the same type twice")
    call MPI_Type_create_f90_integer(range(1_2), type)
    call MPI_Type_size(type, size)
    call expect(size == 2, "MPI_Type_create_f90_integer")
    call MPI_Type_create_f90_complex(MPI_UNDEFINED, 30, type)
    call MPI_Type_size(type, size)
    call expect(size == 8, "MPI_Type_create_f90_complex")
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 16, type)
    call expect(type == MPI_REAL16, "MPI_Type_match_size")
  end subroutine

  subroutine statuses()
    type(MPI_Status) :: status
    integer :: count
    logical :: flag
    call MPI_Status_set_elements(status, MPI_REAL, 5)
    call MPI_Status_set_cancelled(status, .true.)
    call MPI_Get_count(status, MPI_REAL, count)
    call MPI_Test_cancelled(status, flag)
    call expect(count == 5 .and. flag, "a status that the program fills")
    call MPI_Status_set_source(status, 3)
    call MPI_Status_set_tag(status, 4)
    call expect(status%MPI_SOURCE == 3 .and. status%MPI_TAG == 4, "its source and tag")
    call MPI_Get_elements(status, MPI_REAL, count)
    call expect(count == 5, "MPI_Get_elements")
  end subroutine
end program
