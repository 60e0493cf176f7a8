# SPDX-License-Identifier: Apache-2.0
# One static library per group of folders, one test program beside it.

# For builds from nothing; while editing, one changed file would compile seven others. Names of
# unnamed namespaces are unique (scripts/check_structure.py); what shadows a name of the same file is
# found by builds without it. CMake leaves out files with options of their own.
option(RIDGE_UNITY "Compile eight files of a target at a time" OFF)
if(RIDGE_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 8)
  add_compile_options(-Wno-shadow)
endif()

# Files whose name ends in an instruction set are compiled for it; only code reached behind a CPU
# check may live there, and such a file must not call inline functions shared with other files (the
# linker could keep its copy for everybody).
function(ridge_isa_flags)
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    return()
  endif()
  set(avx2 -mavx2 -mfma)
  set(avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma)
  foreach(file IN LISTS ARGN)
    if(file MATCHES "_avx[0-9a-z]+\\.cc$")
      set_source_files_properties(${file} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
        SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    if(file MATCHES "_avx512vnni\\.cc$")
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${avx512} -mavx512vnni)
    elseif(file MATCHES "_avx512\\.cc$")
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${avx512})
    elseif(file MATCHES "_avxvnni\\.cc$")
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${avx2} -mavxvnni)
    elseif(file MATCHES "_avx2\\.cc$")
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_OPTIONS ${avx2})
    endif()
  endforeach()
endfunction()

# What most files include.
set(ridge_frequent_headers <algorithm> <array> <cmath> <cstdint> <map> <memory> <optional> <span>
  <string> <string_view> <unordered_map> <utility> <vector> <fmt/format.h>)

# What the tests themselves do takes no time; compiling them does. g++ knows no such warning in C++.
set(ridge_test_options -O0 $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND RIDGE_PRECOMPILE)
  list(APPEND ridge_test_options -fpch-preprocess)  # for ccache
endif()
if(TARGET GTest::gtest_main AND RIDGE_PRECOMPILE)
  # Precompiled once for all test programs, as code of a program (-fPIE, not a library's -fPIC).
  file(CONFIGURE OUTPUT test_headers.cc CONTENT "")
  add_library(ridge_test_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/test_headers.cc)
  set_target_properties(ridge_test_headers PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(ridge_test_headers PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
  target_link_libraries(ridge_test_headers PRIVATE ridge_dependencies GTest::gtest_main)
  target_compile_options(ridge_test_headers PRIVATE ${ridge_test_options})
  target_precompile_headers(ridge_test_headers PRIVATE ${ridge_frequent_headers} <gtest/gtest.h>)
endif()

# ridge_add_entry(program entry labels filter [VARIABLE=value...]): cases of a program as one test of
# CTest. Tests get the paths of what they may start from the environment; build all before running
# them. Each entry has its own temporary folder, so that entries that run at the same time may give
# files the same name.
function(ridge_add_entry program entry labels filter)
  add_test(NAME ${program}.${entry} COMMAND ${program} --gtest_brief=1 --gtest_filter=${filter}
    --gtest_output=xml:${CMAKE_BINARY_DIR}/test-results/${program}.${entry}.xml)
  set(temporary ${CMAKE_BINARY_DIR}/tests/temporary/${program}.${entry})
  file(MAKE_DIRECTORY ${temporary})
  set(environment TEST_TMPDIR=${temporary} RIDGE_PROGRAM=${CMAKE_BINARY_DIR}/ridge RIDGE_SOURCE=${PROJECT_SOURCE_DIR}
    RIDGE_SHARED=${PROJECT_SOURCE_DIR}/../shared RIDGE_CORPUS=${CMAKE_BINARY_DIR}/fuzz/corpus ${ARGN})
  set_tests_properties(${program}.${entry} PROPERTIES LABELS "${labels}" TIMEOUT 1800
    ENVIRONMENT "${environment}")
endfunction()

# A program of GoogleTest cases: entry `fast`, and for suites whose name ends in Slow `slow1` and
# `slow2`, two halves that may run at the same time.
function(ridge_add_tests name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT TARGET GTest::gtest_main OR NOT arg_SOURCES)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${ridge_test_options})
  if(RIDGE_PRECOMPILE)
    target_precompile_headers(${name} REUSE_FROM ridge_test_headers)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  set(slow)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} cases REGEX "^(TEST|TEST_P|TEST_F)\\([A-Za-z0-9]+Slow,")
    list(APPEND slow ${cases})
  endforeach()
  ridge_add_entry(${name} fast fast "-*Slow.*")
  if(NOT slow)
    return()
  endif()
  foreach(half 0 1)
    math(EXPR number "${half} + 1")
    ridge_add_entry(${name} slow${number} slow "*Slow.*"
      GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=${half})
  endforeach()
endfunction()

# ridge_folders(library out): the folders that src/folders.txt gives to that library.
function(ridge_folders library out)
  set(table ${PROJECT_SOURCE_DIR}/src/folders.txt)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} lines REGEX "^[a-z/]+ +${library} ")
  if(NOT lines)
    message(FATAL_ERROR "src/folders.txt has no folder of ${library}")
  endif()
  list(TRANSFORM lines REPLACE " .*" "")
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

file(STRINGS ${PROJECT_SOURCE_DIR}/src/folders.txt ridge_rooms REGEX "^[a-z]+/[a-z/]+ ")
list(TRANSFORM ridge_rooms REPLACE " .*" "")

# What a library and the headers precompiled for all libraries have in common.
set(ridge_library_options $<$<BOOL:${RIDGE_FUZZ}>:-fsanitize=fuzzer-no-link>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND RIDGE_PRECOMPILE)
  # For ccache; and g++ 12 no longer knows that the lines of std::string that it warns of are a
  # system header's. The sanitizers' builds look for what the warning means.
  list(APPEND ridge_library_options -fpch-preprocess -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread)
endif()

# Options and precompiled headers of a library; one set of headers serves all.
# scripts/check_includes.sh compiles without them, so that each file includes what it uses.
function(ridge_precompile library)
  target_compile_options(${library} PRIVATE ${ridge_library_options})
  if(NOT RIDGE_PRECOMPILE)
    return()
  endif()
  if(NOT TARGET ridge_library_headers)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/library_headers.cc CONTENT "")
    add_library(ridge_library_headers OBJECT ${CMAKE_BINARY_DIR}/library_headers.cc)
    target_link_libraries(ridge_library_headers PRIVATE ridge_dependencies)
    target_compile_options(ridge_library_headers PRIVATE ${ridge_library_options})
    target_precompile_headers(ridge_library_headers PRIVATE ${ridge_frequent_headers})
  endif()
  target_precompile_headers(${library} REUSE_FROM ridge_library_headers)
endfunction()

# ridge_add_library(name LIBRARIES x y [EXCLUDE regex] [CHILD] [TEST_LIBRARIES z]): the .cc
# files of its folders, and `<name>_tests`. CHILD: the test program can be its own runtime child, as ridge
# is.
function(ridge_add_library name)
  cmake_parse_arguments(arg "CHILD" "EXCLUDE" "LIBRARIES;TEST_LIBRARIES" ${ARGN})
  ridge_folders(${name} folders)
  set(files)
  foreach(folder IN LISTS folders)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cc)
    # Rooms with a line of their own may belong to another library.
    foreach(room IN LISTS ridge_rooms)
      if(room MATCHES "^${folder}/")
        list(FILTER found EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${room}/")
      endif()
    endforeach()
    list(APPEND files ${found})
  endforeach()
  if(arg_EXCLUDE)
    list(FILTER files EXCLUDE REGEX ${arg_EXCLUDE})
  endif()
  set(tests ${files})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER files EXCLUDE REGEX "_test\\.cc$")
  ridge_isa_flags(${files})

  if(files)
    add_library(${name} STATIC ${files})
    set_property(GLOBAL APPEND PROPERTY RIDGE_LIBRARIES ${name})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} PUBLIC ridge_dependencies ${arg_LIBRARIES})
    ridge_precompile(${name})
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${name} INTERFACE ridge_dependencies ${arg_LIBRARIES})
  endif()
  if(arg_CHILD AND tests)
    list(APPEND tests ${CMAKE_CURRENT_SOURCE_DIR}/runtime/testing/main.cc)
  endif()
  ridge_add_tests(${name}_tests SOURCES ${tests} LIBRARIES ${name} ${arg_TEST_LIBRARIES})
endfunction()
