// Session calls of abi.h, for plug-ins whose RidgeSession points to a session object:
//
//   using Calls = runtime::SessionCalls<RidgeSession, Answer>;
//   constexpr RidgeRuntimeApi kApi = {..., Calls::graph, Calls::set_inputs, ...};
//
// Answer is a callable (RidgeError*, body) that runs body, a Result<void>(), and converts its
// result or exception to a status. Thread rule: abi.h's.
#pragma once

#include "base/result.h"
#include "runtime/abi.h"
#include "runtime/sized.h"

namespace ridge::runtime {

template <typename Session, typename Answer>
struct SessionCalls {
  static RidgeStatus graph(Session* s, RidgeGraph* out, RidgeError*) {
    give(s->session->graph(), out);
    return RIDGE_OK;
  }
  static RidgeStatus set_inputs(Session* s, const RidgeTensors* inputs, RidgeError* error) {
    return Answer{}(error, [&] { return s->session->set_inputs(*inputs); });
  }
  static RidgeStatus run(Session* s, RidgeError* error) {
    return Answer{}(error, [&] { return s->session->run(); });
  }
  static RidgeStatus run_async(Session* s, RidgeDone done, void* context, RidgeError* error) {
    return Answer{}(error, [&] { return s->session->run_async(done, context); });
  }
  static RidgeStatus outputs(Session* s, RidgeTensors* out, RidgeError* error) {
    return Answer{}(error, [&]() -> Result<void> {
      *out = TRY(s->session->outputs());
      return {};
    });
  }
  static RidgeStatus profile(Session* s, const RidgeProfileSink* sink, RidgeError* error) {
    return Answer{}(error, [&] { return s->session->profile(sink); });
  }
  static void cancel(Session* s) { s->session->cancel(); }
  static void unload(Session* s) { delete s; }
};

}  // namespace ridge::runtime
