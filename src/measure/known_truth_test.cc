// SPDX-License-Identifier: Apache-2.0
// End-to-end test of a profiler with known truth: a child process with layers of known times
// (runtime/testing/known_layers.h) reports them wrongly in every way we can think of. Each fault is
// either corrected, so that the truth lies within every layer's interval, or reported in the notes;
// none is silent.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "analysis/testing.h"
#include "measure/session.h"
#include "runtime/paths.h"
#include "runtime/testing/expect.h"

namespace ridge::measure {
namespace {

using runtime::expect_ok;

const std::vector<double> kLayersNs = {400'000, 1'300'000, 250'000, 900'000, 120'000, 2'100'000};

const analysis::Resolved& truth_model() {
  static const analysis::Resolved resolved = analysis::testing::resolved(
      "graph main\n input x[2,3]\n a: Relu(x) -> t1\n b: Sin(t1) -> t2\n c: Relu(t2) -> t3\n"
      " d: Exp(t3) -> t4\n e: Relu(t4) -> t5\n f: Tanh(t5) -> y\n output y\n");
  return resolved;
}

enum class Truth : std::uint8_t { kCorrected, kNamed };

struct Fault {
  const char* name;      ///< name of the fault in known_layers.cc; unknown names are honest
  const char* event_us;  ///< cost of an event in the run, and inside its own duration
  Truth truth;
  /// Text of the note that must report it, if any.
  const char* note = "";
};

using enum Truth;
const Fault kFaults[] = {
    {"no_cost", "0,0", kCorrected},
    {"cost_inside_and_beside", "12,6", kCorrected},
    {"cost_beside", "12,0", kCorrected},
    {"cost_inside", "12,12", kCorrected},
    {"disorder", "12,6", kCorrected},
    {"halved", "12,6", kNamed, "leave a part of the run unexplained: unscaled residual -4"},
    {"doubled", "12,6", kNamed, "report more than a run takes: unscaled residual +9"},
    {"slowest_zero", "12,6", kNamed, "leave a part of the run unexplained: unscaled residual -4"},
    {"offset", "12,6", kNamed, "layer times are scaled by 0.9"},
    {"milliseconds", "12,6", kNamed, "reports times in steps of 1.000 ms"},
    {"missing", "12,6", kNamed, "reports no event of 1 layer that the runtime lists (first: 'f')"},
    {"sometimes_missing", "12,6", kNamed, "profiled runs have more or fewer events"},
    {"twice", "12,6", kNamed, "twice: their times count twice"},
    {"clock_forward", "12,6", kNamed, "last longer than the run around them"},
    {"clock_backward", "12,6", kNamed, "end before they begin"},
    {"drifting_cost", "12,6", kNamed, "the cost of profiling changes while it measures"},
    {"faster_copy", "12,6", kNamed, "layer times are scaled by 1.2"},
    {"slower_copy", "12,6", kNamed, "layer times are scaled by 0.7"},
    {"stalled_copy", "12,6", kNamed, "layer times are as reported"},
};

Request request_of(const Fault& fault) {
  Request request{.plan = {.warmup_runs = 1, .min_rounds = 16, .max_rounds = 16}};
  request.runtime.plugin = expect_ok(runtime::find_plugin("faulty"));
  request.runtime.entries = {{"layers", "400,1300,250,900,120,2100"},
                             {"chain", "4"},
                             {"gap", "2"},
                             {"outside", "30"},
                             {"event", fault.event_us},
                             {"lie", fault.name}};
  request.processes = 2;
  request.processors = 1 << 20;  // so many that no foreign load counts
  return request;
}

/// Preloads the object into the child, so that it uses the plug-in's clock.
class Preloaded {
 public:
  explicit Preloaded(const std::string& object) { ::setenv("LD_PRELOAD", object.c_str(), 1); }
  ~Preloaded() { ::unsetenv("LD_PRELOAD"); }
  Preloaded(const Preloaded&) = delete;
  Preloaded& operator=(const Preloaded&) = delete;
};

profile::Profile profiled(const Fault& fault) {
  const Request request = request_of(fault);
  const Preloaded clock(request.runtime.plugin);
  return expect_ok(profile_model(truth_model(), request));
}

/// All notes except the reference kernels' notes about the machine, which the plug-in does not
/// cause.
std::string all(const std::vector<std::string>& notes) {
  std::string out;
  for (const std::string& note : notes)
    if (!note.starts_with("the machine drifted")) out += note + "\n";
  return out;
}

/// Checks the truth, up to the resolution stated in the profile.
::testing::AssertionResult corrected_profile(const profile::Profile& p) {
  if (p.layers.size() != kLayersNs.size())
    return ::testing::AssertionFailure() << p.layers.size() << " layers";
  for (std::size_t i = 0; i < kLayersNs.size(); ++i) {
    const stats::Estimate e = *p.layers[i].corrected;
    const double slack = p.profiling.resolution_ns;
    if (e.low() - slack > kLayersNs[i] || e.high() + slack < kLayersNs[i])
      return ::testing::AssertionFailure() << p.layers[i].name << ": " << e.value << " [" << e.low()
                                           << ", " << e.high() << "], not " << kLayersNs[i];
  }
  return ::testing::AssertionSuccess();
}

class KnownTruthSlow : public ::testing::TestWithParam<Fault> {};

TEST_P(KnownTruthSlow, IsCorrectedOrNamed) {
  const Fault& fault = GetParam();
  const profile::Profile p = profiled(fault);
  const std::string notes = all(p.notes);
  if (fault.truth == kCorrected)
    EXPECT_TRUE(corrected_profile(p)) << notes;
  else
    EXPECT_NE(notes.find(fault.note), std::string::npos) << notes;
}

TEST(KnownTruthOfAllSlow, AnHonestProfilerIsNotAccused) {
  EXPECT_EQ(all(profiled(kFaults[1]).notes), "");
}

TEST(KnownTruthOfAllSlow, ReportedTimesStandWhereTheCorrectionIsNotUsable) {
  const profile::Profile p = profiled({"stalled_copy", "12,6", kNamed});
  EXPECT_EQ(p.profiling.layer_times, "reported");
  EXPECT_FALSE(p.profiling.total_ns);
  double share = 0;
  for (const profile::Layer& l : p.layers) {
    EXPECT_EQ(l.corrected_ns, l.time_ns.value);
    EXPECT_EQ(l.corrected->high(), l.time_ns.high());
    share += l.share;
  }
  EXPECT_DOUBLE_EQ(share, 1);
}

INSTANTIATE_TEST_SUITE_P(Faults, KnownTruthSlow, ::testing::ValuesIn(kFaults),
                         [](const auto& fault) { return fault.param.name; });

}  // namespace
}  // namespace ridge::measure
