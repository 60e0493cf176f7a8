// Plug-in built against the first version of the interface (abi_v1.h), which must go on to run: one
// input, which it copies to the output "y", negated in its first byte.
#include <cstring>
#include <string>
#include <vector>

#include "runtime/testing/abi_v1.h"

struct RidgeRuntime {
  int unused = 0;
};

struct RidgeSession {
  RidgeTensor input{};
  std::vector<unsigned char> output;
};

namespace {

RidgeStatus open(const RidgeOpenOptions*, RidgeRuntime** runtime, RidgeError*) {
  *runtime = new RidgeRuntime;
  return RIDGE_OK;
}
RidgeStatus info(RidgeRuntime*, RidgeInfo* info, RidgeError*) {
  info->capabilities = 0;
  info->name = "Old";
  info->version = "1";
  info->library = info->notes = "";
  return RIDGE_OK;
}
void close(RidgeRuntime* runtime) { delete runtime; }
RidgeStatus load(RidgeRuntime*, const RidgeModel*, RidgeSession** session, RidgeError*) {
  *session = new RidgeSession;
  return RIDGE_OK;
}
RidgeStatus graph(RidgeSession*, RidgeGraph*, RidgeError*) { return RIDGE_OK; }
RidgeStatus set_inputs(RidgeSession* session, const RidgeTensors* inputs, RidgeError*) {
  session->input = inputs->items[0];
  return RIDGE_OK;
}
RidgeStatus run(RidgeSession* session, RidgeError*) {
  session->output.resize(session->input.bytes);
  std::memcpy(session->output.data(), session->input.data, session->output.size());
  session->output[0] = static_cast<unsigned char>(~session->output[0]);
  return RIDGE_OK;
}
RidgeStatus run_async(RidgeSession*, RidgeDone, void*, RidgeError*) { return RIDGE_BUG; }
RidgeStatus outputs(RidgeSession* session, RidgeTensors* outputs, RidgeError*) {
  static thread_local RidgeTensor y;
  y = session->input;
  y.name = "y";
  y.data = session->output.data();
  *outputs = {&y, 1, sizeof(y)};
  return RIDGE_OK;
}
RidgeStatus profile(RidgeSession*, const RidgeProfileSink*, RidgeError*) { return RIDGE_OK; }
RidgeStatus facts(RidgeSession*, const RidgeFactSink*, RidgeError*) { return RIDGE_OK; }
void cancel(RidgeSession*) {}
void unload(RidgeSession* session) { delete session; }

const RidgeRuntimeApi kApi = {sizeof(RidgeRuntimeApi),
                              1,
                              "old",
                              0,
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

}  // namespace

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return version == 1 ? &kApi : nullptr;
}
