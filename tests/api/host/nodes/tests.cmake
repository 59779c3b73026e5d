# Several nodes: namespaces with the host between them, and those that MPICH can pretend, where neighbours are on
# different nodes.
foldlane_test(api_host_placement_test SOURCES nodes/placement_test.cpp ${PROJECT_SOURCE_DIR}/api/host/nodes/placement.cpp
  LINKS foldlane_engine LABELS api TIMEOUT 60)
target_include_directories(api_host_placement_test PRIVATE ${PROJECT_BINARY_DIR}/layers/api)

# foldlane_nodes_test(name [HOST h] NODES ranks,ranks… [LABEL l] [OPTIONS driver option …] [ON option of nodes.py …]
#                     [LAUNCH launcher option …] PROGRAM file [argument …])
set(accelerate ${PROJECT_BINARY_DIR}/bin/foldlane accelerate --explain)
set(launch_nodes_openmpi ${launch_openmpi} --mca mpi_yield_when_idle 1)
function(foldlane_nodes_test name)
  cmake_parse_arguments(test "" "HOST;NODES;LABEL" "OPTIONS;ON;LAUNCH;PROGRAM" ${ARGN})
  if(NOT test_HOST)
    set(test_HOST openmpi)
  endif()
  set(full ${name}.${test_HOST}.${test_NODES})
  if(test_LABEL)
    list(PREPEND test_OPTIONS --limit 7200)
  endif()
  # Over TCP MPICH 4.0 now and then does not come out of its own MPI_Finalize, with us or without: two ranks close
  # their UCX endpoints while two are in the PMI's barrier already.
  if(test_HOST STREQUAL mpich)
    list(PREPEND test_OPTIONS --may-not-end)
  endif()
  add_test(NAME ${full} COMMAND ${driver} ${test_OPTIONS} ${stub} ${CMAKE_CURRENT_SOURCE_DIR}/nodes/nodes.py ${test_ON} ${test_NODES}
    ${accelerate} mpirun.${test_HOST} ${launch_nodes_${test_HOST}} ${test_LAUNCH} ${test_PROGRAM})
  set_tests_properties(${full} PROPERTIES LABELS "api;job;${test_LABEL}" TIMEOUT 300 SKIP_RETURN_CODE 77)
  if(test_LABEL)
    set_tests_properties(${full} PROPERTIES TIMEOUT 7500)
  endif()
endfunction()

set(canonical "fold as one node would: 1")
set(by_nodes "fold on each node first, and then the nodes: 1")
if(FOLDLANE_MPICC_openmpi)
  foreach(program orders crossing)
    foldlane_host_program(${program} HOST openmpi WRAPPER mpicc SOURCES nodes/${program}.c FLAGS -std=gnu11)
  endforeach()
  foldlane_nodes_test(api_host_nodes_orders NODES 2,2
    OPTIONS --says "MPI_Reduce +40 here" --says ${canonical} PROGRAM ${built}/orders.openmpi 20011 equal)
  # Pieces of each length, and one that only one node wants.
  set(swapped_long "in long pieces: [1-9][0-9]*, in short ones: 0")
  set(swapped_short "in long pieces: 0, in short ones: [1-9]")
  foreach(length long short)
    foldlane_nodes_test(api_host_nodes_${length}_pieces NODES 1,1 LAUNCH -x FOLDLANE_ACCEL_PIECES=${length}
      OPTIONS --says ${swapped_${length}} --says ${canonical} PROGRAM ${built}/orders.openmpi 20011 equal)
  endforeach()
  foldlane_nodes_test(api_host_nodes_lonely_pieces NODES 1,1
    OPTIONS --says ${swapped_long} PROGRAM ${built}/orders.openmpi 20011 equal short)
  # What the devices of the nodes count.
  foldlane_nodes_test(api_host_nodes_crossing NODES 2,2
    OPTIONS --says "alltoallw: [0-9]+ bytes cross" --says " 2621568 bytes came from other nodes" PROGRAM ${built}/crossing.openmpi 65536 most)
  foreach(nodes 1,1 2,2 4,4)
    foldlane_nodes_test(api_host_nodes_crossing_long NODES ${nodes} LABEL long
      OPTIONS --says "alltoallw: [0-9]+ bytes cross" PROGRAM ${built}/crossing.openmpi 1048576 most)
  endforeach()
  foreach(victim mpirun.openmpi orted waiting.openmpi)
    foldlane_nodes_test(api_host_nodes_killed_${victim} NODES 2,2 ON --kill ${victim} LABEL long
      OPTIONS --fails --says "waiting" --never "is left" PROGRAM ${built}/waiting.openmpi)
  endforeach()
  foreach(nodes 2,1 1,1,1,1 2,2,2,2)
    foldlane_nodes_test(api_host_nodes_orders_long NODES ${nodes} LABEL long
      OPTIONS --says ${canonical} PROGRAM ${built}/orders.openmpi 300000 canonical)
  endforeach()
  # Several chunks.
  foreach(nodes 1,1 2,2)
    foldlane_nodes_test(api_host_nodes_orders_long NODES ${nodes} LABEL long
      OPTIONS --says ${canonical} PROGRAM ${built}/orders.openmpi 1300000 equal)
  endforeach()
  foreach(nodes 3,1 1,2 3,3)
    foldlane_nodes_test(api_host_nodes_orders_long NODES ${nodes} LABEL long
      OPTIONS --says ${by_nodes} PROGRAM ${built}/orders.openmpi 300000)
  endforeach()
  foreach(nodes 1,1 2,2 3,3 4,4 1,1,1,1 2,2,2,2)
    set(folded_first)
    if(nodes STREQUAL "3,3")
      set(folded_first LAUNCH -x FOLDLANE_TEST_FOLDED_FIRST=3)
    endif()
    foreach(oracle types sizes)
      foldlane_nodes_test(api_host_nodes_oracle_${oracle} NODES ${nodes} LABEL long ${folded_first}
        OPTIONS --says "0 differing bits" --says "MPI_Reduce_scatter +[0-9]+ here"
        PROGRAM ${built}/oracle_${oracle}.openmpi)
    endforeach()
    foreach(way MPIF_H MODULE F08)
      if(FOLDLANE_FORTRAN AND FOLDLANE_MPIF90_openmpi AND NOT folded_first)
        foldlane_nodes_test(api_host_nodes_fortran_${way} NODES ${nodes} LABEL long
          OPTIONS --says "[0-9]+ compared by rank 0, 0 differ" --says "MPI_Scan +[0-9]+ here" PROGRAM ${built}/fortran_${way}.openmpi)
      endif()
    endforeach()
  endforeach()
  foldlane_nodes_test(api_host_nodes_random_moves NODES 2,2
    OPTIONS --says "no byte differs" --says "MPI_Allgatherv +[0-9]+ here" PROGRAM ${built}/random_moves.openmpi 0 5)
  foreach(nodes 2,2 3,1 1,2 1,1,1,1)
    foldlane_nodes_test(api_host_nodes_oracle_moves NODES ${nodes} LABEL long
      OPTIONS --says "[0-9]+ compared by rank 0, 0 differ" --says "MPI_Scatterv +[0-9]+ here"
      PROGRAM ${built}/oracle_moves.openmpi today)
    foldlane_nodes_test(api_host_nodes_random_moves_long NODES ${nodes} LABEL long
      OPTIONS --says "no byte differs" PROGRAM ${built}/random_moves.openmpi 100 100)
  endforeach()
  foreach(nodes 1,1 2,2 2,1)
    foldlane_nodes_test(api_host_nodes_random_calls NODES ${nodes} LABEL long
      OPTIONS --says "none hangs, none differs" PROGRAM ${built}/random_calls.openmpi 3000000 2000)
  endforeach()
  foreach(program broadcasts prefixes progress threads forwarded)
    foldlane_nodes_test(api_host_nodes_${program} NODES 2,2 LABEL long PROGRAM ${built}/calls.openmpi ${program})
  endforeach()
  # Ranks without the stub, where the launcher was not told of it, and where it was but has no such file.
  set(nodes ${CMAKE_CURRENT_SOURCE_DIR}/nodes/nodes.py)
  add_test(NAME api_host_nodes_unknown
    COMMAND ${driver} --says "nothing is accelerated: .* several nodes" --never " here," ${stub} ${nodes} 1,1 mpirun.openmpi
            ${built}/calls.openmpi sum)
  add_test(NAME api_host_nodes_absent
    COMMAND ${driver} --fails --says "have not come to MPI_Init's end yet: is libfoldlane_accel.so there on all nodes"
            --says "have not come to MPI_Init's end for a minute" ${stub} ${nodes} 1,1 mpirun.openmpi
            -x FOLDLANE_ACCEL_NODES=all ${built}/calls.openmpi sum)
  set_tests_properties(api_host_nodes_unknown PROPERTIES LABELS "api;job" TIMEOUT 300 SKIP_RETURN_CODE 77)
  set_tests_properties(api_host_nodes_absent PROPERTIES LABELS "api;job;long" TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()

# foldlane_kills_test(HOST h VICTIMS name,name…): some hundred jobs that end early.
function(foldlane_kills_test)
  cmake_parse_arguments(test "" "HOST;VICTIMS" "" ${ARGN})
  foreach(nodes 3 2,2)
    set(full api_host_kills.${test_HOST}.${nodes})
    add_test(NAME ${full} COMMAND Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/nodes/kills.py --victims ${test_VICTIMS} 100 ${nodes}
      ${accelerate} mpirun.${test_HOST} ${launch_nodes_${test_HOST}} ${built}/waiting.${test_HOST} again)
    set_tests_properties(${full} PROPERTIES LABELS "api;job;long" TIMEOUT 3600 SKIP_RETURN_CODE 77)
  endforeach()
endfunction()
if(FOLDLANE_MPICC_openmpi)
  foldlane_kills_test(HOST openmpi VICTIMS mpirun.openmpi,orted,waiting.openmpi)
endif()
if(FOLDLANE_MPICC_mpich)
  foldlane_kills_test(HOST mpich VICTIMS mpirun.mpich,hydra_pmi_proxy,waiting.mpich)
endif()

if(FOLDLANE_MPICC_mpich)
  foldlane_host_program(orders HOST mpich WRAPPER mpicc SOURCES nodes/orders.c FLAGS -std=gnu11)
  # In blocks, with TCP between the nodes. Not every day, as it may take half a minute to end.
  foldlane_nodes_test(api_host_nodes_orders HOST mpich NODES 2,2 LABEL long
    OPTIONS --says "MPI_Reduce +40 here" --says ${canonical} PROGRAM ${built}/orders.mpich 20011 equal)
  foreach(oracle types sizes)
    foldlane_nodes_test(api_host_nodes_oracle_${oracle} HOST mpich NODES 2,2 LABEL long
      OPTIONS --says "0 differing bits" --says "MPI_Reduce_scatter +[0-9]+ here" PROGRAM ${built}/oracle_${oracle}.mpich)
  endforeach()
  foldlane_nodes_test(api_host_nodes_oracle_moves HOST mpich NODES 2,2 LABEL long
    OPTIONS --says "[0-9]+ compared by rank 0, 0 differ" PROGRAM ${built}/oracle_moves.mpich today)
  set(two_nodes -genv MPIR_CVAR_NUM_CLIQUES 2)
  foldlane_host_test(api_host_nodes_orders HOST mpich RANKS 4 LAUNCH ${two_nodes}
    OPTIONS --says "MPI_Reduce +40 here" --says ${by_nodes} PROGRAM ${built}/orders.mpich 20011)
  foldlane_host_test(api_host_nodes_memory HOST mpich RANKS 4 LAUNCH ${two_nodes}
    OPTIONS --fails --says "the job ends, as ranks on other nodes cannot be told" PROGRAM ${built}/calls.mpich memory)
  foldlane_host_test(api_host_nodes_communicators HOST mpich RANKS 4 LAUNCH ${two_nodes} LABEL long
    OPTIONS --says "MPI_Allreduce +360 here" PROGRAM ${built}/calls.mpich communicators)
  foreach(nodes 2 4)
    set(launch_nodes LAUNCH -genv MPIR_CVAR_NUM_CLIQUES ${nodes})
    foreach(each 1 2 3 4)
      math(EXPR ranks "${nodes} * ${each}")
      if(ranks GREATER 8)
        break()
      endif()
      set(folded_first)
      if(each EQUAL 3)
        set(folded_first -genv FOLDLANE_TEST_FOLDED_FIRST 3)
      endif()
      foreach(oracle types sizes)
        foldlane_host_test(api_host_${nodes}_nodes_oracle_${oracle} HOST mpich RANKS ${ranks} LABEL long ${launch_nodes} ${folded_first}
          OPTIONS --says "0 differing bits" --says "MPI_Reduce_scatter +[0-9]+ here" PROGRAM ${built}/oracle_${oracle}.mpich)
      endforeach()
      foreach(way MPIF_H MODULE F08)
        if(FOLDLANE_FORTRAN AND FOLDLANE_MPIF90_mpich AND NOT folded_first)
          foldlane_host_test(api_host_${nodes}_nodes_fortran_${way} HOST mpich RANKS ${ranks} LABEL long ${launch_nodes}
            OPTIONS --says "[0-9]+ compared by rank 0, 0 differ" --says "MPI_Scan +[0-9]+ here" PROGRAM ${built}/fortran_${way}.mpich)
        endif()
      endforeach()
    endforeach()
  endforeach()
  if(FOLDLANE_FORTRAN AND FOLDLANE_MPIF90_mpich)
    foldlane_host_test(api_host_nodes_fortran_F08 HOST mpich RANKS 4 LAUNCH ${two_nodes}
      OPTIONS --says "[0-9]+ compared by rank 0, 0 differ" --says "MPI_Scan +[0-9]+ here" PROGRAM ${built}/fortran_F08.mpich)
  endif()
  foreach(ranks 3 5 8)
    foldlane_host_test(api_host_nodes_orders_long HOST mpich RANKS ${ranks} LAUNCH -genv MPIR_CVAR_NUM_CLIQUES 3 LABEL long
      PROGRAM ${built}/orders.mpich 300000)
  endforeach()
  foreach(ranks 3 5 6)
    foldlane_host_test(api_host_nodes_oracle_moves HOST mpich RANKS ${ranks} LAUNCH ${two_nodes} LABEL long
      OPTIONS --says "[0-9]+ compared by rank 0, 0 differ" --says "MPI_Scatterv +[0-9]+ here"
      PROGRAM ${built}/oracle_moves.mpich today)
    foldlane_host_test(api_host_nodes_random_moves_long HOST mpich RANKS ${ranks} LAUNCH ${two_nodes} LABEL long
      OPTIONS --says "no byte differs" PROGRAM ${built}/random_moves.mpich 100 100)
  endforeach()
  foldlane_host_test(api_host_nodes_random_calls HOST mpich RANKS 4 LAUNCH ${two_nodes}
    OPTIONS --says "none hangs, none differs" --says "MPI_Gatherv +[0-9]+ here" PROGRAM ${built}/random_calls.mpich 0 5)
  foreach(ranks 2 3 4)
    foldlane_host_test(api_host_nodes_random_calls_long HOST mpich RANKS ${ranks} LAUNCH ${two_nodes} LABEL long
      OPTIONS --says "none hangs, none differs" PROGRAM ${built}/random_calls.mpich 3000000 2000)
  endforeach()
  # Neighbours are on different nodes, which neither a prefix nor blocks in the order of ranks go with.
  foldlane_host_test(api_host_nodes_placed HOST mpich RANKS 4 LAUNCH ${two_nodes} LABEL long
    OPTIONS --says "MPI_Scan +[0-9]+ host: its ranks are not in blocks" PROGRAM ${built}/calls.mpich prefixes)
  foreach(program broadcasts progress threads forwarded)
    foldlane_host_test(api_host_nodes_${program} HOST mpich RANKS 4 LAUNCH ${two_nodes} LABEL long
      PROGRAM ${built}/calls.mpich ${program})
  endforeach()
endif()
