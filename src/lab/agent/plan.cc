// SPDX-License-Identifier: Apache-2.0
#include "lab/agent/plan.h"

#include <fmt/format.h>

#include <array>

#include "base/file.h"
#include "lab/agent/words.h"
#include "record/json_read.h"

namespace ridge::lab {
namespace {

constexpr std::int64_t kMaxPlanBytes = std::int64_t{64} << 20;

/// Fields that all lists of points have (session/point_list.h, ridge.bench/1).
struct PlanRow {
  std::string key, store_key, model, point, runtime;
};

struct PlanRows {
  std::vector<PlanRow> points;
};

}  // namespace
}  // namespace ridge::lab

namespace ridge {

template <>
struct record::Describe<lab::PlanRow> {
  using T = lab::PlanRow;
  static constexpr std::array fields{
      field<&T::key>("key", "for --point", zero_is_null()),
      field<&T::store_key>("store_key", "of its result in a store", zero_is_null()),
      field<&T::model>("model", "as given"), field<&T::point>("point", "sizes and threads"),
      field<&T::runtime>("runtime", "as --runtimes names it")};
};

template <>
struct record::Describe<lab::PlanRows> {
  using T = lab::PlanRows;
  static constexpr std::array fields{field<&T::points>("points", "in the order asked for")};
};

}  // namespace ridge

namespace ridge::lab {

std::span<const std::string_view> submitted_verbs() {
  static constexpr std::array<std::string_view, 3> kVerbs{"bench", "eval", "generate"};
  return kVerbs;
}

std::vector<std::string> plan_command(const std::string& verb, const std::string& request,
                                      const std::string& plan) {
  std::vector<std::string> out = {verb,       "--request", request,    "--dry-run",
                                  "--format", "json",      "--output", plan};
  // It requires one, and creates none to list points.
  if (verb == "bench") out.insert(out.end(), {"--store", plan + ".db"});
  return out;
}

std::vector<std::string> point_command(const std::string& verb, const std::string& request,
                                       const std::string& key, const std::string& store,
                                       const std::string& folder) {
  return {verb,
          "--request",
          request,
          "--point",
          key,
          "--store",
          store,
          "--format",
          "json",
          "--output",
          folder + "/document.json"};
}

Result<Plan> read_plan(int status, const std::string& path, const std::string& words) {
  if (status != 0)
    return environment_error("RIDGE-LAB-0106", "its ridge refuses the request")
        .evidence(last_words(words))
        .hint("run the request there by hand: ridge VERB --request FILE --dry-run");
  const std::string text = TRY(read_file(path, kMaxPlanBytes));
  Plan out;
  const PlanRows listed = TRY_IN(path, record::read_json<PlanRows>(text));
  for (const PlanRow& p : listed.points)
    out.points.push_back({.key = p.key,
                          .store_key = p.store_key,
                          .label = fmt::format("{}, {}, {}", p.model, p.point, p.runtime),
                          .model = p.model,
                          .runtime = p.runtime});
  return out;
}

}  // namespace ridge::lab
