// SPDX-License-Identifier: Apache-2.0
#include "evaluation/subject/wanted_runtime.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "manifest/version.h"
#include "runtime/paths.h"

namespace ridge::evaluation {
namespace {

/// Letters and digits in lower case.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c + 32);
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      out += c;
  }
  return out;
}

}  // namespace

Result<WantedRuntime> wanted_runtime(std::string_view name, std::string constraint) {
  for (const runtime::KnownRuntime& known : runtime::known_runtimes())
    for (const std::string_view own : {known.name, known.other_name, known.title})
      if (plain(own) == plain(name)) return WantedRuntime{std::string(known.name), constraint, {}};
  return input_error("RIDGE-WB-0193",
                     fmt::format("no runtime here stands for the framework '{}'", printable(name)))
      .hint("convert the model to ONNX, and state the framework ONNX Runtime or OpenVINO");
}

Result<void> check_version(const WantedRuntime& wanted, const runtime::RuntimeInfo& found) {
  if (wanted.constraint.empty()) return {};
  const manifest::Constraint constraint = TRY(manifest::parse_constraint(wanted.constraint));
  const std::string_view numbers =
      std::string_view(found.version).substr(0, found.version.find_first_not_of("0123456789."));
  if (const auto version = manifest::parse_version(numbers);
      version.ok() && constraint.allows(*version))
    return {};
  return environment_error("RIDGE-WB-0195",
                           fmt::format("{} {} is asked for, this is {}", found.name,
                                       wanted.constraint, found.version))
      .hint("use another with --runtime-library, or state other versions: --runtime-version any");
}

}  // namespace ridge::evaluation
