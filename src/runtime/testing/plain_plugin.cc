// SPDX-License-Identifier: Apache-2.0
// Plug-in as another version of the interface would build it: its table ends before the calls that
// need a capability, and its tensors are longer than ridge's. It copies its one input to the output
// "y", negated in its first byte, and to "z" as it is. With OTHER_VERSION, its table is of that
// version, whatever version ridge asks for.
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/abi.h"

struct RidgeRuntime {
  int unused = 0;
};

/// A tensor with a member that ridge does not know.
struct LongTensor {
  RidgeTensor known;
  uint64_t later = ~uint64_t{0};
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
  info->name = "Plain";
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
  static thread_local LongTensor rows[2];
  rows[0].known = rows[1].known = session->input;
  rows[0].known.name = "y";
  rows[0].known.data = session->output.data();
  rows[1].known.name = "z";
  *outputs = {&rows[0].known, 2, sizeof(LongTensor)};
  return RIDGE_OK;
}
RidgeStatus profile(RidgeSession*, const RidgeProfileSink*, RidgeError*) { return RIDGE_OK; }
RidgeStatus facts(RidgeSession*, const RidgeFactSink*, RidgeError*) { return RIDGE_OK; }
void cancel(RidgeSession*) {}
void unload(RidgeSession* session) { delete session; }

#ifdef OTHER_VERSION
constexpr uint32_t kVersion = OTHER_VERSION;
#else
constexpr uint32_t kVersion = RIDGE_RUNTIME_ABI;
#endif

const RidgeRuntimeApi kApi = {.size = offsetof(RidgeRuntimeApi, prepare_input),
                              .version = kVersion,
                              .name = "plain",
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
                              .unload = unload};

}  // namespace

extern "C" __attribute__((visibility("default"))) const RidgeRuntimeApi* ridge_runtime_get_api(
    uint32_t version) {
  return version == kVersion || kVersion != RIDGE_RUNTIME_ABI ? &kApi : nullptr;
}
