#include "workbench/advice_bricks.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "base/version.h"
#include "bricks/manifest.h"
#include "bricks/planner.h"
#include "bricks/suite_times.h"
#include "graph/model.h"
#include "onnx/writer.h"
#include "workbench/bricks_suite.h"

namespace ridge::workbench {
namespace {

Result<bricks::Plan> empty_plan(const MeasureSpec& spec, bricks::Loader& loader,
                                const Environment& environment) {
  const BricksPoint point = TRY(bricks_point(spec, environment));
  const runtime::RuntimeInfo info = TRY(loader.info());
  return bricks::Plan{.ridge = std::string(version()),
                      .runtime = info.name,
                      .runtime_version = info.version,
                      .host = point.host_name,
                      .threads = point.threads,
                      .models = {},
                      .bricks = {},
                      .left_over = {}};
}

}  // namespace

Result<void> measure_bricks(const std::vector<NamedNetwork>& models, const BricksWanted& wanted,
                            bricks::Loader& loader, const Environment& environment) {
  const TemporaryFolder temporary = TRY(TemporaryFolder::make("/tmp"));
  const std::string& folder = temporary.path();
  bricks::Planner planner(loader, bricks::kAutomatic,
                          TRY(empty_plan(wanted.spec, loader, environment)),
                          [&](const onnx::Document& model, const std::string& file) {
                            return onnx::write_file(model, folder + "/" + file);
                          });
  const std::int64_t resident = bricks::resident_bytes(models.at(0).network->resolved);
  for (const NamedNetwork& m : models) {
    const analysis::Resolved& resolved = m.network->resolved;
    bricks::PlannedModel planned{.name = m.name,
                                 .path = m.name,
                                 .graph_hash = graph::structure_hash(resolved.model()),
                                 .resident_bytes = resident};
    if (resolved.totals().macs.known()) planned.macs = resolved.totals().macs.value();
    const Result<void> added =
        planner.add(planned, *m.network, [&](std::uint32_t done, std::uint32_t total) {
          if (environment.progress != nullptr)
            environment.progress->show("bricks of " + m.name, done, total);
        });
    environment.hide_progress();
    if (environment.stopped()) return {};
    TRY(added);
  }
  StringSink manifest;
  bricks::write_manifest(planner.plan(), manifest);
  TRY(write_file(folder + "/" + std::string(bricks::kManifestName), manifest.text()));
  BricksSuite suite = TRY(BricksSuite::open(
      {.folder = folder, .store = wanted.store, .spec = wanted.spec, .goal = {}}, environment));
  return suite.measure_all(wanted.seconds);
}

}  // namespace ridge::workbench
