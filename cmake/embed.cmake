# SPDX-License-Identifier: Apache-2.0
# Turns text files into a C++ source of raw strings:
#   cmake -DOUTPUT=x.cc -DNAMESPACE=a::b -DNAMES="kCss;kJs" -DFILES="a.css;b.js" -P embed.cmake
# or into a table of them, std::pair of the file's name without its ending and its content:
#   cmake -DOUTPUT=x.cc -DNAMESPACE=a::b -DTABLE=kFiles -DFILES="a.toml;b.toml" -P embed.cmake
set(code "// Made by cmake/embed.cmake.\n#include <span>\n#include <string_view>\n#include <utility>\n
namespace ${NAMESPACE} {\n\n")
if(TABLE)
  string(APPEND code "namespace {\nconstexpr std::pair<std::string_view, std::string_view> ${TABLE}Rows[] = {\n")
  foreach(file IN LISTS FILES)
    file(READ "${file}" text)
    cmake_path(GET file STEM LAST_ONLY name)
    string(APPEND code "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  set(type "const std::span<const std::pair<std::string_view, std::string_view>>")
  string(APPEND code "};\n}  // namespace\n\nextern ${type} ${TABLE};\n${type} ${TABLE}(${TABLE}Rows);\n\n")
else()
  foreach(name file IN ZIP_LISTS NAMES FILES)
    file(READ "${file}" text)
    string(APPEND code "extern const std::string_view ${name};\n")
    string(APPEND code "const std::string_view ${name} = R\"embedded(${text})embedded\";\n\n")
  endforeach()
endif()
string(APPEND code "}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${code}")
