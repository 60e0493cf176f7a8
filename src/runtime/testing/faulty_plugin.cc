// SPDX-License-Identifier: Apache-2.0
// Test runtime that takes any model, "runs" it for a moment, and misbehaves as set by its options:
//
//   fault=crash|hang|exit|allocate|fail|memory|garbage|stop
//   fault=thread: it starts a thread that works for ever, fault=no_copy: the system copies its process no more
//   at=open|quiesce|load|resume|run   after=N (successful runs before the fault)
//   once=1 (with fault=stop: only the first time)
//   count=FILE opening=K (only if this is the K-th runtime opened with that file)
//
// Work in every run, as set by its options:
//
//   burn=A,B,...   the calling thread uses A us of CPU time, then worker threads, which exist from
//                  the start, use B, ... each; one after the other
//   touch=N        N fresh pages
//
//   weights=refused: reports that it takes weights from files, but refuses a model whose weights
//                  are all in files
//
// With layers=... it has layers of known times and a profiler that lies on request
// (known_layers.h). Without, each profiled run reports the events of "outer" (an If) around
// "inner", and "last". The output "y" has the bytes of the input "x".
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime/abi.h"
#include "runtime/testing/burn.h"
#include "runtime/testing/known_layers.h"

using ridge::runtime::testing::KnownLayers;

namespace {

/// Thread that works on request; it lives as long as the process.
class Worker {
 public:
  Worker() {
    std::thread([this] {
      for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return wanted_ns_ > 0; });
        ridge::runtime::testing::burn(wanted_ns_);
        wanted_ns_ = 0;
        changed_.notify_all();
      }
    }).detach();
  }
  /// Returns when the work is done.
  void burn(std::int64_t cpu_ns) {
    std::unique_lock lock(mutex_);
    wanted_ns_ = cpu_ns;
    changed_.notify_all();
    changed_.wait(lock, [this] { return wanted_ns_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t wanted_ns_ = 0;
};

}  // namespace

struct RidgeRuntime {
  std::map<std::string, std::string> options;
  std::vector<std::int64_t> burn_ns;
  std::vector<Worker*> workers;  ///< for all but the first of burn_ns
  std::size_t pages = 0;
  long opening = 0;
  bool stopped = false;  ///< set after the first stop
};

struct RidgeSession {
  RidgeRuntime* runtime = nullptr;
  RidgeProfileSink sink{};
  int runs = 0;
  std::atomic<bool> canceled = false;
  RidgeTensor input{};
  std::vector<std::int64_t> dims;
  KnownLayers known;
};

namespace {

RidgeStatus fail(RidgeError* error, RidgeStatus status, const char* code, const char* message) {
  std::snprintf(error->code, sizeof(error->code), "%s", code);
  std::snprintf(error->message, sizeof(error->message), "%s", message);
  std::snprintf(error->hint, sizeof(error->hint), "this is a test");
  return status;
}

[[noreturn]] void crash() {
  std::fputs("faulty: about to crash\n", stderr);
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would report it at length
  std::raise(SIGSEGV);
  std::_Exit(99);
}

/// From now on the system refuses to start processes and threads, as a limit on them would; a limit
/// does not bind root, who runs tests in containers.
void refuse_copies() {
  const auto refusal = static_cast<std::uint32_t>(SECCOMP_RET_ERRNO | EAGAIN);
  sock_filter instructions[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, refusal),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(instructions), instructions};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    std::_Exit(97);
}

/// Allocates and touches memory until there is none left.
void allocate() {
  constexpr std::size_t kStep = std::size_t{64} << 20;
  for (;;) std::memset(::operator new(kStep), 1, kStep);
}

RidgeStatus misbehave(RidgeRuntime& runtime, const std::string& here, RidgeError* error) {
  const auto option = [&](const char* key) {
    const auto found = runtime.options.find(key);
    return found != runtime.options.end() ? found->second : std::string();
  };
  if (option("at") != here) return RIDGE_OK;
  if (!option("count").empty() && std::atol(option("opening").c_str()) != runtime.opening)
    return RIDGE_OK;
  const std::string fault = option("fault");
  if (fault == "crash") crash();
  if (fault == "exit") std::_Exit(7);
  if (fault == "allocate") std::thread(allocate).join();  // in a thread without a handler
  if (fault == "garbage") {
    const char bytes[] = "this is not the protocol at all, it is an essay";
    if (::write(3, bytes, sizeof(bytes)) < 0) std::_Exit(98);
  }
  if (fault == "stop" && !(runtime.stopped && !option("once").empty())) {
    runtime.stopped = true;
    ::kill(::getpid(), SIGSTOP);
  }
  if (fault == "thread")
    std::thread([] {
      for (volatile bool on = true; on;) continue;
    }).detach();
  if (fault == "no_copy") refuse_copies();
  while (fault == "hang") std::this_thread::sleep_for(std::chrono::seconds(1));
  if (fault == "fail") return fail(error, RIDGE_INPUT, "TEST-0001", "it does not want to");
  if (fault == "memory") return fail(error, RIDGE_MEMORY, "TEST-0002", "no memory for 8 bytes");
  return RIDGE_OK;
}

void plan_work(RidgeRuntime& runtime) {
  std::istringstream burns(runtime.options["burn"]);
  for (std::string us; std::getline(burns, us, ',');) {
    runtime.burn_ns.push_back(std::atoll(us.c_str()) * 1000);
    if (runtime.burn_ns.size() > 1) runtime.workers.push_back(new Worker);
  }
  runtime.pages = static_cast<std::size_t>(std::atoll(runtime.options["touch"].c_str()));
}

/// Appends a byte to the file and returns its size: the number of openings so far.
long count_opening(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) return 0;
  std::fputc('.', file);
  const long openings = std::ftell(file);
  std::fclose(file);
  return openings;
}

RidgeStatus open(const RidgeOpenOptions* options, RidgeRuntime** runtime, RidgeError* error) {
  auto* made = new RidgeRuntime;
  for (std::uint64_t i = 0; i < options->entry_count; ++i) {
    made->options[options->entries[i].key] = options->entries[i].value;
  }
  plan_work(*made);
  *runtime = made;
  if (const auto count = made->options.find("count"); count != made->options.end())
    made->opening = count_opening(count->second);
  return misbehave(*made, "open", error);
}

void work(const RidgeRuntime& runtime) {
  for (std::size_t i = 0; i < runtime.burn_ns.size(); ++i) {
    if (i == 0)
      ridge::runtime::testing::burn(runtime.burn_ns[i]);
    else
      runtime.workers[i - 1]->burn(runtime.burn_ns[i]);
  }
  if (runtime.pages > 0) ridge::runtime::testing::touch_pages(runtime.pages);
}

bool refuses_files(const RidgeRuntime& runtime) {
  const auto weights = runtime.options.find("weights");
  return weights != runtime.options.end() && weights->second == "refused";
}

RidgeStatus info(RidgeRuntime* runtime, RidgeInfo* info, RidgeError*) {
  info->capabilities = RIDGE_CAN_PROFILE | RIDGE_CAN_CANCEL | RIDGE_HAS_LAYERS | RIDGE_CAN_FORK;
  if (refuses_files(*runtime)) info->capabilities |= RIDGE_TAKES_WEIGHTS;
  info->name = "Faulty";
  info->version = "1.0";
  info->library = "none";
  info->notes = "";
  return RIDGE_OK;
}

void close(RidgeRuntime* runtime) { delete runtime; }

RidgeStatus load(RidgeRuntime* runtime, const RidgeModel* model, RidgeSession** session,
                 RidgeError* error) {
  const std::string_view bytes(static_cast<const char*>(model->data), model->bytes);
  const bool in_files =
      model->weights.count == 0 && bytes.find("location") != std::string_view::npos;
  if (refuses_files(*runtime) && in_files)
    return fail(error, RIDGE_INPUT, "TEST-0007", "no file is to be opened");
  *session = new RidgeSession;
  (*session)->runtime = runtime;
  (*session)->known = KnownLayers(runtime->options, bytes);
  return misbehave(*runtime, "load", error);
}

RidgeStatus graph(RidgeSession* session, RidgeGraph* graph, RidgeError*) {
  if (session->known.used()) {
    session->known.list(*graph);
    return RIDGE_OK;
  }
  static const char* const originals[] = {"a", "b"};
  static const RidgeLayer layer = {
      sizeof(RidgeLayer), 0, "outer", "If", "fake",  "float32", "plain",
      originals,          2, nullptr, 0,    nullptr, 0};
  graph->layers = &layer;
  graph->layer_count = 1;
  graph->layer_stride = sizeof(layer);
  return RIDGE_OK;
}

RidgeStatus set_inputs(RidgeSession* session, const RidgeTensors* inputs, RidgeError* error) {
  if (inputs->count != 1) return fail(error, RIDGE_USAGE, "TEST-0003", "one input, please");
  session->input = inputs->items[0];
  session->dims.assign(session->input.dims, session->input.dims + session->input.rank);
  return RIDGE_OK;
}

void send(const RidgeSession& session, std::uint32_t level, const char* name, const char* type,
          std::int64_t start_us, std::int64_t stop_us, std::uint32_t depth) {
  RidgeEvent event{};
  event.size = sizeof(event);
  event.level = level;
  event.name = name;
  event.type = type;
  event.implementation = "fake";
  event.shapes = "[]";
  event.start_ns = start_us * 1000;
  event.stop_ns = stop_us * 1000;
  event.duration_ns = (stop_us - start_us - 1) * 1000;  // less than the window
  event.depth = depth;
  session.sink.event(session.sink.context, &event);
}

RidgeStatus run(RidgeSession* session, RidgeError* error) {
  const auto after = session->runtime->options.find("after");
  const int good = after != session->runtime->options.end() ? std::atoi(after->second.c_str()) : 0;
  if (session->runs++ >= good) {
    const RidgeStatus status = misbehave(*session->runtime, "run", error);
    if (status != RIDGE_OK) return status;
  }
  if (session->known.used()) {
    session->known.run(session->sink);
    return session->canceled ? fail(error, RIDGE_CANCELED, "TEST-0004", "cancelled") : RIDGE_OK;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  work(*session->runtime);
  if (session->canceled) return fail(error, RIDGE_CANCELED, "TEST-0004", "cancelled");
  if (session->sink.event == nullptr) return RIDGE_OK;
  send(*session, RIDGE_LEVEL_LAYER, "inner", "Relu", 20, 30, 3);
  send(*session, RIDGE_LEVEL_RUN, "executor", "", 15, 35, 2);
  send(*session, RIDGE_LEVEL_LAYER, "outer", "If", 10, 50, 1);
  send(*session, RIDGE_LEVEL_LAYER, "last", "Relu", 60, 80, 1);
  send(*session, RIDGE_LEVEL_RUN, "model_run", "", 0, 100, 0);
  return RIDGE_OK;
}

RidgeStatus run_async(RidgeSession*, RidgeDone, void*, RidgeError* error) {
  return fail(error, RIDGE_USAGE, "TEST-0005", "no asynchronous runs");
}

RidgeStatus outputs(RidgeSession* session, RidgeTensors* outputs, RidgeError*) {
  session->input.name = "y";
  session->input.dims = session->dims.data();
  *outputs = {&session->input, 1, sizeof(RidgeTensor)};
  return RIDGE_OK;
}

RidgeStatus profile(RidgeSession* session, const RidgeProfileSink* sink, RidgeError*) {
  session->sink = sink != nullptr ? *sink : RidgeProfileSink{};
  return RIDGE_OK;
}

RidgeStatus facts(RidgeSession*, const RidgeFactSink*, RidgeError* error) {
  return fail(error, RIDGE_USAGE, "TEST-0006", "no facts");
}

void cancel(RidgeSession* session) { session->canceled = true; }
void unload(RidgeSession* session) { delete session; }

RidgeStatus quiesce(RidgeRuntime* runtime, RidgeError* error) {
  return misbehave(*runtime, "quiesce", error);
}
RidgeStatus resume(RidgeRuntime* runtime, RidgeError* error) {
  return misbehave(*runtime, "resume", error);
}

const RidgeRuntimeApi kApi = {
    .size = sizeof(RidgeRuntimeApi),
    .version = RIDGE_RUNTIME_ABI,
    .name = "faulty",
    .capabilities = RIDGE_CAN_PROFILE | RIDGE_CAN_CANCEL | RIDGE_HAS_LAYERS | RIDGE_CAN_FORK,
    .open = open,
    .info = info,
    .close = close,
    .load = load,
    .graph = graph,
    .set_inputs = set_inputs,
    .run = run,
    .run_async = run_async,
    .outputs = outputs,
    .profile = profile,
    .facts = facts,
    .cancel = cancel,
    .unload = unload,
    .quiesce = quiesce,
    .resume = resume};

}  // namespace

// Also imitates an ONNX Runtime older than ridge supports, with the type names of its C interface:
// sanitizers compare the function type of a call.
struct OrtApi;
struct OrtApiBase {
  const OrtApi* (*GetApi)(std::uint32_t version) noexcept;
  const char* (*GetVersionString)() noexcept;
};

extern "C" __attribute__((visibility("default"))) const OrtApiBase* OrtGetApiBase() noexcept {
  static const OrtApiBase base = {[](std::uint32_t) noexcept -> const OrtApi* { return nullptr; },
                                  []() noexcept -> const char* { return "1.20.0"; }};
  return &base;
}

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return version == RIDGE_RUNTIME_ABI ? &kApi : nullptr;
}
