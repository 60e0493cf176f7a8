// SPDX-License-Identifier: Apache-2.0
#include "session/series.h"

#include "session/workbench.h"

namespace ridge::session {
namespace {

/// Measures the points in order.
class Measuring {
 public:
  Measuring(const Workbench& bench, const std::vector<Point>& points, const OnPoint& on_point)
      : bench_(bench),
        points_(points),
        on_point_(on_point),
        roofs_(bench.environment, bench.spec.threads, bench.spec.refresh_roofs) {}

  /// Reports a point that fails and continues; returns the last error if all fail.
  Result<Series> run() {
    out_.is_sweep = points_.size() > 1;
    for (std::size_t i = 0; i < points_.size() && may_continue(); ++i) {
      const Result<void> measured = measure(points_[i]);
      if (measured.ok()) continue;
      const bool last = i + 1 == points_.size();
      if (last && out_.sweep.profiles.empty()) return measured.error();
      fail(measured.error());
    }
    if (out_.sweep.profiles.empty())
      return environment_error("RIDGE-WB-0023", "interrupted before anything was measured");
    out_.complete &= out_.sweep.profiles.size() == points_.size() && !stopped();
    out_.roofs = roofs_.measured();
    return std::move(out_);
  }

 private:
  bool stopped() const { return bench_.environment.stopped(); }
  bool may_continue() const { return !out_.roof_error && !stopped(); }

  /// Measures one point; its profile is kept even without roofs.
  Result<void> measure(const Point& point) {
    const analysis::Resolved resolved = TRY(bench_.resolve(point));
    Measured m = TRY(bench_.measure(resolved, point, roofs_));
    if (m.verification_error && !stopped()) fail(*m.verification_error);
    out_.roof_error = std::move(m.roof_error);
    const profile::Subject& s = m.profile.subject;
    if (on_point_)
      on_point_(m.profile, TRY(bench_.key(resolved, point, s.runtime, s.runtime_version)));
    out_.sweep.profiles.push_back(std::move(m.profile));
    return {};
  }

  void fail(const Error& error) {
    bench_.environment.notices.failed(error);
    out_.complete = false;
  }

  const Workbench& bench_;
  const std::vector<Point>& points_;
  const OnPoint& on_point_;
  RoofSource roofs_;
  Series out_;
};

}  // namespace

Result<Series> measure_series(const std::string& model, const MeasureSpec& spec,
                              const Environment& environment, const OnPoint& on_point) {
  TRY(check(spec));
  const Workbench bench = TRY(make_workbench(model, spec, environment));
  const std::vector<Point> points = TRY(with_arrays(points_of(spec), spec, *bench.opened.model));
  return Measuring(bench, points, on_point).run();
}

}  // namespace ridge::session
