// One model, ready to be measured at any point of a spec: the steps that every measurement makes.
//
//   const Workbench bench{model, spec, environment, TRY(open_model(model))};
//   const analysis::Resolved resolved = TRY(bench.resolve(point));
//   const Measured m = TRY(bench.measure(resolved, point, roofs));
//
// Ownership: borrows model name, spec and environment. Thread rule: one thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analysis/resolved.h"
#include "measure/session.h"
#include "profile/profile.h"
#include "workbench/environment.h"
#include "workbench/finish.h"
#include "workbench/measure_spec.h"
#include "workbench/model_source.h"

namespace ridge::workbench {

/// A finished profile, and why parts of it are missing: it counts without them.
struct Measured : Finished {
  std::optional<Error> unverified;
};

struct Workbench {
  const std::string& model;
  const MeasureSpec& spec;
  const Environment& environment;
  OpenedModel opened;
  /// Of each process; the spec's budget divided over its points, or what a plan gives this one.
  double process_s = 2;
  mutable std::set<std::string> warned = {};  ///< notes that were reported as warnings

  /// Notes of the analysis are reported as warnings, once for all points.
  Result<analysis::Resolved> resolve(const Point& point) const;
  /// Measures, verifies where the spec asks for it, and finishes. Errors of the input name the
  /// model's file.
  Result<Measured> measure(const analysis::Resolved& resolved, const Point& point,
                           RoofSource& roofs) const;
  /// What measuring at that point asks of the session.
  Result<measure::Request> request(const Point& point) const;
  /// The result of a measurement, its errors of the input naming the model's file.
  Result<profile::Profile> in_file(Result<profile::Profile> measured) const;
  /// Everything that a run of this point depends on, as JSON: structure and sizes of the model, the
  /// runtime as it names itself with its version and options, host, ridge. Two points of one key
  /// are the same measurement made twice.
  Result<std::string> key(const analysis::Resolved& resolved, const Point& point,
                          std::string_view runtime, std::string_view version) const;

 private:
  Result<void> verify(const analysis::Resolved& resolved, const Point& point,
                      profile::Profile& profile) const;
};

/// The bench of a spec's only model, with the budget divided over its points.
Result<Workbench> make_workbench(const std::string& model, const MeasureSpec& spec,
                                 const Environment& environment);

}  // namespace ridge::workbench
