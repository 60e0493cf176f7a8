// The joined tables: everything measured, imported, estimated or bounded, keyed by the node of the
// original model. Plain data.
//
// A Profile is what `ridge profile` fills, src/export and src/report print, src/store keeps. Rows
// refer to each other by position: a member's `node` is the index of `ridge analyze`. Times are
// integer nanoseconds, counts integers; "cannot be known" is std::nullopt with a reason beside it,
// never 0. JSON: profile/json.h (ridge.profile/1).
//
// Ownership: owns everything it says, no pointers into a model. Thread rule: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/bound_sizes.h"
#include "base/units.h"
#include "profile/timeline.h"

namespace ridge::profile {

using Count = std::optional<std::int64_t>;

/// A median with its 95 % interval. Parts that an imported run does not tell are NaN, null in JSON;
/// so are the other figures of Latency and Profiling then.
struct Estimate {
  double median = 0, low = 0, high = 0;
};

enum class Role : std::uint8_t {
  kExecutes,  ///< this layer carries the node's work; exactly one per node that has any
  kPart,      ///< a further layer of a node that the runtime decomposed or duplicated
  kAbsorbed,  ///< lives on in weights or a post-op; no work of its own
};

enum class Evidence : std::uint8_t {
  kRuntimeList,  ///< the runtime names its originals
  kSameTensor,   ///< boundary tensors survive
  kRenamed,      ///< a documented naming rule
  kRegion,       ///< the region's members are exact, their split inside it is convention
  kValue,        ///< outputs equal numerically in a check run
  kShapes,       ///< operators in their order match in one way, recorded shapes agree
  kOrder,        ///< operators in their order match in one way, shapes are not recorded
  kGuess,
};

enum class Why : std::uint8_t {
  kFolded,       ///< computed at load
  kEliminated,   ///< no effect, or dead
  kMerged,       ///< equal to another node, computed once
  kNotExecuted,  ///< branch not taken, no trips
  kInside,       ///< control flow timed as a whole
};

struct Member {
  std::uint32_t node = 0;
  Role role = Role::kExecutes;
  Evidence evidence = Evidence::kGuess;
};

struct WithoutLayer {
  std::uint32_t node = 0;
  Why why = Why::kFolded;
  std::optional<std::uint32_t>
      with;  ///< kMerged: the node that is computed; kInside: the node that holds it
};

/// Work of one or several nodes. nullopt: at least one of them is unknown.
struct Work {
  Count macs = 0, flops = 0, special = 0, int_ops = 0;
};

/// A row of the original model.
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
  Estimate time_ns;  ///< as the runtime's profiler reports it
};

/// What limits a layer, and how far it is from that limit (roofline/bound.h).
struct Bound {
  std::string
      kind;  ///< "compute", "memory:L2", "memory:memory", "overhead", or "" where it cannot be said
  std::optional<double> time_ns;  ///< the lower bound
  std::optional<double>
      roof_share;      ///< bound / corrected time; above 1 = beats its roof, listed, never hidden
  std::string reason;  ///< why a figure is null
};

/// The least that a layer must do however it is implemented (analysis/least_work.h): what its bound
/// stands on. Nothing known: null.
struct Least {
  Count macs;              ///< of all its executions
  Count bytes;             ///< that one execution touches
  Count line_bytes;        ///< of the cache lines that these lie in
  std::int64_t trips = 1;  ///< executions in a run of the model
};

struct Layer {
  std::uint32_t index = 0;
  std::string name, type;
  std::string implementation;     ///< execution provider and kernel family as the runtime says it
  std::string precision;          ///< element type it ran in: "float32"
  std::string layout;             ///< "plain", "blocked:16", "channels_last", "" where unknown
  std::uint32_t order = 0;        ///< of execution
  bool inserted = false;          ///< by the runtime: reorder, cast, copy
  bool below_resolution = false;  ///< corrected time under what the profiler can resolve
  Estimate time_ns;               ///< as reported, per execution of the model
  /// Less what profiling added: the median of runs_ns. As reported where Profiling::layer_times
  /// says so.
  double corrected_ns = 0;
  /// corrected_ns with its interval: the noise of the runs, and how well the profiler's cost is
  /// known. None where a document does not say it.
  std::optional<Estimate> corrected;
  /// The corrected time in each profiled run (as reported where Profiling::layer_times says so),
  /// whole nanoseconds; run i of every layer is the one beside the i-th unprofiled sample, the
  /// processes of Latency one after the other. Empty where a document does not say it.
  std::vector<std::int64_t> runs_ns;
  /// The reported time in each of these runs, for as long as the correction may be taken back
  /// (measure/reported_times.h); in no document and no store.
  std::vector<std::int64_t> reported_runs_ns;
  double share = 0;             ///< of the corrected sum
  std::int64_t executions = 1;  ///< per run of the model
  std::vector<Kernel> kernels;
  std::vector<Member> members;
  Work work;    ///< of the nodes it executes, only
  Count bytes;  ///< of the tensors that cross its boundary
  Count output_bytes;
  Least least;
  std::optional<double> flop_per_s, bytes_per_s, intensity;
  Bound bound;
  std::string module;  ///< the deepest module that holds all members
};

struct Module {
  std::string path;  ///< "" is the whole model
  std::uint32_t depth = 0;
  double time_ns = 0, share = 0;
  Work work;
  Count bytes;
  std::uint32_t layers = 0;
};

/// A measured ceiling as the layers were compared with it; a row of ridge.machine/1.
struct Roof {
  std::string kind, dtype, level, unit, instruction;
  std::int32_t threads = 1;
  double value = 0, low = 0, high = 0;
  std::optional<double> theory;
};

/// What the profile is about.
struct Subject {
  std::string kind = "measured";  ///< measured | imported | estimated | bounded
  std::string path, graph_hash, producer;
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t> opsets;
  analysis::BoundSizes bindings;
  std::string weights;  ///< "seeded" | "as-is" | "file"
  std::string runtime, runtime_version, runtime_library;
  std::optional<std::int32_t> threads;         ///< of the runtime; not known of every import
  std::map<std::string, std::string> options;  ///< optimization, pinning and the user's own
  std::string ridge_version;
};

/// One process's unprofiled latencies, warm-up left out.
struct Process {
  std::vector<std::int64_t> samples_ns;
  std::int64_t warmup_dropped = 0;
  std::string steadiness;  ///< "flat", "warm-up", "slowdown", "no steady state"
};

struct Latency {
  std::vector<Process> processes;
  Estimate ns;
  std::int64_t rejected = 0;  ///< samples left out because other processes used the processor
};

/// How long a kernel of ridge's own took that does the same work every time (machine/reference.h).
struct ReferenceTime {
  std::uint32_t processes = 0;  ///< that had measured the model before it
  std::string kernel;
  std::int64_t ns = 0;
};

/// The profiler's own cost (measured on other runs than those it corrects) and what it leaves
/// unexplained.
struct Profiling {
  Estimate profiled_latency_ns;
  Estimate excess_ns;             ///< of a profiled run over the plain run beside it
  double event_cost_ns = 0;       ///< wall time that one event adds to a run
  double event_share_ns = 0;      ///< the part of it that lies inside the event's own duration
  double resolution_ns = 0;       ///< layers under it say so
  double cheapest_kernel_ns = 0;  ///< of the runtime's cheapest kernel: the floor called "overhead"
  double raw_sum_ns = 0;
  double corrected_sum_ns = 0;
  double gaps_ns = 0;  ///< of a run between layers: scheduling, input and output handling
  /// By how much whole runs (total_ns) exceed the medians of their layers and gaps together: other
  /// processes hit a few layers of each run, and medians leave them out. 0 on a quiet machine.
  double disturbance_ns = 0;
  double outside_layers_ns = 0;  ///< gaps + disturbance
  /// (corrected sum + outside) / latency - 1: small by construction, whatever events report.
  double residual_share = 0;
  // None where a document does not say it.
  std::optional<Estimate> event_cost;  ///< event_cost_ns with its interval
  std::optional<Estimate> fixed_cost;  ///< that profiling adds to a run beside its events
  /// Plain run + events * event cost + fixed cost: beside profiled_latency_ns it says whether an
  /// event costs in this model what it costs in the chains.
  std::optional<Estimate> predicted_profiled_ns;
  /// A run without the profiler: corrected layers and gaps, run by run.
  std::optional<Estimate> total_ns;
  // What the correction does not make true (measure/self_check.h): medians over runs.
  std::optional<Estimate> factor;  ///< that layers were scaled by
  std::optional<Estimate> unscaled_residual;
  std::optional<Estimate> predicted_ratio;  ///< a profiled run as predicted / as measured
  /// What Layer::corrected_ns is: kCorrectedTimes, or kReportedTimes where the correction is not
  /// usable. "" where a document does not say it.
  std::string layer_times;
};

inline constexpr std::string_view kCorrectedTimes = "corrected", kReportedTimes = "reported";

/// A level below the layers, recorded in runs of its own, and what it adds to a run: so much for
/// each reading, so much for the run (measure/event_cost.h).
struct LevelCost {
  Level level = Level::kThread;
  std::int64_t runs = 0;  ///< that carried all of it
  double events = 0;      ///< readings of one such run
  Estimate latency_ns;    ///< of these runs
  Estimate event_cost, fixed_cost;
};

/// What one thread of the runtime did, per run of the model.
struct ThreadWork {
  std::string name;  ///< the system's
  Estimate cpu_ns;
  /// Ready and without a processor; times that it was given one. None where the system does not
  /// say.
  std::optional<Estimate> wait_ns, switches;
};

/// What the processor or the system counted, per run of the model, all threads together.
struct Counter {
  std::string name, unit;  ///< "page-faults", ""; "task-clock", "ns"
  std::string origin;      ///< who counted: "perf hardware"; "" where nobody could
  std::optional<Estimate> value;
  /// Part of the time that it counted: below 1 the value is scaled. None where it cannot be said.
  std::optional<double> running_share;
  std::string reason;  ///< why there is no value
};

/// The levels thread and counter; empty where they were not recorded.
struct Levels {
  std::vector<LevelCost> costs;
  /// Of the runs with all levels at once, and what the costs of all levels say these take: plain
  /// run + for each level events * cost + fixed cost.
  std::optional<Estimate> deepest_ns, predicted_deepest_ns;
  std::vector<ThreadWork> threads;  ///< the one that calls the runtime first
  /// Processor time of the busiest thread over the mean of as many as the runtime was given; 1 is
  /// even.
  std::optional<Estimate> imbalance;
  std::vector<Counter> counters;

  bool empty() const { return costs.empty() && threads.empty() && counters.empty(); }
};

enum class Verdict : std::uint8_t {
  kAgrees,     ///< within the limit, as far as the interval can tell
  kExplained,  ///< the part is faster or slower by what the caches do: with those of a run of the
               ///< whole model it agrees
  kDiffers,    ///< neither
  kIncomparable,  ///< the runtime runs other kernels in the part than in the whole model
};

/// The layers before one tensor against the part of the model that ends there, in a model of its
/// own and without the profiler (measure/verification.h).
struct VerifiedCut {
  std::uint32_t node = 0;    ///< makes the tensor, which is all that later nodes read
  std::string tensor;        ///< its name in the model
  std::uint32_t layers = 0;  ///< the first so many, in order of execution, lie before it
  double layers_ns = 0;      ///< their corrected times
  double outside_ns = 0;     ///< their part of what a run takes outside layers
  Estimate part_ns;          ///< what the part takes, in units of the latency; less inserted_ns
  double inserted_ns = 0;    ///< of kernels that the runtime inserts only where the part ends
  Estimate difference;       ///< (layers_ns + outside_ns - part_ns) / latency
  /// part_ns where each run of the part follows one of the whole model in the same process. Only
  /// measured where difference is beyond the limit.
  std::optional<Estimate> explained_ns;
  Verdict verdict = Verdict::kAgrees;
};

/// Truth from outside the profiler. No cuts and no reason: nobody asked for it.
struct Verification {
  std::vector<VerifiedCut> cuts;  ///< in order of execution
  std::string reason;             ///< why there are no cuts

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
  std::vector<Roof> roofs;
  Levels levels;
  std::vector<ReferenceTime> reference;  ///< between the processes; empty where it was not run
  Verification verification;
  Timeline timeline;  ///< of recorded runs; empty where none was kept
  std::vector<std::string>
      notes;  ///< what the reader must know: noisy host, interrupted, fallbacks
};

std::string_view name(Role role);
std::string_view name(Evidence evidence);
std::string_view name(Why why);
std::string_view name(Verdict verdict);

}  // namespace ridge::profile
