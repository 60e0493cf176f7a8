// SPDX-License-Identifier: Apache-2.0
#include "manifest/code_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/lines.h"
#include "base/text.h"

namespace ridge::manifest {
namespace {

constexpr std::string_view kImports[] = {
    "import cv2",
    "import json",
    "import numpy as np",
    "from PIL import Image",
    "from scipy.special import softmax",
    "from torchvision import transforms",
};
/// Names that patterns rely on, which a function must not redefine.
constexpr std::string_view kReserved[] = {
    "Image", "cv2", "data", "dataset", "float", "hlist", "img",     "int",        "json",
    "len",   "max", "min",  "np",      "print", "range", "softmax", "transforms", "wlist"};
constexpr std::size_t kLongestShownCode = 80;

bool contains(std::span<const std::string_view> all, std::string_view text) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

std::string cut(std::string_view text) {
  return shorten(valid_utf8(printable(text)), kLongestShownCode);
}

/// Level of each line of a body from its indent: one more than the level of the line that contains
/// it.
class Levels {
 public:
  std::uint32_t of(std::uint32_t indent) {
    while (!open_.empty() && open_.back() > indent) open_.pop_back();
    if (open_.empty() || open_.back() < indent) open_.push_back(indent);
    return static_cast<std::uint32_t>(open_.size() - 1);
  }

 private:
  std::vector<std::uint32_t> open_;
};

Result<CodeFunction> begin_function(const CodeLine& line, const CodeProgram& program) {
  CodeFunction out;
  const std::size_t end = line.text.find('(');
  out.name = line.text.substr(4, end == std::string::npos ? end : end - 4);
  out.signature = line.text;
  out.place = line.place;
  if (contains(kReserved, out.name))
    return input_error("RIDGE-MAN-0044", fmt::format("the function '{}' hides a name that the code "
                                                     "uses otherwise",
                                                     cut(out.name)))
        .in(line.place.text());
  if (program.find(out.name) != nullptr)
    return input_error("RIDGE-MAN-0045",
                       fmt::format("the function '{}' is defined twice", cut(out.name)))
        .in(line.place.text());
  return out;
}

}  // namespace

const CodeFunction* CodeProgram::find(std::string_view name) const {
  for (const CodeFunction& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

Result<CodeProgram> read_program(std::string_view code, Place place) {
  CodeProgram out;
  Levels levels;
  bool in_function = false;
  for (CodeLine& line : TRY(code_lines(code, place))) {
    const bool is_import = contains(kImports, line.text);
    if (line.indent == 0 && line.text.starts_with("def ")) {
      out.functions.push_back(TRY(begin_function(line, out)));
      levels = {};
      in_function = true;
    } else if (line.indent > 0 && in_function) {
      if (is_import) continue;
      const std::uint32_t level = levels.of(line.indent);
      out.functions.back().body.push_back({std::move(line.text), level, line.place});
    } else {
      in_function = false;
      if (!is_import) out.statements.push_back({std::move(line.text), 0, line.place});
    }
  }
  return out;
}

bool body_matches(std::string_view form, const CodeFunction& function, CodeMatch& found) {
  found.clear();
  CodeMatch of_line;
  Lines lines(form);
  for (const CodeStatement& statement : function.body) {
    if (!lines.next()) return false;
    const std::string_view line = lines.line();
    if (line.find_first_not_of(' ') != statement.level) return false;
    if (!matches(line, statement.text, of_line)) return false;
    for (const CodeMatch::Hole& h : of_line.holes()) found.add(h.name, h.value);
  }
  return !lines.next();
}

Error unknown_statement(const CodeStatement& statement) {
  return input_error("RIDGE-MAN-0043",
                     fmt::format("no step is known for the code '{}'", cut(statement.text)))
      .hint(
          "code is recognized, never run; state the steps instead (`steps:` of inputs[] and "
          "outputs[])")
      .in(statement.place.text());
}

}  // namespace ridge::manifest
