// SPDX-License-Identifier: Apache-2.0
// Figures of equal machines: for each roof, latency and layer group its center and spread over
// machines, and which machines lie outside. ridge.baseline/1; describe.h has its keys. Plain data.
//
// A *thing* is one figure of each machine: a roof, the latency of a model, the time of a group of
// its layers. A *subject* is what is tested: the roofs of one memory level together, one latency,
// one group of layers. reference.h makes both, check.h judges another machine.
//
// Thread rule: value types.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"

namespace ridge::lab {

enum class SubjectKind : std::uint8_t { kRoofs, kLatency, kLayer };

}  // namespace ridge::lab

namespace ridge {

template <>
struct Words<lab::SubjectKind> {
  using E = lab::SubjectKind;
  static constexpr std::array list{Word{E::kRoofs, "roofs"}, Word{E::kLatency, "latency"},
                                   Word{E::kLayer, "layer"}};
};

}  // namespace ridge

namespace ridge::lab {

/// Rule by which machines are judged; reference.h has the method and its sources.
struct BaselineRule {
  double false_accusations = 0.01;  ///< chance that any of equal machines is named, over all tests
  double least_difference = 0.1;    ///< slower by less than this share is never named
  std::uint32_t least_machines = 6;
  std::string method;  ///< in words, with sources
};

/// Figure of a machine: one vote, from all of its runs.
struct Vote {
  std::uint32_t machine = 0;  ///< position in Baseline::machines
  double value = 0;           ///< median over runs; of a roof the best
  double best = 0;            ///< shortest time, highest roof
  std::uint32_t runs = 1;
};

struct Thing {
  std::string name;   ///< "read", "float32", "latency", "layer1.0: conv1 + bn1"
  std::string unit;   ///< "ns", "B/s", "FLOP/s"
  double center = 0;  ///< median over the machines that are not outside
  std::vector<Vote> votes;
};

/// Model as it was measured, of a latency and its layers.
struct BaselinePoint {
  std::string model, graph_hash, sizes, runtime, runtime_version, options;
  std::int32_t threads = 0;  ///< 0: not known
  std::int64_t batch = 1;
  std::string processor;  ///< "AMD EPYC 9575F (Zen 5), 2 processors"

  /// Equal but for the path, which differs from host to host where the structure is the same.
  bool same_as(const BaselinePoint& other) const;
};

struct Subject {
  SubjectKind kind = SubjectKind::kRoofs;
  std::optional<std::uint32_t> point;  ///< position in Baseline::points; nullopt for roofs
  std::string processor;               ///< kind and number, of its machines
  std::string level;                   ///< "compute", "L1", "memory"; "" but for roofs
  std::int32_t threads = 0;            ///< 0 but for roofs
  std::vector<std::uint32_t> nodes;    ///< nodes of the model; none but for layer groups
  std::vector<Thing> things;
  // Of ln(slowness) over machines, as factors: 1 is the median machine.
  double center = 1, spread = 1;
  double limit = 1;                    ///< a machine that is slower than this lies outside
  std::uint32_t machines = 0;          ///< number behind center and spread
  double significance = 0;             ///< part of `false_accusations` that the test has
  std::vector<std::uint32_t> outside;  ///< machines that are slower
};

struct BaselineMachine {
  std::string name;       ///< host name
  std::string processor;  ///< kind and number: machines of one kind are compared
  std::uint32_t runs = 0;
};

/// A figure of a machine that lies outside, beside what is expected.
struct Evidence {
  std::string thing, unit;
  double value = 0, low = 0, high = 0;
  double ratio = 1;  ///< value / center
};

/// A subject in which a machine lies outside.
struct OffFinding {
  std::string machine;
  SubjectKind kind = SubjectKind::kRoofs;
  std::string subject;  ///< "memory roofs, 2 threads", "resnet50 ...: latency"
  double slowness = 1;  ///< against the machines of the baseline
  double limit = 1;
  std::uint32_t machines = 0;  ///< it is compared with
  std::vector<Evidence> evidence;
};

/// Runs, or figures of them, that could not be compared.
struct LeftOut {
  std::string why;
  std::uint32_t count = 0;
  std::vector<std::string> examples;  ///< "run 7 of host"; the first few
};

struct Baseline {
  std::string ridge_version;
  std::string rows = "model", columns = "host";
  BaselineRule rule;
  std::vector<BaselineMachine> machines;
  std::vector<BaselinePoint> points;
  std::vector<Subject> subjects;
  std::vector<OffFinding> findings;  ///< machine by machine, roofs first
  std::vector<LeftOut> left_out;
};

/// A machine beside a baseline; ridge.baseline_check/1.
struct BaselineCheck {
  std::string machine, processor;
  std::uint32_t judged = 0;  ///< subjects
  std::vector<OffFinding> findings;
  std::vector<LeftOut> left_out;
};

}  // namespace ridge::lab
