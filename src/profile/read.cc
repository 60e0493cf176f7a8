// SPDX-License-Identifier: Apache-2.0
#include "profile/read.h"

#include <fmt/format.h>

#include <limits>

#include "profile/describe_sweep.h"
#include "record/json_read.h"
#include "record/json_tree.h"

namespace ridge::profile {

/// The runs in ridge.accelerator/1.
struct EstimatedPoint {
  std::optional<Profile> run;
};
struct EstimatedPoints {
  std::vector<EstimatedPoint> points;
};

}  // namespace ridge::profile

namespace ridge {

template <>
struct record::Describe<profile::EstimatedPoint> {
  using T = profile::EstimatedPoint;
  static constexpr std::array fields{field<&T::run>("run", "times as of a run")};
};

template <>
struct record::Describe<profile::EstimatedPoints> {
  using T = profile::EstimatedPoints;
  static constexpr std::string_view schema = "ridge.accelerator/1";
  static constexpr std::array fields{field<&T::points>("points", "one per machine and size")};
};

namespace profile {
namespace {

using record::JsonNode;
using record::JsonTree;

constexpr std::string_view kHint = "use a document written by `ridge profile --format json`";

Error no_profile(std::string what) { return bad_profile(std::move(what)).hint(std::string(kHint)); }

Error no_run(std::string what) {
  return input_error("RIDGE-PROF-0002", "this estimate contains no run")
      .evidence(std::move(what))
      .hint(
          "a run requires a model, and a machine with a clock: ridge accel MODEL --machine NAME "
          "--format json");
}

/// A profile takes what its text allows: a node of the tree stands for two bytes at least.
constexpr record::Limits kLimits{.bytes = std::numeric_limits<std::uint32_t>::max() - 1,
                                 .nodes = std::numeric_limits<std::uint32_t>::max() - 1,
                                 .text = std::numeric_limits<std::uint32_t>::max()};

/// The text of the key "schema", "" if there is none.
std::string schema_in(const JsonTree& tree) {
  const auto at = tree.member(0, "schema");
  return at && tree[*at].kind == JsonNode::Kind::kText ? tree.text(*at) : "";
}

template <typename T>
Result<T> read_as(const JsonTree& tree) {
  T out{};
  Result<void> read =
      record::read_tree(tree, record::kType<T>, &out, record::Reading::Of::kProgram, {});
  if (read.ok()) return out;
  Error error = std::move(read).error();
  if (!error.hint().empty()) return error;
  return std::move(error).hint(std::string(kHint));
}

Result<std::vector<Profile>> read_one(const JsonTree& tree) {
  std::vector<Profile> out;
  out.push_back(TRY(read_as<Profile>(tree)));
  return out;
}

/// The run in each point of a ridge.accelerator/1 document.
Result<std::vector<Profile>> read_estimates(const JsonTree& tree) {
  EstimatedPoints read = TRY(read_as<EstimatedPoints>(tree));
  if (read.points.empty()) return no_profile("the document contains no point");
  std::vector<Profile> out;
  for (EstimatedPoint& point : read.points) {
    if (!point.run) return no_run(fmt::format("point {} has no key 'run'", out.size()));
    out.push_back(std::move(*point.run));
  }
  return out;
}

}  // namespace

Result<std::vector<Profile>> read_profiles(std::string_view text) {
  Result<JsonTree> tree = JsonTree::parse(text, kLimits);
  if (!tree.ok()) return std::move(tree).error().hint(std::string(kHint));
  if ((*tree)[0].kind != JsonNode::Kind::kObject) return no_profile("this is not a JSON object");
  const std::string schema = schema_in(*tree);
  if (schema.starts_with("ridge.profile/")) return read_one(*tree);
  if (schema.starts_with("ridge.accelerator/")) return read_estimates(*tree);
  if (!schema.starts_with("ridge.profiles/"))
    return no_profile(
        fmt::format("schema '{}' is not ridge.profile/1 or ridge.profiles/1", schema));
  Sweep sweep = TRY(read_as<Sweep>(*tree));
  if (sweep.profiles.empty()) return no_profile("the document contains no profile");
  return std::move(sweep.profiles);
}

}  // namespace profile
}  // namespace ridge
