# SPDX-License-Identifier: Apache-2.0
# Settings that differ between the kinds of packages; CPack reads this once for each.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
  set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ridgeline)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ridgeline-dev)
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
  # The runtimes' plug-ins find a runtime where there is one; ridge starts without.
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libc6 (>= 2.28), libgcc-s1 (>= 3.0), libstdc++6 (>= 7)")
  set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "python3-pip")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "ridgeline (= ${CPACK_PACKAGE_VERSION}-1)")
  set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "Counts the work in ONNX models, measures the time of each layer in ONNX
Runtime or OpenVINO, maps fused layers to the nodes of the model, and
compares, stores, explains and estimates runs.")
  set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "Static library and headers of ridge, for programs that measure, compare
and estimate without its command line.")
else()
  # One folder with everything.
  set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
  set(CPACK_COMPONENTS_ALL_IN_ONE_PACKAGE ON)
endif()
