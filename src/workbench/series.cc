#include "workbench/series.h"

#include "workbench/workbench.h"

namespace ridge::workbench {
namespace {

using profile::Profile;

/// Measures point after point, the roofs once the first is there: what is wrong with the model or
/// the options shows before they are measured.
class Measuring {
 public:
  Measuring(const Workbench& bench, const std::vector<Point>& points, const OnPoint& on_point)
      : bench_(bench), points_(points), on_point_(on_point) {}

  /// A point that fails is reported and the rest goes on; the last error is returned where all
  /// fail.
  Result<Series> run() {
    out_.many = points_.size() > 1;
    for (std::size_t i = 0; i < points_.size() && goes_on(); ++i) {
      Result<Profile> p = measure(points_[i]);
      const bool last = i + 1 == points_.size();
      if (!p.ok() && last && out_.sweep.profiles.empty()) return std::move(p).error();
      if (!p.ok())
        fail(p.error());
      else
        keep(std::move(*p));
    }
    if (out_.sweep.profiles.empty())
      return environment_error("RIDGE-WB-0023", "interrupted before anything was measured");
    out_.whole &= out_.sweep.profiles.size() == points_.size() && !stopped();
    return std::move(out_);
  }

 private:
  bool stopped() const { return bench_.environment.stopped(); }
  bool goes_on() const { return !out_.failure && !stopped(); }

  Result<Profile> measure(const Point& point) {
    const analysis::Resolved resolved = TRY(bench_.resolve(point));
    Profile p = TRY(bench_.measure(resolved, point));
    if (bench_.spec.verify > 0 && !stopped()) verify(resolved, point, p);
    if (on_point_)
      key_ = TRY(bench_.key(resolved, point, p.subject.runtime, p.subject.runtime_version));
    return p;
  }

  /// What was measured counts without it.
  void verify(const analysis::Resolved& resolved, const Point& point, Profile& p) {
    const Result<void> verified = bench_.verify(resolved, point, p);
    if (verified.ok()) return;
    p.verification.reason = verified.error().summary();
    if (!stopped()) fail(verified.error());
  }

  /// What was measured is kept, with roofs or without.
  void keep(Profile p) {
    if (out_.sweep.profiles.empty()) {
      Result<void> roofs = measure_roofs();
      if (!roofs.ok()) out_.failure = std::move(roofs).error();
    }
    if (!out_.failure) apply_roofs(out_.roofs, p);
    if (on_point_) on_point_(p, key_);
    out_.sweep.profiles.push_back(std::move(p));
  }

  Result<void> measure_roofs() {
    out_.roofs =
        TRY(machine_roofs(bench_.environment, bench_.spec.threads, bench_.spec.refresh_roofs));
    return {};
  }

  void fail(const Error& error) {
    bench_.environment.notices.failed(error);
    out_.whole = false;
  }

  const Workbench& bench_;
  const std::vector<Point>& points_;
  const OnPoint& on_point_;
  std::string key_;  ///< of the point measured last
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

}  // namespace ridge::workbench
