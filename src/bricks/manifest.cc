// SPDX-License-Identifier: Apache-2.0
#include "bricks/manifest.h"

#include <fmt/format.h>

#include <set>

#include "base/hash/sha256.h"
namespace ridge::bricks {
namespace {

Error malformed(std::string what) { return input_error("RIDGE-BRICK-0010", std::move(what)); }

bool is_plain_name(std::string_view file) {
  return !file.empty() && file[0] != '.' && file.find('/') == std::string_view::npos &&
         file.find('\0') == std::string_view::npos;
}

/// Contradictions between the rows of a manifest; "" if there are none.
std::string contradiction(const Plan& plan) {
  std::set<std::string> names, keys, files;
  std::set<std::pair<std::string, std::uint32_t>> nodes;
  std::string why;
  const auto place = [&](const std::string& model, const std::vector<std::uint32_t>& of) {
    if (!names.contains(model)) why = fmt::format("it has no model '{}'", model);
    for (const std::uint32_t n : of)
      if (!nodes.emplace(model, n).second)
        why = fmt::format("node {} of '{}' is in two places", n, model);
  };
  for (const PlannedModel& m : plan.models)
    if (!names.insert(m.name).second) why = fmt::format("it has the model '{}' twice", m.name);
  for (const Brick& b : plan.bricks) {
    if (!keys.insert(b.key).second) why = fmt::format("it has the key {} twice", b.key);
    if (!files.insert(b.file).second) why = fmt::format("it has the file {} twice", b.file);
    for (const Occurrence& o : b.occurrences) place(o.model, o.nodes);
  }
  for (const LeftOver& l : plan.left_over) place(l.model, l.nodes);
  return why;
}

}  // namespace

Result<void> check_names(const Brick& brick) {
  if (!is_plain_name(brick.file))
    return malformed(fmt::format("the file '{}' is not a name without folders", brick.file));
  if (!is_sha256(brick.digest.sha256))
    return malformed(fmt::format("'{}' is no SHA-256", brick.digest.sha256));
  return {};
}

Result<void> check_consistent(const Plan& plan) {
  const std::string why = contradiction(plan);
  if (why.empty()) return {};
  return malformed("the manifest is inconsistent: " + why);
}

}  // namespace ridge::bricks
