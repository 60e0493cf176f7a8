// SPDX-License-Identifier: Apache-2.0
#include "bricks/run/plan.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/clock.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/version.h"
#include "bricks/manifest.h"
#include "bricks/plan_describe.h"
#include "bricks/run/file.h"
#include "bricks/run/point.h"
#include "bricks/suite_times.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "session/workbench.h"

namespace ridge::bricks {
namespace {

/// Largest manifest: the manifest of a thousand networks.
constexpr std::int64_t kMaxManifest = std::int64_t{1} << 30;

std::string manifest_path(const std::string& folder) {
  return folder + "/" + std::string(kManifestName);
}

/// First entry of a folder; "" if it is empty.
std::string first_entry(const std::string& folder) {
  std::string found;
  DIR* entries = ::opendir(folder.c_str());
  if (entries == nullptr) return found;
  while (const dirent* entry = ::readdir(entries))
    if (const std::string name = entry->d_name;
        name != "." && name != ".." && (found.empty() || name < found))
      found = name;
  ::closedir(entries);
  return found;
}

Error other(std::string_view what, const std::string& theirs, const std::string& ours,
            const std::string& folder) {
  return input_error("RIDGE-WB-0071",
                     fmt::format("the bricks of this folder are of another {}", what))
      .evidence(fmt::format("theirs: {}; here: {}", theirs, ours))
      .hint("plan into another folder: kernels differ, and so do bricks")
      .in_file(manifest_path(folder));
}

/// The plan to add to: of the folder's manifest, or a new one. `fresh` identifies the runtime.
Result<Plan> existing(const std::string& folder, Plan fresh) {
  if (!file_exists(manifest_path(folder))) {
    if (const std::string entry = first_entry(folder); !entry.empty())
      return input_error("RIDGE-WB-0070", "the folder has other files and no manifest of bricks")
          .evidence("for example " + entry)
          .hint("name a new or empty folder, or one that ridge bricks plan wrote")
          .in_file(folder);
    return fresh;
  }
  Plan plan = TRY(read_plan(folder));
  TRY(check_same(plan, fresh, folder));
  plan.ridge = fresh.ridge;
  return plan;
}

class Planning {
 public:
  Planning(const BricksRequest& request, const session::Environment& environment)
      : request_(request), environment_(environment) {}

  Result<PlannedBricks> run() {
    TRY(check_single_points(request_.models));
    const Nanos begun = steady_clock().now();
    const BricksPoint point = TRY(bricks_point(request_.models.at(0).spec, environment_));
    Loader loader(point.loading);
    const runtime::RuntimeInfo info = TRY(loader.info());
    TRY(make_folder(request_.folder));
    Planner planner(loader, request_.granularity,
                    TRY(existing(request_.folder, empty_plan(point, info))),
                    [&](const onnx::Document& model, const std::string& file) {
                      return save_brick(model, request_.folder + "/" + file, Durability::kSynced);
                    });
    out_.plan = planner.plan();
    std::vector<Opened> surveyed;
    for (const session::ModelSpec& m : request_.models) {
      std::optional<Opened> opened = TRY(open_or_report(m, loader));
      if (environment_.stopped()) break;
      if (!opened) continue;
      if (request_.granularity.joined == 0) {
        TRY(add(*opened, planner));
      } else {  // which layers occur only together is known once all are open
        planner.survey(opened->network);
        surveyed.push_back(std::move(*opened));
      }
    }
    begun_ = request_.models.size() - surveyed.size();  // those that failed come first
    for (const Opened& model : surveyed) {
      if (environment_.stopped()) break;
      ++begun_;
      TRY(add(model, planner));
    }
    out_.checked = planner.checked();
    out_.seconds = static_cast<double>((steady_clock().now() - begun).count) * 1e-9;
    return std::move(out_);
  }

 private:
  struct Opened {
    PlannedModel model;
    Network network;
  };

  /// Opens and loads one model. nullopt: it cannot be opened or loaded, which is reported, or the
  /// environment stopped.
  Result<std::optional<Opened>> open_or_report(const session::ModelSpec& m, Loader& loader) {
    ++begun_;
    show("loading " + m.model, 0, 0);
    Result<Opened> opened = open(m, loader);
    environment_.hide_progress();
    if (environment_.stopped()) return std::optional<Opened>();
    if (opened.ok()) return std::optional(std::move(*opened));
    if (opened.error().error_class() == ErrorClass::kBug) return std::move(opened).error();
    environment_.notices.failed(opened.error());
    out_.failed.push_back(m.model);
    return std::optional<Opened>();
  }

  Result<Opened> open(const session::ModelSpec& m, Loader& loader) {
    const session::Workbench bench = TRY(session::make_workbench(m.model, m.spec, environment_));
    const session::Point point = session::points_of(m.spec).at(0);
    const analysis::Resolved resolved = TRY(bench.resolve(point));
    Result<Network> network = loader.load(resolved);
    if (!network.ok()) return std::move(network).error().in_file(m.model);
    return Opened{planned_model(name_with_sizes(m.model, point.bindings), m.model, resolved),
                  std::move(*network)};
  }

  /// Adds one model; an interrupted one is left as it was. Errors: files that cannot be written,
  /// and defects.
  Result<void> add(const Opened& opened, Planner& planner) {
    const Result<void> added =
        planner.add(opened.model, opened.network, [&](std::uint32_t done, std::uint32_t total) {
          show("layers of " + opened.model.name, done, total);
        });
    environment_.hide_progress();
    if (!added.ok() && environment_.stopped()) return {};
    TRY(added);
    out_.plan = planner.plan();
    out_.planned.push_back(opened.model.name);
    StringSink text;
    record::write_json(out_.plan, text);
    return write_file(manifest_path(request_.folder), text.text());
  }

  void show(const std::string& what, std::int64_t done, std::int64_t total) const {
    if (environment_.progress == nullptr) return;
    const std::string label =
        fmt::format("model {} of {}: {}", begun_, request_.models.size(), what);
    environment_.progress->show(label, done, total);
  }

  const BricksRequest& request_;
  const session::Environment& environment_;
  PlannedBricks out_;
  std::size_t begun_ = 0;  // models
};

}  // namespace

Plan empty_plan(const BricksPoint& point, const runtime::RuntimeInfo& info) {
  return {.ridge = std::string(version()),
          .runtime = info.name,
          .runtime_version = info.version,
          .host = point.host_name,
          .threads = point.threads,
          .models = {},
          .bricks = {},
          .left_over = {}};
}

PlannedModel planned_model(std::string name, std::string path, const analysis::Resolved& resolved) {
  PlannedModel out{.name = std::move(name),
                   .path = std::move(path),
                   .graph_hash = graph::structure_hash(resolved.model()),
                   .resident_bytes = resident_bytes(resolved),
                   .traffic_bytes = traffic_bytes(resolved)};
  for (const auto& [size, bound] : resolved.bindings()) out.sizes[size] = bound.value;
  if (resolved.totals().macs.known()) out.macs = resolved.totals().macs.value();
  return out;
}

Result<void> check_same(const Plan& plan, const Plan& here, const std::string& folder) {
  if (plan.runtime != here.runtime) return other("runtime", plan.runtime, here.runtime, folder);
  if (plan.runtime_version != here.runtime_version)
    return other("version of the runtime", plan.runtime_version, here.runtime_version, folder);
  if (plan.threads != here.threads)
    return other("thread count", std::to_string(plan.threads), std::to_string(here.threads),
                 folder);
  if (plan.host != here.host) return other("host", plan.host, here.host, folder);
  return {};
}

Result<Plan> read_plan(const std::string& folder) {
  const std::string path = manifest_path(folder);
  Result<Plan> plan =
      record::read_json<Plan>(TRY(read_text_file(path, kMaxManifest)),
                              {.limits = {.bytes = static_cast<std::size_t>(kMaxManifest)}});
  if (plan.ok()) return plan;
  Error error = std::move(plan).error().in_file(path);
  if (error.hint().empty())
    error = std::move(error).hint("plan into a new folder: ridge bricks plan MODEL... --out DIR");
  return error;
}

Result<PlannedBricks> plan_bricks(const BricksRequest& request,
                                  const session::Environment& environment) {
  return Planning(request, environment).run();
}

}  // namespace ridge::bricks
