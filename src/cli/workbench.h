// One model, ready to be measured at any point: the steps that every measuring verb makes.
//
//   const SingleWorkbench single(model, options, console, TRY(open_model(model)));
//   const Workbench& bench = *single;
//   const analysis::Resolved resolved = TRY(bench.resolve(point));
//   Profile p = TRY(bench.measure(resolved, point));
//   hold_against(roofs, p);
//
// Ownership: borrows options, console and progress. Thread rule: one thread.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/resolved.h"
#include "base/clock.h"
#include "base/progress.h"
#include "cli/console.h"
#include "cli/measuring.h"
#include "cli/model_file.h"
#include "cli/roof_source.h"
#include "machine/host.h"
#include "measure/session.h"
#include "profile/profile.h"

namespace ridge::cli {

struct Point {
  analysis::Bindings bindings;
  int threads = 1;
  std::string runtime = "ort";  ///< as --runtime names it
};

/// Every combination of the runtimes, threads and sizes asked for, the first slowest. Usage errors.
Result<std::vector<Point>> points_of(const MeasuringOptions& options);

/// The same with the sizes that the arrays of --input have. Errors: measure::with_arrays.
Result<std::vector<Point>> with_arrays(std::vector<Point> points, const MeasuringOptions& options,
                                       const graph::Model& model);

struct Workbench {
  const std::string& model;
  const MeasuringOptions& options;
  Console& console;
  machine::Host host;
  OpenedModel opened;
  Progress* progress = nullptr;             ///< may be null
  mutable std::set<std::string> said = {};  ///< what was printed as warnings

  /// What the analysis has to say is printed as warnings, once for all points.
  Result<analysis::Resolved> resolve(const Point& point) const;
  /// Times, members and host, without roofs. Errors of the input name the model's file.
  Result<profile::Profile> measure(const analysis::Resolved& resolved, const Point& point) const;
  /// Holds the layer times against parts of the model, as often as the options say; how long that
  /// takes goes to the console first.
  Result<void> verify(const analysis::Resolved& resolved, const Point& point,
                      profile::Profile& profile) const;
  /// What measuring in that runtime takes.
  Result<measure::Request> request(const std::string& runtime, int threads) const;
  /// What measure() adds to what was measured: the host, or where an error lies.
  Result<profile::Profile> completed(Result<profile::Profile> measured) const;
  /// Everything that a run of this point depends on, as JSON: structure and sizes of the model, the
  /// runtime as it names itself with its version and options, host, ridge. Two points of one key
  /// are the same measurement made twice.
  Result<std::string> key(const analysis::Resolved& resolved, const Point& point,
                          std::string_view runtime, std::string_view version) const;
};

/// The workbench of one model that stands alone, with a progress line where there is a terminal.
/// Borrows what it is given.
class SingleWorkbench {
 public:
  SingleWorkbench(const std::string& model, const MeasuringOptions& options, Console& console,
                  OpenedModel opened)
      : drawn_(console.err, steady_clock(), console.columns),
        bench_{model,
               options,
               console,
               machine::this_host(),
               std::move(opened),
               console.err_is_terminal ? &drawn_ : nullptr} {}
  SingleWorkbench(const SingleWorkbench&) = delete;
  SingleWorkbench& operator=(const SingleWorkbench&) = delete;
  ~SingleWorkbench() = default;

  const Workbench& operator*() const { return bench_; }

 private:
  Progress drawn_;
  Workbench bench_;
};

/// Adds the roofs of the profile's number of threads and what they say of each layer.
void hold_against(const MachineRoofs& roofs, profile::Profile& profile);

}  // namespace ridge::cli
