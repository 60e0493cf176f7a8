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
// Session has a function for each call on a session. `options` and `model` are complete, whatever
// the caller's version. Thread rule: abi.h's.
#pragma once

#include <utility>

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

template <typename Plugin, typename Runtime = RidgeRuntime, typename Session = RidgeSession>
class PluginCalls {
 public:
  /// The table, if the plug-in supports `version`; else nullptr.
  static const RidgeRuntimeApi* table(std::uint32_t version) {
    static constexpr RidgeRuntimeApi kTable = {sizeof(RidgeRuntimeApi),
                                               RIDGE_RUNTIME_ABI,
                                               Plugin::kName,
                                               Plugin::kCapabilities,
                                               open,
                                               info,
                                               close,
                                               load,
                                               graph,
                                               set_inputs,
                                               run,
                                               run_async,
                                               outputs,
                                               profile,
                                               facts,
                                               cancel,
                                               unload};
    return version == RIDGE_RUNTIME_ABI ? &kTable : nullptr;
  }

 private:
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
};

}  // namespace ridge::runtime
