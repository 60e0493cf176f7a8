// SPDX-License-Identifier: Apache-2.0
// Profile data: all measured, imported, estimated or bounded results, keyed by the nodes of the
// original model. Plain data.
//
// `ridge profile` fills a Profile, src/export and src/report print it, src/store saves it. Rows
// refer to each other by position: a member's `node` is the node index of `ridge analyze`. Times
// are integer nanoseconds, counts are integers; an unknown figure is std::nullopt with a reason
// beside it, never 0. JSON: profile/describe.h (ridge.profile/1).
//
// Ownership: owns all its data, no pointers into a model. Thread rule: plain data.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sizes/bound_sizes.h"
#include "base/units.h"
#include "base/words.h"
#include "machine/roof.h"
#include "profile/timeline.h"
#include "stats/estimate.h"

namespace ridge::profile {

using Count = std::optional<std::int64_t>;

enum class Role : std::uint8_t {
  kExecutes,  ///< this layer executes the node's work; exactly one per node with any work
  kPart,      ///< another layer of a node that the runtime decomposed or duplicated
  kAbsorbed,  ///< merged into weights or a post-op; no work of its own
};

enum class Evidence : std::uint8_t {
  kRuntimeList,  ///< the runtime lists the original nodes
  kSameTensor,   ///< the boundary tensors exist in both graphs
  kRenamed,      ///< a documented naming rule
  kRegion,       ///< the set of members is exact, their split inside the region is a convention
  kValue,        ///< outputs have equal values in a check run
  kShapes,       ///< only one match of the operators in order, recorded shapes agree
  kOrder,        ///< only one match of the operators in order, shapes are not recorded
  kFusion,       ///< the runtime is known to fuse such nodes; the recording does not list them
  kGuess,
};

enum class Why : std::uint8_t {
  kFolded,       ///< computed at load time
  kEliminated,   ///< no effect, or dead
  kMerged,       ///< equal to another node, which is computed once for both
  kNotExecuted,  ///< branch not taken, or no iterations
};

struct Member {
  std::uint32_t node = 0;
  Role role = Role::kExecutes;
  Evidence evidence = Evidence::kGuess;
};

struct WithoutLayer {
  std::uint32_t node = 0;
  Why why = Why::kFolded;
  std::optional<std::uint32_t> with;  ///< kMerged: the node that is computed
};

/// Work of one or several nodes. nullopt: unknown for at least one of them.
struct Work {
  Count macs = 0, flops = 0, special = 0, int_ops = 0;
};

/// Node::repeat if the number of executions of a body depends on data.
inline constexpr std::int64_t kUnknownRepeat = -1;

/// A node of the original model.
struct Node {
  std::uint32_t index = 0;
  std::optional<std::uint32_t> parent;
  std::int64_t repeat = 1;
  std::string name, op_type, domain, module;
  std::string status;  ///< "counted", "zero", "unknown"
  Work work;
  Count bytes_read, bytes_written;
  std::int64_t params = 0;
  std::string output_shape;  ///< "1x64x112x112 float32" of the first output
};

/// One kernel of the runtime.
struct Kernel {
  std::string name, type;
  stats::Estimate time_ns;  ///< as the runtime's profiler reports it
};

/// The limiting roof of a layer, and the layer's distance from it (roofline/bound.h).
struct Bound {
  /// "compute", "memory:L2", "memory:memory", "overhead", or "" if unknown.
  std::string kind;
  std::optional<double> time_ns;  ///< lower bound on the time
  /// bound / corrected time; above 1 means faster than the roof: reported as such, never clipped.
  std::optional<double> roof_share;
  std::string reason;  ///< reason why a figure is null
};

/// Lower bounds on the work of a layer in any implementation (analysis/bounds/min_work.h), the
/// input of its Bound. Unknown figures are null.
struct Least {
  Count macs;              ///< over all executions
  Count bytes;             ///< touched by one execution
  Count line_bytes;        ///< size of the cache lines that contain these bytes
  std::int64_t trips = 1;  ///< executions per run of the model
  /// Part of `bytes` that it reads of weights and of the model's inputs. A tensor that several
  /// layers read counts for the one that reads most of it, so that the sum over layers is what each
  /// run reads of different addresses. nullopt: unknown.
  Count streamed;
};

/// The two cuts of a Verification between which a layer lies.
struct VerifiedBetween {
  std::optional<std::uint32_t> from, to;  ///< their nodes; nullopt: beginning, end of the model
  double difference = 0;                  ///< excess of the segment's layers (profile/verified.h)
};

struct Layer {
  std::uint32_t index = 0;
  std::string name, type;
  std::string implementation;  ///< execution provider and kernel family as reported by the runtime
  std::string precision;       ///< element type of the computation: "float32"
  std::string layout;          ///< "plain", "blocked:16", "channels_last", "" if unknown
  std::uint32_t order = 0;     ///< position in execution order
  bool inserted = false;       ///< inserted by the runtime: reorder, cast, copy
  bool below_resolution = false;  ///< the corrected time is below the profiler's resolution
  stats::Estimate time_ns;        ///< as reported by the profiler, per run of the model
  /// Reported time less the profiling overhead: the median of runs_ns. Equals the reported time if
  /// Profiling::layer_times is kReportedTimes.
  double corrected_ns = 0;
  /// corrected_ns with an interval that covers the noise of the runs and the uncertainty of the
  /// profiling overhead. nullopt if a document lacks it.
  std::optional<stats::Estimate> corrected;
  /// nullopt if nothing was verified. Derived from Profile::verification: mark_verified().
  std::optional<VerifiedBetween> verified;
  /// Corrected time in each profiled run (reported time if Profiling::layer_times is
  /// kReportedTimes), in whole nanoseconds. Run i of every layer belongs to the i-th unprofiled
  /// sample, with the processes of Latency concatenated. Empty if a document lacks it.
  std::vector<std::int64_t> runs_ns;
  /// Reported time in each of these runs, kept as long as the correction may be undone
  /// (measure/reported_times.h); not written to documents or the store.
  std::vector<std::int64_t> reported_runs_ns;
  double share = 0;             ///< share of the sum of corrected times
  std::int64_t executions = 1;  ///< per run of the model
  std::vector<Kernel> kernels;
  std::vector<Member> members;
  Work work;    ///< only of the nodes that it executes
  Count bytes;  ///< bytes of the tensors that cross the layer's boundary
  Count output_bytes;
  Least least;
  std::optional<double> flop_per_s, bytes_per_s, intensity;
  Bound bound;
  std::string module;  ///< the deepest module that contains all members
};

struct Module {
  std::string path;  ///< "" is the whole model
  std::uint32_t depth = 0;
  double time_ns = 0, share = 0;
  Work work;
  Count bytes;
  std::uint32_t layers = 0;
};

/// Identity of the profiled model, runtime and options.
struct Subject {
  std::string kind = "measured";  ///< measured | imported | estimated | bounded
  std::string path, graph_hash, producer;
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t> opsets;
  analysis::BoundSizes bindings;
  std::string weights;  ///< "seeded" | "as-is" | "file"
  std::string runtime, runtime_version, runtime_library;
  std::optional<std::int32_t> threads;         ///< in the runtime; unknown for some imports
  std::map<std::string, std::string> options;  ///< optimization, pinning and the user's own options
  std::string ridge_version;
};

/// Unprofiled latencies of one process, without warm-up samples.
struct Process {
  std::vector<std::int64_t> samples_ns;
  std::int64_t warmup_dropped = 0;
  std::string steadiness;  ///< "flat", "warm-up", "slowdown", "no steady state"
};

/// Estimates are medians. What an imported run does not report is NaN, null in JSON.
struct Latency {
  std::vector<Process> processes;
  stats::Estimate ns;
  std::int64_t rejected = 0;  ///< samples rejected because other processes used the processor
};

/// Time of one of ridge's reference kernels, which always do the same work (machine/reference.h).
struct ReferenceTime {
  std::uint32_t processes = 0;  ///< number of processes that had measured the model before
  std::string kernel;
  std::int64_t ns = 0;
};

/// Overhead of the profiler (measured on other runs than those it corrects) and what it leaves
/// unexplained.
struct Profiling {
  stats::Estimate profiled_latency_ns;
  stats::Estimate excess_ns;  ///< excess of a profiled run over the unprofiled run beside it
  double event_cost_ns = 0;   ///< wall time that one event adds to a run
  double event_share_ns = 0;  ///< part of it that lies inside the event's own duration
  double resolution_ns = 0;   ///< layers with a corrected time below it are marked below_resolution
  /// time of the runtime's cheapest kernel: the floor of the bound "overhead"
  double cheapest_kernel_ns = 0;
  double raw_sum_ns = 0;
  double corrected_sum_ns = 0;
  double gaps_ns = 0;  ///< time of a run between layers: scheduling, input and output handling
  /// Excess of whole runs (total_ns) over the sum of the medians of layers and gaps: other
  /// processes disturb a few layers of each run, which medians leave out. 0 on a quiet machine.
  double disturbance_ns = 0;
  double outside_layers_ns = 0;  ///< gaps + disturbance
  /// (corrected sum + outside) / latency - 1: small by construction, whatever the events report.
  double residual_share = 0;
  // The following are nullopt if a document lacks them.
  std::optional<stats::Estimate> event_cost;  ///< event_cost_ns with its interval
  std::optional<stats::Estimate>
      fixed_cost;  ///< cost that profiling adds to a run besides its events
  /// Unprofiled run + events * event cost + fixed cost: agreement with profiled_latency_ns shows
  /// that an event costs as much in this model as in the calibration chains.
  std::optional<stats::Estimate> predicted_profiled_ns;
  /// Duration of a run without the profiler: corrected layers plus gaps, run by run.
  std::optional<stats::Estimate> total_ns;
  // Consistency checks that the correction cannot force to fit (measure/self_check.h): medians over
  // runs.
  std::optional<stats::Estimate> factor;  ///< factor by which layer times were scaled
  std::optional<stats::Estimate> unscaled_residual;
  std::optional<stats::Estimate> predicted_ratio;  ///< profiled run, predicted / measured
  /// Kind of Layer::corrected_ns: kCorrectedTimes, or kReportedTimes if the correction is not
  /// usable. "" if a document lacks it.
  std::string layer_times;
};

inline constexpr std::string_view kCorrectedTimes = "corrected", kReportedTimes = "reported";

/// Overhead of a level below the layers, recorded in separate runs: a cost per reading and a fixed
/// cost per run (measure/event_cost.h).
struct LevelCost {
  Level level = Level::kThread;
  std::int64_t runs = 0;       ///< number of runs with all readings of the level
  double events = 0;           ///< readings per such run
  stats::Estimate latency_ns;  ///< latency of these runs
  stats::Estimate event_cost, fixed_cost;
};

/// Work of one thread of the runtime, per run of the model.
struct ThreadWork {
  std::string name;  ///< name that the operating system reports
  stats::Estimate cpu_ns;
  /// Time spent ready without a processor, and number of times it was scheduled. nullopt if the
  /// system does not report them.
  std::optional<stats::Estimate> wait_ns, switches;
};

/// A count of the processor or the operating system, per run of the model, summed over all threads.
struct Counter {
  std::string name, unit;  ///< "page-faults", ""; "task-clock", "ns"
  std::string origin;      ///< source of the count: "perf hardware"; "" if there is none
  std::optional<stats::Estimate> value;
  /// Share of the time during which it counted; below 1 the value is scaled. nullopt if unknown.
  std::optional<double> running_share;
  std::string reason;  ///< reason why there is no value
};

/// Results of the levels thread and counter; empty if they were not recorded.
struct Levels {
  std::vector<LevelCost> costs;
  /// Latency of the runs with all levels at once, and its prediction from the costs: unprofiled run
  /// + for each level events * cost + fixed cost.
  std::optional<stats::Estimate> deepest_ns, predicted_deepest_ns;
  std::vector<ThreadWork> threads;  ///< the thread that calls the runtime first
  /// Processor time of the busiest thread divided by the mean over the runtime's number of threads;
  /// 1 means balanced.
  std::optional<stats::Estimate> imbalance;
  std::vector<Counter> counters;

  bool empty() const { return costs.empty() && threads.empty() && counters.empty(); }
};

enum class Verdict : std::uint8_t {
  kAgrees,  ///< within the limit, as far as the interval can tell
  /// The part is faster or slower because of the state of the caches: it agrees if each of its runs
  /// follows a run of the whole model.
  kExplained,
  kDiffers,       ///< neither of the above
  kIncomparable,  ///< the runtime runs other kernels in the part than in the whole model
};

/// Comparison of the layers before one tensor with the part of the model that ends there, run as a
/// model of its own without the profiler (measure/verification.h).
struct VerifiedCut {
  std::uint32_t node = 0;    ///< node that produces the tensor, the only one that crosses the cut
  std::string tensor;        ///< name of the tensor in the model
  std::uint32_t layers = 0;  ///< number of layers before the cut, in execution order
  double layers_ns = 0;      ///< sum of their corrected times
  double outside_ns = 0;     ///< their share of the time outside layers
  stats::Estimate part_ns;   ///< time of the part, scaled to the latency; less inserted_ns
  double inserted_ns = 0;  ///< time of kernels that the runtime inserts only at the end of the part
  stats::Estimate difference;  ///< (layers_ns + outside_ns - part_ns) / latency
  /// part_ns when each run of the part follows a run of the whole model in the same process. Only
  /// measured if `difference` is beyond the limit.
  std::optional<stats::Estimate> explained_ns;
  Verdict verdict = Verdict::kAgrees;
};

/// Check of layer times independent of the profiler. Without cuts and reason: not requested.
struct Verification {
  std::vector<VerifiedCut> cuts;  ///< in execution order
  std::string reason;             ///< reason why there are no cuts

  bool asked() const { return !cuts.empty() || !reason.empty(); }
};

struct Profile {
  Subject subject;
  std::string host_json;                       ///< the host object of ridge.machine/1, verbatim
  std::int64_t load_ns = 0, first_run_ns = 0;  ///< 0: not recorded
  Latency latency;
  double items_per_s = 0;
  std::int64_t batch = 1;
  Profiling profiling;
  std::vector<Node> nodes;
  std::vector<Layer> layers;
  std::vector<WithoutLayer> without_layer;
  std::int64_t unattributed_layers = 0;
  double unattributed_share = 0;
  std::vector<Module> modules;
  std::vector<machine::Roof> roofs;
  Levels levels;
  /// between the processes; empty if the kernels were not run
  std::vector<ReferenceTime> reference;
  Verification verification;
  Timeline timeline;  ///< spans of recorded runs; empty if none were kept
  /// Facts that the reader must know: noisy host, interruption, fallbacks.
  std::vector<std::string> notes;
};

}  // namespace ridge::profile

namespace ridge {

template <>
struct Words<profile::Role> {
  using E = profile::Role;
  static constexpr std::array list{Word{E::kExecutes, "executes"}, Word{E::kPart, "part"},
                                   Word{E::kAbsorbed, "absorbed"}};
};

template <>
struct Words<profile::Evidence> {
  using E = profile::Evidence;
  static constexpr std::array list{Word{E::kRuntimeList, "runtime_list"},
                                   Word{E::kSameTensor, "same_tensor"},
                                   Word{E::kRenamed, "renamed"},
                                   Word{E::kRegion, "region"},
                                   Word{E::kValue, "value"},
                                   Word{E::kShapes, "shapes"},
                                   Word{E::kOrder, "order"},
                                   Word{E::kFusion, "fusion"},
                                   Word{E::kGuess, "guess"}};
};

template <>
struct Words<profile::Why> {
  using E = profile::Why;
  static constexpr std::array list{Word{E::kFolded, "folded"}, Word{E::kEliminated, "eliminated"},
                                   Word{E::kMerged, "merged"},
                                   Word{E::kNotExecuted, "not_executed"}};
};

template <>
struct Words<profile::Verdict> {
  using E = profile::Verdict;
  static constexpr std::array list{Word{E::kAgrees, "agrees"}, Word{E::kExplained, "explained"},
                                   Word{E::kDiffers, "differs"},
                                   Word{E::kIncomparable, "incomparable"}};
};

namespace profile {

inline std::string_view name(Role role) { return word(role); }
inline std::string_view name(Evidence evidence) { return word(evidence); }
inline std::string_view name(Why why) { return word(why); }
inline std::string_view name(Verdict verdict) { return word(verdict); }

}  // namespace profile
}  // namespace ridge
