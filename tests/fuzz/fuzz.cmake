# Each target NAME_fuzz.cpp with its corpus: under libFuzzer where PATHSPOOL_FUZZERS is on, and everywhere
# else as a plain test that feeds it the corpus.
file(GLOB fuzz_targets CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*_fuzz.cpp)
if(PATHSPOOL_FUZZERS)
  add_custom_target(fuzzers)
endif()
foreach(source ${fuzz_targets})
  get_filename_component(target ${source} NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" name ${target})
  set(corpus ${CMAKE_CURRENT_LIST_DIR}/corpus/${name})
  if(PATHSPOOL_FUZZERS)
    add_executable(${target} ${source})
    target_compile_definitions(${target} PRIVATE PATHSPOOL_LIBFUZZER)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${target})
    # New inputs are not kept: the corpus in the source tree is read, not written.
    add_test(NAME fuzz_${name} COMMAND ${CMAKE_COMMAND} -D FUZZER=$<TARGET_FILE:${target}> -D CORPUS=${corpus}
      -D NEW=${CMAKE_CURRENT_BINARY_DIR}/new_${name} -P ${CMAKE_CURRENT_LIST_DIR}/run.cmake)
    set_tests_properties(fuzz_${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  else()
    add_executable(${target} ${source} ${CMAKE_CURRENT_LIST_DIR}/corpus_main.cpp)
    add_test(NAME corpus_${name} COMMAND ${target} ${corpus})
    set_tests_properties(corpus_${name} PROPERTIES TIMEOUT 300)
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${target} PRIVATE
    pathspool pathspool_build_flags fmt::fmt TBB::tbb PkgConfig::XXHASH)
endforeach()
if(PATHSPOOL_FUZZERS)
  # Coverage of the library is what guides the fuzzers.
  target_compile_options(pathspool PRIVATE -fsanitize=fuzzer-no-link)
endif()

# Writes the corpus' first inputs anew: for when the format changes before it is released.
add_executable(make_fuzz_seeds EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/../support/make_fuzz_seeds.cpp)
target_include_directories(make_fuzz_seeds PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(make_fuzz_seeds PRIVATE
  pathspool pathspool_build_flags fmt::fmt GTest::gtest TBB::tbb PkgConfig::XXHASH)
