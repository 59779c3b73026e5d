# The compiler wrappers, and what pkg-config and CMake need to find this MPI: for the build tree, which has the shape
# of an install prefix (bin, include, lib), and for an installation.
include(CMakePackageConfigHelpers)

function(foldlane_relative out from to)
  file(RELATIVE_PATH path ${CMAKE_INSTALL_PREFIX}/${from} ${CMAKE_INSTALL_PREFIX}/${to})
  string(REGEX REPLACE "/$" "" path "${path}")
  set(${out} "${path}" PARENT_SCOPE)
endfunction()

# foldlane_wrapper(name cc|cxx|fc-variable default-compiler link…)
function(foldlane_wrapper name variable compiler)
  set(FOLDLANE_WRAPPER ${name})
  set(FOLDLANE_WRAPPER_LIBRARIES mpi_abi)
  set(FOLDLANE_WRAPPER_IS_FORTRAN "")
  if(variable STREQUAL FC)
    set(FOLDLANE_WRAPPER_LIBRARIES "mpifort_abi mpi_abi")
    set(FOLDLANE_WRAPPER_IS_FORTRAN yes)
  endif()
  set(FOLDLANE_WRAPPER_VARIABLE ${variable})
  set(FOLDLANE_WRAPPER_COMPILER
    "compiler=\${FOLDLANE_${variable}:-\${MPICH_${variable}:-\${OMPI_${variable}:-${compiler}}}}")
  foldlane_relative(FOLDLANE_INCLUDE_FROM_BIN ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_INCLUDEDIR})
  foldlane_relative(FOLDLANE_LIBRARY_FROM_BIN ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR})
  foldlane_relative(FOLDLANE_LIBEXEC_FROM_BIN ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBEXECDIR}/foldlane)
  set(installed ${CMAKE_CURRENT_BINARY_DIR}/${name})
  configure_file(compile/mpicc.in ${installed} @ONLY FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${installed} TYPE BIN)
  set(FOLDLANE_INCLUDE_FROM_BIN ../include)
  set(FOLDLANE_LIBRARY_FROM_BIN ../lib)
  set(FOLDLANE_LIBEXEC_FROM_BIN ../libexec/foldlane)
  configure_file(compile/mpicc.in ${PROJECT_BINARY_DIR}/bin/${name} @ONLY FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  foreach(link IN LISTS ARGN)
    foldlane_link(${link} ${name})
  endforeach()
endfunction()

# foldlane_pkg_config(name pc-name description version libraries [modules])
function(foldlane_pkg_config name pc_name description version libraries)
  set(FOLDLANE_PC_NAME ${pc_name})
  list(JOIN libraries " -l" FOLDLANE_PC_LIBRARIES)
  set(FOLDLANE_PC_MODULES "")
  if(ARGN)
    set(FOLDLANE_PC_MODULES "-I\${includedir}/${ARGN} ")
  endif()
  set(FOLDLANE_PC_DESCRIPTION ${description})
  set(FOLDLANE_PC_VERSION ${version})
  foldlane_relative(FOLDLANE_PREFIX_FROM_PKGCONFIG ${CMAKE_INSTALL_LIBDIR}/pkgconfig "")
  configure_file(compile/mpi_abi.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  set(CMAKE_INSTALL_INCLUDEDIR include)
  set(CMAKE_INSTALL_LIBDIR lib)
  set(FOLDLANE_PREFIX_FROM_PKGCONFIG ../..)
  configure_file(compile/mpi_abi.pc.in ${PROJECT_BINARY_DIR}/lib/pkgconfig/${name}.pc @ONLY)
endfunction()

foldlane_wrapper(mpicc CC cc mpicc_abi)
foldlane_wrapper(mpicxx CXX c++ mpic++ mpiCC mpicxx_abi)
if(FOLDLANE_FORTRAN)
  foldlane_wrapper(mpifort FC gfortran mpif90 mpif77 mpifort_abi)
  file(COPY compile/make-modules DESTINATION ${PROJECT_BINARY_DIR}/libexec/foldlane)
  install(PROGRAMS compile/make-modules DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/foldlane)
endif()
foldlane_pkg_config(mpi_abi "MPI standard ABI" "MPI 5.0 standard ABI, provided by Foldlane" 5.0 mpi_abi)
foldlane_pkg_config(foldlane Foldlane "${PROJECT_DESCRIPTION}" ${PROJECT_VERSION} mpi_abi)
if(FOLDLANE_FORTRAN)
  foldlane_pkg_config(mpifort_abi "MPI standard ABI for Fortran" "MPI 5.0 for ${FOLDLANE_MODULES}, provided by Foldlane"
    5.0 "mpifort_abi;mpi_abi" ${FOLDLANE_MODULES})
endif()

# foldlane_package_config(directory prefix include lib bin)
function(foldlane_package_config directory prefix include lib bin)
  set(FOLDLANE_INCLUDE_DIR ${include})
  set(FOLDLANE_LIBRARY_DIR ${lib})
  set(FOLDLANE_BIN_DIR ${bin})
  configure_package_config_file(compile/FoldlaneConfig.cmake.in ${directory}/FoldlaneConfig.cmake
    INSTALL_DESTINATION lib/cmake/Foldlane INSTALL_PREFIX ${prefix}
    PATH_VARS FOLDLANE_INCLUDE_DIR FOLDLANE_LIBRARY_DIR FOLDLANE_BIN_DIR)
  write_basic_package_version_file(${directory}/FoldlaneConfigVersion.cmake COMPATIBILITY SameMinorVersion)
endfunction()

foldlane_package_config(${PROJECT_BINARY_DIR}/lib/cmake/Foldlane ${PROJECT_BINARY_DIR} include lib bin)
set(installed ${CMAKE_CURRENT_BINARY_DIR}/installed)
foldlane_package_config(${installed} ${CMAKE_INSTALL_PREFIX}
  ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_LIBDIR} ${CMAKE_INSTALL_BINDIR})
install(FILES ${installed}/FoldlaneConfig.cmake ${installed}/FoldlaneConfigVersion.cmake
  DESTINATION lib/cmake/Foldlane)

# Manual pages of the build tree's own commands, which know their options. With the program, not with everything, so
# that whoever builds only that can install it.
set(manuals ${PROJECT_BINARY_DIR}/share/man/man1)
file(MAKE_DIRECTORY ${manuals})
add_custom_command(TARGET foldlane POST_BUILD
  COMMAND foldlane --man > ${manuals}/foldlane.1
  COMMAND foldlane --man mpiexec > ${manuals}/mpiexec.1
  COMMAND ${PROJECT_BINARY_DIR}/bin/mpicc --man > ${manuals}/mpicc.1
  COMMAND ${PROJECT_BINARY_DIR}/bin/mpicxx --man > ${manuals}/mpicxx.1
  COMMAND ${CMAKE_COMMAND} -E echo ".so man1/mpiexec.1" > ${manuals}/mpirun.1
  VERBATIM)
if(FOLDLANE_FORTRAN)
  add_custom_command(TARGET foldlane POST_BUILD
    COMMAND ${PROJECT_BINARY_DIR}/bin/mpifort --man > ${manuals}/mpifort.1 VERBATIM)
endif()
install(DIRECTORY ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR})
