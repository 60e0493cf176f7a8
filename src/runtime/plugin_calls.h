// SPDX-License-Identifier: Apache-2.0
// Table of abi.h's calls for a plug-in written in C++: hands arguments on to its objects, and
// converts results and exceptions to statuses.
//
//   struct RidgeRuntime { ... };
//   struct RidgeSession { std::unique_ptr<Session> session; };
//   struct Plugin {
//     static constexpr char kName[] = "ort";
//     static constexpr std::uint64_t kCapabilities = RIDGE_CAN_PROFILE;
//     static constexpr runtime::OutcomeCodes kOutcomes{...};
//     static Result<std::unique_ptr<RidgeRuntime>> open(const RidgeOpenOptions& options);
//     static RidgeInfo info(const RidgeRuntime& runtime);
//     static Result<std::unique_ptr<Session>> load(RidgeRuntime& runtime, const RidgeModel& model);
//     static Error caught();                         // converts the exception being handled
//   };
//   return runtime::PluginCalls<Plugin>::table(version);   // in ridge_runtime_get_api
//
// Session has a function for each call on a session. With RIDGE_HAS_WORKERS there are also
//
//   struct RidgeWorker { std::unique_ptr<Worker> worker; };   // worker->run(), worker->outputs()
//   struct RidgePreparedInput { PreparedInput prepared; };
//
// and Session has prepare_input(inputs) and open_worker(). With RIDGE_HAS_HAND_OVER Worker has
// take(from, pairs), which returns the bytes that it copied, and inputs(); with
// RIDGE_SHARES_BUFFERS it has share(buffers, pairs). With RIDGE_CAN_PREPARE Plugin has
// prepare(runtime, model), with RIDGE_CAN_FORK quiesce(runtime) and resume(runtime). `options` and
// `model` are complete, whatever the caller's version. Thread rule: abi.h's.
#pragma once

#include <utility>
#include <vector>

#include "base/result.h"
#include "runtime/abi.h"
#include "runtime/abi_error.h"
#include "runtime/sized.h"

namespace ridge::runtime {

/// Runs `body`, a Result<void>(), and converts its error or exception to a status; `caught` is an
/// Error() that converts the exception being handled.
template <typename Body, typename Caught>
RidgeStatus answer(const OutcomeCodes& codes, RidgeError* error, Caught caught,
                   Body body) noexcept {
  const auto run = [&]() -> Result<void> {
    try {
      return body();
    } catch (...) {
      return caught();
    }
  };
  const Result<void> done = run();
  return done ? RIDGE_OK : fill_error(done.error(), codes, error);
}

template <typename Plugin, typename Runtime = RidgeRuntime, typename Session = RidgeSession,
          typename Worker = RidgeWorker, typename PreparedInput = RidgePreparedInput>
class PluginCalls {
 public:
  /// The table, if the plug-in supports `version`; else nullptr.
  static const RidgeRuntimeApi* table(std::uint32_t version) {
    static constexpr RidgeRuntimeApi kTable = make_table();
    return version == RIDGE_RUNTIME_ABI ? &kTable : nullptr;
  }

 private:
  static constexpr RidgeRuntimeApi make_table() {
    RidgeRuntimeApi t{};
    t.size = sizeof(t);
    t.version = RIDGE_RUNTIME_ABI;
    t.name = Plugin::kName;
    t.capabilities = Plugin::kCapabilities;
    t.open = open;
    t.info = info;
    t.close = close;
    t.load = load;
    t.graph = graph;
    t.set_inputs = set_inputs;
    t.run = run;
    t.run_async = run_async;
    t.outputs = outputs;
    t.profile = profile;
    t.facts = facts;
    t.cancel = cancel;
    t.unload = unload;
    if constexpr ((Plugin::kCapabilities & RIDGE_HAS_WORKERS) != 0) {
      t.prepare_input = prepare_input;
      t.drop_input = drop_input;
      t.open_worker = open_worker;
      t.run_worker = run_worker;
      t.worker_outputs = worker_outputs;
      t.close_worker = close_worker;
    }
    if constexpr ((Plugin::kCapabilities & RIDGE_HAS_HAND_OVER) != 0) {
      t.hand_over = hand_over;
      t.worker_inputs = worker_inputs;
    }
    if constexpr ((Plugin::kCapabilities & RIDGE_SHARES_BUFFERS) != 0)
      t.share_buffers = share_buffers;
    if constexpr ((Plugin::kCapabilities & RIDGE_CAN_PREPARE) != 0) t.prepare = prepare;
    if constexpr ((Plugin::kCapabilities & RIDGE_CAN_FORK) != 0) {
      t.quiesce = quiesce;
      t.resume = resume;
    }
    return t;
  }

  template <typename Body>
  static RidgeStatus answer(RidgeError* error, Body body) noexcept {
    return runtime::answer(Plugin::kOutcomes, error, Plugin::caught, body);
  }

  static RidgeStatus open(const RidgeOpenOptions* options, Runtime** out, RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      *out = TRY(Plugin::open(received(*options))).release();
      return {};
    });
  }
  static RidgeStatus info(Runtime* r, RidgeInfo* out, RidgeError*) {
    give(Plugin::info(*r), out);
    return RIDGE_OK;
  }
  static void close(Runtime* r) { delete r; }
  static RidgeStatus load(Runtime* r, const RidgeModel* model, Session** out, RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      auto loaded = TRY(Plugin::load(*r, received(*model)));
      *out = new Session{std::move(loaded)};
      return {};
    });
  }

  static RidgeStatus graph(Session* s, RidgeGraph* out, RidgeError*) {
    give(s->session->graph(), out);
    return RIDGE_OK;
  }
  static RidgeStatus set_inputs(Session* s, const RidgeTensors* inputs, RidgeError* error) {
    return answer(error, [&] { return s->session->set_inputs(*inputs); });
  }
  static RidgeStatus run(Session* s, RidgeError* error) {
    return answer(error, [&] { return s->session->run(); });
  }
  static RidgeStatus run_async(Session* s, RidgeDone done, void* context, RidgeError* error) {
    return answer(error, [&] { return s->session->run_async(done, context); });
  }
  static RidgeStatus outputs(Session* s, RidgeTensors* out, RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      *out = TRY(s->session->outputs());
      return {};
    });
  }
  static RidgeStatus profile(Session* s, const RidgeProfileSink* sink, RidgeError* error) {
    return answer(error, [&] { return s->session->profile(sink); });
  }
  static RidgeStatus facts(Session* s, const RidgeFactSink* sink, RidgeError* error) {
    return answer(error, [&] { return s->session->facts(received(*sink)); });
  }
  static void cancel(Session* s) { s->session->cancel(); }
  static void unload(Session* s) { delete s; }

  static RidgeStatus prepare_input(Session* s, const RidgeTensors* inputs, PreparedInput** out,
                                   RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      *out = new PreparedInput{TRY(s->session->prepare_input(*inputs))};
      return {};
    });
  }
  static void drop_input(PreparedInput* f) { delete f; }
  static RidgeStatus open_worker(Session* s, Worker** out, RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      *out = new Worker{TRY(s->session->open_worker())};
      return {};
    });
  }
  static RidgeStatus run_worker(Worker* worker, const PreparedInput* prepared, RidgeError* error) {
    return answer(error, [&] { return worker->worker->run(prepared->prepared); });
  }
  static RidgeStatus worker_outputs(Worker* worker, RidgeTensors* out, RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      *out = TRY(worker->worker->outputs());
      return {};
    });
  }
  static void close_worker(Worker* worker) { delete worker; }

  static RidgeStatus hand_over(Worker* from, Worker* to, const RidgePair* pairs,
                               std::uint64_t count, std::uint64_t stride,
                               std::uint64_t* copied_bytes, RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      std::vector<RidgePair> rows;
      for (std::uint64_t i = 0; i < count; ++i) rows.push_back(row(pairs, stride, i));
      *copied_bytes = TRY(to->worker->take(*from->worker, rows));
      return {};
    });
  }
  static RidgeStatus worker_inputs(Worker* worker, RidgeTensors* out, RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      *out = TRY(worker->worker->inputs());
      return {};
    });
  }
  static RidgeStatus share_buffers(Worker* worker, const RidgeTensors* buffers,
                                   const RidgePair* pairs, std::uint64_t stride,
                                   RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      std::vector<RidgeTensor> tensors;
      std::vector<RidgePair> names;
      for (std::uint64_t i = 0; i < buffers->count; ++i) {
        tensors.push_back(row(buffers->items, buffers->stride, i));
        names.push_back(row(pairs, stride, i));
      }
      return worker->worker->share(tensors, names);
    });
  }

  static RidgeStatus prepare(Runtime* r, const RidgeModel* model, RidgePrepared* out,
                             RidgeError* error) {
    return answer(error, [&]() -> Result<void> {
      give(TRY(Plugin::prepare(*r, received(*model))), out);
      return {};
    });
  }
  static RidgeStatus quiesce(Runtime* r, RidgeError* error) {
    return answer(error, [&] { return Plugin::quiesce(*r); });
  }
  static RidgeStatus resume(Runtime* r, RidgeError* error) {
    return answer(error, [&] { return Plugin::resume(*r); });
  }
};

}  // namespace ridge::runtime
