# SPDX-License-Identifier: Apache-2.0
# Links what is packaged so that it starts with glibc 2.28 and GCC 8's libstdc++.so, on a system
# that has newer ones. The linker reads RIDGE_OLDER_GLIBC, a folder with the names and versions of
# that glibc (scripts/fetch_package_tools.sh makes it); what compiler and libraries take from a newer
# one is in older_glibc.cc. Programs have libstdc++ inside. Plug-ins share it with the libraries of
# their runtimes; of its newer parts they have a copy inside, as Red Hat's gcc-toolset does it.
set(RIDGE_OLDER_GLIBC "" CACHE PATH "Folder of the stubs of glibc 2.28, which packages are linked with")

if(RIDGE_OLDER_GLIBC)
  add_library(older_glibc OBJECT ${CMAKE_CURRENT_LIST_DIR}/older_glibc.cc)

  # std::filesystem, <charconv> with doubles, and what they and the headers of GCC 12 need.
  set(newer_parts eh_ptr floating_from_chars floating_to_chars fs_dir fs_ops fs_path functexcept
    lt5-sstream-inst memory_resource snprintf_lite sstream-inst)
  list(TRANSFORM newer_parts APPEND .o)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
    OUTPUT_VARIABLE static_libstdcxx OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(newer_libstdcxx ${CMAKE_BINARY_DIR}/made/newer_libstdcxx)
  file(MAKE_DIRECTORY ${newer_libstdcxx})
  add_custom_command(OUTPUT ${newer_libstdcxx}/libnewer.a
    COMMAND ${CMAKE_AR} x ${static_libstdcxx} ${newer_parts}
    COMMAND ${CMAKE_AR} rcs libnewer.a ${newer_parts}
    WORKING_DIRECTORY ${newer_libstdcxx} DEPENDS ${static_libstdcxx} VERBATIM)
  add_custom_target(newer_libstdcxx DEPENDS ${newer_libstdcxx}/libnewer.a)
endif()

# ridge_for_older_glibc(target): does nothing without RIDGE_OLDER_GLIBC.
function(ridge_for_older_glibc target)
  if(NOT RIDGE_OLDER_GLIBC)
    return()
  endif()
  # Its start file, then its libraries.
  target_link_options(${target} PRIVATE -B${RIDGE_OLDER_GLIBC} -L${RIDGE_OLDER_GLIBC})
  target_link_libraries(${target} PRIVATE older_glibc)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "MODULE_LIBRARY")
    target_link_libraries(${target} PRIVATE ${newer_libstdcxx}/libnewer.a)
    add_dependencies(${target} newer_libstdcxx)
  endif()
endfunction()
