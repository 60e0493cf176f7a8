// A runtime in a child process, from ridge's side.
//
//   runtime::Options options{.threads = 2};
//   Runtime runtime = TRY(Runtime::spawn(options));
//   Loaded model = TRY(runtime.load({.model = bytes, .weights = weights}));
//   TRY(runtime.set_inputs(model.session, inputs));
//   Measurement m = TRY(runtime.measure(model.session, plan));   // m.failure: what ended it early
//
// The measuring loop runs inside the child (posix_spawn of `program`, which must call child_main,
// runtime/child.h); only results are transferred. A crash, a hang or memory exhaustion in the child
// becomes an Error here; the Runtime is then dead (`alive()`), and a new one can be spawned.
// Several runtimes may exist side by side; each Runtime has its own child.
//
// Thread rule: one thread. Ctrl-C: when Options::interrupted becomes true, a measurement ends and
// keeps its results; other calls end with an error (RIDGE-RT-0015). Errors of the runtime itself
// keep the class set by the plug-in: a rejected model is an input error (exit 3), a missing library
// an environment error (exit 4).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "onnx/data_type.h"
#include "runtime/inputs.h"
#include "runtime/measurement.h"
#include "runtime/weights.h"

namespace ridge::runtime {

enum class Optimization : std::uint32_t { kAll = 0, kDisable = 1, kBasic = 2, kExtended = 3 };

/// Parses "all", "disable", "basic", "extended".
std::optional<Optimization> optimization_named(std::string_view name);
std::string_view name(Optimization optimization);

/// Placeholder for the plug-in's own folder in Options::folders; the build puts a link there to the
/// library that it found.
inline constexpr char kPluginFolder[] = "@plugin";

struct Options {
  std::string program = "/proc/self/exe";  ///< started as `program --runtime-child`
  std::string plugin;                      ///< path of the plug-in; empty: find_plugin("ort")
  /// --runtime-library; empty: search `folders`, then as the loader does.
  std::string library;
  std::vector<std::string> folders = {kPluginFolder};  ///< see library_folders
  std::uint32_t threads = 1;
  Optimization optimization = Optimization::kAll;
  std::vector<std::uint32_t> cpus;  ///< processor per thread to pin to; empty: not pinned
  bool deterministic = false;
  std::vector<std::pair<std::string, std::string>> entries;  ///< --runtime-option key=value
  /// Parent of a private folder that exists for the life of the runtime.
  std::string temporary = "/tmp";
  /// Parent of a private folder that holds weights while a runtime that maps them loads a model, if
  /// it is in memory and has room; empty: all weights are passed in memory.
  std::string memory_folder = "/dev/shm";
  Bytes memory_limit{0};  ///< limit on the child's data (RLIMIT_DATA); 0 = none
  /// A child that sends nothing and computes nothing for this long is considered hanging and
  /// killed; one that computes may be slow and is given `busy_silence`.
  Nanos silence{300'000'000'000};
  Nanos busy_silence{3'600'000'000'000};
  Nanos stopped{10'000'000'000};  ///< a child stopped (SIGSTOP) for this long is killed
  std::function<void(const std::string&)> warn;  ///< may be empty
  const std::atomic<bool>* interrupted = nullptr;
};

/// Runtime for which ridge has a plug-in.
struct KnownRuntime {
  std::string_view name;           ///< value of --runtime: "ort"
  std::string_view other_name;     ///< name in documents: "onnxruntime"
  std::string_view title;          ///< "ONNX Runtime"
  std::string_view root_variable;  ///< environment variable of an installation: "ONNXRUNTIME_ROOT"
  std::string_view folder;         ///< folder in ridge's cache, with a subfolder per version
  std::string_view libraries;      ///< folder of the libraries below the root
  std::string_view fetch;          ///< script that downloads it
};
std::span<const KnownRuntime> known_runtimes();
/// Looks up by either name; nullptr for an unknown name.
const KnownRuntime* known_runtime(std::string_view name);

/// Search path for the runtime's library, in order: `root`, next to the plug-in, the user's cache.
/// Empty arguments are skipped. `cache` is $XDG_CACHE_HOME or $HOME/.cache.
std::vector<std::string> library_folders(const KnownRuntime& runtime, const std::string& root,
                                         const std::string& cache);

/// Path of the plug-in of that name: lib/ridge/ridge_<name>.so next to the program or to its
/// folder. Environment error if there is none.
Result<std::string> find_plugin(std::string_view runtime_name);

struct RuntimeInfo {
  std::string name, version, library;
  /// Notes for readers of results; may be empty.
  std::string notes;
  std::uint64_t capabilities = 0;  ///< RIDGE_CAN_... of runtime/abi.h
};

enum class Dump : std::uint32_t {
  kNothing = 0,
  kStructure = 1,  ///< the optimized graph without weights of more than 1 KiB
  kWeights = 2,    ///< runnable; for comparing results
};

struct LoadRequest {
  std::string_view model;           ///< ONNX bytes (onnx::Weights::kDetached)
  std::span<const Weight> weights;  ///< one for every initializer that the model keeps outside
  Dump dump = Dump::kStructure;
};

/// -1 in dims: unknown.
struct TensorType {
  std::string name;
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
};

/// Layer of a runtime that lists its layers and their originals (not ONNX Runtime).
struct RuntimeLayer {
  std::string name, type, implementation, precision, layout;
  std::vector<std::string> originals, inputs, outputs;
};

struct RuntimeGraph {
  /// ONNX bytes of the optimized graph that is executed; empty if no dump was requested.
  std::string model;
  /// Types that the runtime infers before its main optimizations, bodies included.
  std::vector<TensorType> tensors;
  std::vector<TensorType> inputs, outputs;
  std::vector<RuntimeLayer> layers;
};

using SessionId = std::uint32_t;

struct Loaded {
  SessionId session = 0;
  /// Duration of the runtime's load call: parsing, optimizing, packing weights, and writing the
  /// dump if requested.
  Nanos load;
  Nanos prepare;  ///< preparing weights before that: mapping, generating
  /// Error because of which weights in files were passed as copies instead; "": not refused.
  std::string refused_files;
  RuntimeGraph graph;
};

/// Elements of an output of the last run.
struct OutputTensor {
  TensorType type;
  /// View into Outputs::memory; empty for anything but a tensor of numbers.
  std::span<const std::byte> bytes;
};

struct Outputs {
  std::vector<OutputTensor> tensors;
  ipc::Mapping memory;
};

/// Data for a progress line; sent as batches arrive, at most ten times a second.
struct Progress {
  Mode mode = Mode::kWarmup;
  std::uint32_t rounds_done = 0;
  std::uint32_t min_rounds = 0;
  Nanos elapsed;
};
using OnProgress = std::function<void(const Progress&)>;

class Runtime {
 public:
  static Result<Runtime> spawn(const Options& options);
  Runtime(Runtime&&) noexcept;
  Runtime& operator=(Runtime&&) noexcept;
  ~Runtime();  ///< ends the child

  const RuntimeInfo& info() const;
  bool alive() const;

  Result<Loaded> load(const LoadRequest& request);
  Result<void> set_inputs(SessionId session, const Inputs& inputs);
  /// Error only if nothing was measured; otherwise Measurement::failure has the reason for an early
  /// end.
  Result<Measurement> measure(SessionId session, const Plan& plan, const OnProgress& progress = {});
  /// Parts of a measurement in turns (runtime/turns.h): the warm-up, then one round per call.
  /// append() of protocol.h joins the parts; after an error there are no further parts.
  Result<Measurement> warm_up(SessionId session, const Plan& plan);
  Result<Measurement> take_turn(SessionId session);
  /// CPU time used by its process so far; nullopt after its end.
  std::optional<Nanos> cpu_time() const;
  /// Runs once; returns a row per kernel execution, in order of their ends.
  Result<std::vector<KernelFacts>> kernel_facts(SessionId session);
  /// Runs once and returns the outputs.
  Result<Outputs> outputs(SessionId session);
  Result<void> unload(SessionId session);

 private:
  class Child;
  explicit Runtime(std::unique_ptr<Child> child);
  std::unique_ptr<Child> child_;
};

}  // namespace ridge::runtime
