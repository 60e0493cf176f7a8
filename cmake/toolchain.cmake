# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, hardening, sanitizers, and the helpers that make a build fast where they
# are installed.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# No debug information in releases: a third of the build time and most of the disk goes into it.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g0 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")
# With sanitizers g++ takes twice as long at -O1 as at -Og, for code that runs as fast; to clang both
# are one.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-Og -g1 -fno-omit-frame-pointer")

add_compile_options(-Wall -Wextra -Wconversion -Wshadow -Wno-missing-field-initializers
  -ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports impossible overlaps and uses inside inlined std::string code.
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # clang 16 does not find nlohmann::json's operators of C++20.
  add_compile_definitions(JSON_HAS_THREE_WAY_COMPARISON=0)
endif()
if(RIDGE_WERROR)
  add_compile_options(-Werror)
endif()

# What keeps a flaw in a reader from becoming code that runs; tests/hardening_test.cc reads the built
# files. Everything is position independent, so backends and the program share objects.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_link_options(-Wl,-z,relro,-z,now -Wl,-z,noexecstack)
if(RIDGE_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_compile_definitions(_GLIBCXX_ASSERTIONS)  # subscripts, optionals and iterators of the library
else()
  add_compile_options(-fstack-protector-strong -fstack-clash-protection
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif()

if(RIDGE_SANITIZE)
  add_compile_options(-fsanitize=${RIDGE_SANITIZE} -fno-sanitize-recover=all)
  if(RIDGE_SANITIZE MATCHES "address")
    # Two fifths of the compiler's time went into these: sizes of objects and null pointers are what the
    # address sanitizer finds by itself, and its checks are as good in a function that is called.
    add_compile_options(-fno-sanitize=object-size,null)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      add_compile_options(-fsanitize-address-outline-instrumentation)
    endif()
  endif()
  add_compile_definitions(RIDGE_SANITIZED)
  add_link_options(-fsanitize=${RIDGE_SANITIZE})
endif()
if(RIDGE_FUZZ AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "RIDGE_FUZZ needs clang: configure with --preset asan")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the sloppiness ccache takes no part in compilations that use precompiled headers. Paths
  # are relative to the tree and debug information has no folder, so a second clone in another folder
  # finds what the first one compiled. With g++ only as long as the precompiled headers are in the
  # cache as well: made anew they differ in a few bytes, and so does all that was compiled with them.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
    CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()
if(RIDGE_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ maps a precompiled header to the address it was written from. Where addresses are random
  # that place is taken now and then ("PCH allocation failure"), so they must not be.
  find_program(SETARCH_PROGRAM setarch)
  execute_process(COMMAND ${SETARCH_PROGRAM} --addr-no-randomize true RESULT_VARIABLE status
    OUTPUT_QUIET ERROR_QUIET)
  if(SETARCH_PROGRAM AND status EQUAL 0)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${SETARCH_PROGRAM} --addr-no-randomize
      ${CMAKE_CXX_COMPILER_LAUNCHER})
  else()
    set(RIDGE_PRECOMPILE OFF)
  endif()
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()
