# SPDX-License-Identifier: Apache-2.0
# What ridge is built on. Everything but the runtimes comes from Debian packages
# (scripts/debian-packages.txt).

find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(GTest QUIET)
find_path(PROTOZERO_INCLUDE protozero/pbf_reader.hpp REQUIRED)
# Used header-only, by src/base/toml.cc alone.
find_path(TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED)

# Debian ships {fmt} as a shared library only. Its templates are instantiated once here instead, so
# that starting the program opens no library but libc's own.
get_target_property(fmt_include fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
add_library(fmt_static STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt_static.cc)
target_include_directories(fmt_static SYSTEM PUBLIC ${fmt_include})

# Static for the same reason.
find_path(ZLIB_INCLUDE zlib.h REQUIRED)
find_library(ZLIB_STATIC libz.a REQUIRED)
add_library(ridge_zlib INTERFACE)
target_include_directories(ridge_zlib SYSTEM INTERFACE ${ZLIB_INCLUDE})
target_link_libraries(ridge_zlib INTERFACE ${ZLIB_STATIC})

add_library(ridge_dependencies INTERFACE)
target_include_directories(ridge_dependencies SYSTEM INTERFACE ${PROTOZERO_INCLUDE}
  ${TOMLPLUSPLUS_INCLUDE})
target_link_libraries(ridge_dependencies INTERFACE
  fmt_static nlohmann_json::nlohmann_json Threads::Threads ${CMAKE_DL_LIBS})

# The store's database, inside the program as well.
find_path(SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(SQLITE_LIBRARY libsqlite3.a REQUIRED)
add_library(sqlite_static STATIC IMPORTED)
set_target_properties(sqlite_static PROPERTIES IMPORTED_LOCATION ${SQLITE_LIBRARY})
target_include_directories(sqlite_static SYSTEM INTERFACE ${SQLITE_INCLUDE})
target_link_libraries(sqlite_static INTERFACE Threads::Threads ${CMAKE_DL_LIBS} m)

# PostgreSQL's client library is opened when a server is named (src/store/postgres/library.h): the
# build needs its declarations alone.
find_path(LIBPQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)
add_library(libpq_headers INTERFACE)
target_include_directories(libpq_headers SYSTEM INTERFACE ${LIBPQ_INCLUDE})

# So is libmicrohttpd, when a server is started (src/lab/serve/library.h).
find_path(MICROHTTPD_INCLUDE microhttpd.h REQUIRED)
add_library(microhttpd_headers INTERFACE)
target_include_directories(microhttpd_headers SYSTEM INTERFACE ${MICROHTTPD_INCLUDE})

# Reads OpenVINO's execution graphs; static like the others.
find_path(EXPAT_INCLUDE expat.h REQUIRED)
find_library(EXPAT_STATIC libexpat.a REQUIRED)
add_library(ridge_expat INTERFACE)
target_include_directories(ridge_expat SYSTEM INTERFACE ${EXPAT_INCLUDE})
add_library(arc4random_static STATIC ${CMAKE_CURRENT_LIST_DIR}/arc4random.cc)
target_link_libraries(ridge_expat INTERFACE ${EXPAT_STATIC} arc4random_static m)

# Reads photographs, and manifests in YAML; static like the others.
find_path(JPEG_INCLUDE jpeglib.h REQUIRED)
find_library(JPEG_STATIC libjpeg.a REQUIRED)
find_path(PNG_INCLUDE png.h REQUIRED)
find_library(PNG_STATIC libpng.a REQUIRED)
add_library(ridge_images INTERFACE)
target_include_directories(ridge_images SYSTEM INTERFACE ${JPEG_INCLUDE} ${PNG_INCLUDE})
target_link_libraries(ridge_images INTERFACE ${PNG_STATIC} ${JPEG_STATIC} ridge_zlib m)
find_path(YAML_INCLUDE yaml.h REQUIRED)
find_library(YAML_STATIC libyaml.a REQUIRED)
add_library(ridge_yaml INTERFACE)
target_include_directories(ridge_yaml SYSTEM INTERFACE ${YAML_INCLUDE})
target_link_libraries(ridge_yaml INTERFACE ${YAML_STATIC})

# Properties of Unicode characters, for tokens of texts; static like the others.
find_path(UTF8PROC_INCLUDE utf8proc.h REQUIRED)
find_library(UTF8PROC_STATIC libutf8proc.a REQUIRED)
add_library(ridge_utf8proc INTERFACE)
target_include_directories(ridge_utf8proc SYSTEM INTERFACE ${UTF8PROC_INCLUDE})
target_compile_definitions(ridge_utf8proc INTERFACE UTF8PROC_STATIC)
target_link_libraries(ridge_utf8proc INTERFACE ${UTF8PROC_STATIC})

# The user's cache folder and the version in a lock file of scripts/.
function(ridge_pinned lock cache_variable version_variable)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(${cache_variable} $ENV{XDG_CACHE_HOME} PARENT_SCOPE)
  else()
    set(${cache_variable} $ENV{HOME}/.cache PARENT_SCOPE)
  endif()
  file(STRINGS ${PROJECT_SOURCE_DIR}/scripts/${lock} version REGEX "^version ")
  string(REPLACE "version " "" version "${version}")
  set(${version_variable} ${version} PARENT_SCOPE)
endfunction()

# Sets ORT_INCLUDE (C API headers) and ORT_LIBRARY in the caller, empty where not found. Each is
# taken from ONNXRUNTIME_ROOT (variable or environment), else an installed CMake package, else what
# scripts/fetch_onnxruntime.sh put into the user's cache.
function(ridge_find_onnxruntime)
  ridge_pinned(onnxruntime.lock cache version)
  set(include "")
  set(library "")
  ridge_look_for_onnxruntime(include library "${ONNXRUNTIME_ROOT}")
  ridge_look_for_onnxruntime(include library "$ENV{ONNXRUNTIME_ROOT}")
  find_package(onnxruntime CONFIG QUIET)
  if(TARGET onnxruntime::onnxruntime)
    if(NOT include)
      get_target_property(include onnxruntime::onnxruntime INTERFACE_INCLUDE_DIRECTORIES)
    endif()
    if(NOT library)
      set(library $<TARGET_FILE:onnxruntime::onnxruntime>)
    endif()
  endif()
  ridge_look_for_onnxruntime(include library ${cache}/ridge/onnxruntime/${version})
  set(ORT_INCLUDE "${include}" PARENT_SCOPE)
  set(ORT_LIBRARY "${library}" PARENT_SCOPE)
endfunction()

# Fills what is still missing of the two variables from one installation folder.
function(ridge_look_for_onnxruntime include_variable library_variable root)
  if(NOT root)
    return()
  endif()
  if(NOT ${include_variable})
    find_path(found onnxruntime_c_api.h NO_CACHE NO_DEFAULT_PATH PATHS ${root}
      PATH_SUFFIXES include include/onnxruntime include/onnxruntime/core/session headers)
    if(found)
      set(${include_variable} ${found} PARENT_SCOPE)
    endif()
  endif()
  file(GLOB libraries ${root}/lib/libonnxruntime.so ${root}/lib/libonnxruntime.so.*)
  if(NOT ${library_variable} AND libraries)
    list(GET libraries 0 library)
    set(${library_variable} ${library} PARENT_SCOPE)
  endif()
endfunction()

# Finds OpenVINO's CMake package, target openvino::runtime: in OPENVINO_ROOT (variable or
# environment), else in what scripts/fetch_openvino.sh put into the user's cache, else an installed
# one. A macro, because the package's targets have to be seen by the caller.
macro(ridge_find_openvino)
  ridge_pinned(openvino.lock openvino_cache openvino_version)
  find_package(OpenVINO CONFIG QUIET COMPONENTS Runtime NO_CMAKE_FIND_ROOT_PATH
    HINTS ${OPENVINO_ROOT} $ENV{OPENVINO_ROOT} ${openvino_cache}/ridge/openvino/${openvino_version}
    PATH_SUFFIXES openvino/cmake)
endmacro()
