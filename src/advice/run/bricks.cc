// SPDX-License-Identifier: Apache-2.0
#include "advice/run/bricks.h"

#include "base/file.h"
#include "base/temporary_folder.h"
#include "bricks/plan_describe.h"
#include "bricks/planner.h"
#include "bricks/run/file.h"
#include "bricks/run/plan.h"
#include "bricks/run/suite.h"
#include "bricks/suite_times.h"
#include "record/json_write.h"

namespace ridge::advice {
namespace {

/// Processes of a suite of pairs: a gain that is unsure after so many is called unpredictable.
constexpr std::uint32_t kMaxPairedProcesses = 16;

}  // namespace

Result<void> measure_bricks(const std::vector<NamedNetwork>& models, const BricksWanted& wanted,
                            bricks::Loader& loader, const session::Environment& environment) {
  const TemporaryFolder temporary = TRY(TemporaryFolder::make());
  const std::string& folder = temporary.path();
  const bricks::BricksPoint point = TRY(bricks::bricks_point(wanted.spec, environment));
  bricks::Planner planner(loader, bricks::kSequences, bricks::empty_plan(point, TRY(loader.info())),
                          [&](const onnx::Document& model, const std::string& file) {
                            return bricks::save_brick(model, folder + "/" + file,
                                                      Durability::kUnsynced);
                          });
  const std::int64_t resident = bricks::resident_bytes(models.at(0).network->resolved);
  const std::int64_t traffic = bricks::traffic_bytes(models.at(0).network->resolved);
  for (const NamedNetwork& m : models) planner.survey(*m.network);
  for (const NamedNetwork& m : models) {
    bricks::PlannedModel planned = bricks::planned_model(m.name, m.name, m.network->resolved);
    planned.resident_bytes = resident;
    planned.traffic_bytes = traffic;
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
  record::write_json(planner.plan(), manifest);
  TRY(write_file(folder + "/" + std::string(bricks::kManifestName), manifest.text()));
  bricks::BricksSuite suite = TRY(
      bricks::BricksSuite::open({.folder = folder,
                                 .store = wanted.store,
                                 .spec = wanted.spec,
                                 .goal = {.max_processes = kMaxPairedProcesses, .paired = true}},
                                environment));
  return suite.measure_all(wanted.seconds);
}

}  // namespace ridge::advice
