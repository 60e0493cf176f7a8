# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` copies, in components: `program` (ridge, its plug-ins, manual pages,
# completions, schemas), `library` (one archive, the public headers of src/public_headers.txt,
# RidgelineConfig.cmake, ridgeline.pc) and `plug-in` (the header of runtime plug-ins alone, which
# `library` has too). Nothing in the tree depends on where it was installed.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(older_glibc)

# Beside bin, where the program looks for its plug-ins (src/runtime/paths.h), also on systems that have
# lib64 or a folder for each architecture.
set(ridge_lib lib)
set(ridge_plugins ${ridge_lib}/ridge)
set(ridge_includes ${CMAKE_INSTALL_INCLUDEDIR}/ridgeline)

# Program

ridge_for_older_glibc(ridge)
install(TARGETS ridge RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
foreach(plugin ridge_null ridge_ort ridge_ort_observer ridge_openvino ridge_openvino_backend)
  if(TARGET ${plugin})
    ridge_for_older_glibc(${plugin})
    install(TARGETS ${plugin} LIBRARY DESTINATION ${ridge_plugins} COMPONENT program)
  endif()
endforeach()
file(GLOB schemas ${PROJECT_SOURCE_DIR}/data/schema/*.json)
install(FILES ${schemas} DESTINATION ${CMAKE_INSTALL_DATADIR}/ridgeline/schema COMPONENT program)

# The program prints its manual pages and completions itself.
set(made ${CMAKE_BINARY_DIR}/made)
add_custom_command(OUTPUT ${made}/copyright
  COMMAND ${CMAKE_COMMAND} -DRIDGE=$<TARGET_FILE:ridge> -DOUT=${made} -DSOURCE=${PROJECT_SOURCE_DIR}
    -P ${PROJECT_SOURCE_DIR}/cmake/package/pages.cmake
  DEPENDS ridge ${PROJECT_SOURCE_DIR}/cmake/package/pages.cmake ${PROJECT_SOURCE_DIR}/LICENSE VERBATIM)
add_custom_target(ridge_pages ALL DEPENDS ${made}/copyright)
add_custom_target(package_contents DEPENDS ridge_everything ridge_pages)
install(DIRECTORY ${made}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
install(FILES ${made}/bash/ridge COMPONENT program
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/zsh/_ridge COMPONENT program
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/fish/ridge.fish COMPONENT program
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
set(ridge_docs ${CMAKE_INSTALL_DATADIR}/doc)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${made}/copyright ${made}/changelog.gz
  DESTINATION ${ridge_docs}/ridgeline COMPONENT program)
install(FILES ${made}/copyright ${made}/changelog.gz DESTINATION ${ridge_docs}/ridgeline-dev COMPONENT library)

# Library

# One archive of everything but the command line. It holds what it is built on as well, so that a
# program that links it needs none of these packages.
get_property(parts GLOBAL PROPERTY RIDGE_LIBRARIES)
list(REMOVE_ITEM parts ridge_cli)
list(APPEND parts fmt_static arc4random_static)
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
add_library(ridgeline STATIC ${parts})
set_target_properties(ridgeline PROPERTIES LINKER_LANGUAGE CXX)
set(merge "OPEN libridgeline.a\n")
foreach(archive ${SQLITE_LIBRARY} ${EXPAT_STATIC} ${PNG_STATIC} ${JPEG_STATIC} ${YAML_STATIC} ${UTF8PROC_STATIC}
    ${ZLIB_STATIC})
  string(APPEND merge "ADDLIB ${archive}\n")
endforeach()
file(WRITE ${made}/merge.mri "${merge}SAVE\nEND\n")
set_target_properties(ridgeline PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${made})
add_custom_command(TARGET ridgeline POST_BUILD COMMAND sh -c "'${CMAKE_AR}' -M <merge.mri"
  WORKING_DIRECTORY ${made} VERBATIM)
target_compile_features(ridgeline INTERFACE cxx_std_20)
target_link_libraries(ridgeline INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)
target_include_directories(ridgeline INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
  $<INSTALL_INTERFACE:${ridge_includes}>)
# Programs of others are elsewhere than the plug-ins.
target_compile_definitions(ridgeline INTERFACE
  $<BUILD_INTERFACE:RIDGELINE_PLUGIN_FOLDER="${CMAKE_BINARY_DIR}/lib/ridge">
  $<INSTALL_INTERFACE:RIDGELINE_PLUGIN_FOLDER="$<INSTALL_PREFIX>/${ridge_plugins}">)
add_dependencies(package_contents ridgeline)
add_library(Ridgeline::ridgeline ALIAS ridgeline)

install(TARGETS ridgeline EXPORT Ridgeline ARCHIVE DESTINATION ${ridge_lib} COMPONENT library)
install(EXPORT Ridgeline NAMESPACE Ridgeline:: FILE RidgelineTargets.cmake
  DESTINATION ${ridge_lib}/cmake/Ridgeline COMPONENT library)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/package/RidgelineConfig.cmake.in
  ${made}/RidgelineConfig.cmake INSTALL_DESTINATION ${ridge_lib}/cmake/Ridgeline)
# Before 1.0 a minor version may change the interface (docs/versioning.md).
write_basic_package_version_file(${made}/RidgelineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(${PROJECT_SOURCE_DIR}/cmake/package/ridgeline.pc.in ${made}/ridgeline.pc @ONLY)
install(FILES ${made}/RidgelineConfig.cmake ${made}/RidgelineConfigVersion.cmake
  DESTINATION ${ridge_lib}/cmake/Ridgeline COMPONENT library)
install(FILES ${made}/ridgeline.pc DESTINATION ${ridge_lib}/pkgconfig COMPONENT library)

set(public_headers ${PROJECT_SOURCE_DIR}/src/public_headers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${public_headers})
file(STRINGS ${public_headers} headers REGEX "^[a-z].*[.]h$")
foreach(header IN LISTS headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/src/${header} DESTINATION ${ridge_includes}/${folder} COMPONENT library)
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/src/runtime/abi.h DESTINATION ${ridge_includes}/runtime
  COMPONENT plug-in)

# Packages (make package)

set(CPACK_PACKAGE_NAME ridgeline)
set(CPACK_PACKAGE_VENDOR Ridgeline)
set(RIDGE_MAINTAINER "Ridgeline developers <ridgeline@users.noreply.github.com>" CACHE STRING
  "Maintainer that the Debian packages name")
set(CPACK_PACKAGE_CONTACT ${RIDGE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "inference performance of neural networks, node by node")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME ridgeline-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_COMPONENTS_ALL program library)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package/cpack.cmake)
include(CPack)
