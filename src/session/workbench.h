// SPDX-License-Identifier: Apache-2.0
// Model opened for measuring at any point of a spec, with the steps common to all measurements.
//
//   const Workbench bench{model, spec, environment, TRY(open_model(model))};
//   const analysis::Resolved resolved = TRY(bench.resolve(point));
//   const Measured m = TRY(bench.measure(resolved, point, roofs));
//
// Ownership: borrows model name, spec and environment. Thread rule: one thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analysis/resolved.h"
#include "measure/request.h"
#include "profile/profile.h"
#include "session/environment.h"
#include "session/finish.h"
#include "session/measure_spec.h"
#include "session/model_source.h"

namespace ridge::session {

struct RunKey;  // run_key.h

/// Finished profile; the errors of roofs and verification do not invalidate it.
struct Measured : Finished {
  std::optional<Error> verification_error;  ///< set if verification failed: the reason
};

struct Workbench {
  const std::string& model;
  const MeasureSpec& spec;
  const Environment& environment;
  OpenedModel opened;
  /// Measuring time per process: the spec's budget divided over its points, or the share that
  /// BenchBudget assigns to the next point.
  double process_s = 2;
  mutable std::set<std::string> warned = {};  ///< notes that were reported as warnings

  /// Resolves the model at `point`. Each note of the analysis is reported as a warning once.
  Result<analysis::Resolved> resolve(const Point& point) const;
  /// Measures the point, verifies it if the spec says so, and finishes the profile. Errors of the
  /// input class name the model's file.
  Result<Measured> measure(const analysis::Resolved& resolved, const Point& point,
                           RoofSource& roofs) const;
  /// Request to the measuring session for `point`.
  Result<measure::Request> request(const Point& point) const;
  /// Adds the model's file to an error of the input class.
  Result<profile::Profile> in_file(Result<profile::Profile> measured) const;
  /// JSON of everything that a run of this point depends on: structure and sizes of the model,
  /// name, version and options of the runtime, weights, input files, host, version of ridge. Runs
  /// with equal keys are repetitions of one measurement.
  Result<std::string> key(const analysis::Resolved& resolved, const Point& point,
                          std::string_view runtime, std::string_view version) const;
  /// Options of runtime and measurement, as keys have them.
  Result<std::map<std::string, std::string>> options_in_keys(const Point& point) const;
  /// Key of the point in its request, the same on every machine (point_choice.h). No runtime is
  /// needed for it.
  Result<std::string> request_key(const analysis::Resolved& resolved, const Point& point) const;

 private:
  /// Options of the runtime at the point, without where the runtime lies.
  runtime::Options options_at(const Point& point) const;
  /// Without the runtime's version; its name is that of the point.
  Result<RunKey> run_key(const analysis::Resolved& resolved, const Point& point) const;
  Result<void> verify(const analysis::Resolved& resolved, const Point& point,
                      profile::Profile& profile) const;
};

/// Opens the model and divides the spec's budget over its points.
Result<Workbench> make_workbench(const std::string& model, const MeasureSpec& spec,
                                 const Environment& environment);

}  // namespace ridge::session
