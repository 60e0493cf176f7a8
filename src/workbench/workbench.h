// One model, ready to be measured at any point of a spec: the steps that every measurement makes.
//
//   const Workbench bench{model, spec, environment, TRY(open_model(model))};
//   const analysis::Resolved resolved = TRY(bench.resolve(point));
//   profile::Profile p = TRY(bench.measure(resolved, point));
//   apply_roofs(roofs, p);
//
// Ownership: borrows model name, spec and environment. Thread rule: one thread.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "analysis/resolved.h"
#include "measure/session.h"
#include "profile/profile.h"
#include "workbench/environment.h"
#include "workbench/measure_spec.h"
#include "workbench/model_source.h"

namespace ridge::workbench {

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
  /// Times, members and host, without roofs. Errors of the input name the model's file.
  Result<profile::Profile> measure(const analysis::Resolved& resolved, const Point& point) const;
  /// Compares layer times with parts of the model, at as many cuts as the spec has; how long that
  /// takes is reported first.
  Result<void> verify(const analysis::Resolved& resolved, const Point& point,
                      profile::Profile& profile) const;
  /// What measuring at that point asks of the session.
  Result<measure::Request> request(const Point& point) const;
  /// What measure() adds to what was measured: the host, or the file that an error lies in.
  Result<profile::Profile> completed(Result<profile::Profile> measured) const;
  /// Everything that a run of this point depends on, as JSON: structure and sizes of the model, the
  /// runtime as it names itself with its version and options, host, ridge. Two points of one key
  /// are the same measurement made twice.
  Result<std::string> key(const analysis::Resolved& resolved, const Point& point,
                          std::string_view runtime, std::string_view version) const;
};

/// The bench of a spec's only model, with the budget divided over its points.
Result<Workbench> make_workbench(const std::string& model, const MeasureSpec& spec,
                                 const Environment& environment);

}  // namespace ridge::workbench
