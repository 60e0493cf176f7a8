# Turns text files into a C++ source of raw strings:
#   cmake -DOUTPUT=x.cc -DNAMESPACE=a::b -DNAMES="kCss;kJs" -DFILES="a.css;b.js" -P embed.cmake
set(code "// Made by cmake/embed.cmake.\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n\n")
foreach(name file IN ZIP_LISTS NAMES FILES)
  file(READ "${file}" text)
  string(APPEND code "extern const std::string_view ${name};\n")
  string(APPEND code "const std::string_view ${name} = R\"embedded(${text})embedded\";\n\n")
endforeach()
string(APPEND code "}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${code}")
