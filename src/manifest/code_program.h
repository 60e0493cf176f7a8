// SPDX-License-Identifier: Apache-2.0
// Python code of a manifest as functions and statements between them, still as text.
//
//   CodeProgram program = TRY(read_program(code, place));
//   const CodeFunction* entry = program.find("preprocess");
//
// Thread rule: plain data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/code_text.h"

namespace ridge::manifest {

/// A line of a body; the outermost lines have level 0.
struct CodeStatement {
  std::string text;
  std::uint32_t level = 0;
  Place place;
};

struct CodeFunction {
  std::string name;
  std::string signature;  ///< canonical line from `def` to the colon
  Place place;
  std::vector<CodeStatement> body;
};

struct CodeProgram {
  std::vector<CodeStatement> statements;  ///< outside functions; known imports are left out
  std::vector<CodeFunction> functions;

  const CodeFunction* find(std::string_view name) const;
};

/// Errors: as code_lines; an import that is not known; two functions of one name; a function
/// that hides a name of a library.
Result<CodeProgram> read_program(std::string_view code, Place place);

/// True if the body consists of the lines of `form`, in which a blank at the beginning of a line
/// stands for one level. Holes as in code_text.h; `found` has the holes of all lines.
bool body_matches(std::string_view form, const CodeFunction& function, CodeMatch& found);

/// Error for a statement that has no known form.
Error unknown_statement(const CodeStatement& statement);

}  // namespace ridge::manifest
