# The compiler wrappers, and what pkg-config and CMake need to find this MPI. The build tree has the same shape as an
# install prefix (bin, include, lib), so the same files serve both.
include(CMakePackageConfigHelpers)

function(foldlane_relative out from to)
  file(RELATIVE_PATH path ${CMAKE_INSTALL_PREFIX}/${from} ${CMAKE_INSTALL_PREFIX}/${to})
  string(REGEX REPLACE "/$" "" path "${path}")
  set(${out} "${path}" PARENT_SCOPE)
endfunction()

# foldlane_wrapper(name cc|cxx-variable default-compiler link…)
function(foldlane_wrapper name variable compiler)
  set(FOLDLANE_WRAPPER ${name})
  set(FOLDLANE_WRAPPER_VARIABLE ${variable})
  set(FOLDLANE_WRAPPER_COMPILER
    "compiler=\${FOLDLANE_${variable}:-\${MPICH_${variable}:-\${OMPI_${variable}:-${compiler}}}}")
  foldlane_relative(FOLDLANE_INCLUDE_FROM_BIN ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_INCLUDEDIR})
  foldlane_relative(FOLDLANE_LIBRARY_FROM_BIN ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR})
  set(installed ${CMAKE_CURRENT_BINARY_DIR}/${name})
  configure_file(mpicc.in ${installed} @ONLY FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  install(PROGRAMS ${installed} TYPE BIN)
  set(FOLDLANE_INCLUDE_FROM_BIN ../include)
  set(FOLDLANE_LIBRARY_FROM_BIN ../lib)
  configure_file(mpicc.in ${PROJECT_BINARY_DIR}/bin/${name} @ONLY FILE_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  foreach(link IN LISTS ARGN)
    foldlane_link(${link} ${name})
  endforeach()
endfunction()

function(foldlane_pkg_config name pc_name description version)
  set(FOLDLANE_PC_NAME ${pc_name})
  set(FOLDLANE_PC_DESCRIPTION ${description})
  set(FOLDLANE_PC_VERSION ${version})
  foldlane_relative(FOLDLANE_PREFIX_FROM_PKGCONFIG ${CMAKE_INSTALL_LIBDIR}/pkgconfig "")
  configure_file(mpi_abi.pc.in ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

foldlane_wrapper(mpicc CC cc mpicc_abi)
foldlane_wrapper(mpicxx CXX c++ mpic++ mpiCC mpicxx_abi)
foldlane_pkg_config(mpi_abi "MPI standard ABI" "MPI 5.0 standard ABI, provided by Foldlane" 5.0)
foldlane_pkg_config(foldlane Foldlane "${PROJECT_DESCRIPTION}" ${PROJECT_VERSION})

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Foldlane)
configure_package_config_file(FoldlaneConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/FoldlaneConfig.cmake
  INSTALL_DESTINATION ${config_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/FoldlaneConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/FoldlaneConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/FoldlaneConfigVersion.cmake
  DESTINATION ${config_dir})
