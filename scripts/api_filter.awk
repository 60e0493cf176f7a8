# SPDX-License-Identifier: Apache-2.0
# What Doxygen reads (docs/Doxyfile), from a file as it stands. The number of lines stays, for warnings.
#
# Headers: the contract above #pragma once becomes the text of the file; comments of plain C, as in
# runtime/abi.h, describe what follows or, behind code, what they stand behind.
# Pages: links to what is no part of the reference become text.
NR == 1 { contract = /^\/\// }
/^\/\/ SPDX-License-Identifier:/ { print ""; next }
FILENAME ~ /\.md$/ {
  while (match($0, /\[[^]]*\]\([^):]*\)/)) {
    text = substr($0, RSTART + 1, RLENGTH)
    $0 = substr($0, 1, RSTART - 1) substr(text, 1, index(text, "](") - 1) substr($0, RSTART + RLENGTH)
  }
}
contract && /^#pragma once/ { print "/// @file"; contract = 0; next }
contract { sub(/^\/\/ ?/, "/// "); sub(/^\/\/\/   /, "///     ") }
!contract && !/\/\// { sub(/\/\* /, /^ *\/\*/ ? "/** " : "/**< ") }
{ print }
