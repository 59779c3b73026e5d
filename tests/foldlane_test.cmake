# foldlane_test(name SOURCES a.cpp … LINKS lib … [LABELS l …] [TIMEOUT s] [ISA_LEVELS] [SMALL_FILTER pattern])
#
# One GoogleTest binary, registered as one CTest test. ISA_LEVELS registers it once more for every x86 level
# below the best one (FOLDLANE_DISABLE_ISA), so that each code path runs on one machine. SMALL_FILTER is the
# --gtest_filter of those runs, and of the only run under a sanitizer (where a fork takes ten milliseconds) or an
# emulator.
# EVERYDAY_FILTER is that of every run but one with the label "long", for what takes minutes otherwise.
# Where foldlane_test_optimisation is set (to -O0), tests are built that way: assertions take twice as long to build
# optimised, and most tests do not run long enough to win that back.
# CTest calls a binary passed that skips one of its tests; tools/test says which were skipped.
# The timeout is the watchdog of last resort; the binaries have their own (tests/support/watchdog.hpp).
find_package(GTest REQUIRED)
include(GoogleTest)

# GoogleTest's headers take a second of each file, so those that are compiled the same way share them precompiled. The
# program to whose name they belong is empty.
function(foldlane_share_test_headers name)
  if(NOT FOLDLANE_QUICK_BUILD)
    return()
  endif()
  set(owner foldlane_test_headers${foldlane_test_optimisation})
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/test_headers.cpp CONTENT "int main() {}\n")
    add_executable(${owner} ${PROJECT_BINARY_DIR}/generated/test_headers.cpp)
    target_link_libraries(${owner} PRIVATE foldlane_flags GTest::gtest)
    target_compile_options(${owner} PRIVATE ${foldlane_test_optimisation})
    target_precompile_headers(${owner} PRIVATE <gtest/gtest.h> <algorithm> <functional> <map> <memory> <string> <thread> <vector>)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${owner})
endfunction()

function(foldlane_test name)
  cmake_parse_arguments(test "ISA_LEVELS" "TIMEOUT;SMALL_FILTER;EVERYDAY_FILTER" "SOURCES;LINKS;LABELS" ${ARGN})
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 300)
  endif()
  set(filter "*")
  if(test_EVERYDAY_FILTER)
    set(filter ${test_EVERYDAY_FILTER})
  endif()
  set(levels "avx512" "avx512,avx2" "avx512,avx2,sse")
  if(test_SMALL_FILTER AND (FOLDLANE_SANITIZE OR CMAKE_CROSSCOMPILING))
    set(filter ${test_SMALL_FILTER})
    set(levels "")
  elseif(NOT test_SMALL_FILTER)
    set(test_SMALL_FILTER "*")
  endif()
  add_executable(${name} ${test_SOURCES})
  target_link_libraries(${name} PRIVATE foldlane_flags ${test_LINKS} GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${foldlane_test_optimisation})
  foldlane_share_test_headers(${name})
  add_test(NAME ${name} COMMAND ${name} --gtest_filter=${filter})
  set(all_tests ${name})
  foreach(label ${test_LABELS})
    set_property(GLOBAL APPEND PROPERTY foldlane_${label}_tests ${name})
  endforeach()
  if(test_ISA_LEVELS AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    foreach(disabled ${levels})
      string(REPLACE "," "+" suffix ${disabled})
      add_test(NAME ${name}.without-${suffix} COMMAND ${name} --gtest_filter=${test_SMALL_FILTER})
      set_tests_properties(${name}.without-${suffix} PROPERTIES ENVIRONMENT FOLDLANE_DISABLE_ISA=${disabled})
      list(APPEND all_tests ${name}.without-${suffix})
    endforeach()
  endif()
  if(test_EVERYDAY_FILTER)
    add_test(NAME ${name}.all COMMAND ${name})
    set_tests_properties(${name}.all PROPERTIES TIMEOUT 1800 LABELS "${test_LABELS};long")
  endif()
  set_tests_properties(${all_tests} PROPERTIES TIMEOUT ${test_TIMEOUT} LABELS "${test_LABELS}")
endfunction()

# foldlane_supports(result call …): whether the library has these calls of MPI already.
function(foldlane_supports result)
  set(table ${PROJECT_SOURCE_DIR}/api/table/functions.tsv)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  set(${result} TRUE PARENT_SCOPE)
  foreach(call ${ARGN})
    file(STRINGS ${table} line REGEX "^${call}\t.*\tyes(\t|$)")
    if(NOT line)
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
