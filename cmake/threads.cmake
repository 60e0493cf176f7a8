# SPDX-License-Identifier: Apache-2.0
# ridge_threads_tests, for the thread sanitizer alone: the tests that start threads, with the files that
# they link. The test programs of the libraries would compile three times as many.

# What starts threads: a test by itself, a load generator, a process of a runtime, measured roofs.
set(ridge_starts_threads "^#include (<thread>|\"([a-z]+/)*(runtime|generator|roof_meter|fitness)\\.h\")")

# ridge_sources(out pattern...): files of src/ that are neither tests, plug-ins nor programs.
function(ridge_sources out)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${ARGN})
  list(FILTER files EXCLUDE REGEX "_test\\.cc$|/runtime/(ort|openvino|testing)/|_plugin\\.cc$")
  set(${out} ${files} PARENT_SCOPE)
endfunction()

function(ridge_add_thread_tests)
  # The linker names a file that is missing here.
  ridge_sources(files ipc/*.cc kernels/*.cc machine/*.cc onnx/*.cc record/*.cc runtime/*.cc scenario/arrivals.cc
    scenario/batching.cc scenario/exact_random.cc scenario/mixture.cc scenario/scenario.cc
    stats/samples.cc zoo/builder.cc zoo/transformer.cc)
  add_library(ridge_threads STATIC ${files})
  target_link_libraries(ridge_threads PUBLIC ridge_base)
  ridge_precompile(ridge_threads)
  # What needs libraries that are not linked is used by no test here: --gc-sections drops it.

  set(tests)
  foreach(folder base ipc stats scenario kernels machine runtime)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*_test.cc)
    # A template forks, and the sanitizer has a thread of its own, which the copy would lack.
    list(FILTER found EXCLUDE REGEX "/runtime/((ort|openvino)/|template_test)")
    foreach(file IN LISTS found)
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      file(STRINGS ${file} starts REGEX ${ridge_starts_threads})
      if(starts)
        list(APPEND tests ${file})
      endif()
    endforeach()
  endforeach()
  # Its processes of runtimes are the program itself, with the plug-ins of the tests.
  set(main ${PROJECT_SOURCE_DIR}/src/runtime/testing/main.cc)
  ridge_add_tests(ridge_threads_tests SOURCES ${tests} ${main} LIBRARIES ridge_threads)
  add_dependencies(ridge_threads_tests ridge_faulty ridge_null ridge_plain ridge_newer)
  message(STATUS "ridge_threads_tests: ${tests}")
endfunction()
