// A runtime in a child process, as ridge sees it.
//
//   runtime::Options options{.threads = 2};
//   Runtime runtime = TRY(Runtime::spawn(options));
//   Loaded model = TRY(runtime.load({.model = bytes, .weights = weights}));
//   TRY(runtime.set_inputs(model.session, inputs));
//   Measurement m = TRY(runtime.measure(model.session, plan));   // m.failure: what ended it early
//
// The measuring loop runs inside the child (posix_spawn of `program`, which must call child_main,
// runtime/child.h); only results cross. A crash, a hang or a memory blow-up over there becomes an
// Error here; the Runtime is then dead (`alive()`), a new one can be spawned. Several runtimes may
// live side by side; one child belongs to one Runtime.
//
// Thread rule: one thread. Ctrl-C: where Options::interrupted becomes true, a measurement ends and
// keeps what it has; other calls end with an error (RIDGE-RT-0015). Errors of the runtime itself
// keep the class that the plug-in gave: a rejected model is an input error (exit 3), a missing
// library an environment error (exit 4).
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

enum class Optimisation : std::uint32_t { kAll = 0, kDisable = 1, kBasic = 2, kExtended = 3 };

/// "all", "disable", "basic", "extended".
std::optional<Optimisation> optimisation_named(std::string_view name);
std::string_view name(Optimisation optimisation);

/// Stands for the plug-in's own folder in Options::folders; the build puts a link there to the
/// library that it found.
inline constexpr char kPluginFolder[] = "@plugin";

struct Options {
  std::string program = "/proc/self/exe";  ///< started as `program --runtime-child`
  std::string plugin;                      ///< path of the plug-in; empty: find_plugin("ort")
  std::string library;  ///< --runtime-library; empty: look in `folders`, then as the loader does
  std::vector<std::string> folders = {kPluginFolder};  ///< see library_folders
  std::uint32_t threads = 1;
  Optimisation optimisation = Optimisation::kAll;
  std::vector<std::uint32_t> cpus;  ///< processor per thread to pin to; empty: not pinned
  bool deterministic = false;
  std::vector<std::pair<std::string, std::string>> entries;  ///< --runtime-option key=value
  std::string temporary =
      "/tmp";  ///< a private folder is made below it for the life of the runtime
  /// In a private folder below it lie weights while a runtime loads that maps them, where it is in
  /// memory and has room; empty: all weights are handed over in memory.
  std::string memory_folder = "/dev/shm";
  Bytes memory_limit{0};  ///< of the child's data (RLIMIT_DATA); 0 = none
  /// A child that sends nothing and computes nothing for so long hangs and is ended; one that
  /// computes may be slow, and is given `busy_silence`.
  Nanos silence{300'000'000'000};
  Nanos busy_silence{3'600'000'000'000};
  Nanos stopped{10'000'000'000};  ///< a child that is stopped (SIGSTOP) for so long is ended
  std::function<void(const std::string&)> warn;  ///< may be empty
  const std::atomic<bool>* interrupted = nullptr;
};

/// A runtime that ridge has a plug-in for.
struct KnownRuntime {
  std::string_view name;           ///< of --runtime: "ort"
  std::string_view other_name;     ///< as documents call it: "onnxruntime"
  std::string_view title;          ///< "ONNX Runtime"
  std::string_view root_variable;  ///< names an installed one: "ONNXRUNTIME_ROOT"
  std::string_view folder;         ///< below ridge's cache and in it, by version
  std::string_view libraries;      ///< below the root: where its libraries lie
  std::string_view fetch;          ///< the script that brings it
};
std::span<const KnownRuntime> known_runtimes();
/// By either name; nullptr for a name of none.
const KnownRuntime* known_runtime(std::string_view name);

/// Where the runtime's library is looked for, in order: `root`, beside the plug-in, the user's
/// cache. Empty arguments are left out. `cache` is $XDG_CACHE_HOME or $HOME/.cache.
std::vector<std::string> library_folders(const KnownRuntime& runtime, const std::string& root,
                                         const std::string& cache);

/// The plug-in of that name: lib/ridge/ridge_<name>.so beside the program or beside its folder.
/// Environment error where there is none.
Result<std::string> find_plugin(std::string_view runtime_name);

struct RuntimeInfo {
  std::string name, version, library;
  std::string notes;               ///< what a reader of results must know; empty
  std::uint64_t capabilities = 0;  ///< RIDGE_CAN_... of runtime/abi.h
};

enum class Dump : std::uint32_t {
  kNothing = 0,
  kStructure = 1,  ///< the optimised graph without weights of more than 1 KiB
  kWeights = 2,    ///< runnable; for checks by value
};

struct LoadRequest {
  std::string_view model;           ///< ONNX bytes (onnx::Weights::kDetached)
  std::span<const Weight> weights;  ///< for every initialiser that the model keeps outside
  Dump dump = Dump::kStructure;
};

/// -1 in dims: not known.
struct TensorType {
  std::string name;
  onnx::DataType type = onnx::DataType::kUndefined;
  std::vector<std::int64_t> dims;
};

/// A layer of a runtime that lists its layers and their originals (not ONNX Runtime).
struct RuntimeLayer {
  std::string name, type, implementation, precision, layout;
  std::vector<std::string> originals, inputs, outputs;
};

struct RuntimeGraph {
  std::string
      /// ONNX bytes of the optimised graph that is executed; empty where no dump was asked for
      model;
  std::vector<TensorType>
      /// As the runtime infers them before the main part of its optimisation, bodies included
      tensors;
  std::vector<TensorType> inputs, outputs;
  std::vector<RuntimeLayer> layers;
};

using SessionId = std::uint32_t;

struct Loaded {
  SessionId session = 0;
  Nanos
      /// The runtime's load call: parsing, optimising, packing weights; the dump, where asked for,
      /// is in it
      load;
  Nanos prepare;  ///< making weights real before that: mapping, generating
  /// Why weights in files were handed over as copies after all; "" where they were not refused
  std::string refused_files;
  RuntimeGraph graph;
};

/// Elements of an output of the last run.
struct OutputTensor {
  TensorType type;
  std::span<const std::byte> bytes;  ///< in Outputs::memory; empty for what is no tensor of numbers
};

struct Outputs {
  std::vector<OutputTensor> tensors;
  ipc::Mapping memory;
};

/// For a progress line; called as batches arrive, at most ten times a second.
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
  /// An error only where nothing could be measured; otherwise Measurement::failure says what ended
  /// it early.
  Result<Measurement> measure(SessionId session, const Plan& plan, const OnProgress& progress = {});
  /// The parts of a measurement in turns (runtime/turns.h): the warm-up, then a round per call.
  /// Parts are joined by append() of protocol.h; an error says that nothing more will come.
  Result<Measurement> warm_up(SessionId session, const Plan& plan);
  Result<Measurement> take_turn(SessionId session);
  /// CPU time that its process has used until now; nullopt once it has ended.
  std::optional<Nanos> cpu_time() const;
  /// One run; a row per kernel execution, in order of their ends.
  Result<std::vector<KernelFacts>> kernel_facts(SessionId session);
  /// Of one run that this makes.
  Result<Outputs> outputs(SessionId session);
  Result<void> unload(SessionId session);

 private:
  class Child;
  explicit Runtime(std::unique_ptr<Child> child);
  std::unique_ptr<Child> child_;
};

}  // namespace ridge::runtime
