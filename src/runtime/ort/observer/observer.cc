// SPDX-License-Identifier: Apache-2.0
// Execution provider for ONNX Runtime that claims no nodes. It receives the typed graph once per
// session, and every profiling event of all other providers, with names and durations that would
// otherwise have to be parsed from the profile file.
//
// ONNX Runtime calls StartEvent and StopEvent of one event on one thread (onnxruntime_ep_c_api.h,
// OrtEpProfilerImpl). Nothing here is called in runs that are not profiled.
#include <functional>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "runtime/ort/observer/sink.h"

#define RIDGE_EXPORT extern "C" __attribute__((visibility("default")))

namespace ridge::ort {
namespace {

const OrtApi* g_api = nullptr;
const OrtEpApi* g_ep_api = nullptr;
std::uint32_t g_level = 0;
Sink g_sink;

thread_local std::vector<std::int64_t> t_started;  // times of StartEvent calls, innermost last

std::int64_t now() { return steady_clock().now().count; }

void drop(OrtStatus* status) {
  if (status != nullptr) g_api->ReleaseStatus(status);
}

const char* argument(const OrtProfilingEvent* event, const char* key) {
  const char* value = nullptr;
  drop(g_ep_api->ProfilingEvent_GetArgValue(event, key, &value));
  return value != nullptr ? value : "";
}

OrtStatus* on_start(OrtEpProfilerImpl*, std::uint64_t) noexcept {
  t_started.push_back(now());
  return nullptr;
}

OrtStatus* on_stop(OrtEpProfilerImpl*, std::uint64_t correlation,
                   const OrtProfilingEvent* event) noexcept {
  Observation seen;
  seen.stop_ns = now();
  if (t_started.empty()) return nullptr;  // its start was not seen
  seen.start_ns = t_started.back();
  t_started.pop_back();
  if (g_sink.event == nullptr) return nullptr;

  const char* name = nullptr;
  drop(g_ep_api->ProfilingEvent_GetCategory(event, &seen.category));
  drop(g_ep_api->ProfilingEvent_GetDurationUs(event, &seen.duration_us));
  drop(g_ep_api->ProfilingEvent_GetName(event, &name));
  if (name != nullptr) seen.name = name;
  if (seen.category == OrtProfilingEventCategory_NODE) {
    seen.op_type = argument(event, "op_name");
    seen.provider = argument(event, "provider");
    seen.shapes = argument(event, "output_type_shape");
  }
  seen.correlation = correlation;
  seen.thread = std::hash<std::thread::id>{}(std::this_thread::get_id());
  seen.depth = static_cast<std::uint32_t>(t_started.size());
  g_sink.event(g_sink.context, seen);
  return nullptr;
}

struct Profiler : OrtEpProfilerImpl {
  Profiler() : OrtEpProfilerImpl{} {
    ort_version_supported = g_level;
    Release = [](OrtEpProfilerImpl* self) noexcept { delete static_cast<Profiler*>(self); };
    StartProfiling = [](OrtEpProfilerImpl*, std::int64_t) noexcept -> OrtStatus* {
      t_started.clear();  // a failed run may have left some
      return nullptr;
    };
    StartEvent = on_start;
    StopEvent = on_stop;
    EndProfiling = [](OrtEpProfilerImpl*, OrtProfilingEventsContainer*) noexcept -> OrtStatus* {
      return nullptr;
    };
  }
};

struct Provider : OrtEp {
  Provider() : OrtEp{} {
    ort_version_supported = g_level;
    GetName = [](const OrtEp*) noexcept -> const char* { return kObserverName; };
    GetCapability = [](OrtEp*, const OrtGraph* graph,
                       OrtEpGraphSupportInfo*) noexcept -> OrtStatus* {
      if (g_sink.graph != nullptr) g_sink.graph(g_sink.context, g_api, graph);
      return nullptr;
    };
    CreateProfiler = [](OrtEp*, OrtEpProfilerImpl** profiler) noexcept -> OrtStatus* {
      *profiler = new Profiler;
      return nullptr;
    };
  }
};

OrtStatus* offer_processor(OrtEpFactory* factory, const OrtHardwareDevice* const* devices,
                           std::size_t count, OrtEpDevice** out, std::size_t capacity,
                           std::size_t* used) noexcept {
  *used = 0;
  for (std::size_t i = 0; i < count && *used < capacity; ++i) {
    if (g_api->HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU) continue;
    if (OrtStatus* failure =
            g_ep_api->CreateEpDevice(factory, devices[i], nullptr, nullptr, &out[*used])) {
      return failure;
    }
    ++*used;
    return nullptr;
  }
  return nullptr;
}

struct Factory : OrtEpFactory {
  Factory() : OrtEpFactory{} {
    ort_version_supported = g_level;
    GetName = [](const OrtEpFactory*) noexcept -> const char* { return kObserverName; };
    GetVendor = [](const OrtEpFactory*) noexcept -> const char* { return "ridge"; };
    GetVendorId = [](const OrtEpFactory*) noexcept -> std::uint32_t { return 0xFFFF; };
    GetVersion = [](const OrtEpFactory*) noexcept -> const char* { return "1.0.0"; };
    GetSupportedDevices = offer_processor;
    CreateEp = [](OrtEpFactory*, const OrtHardwareDevice* const*, const OrtKeyValuePairs* const*,
                  std::size_t, const OrtSessionOptions*, const OrtLogger*,
                  OrtEp** provider) noexcept -> OrtStatus* {
      *provider = new Provider;
      return nullptr;
    };
    ReleaseEp = [](OrtEpFactory*, OrtEp* provider) noexcept {
      delete static_cast<Provider*>(provider);
    };
    // Without this, ONNX Runtime calls through a null pointer when the library is registered.
    CreateDataTransfer = [](OrtEpFactory*, OrtDataTransferImpl** transfer) noexcept -> OrtStatus* {
      *transfer = nullptr;
      return nullptr;
    };
  }
};

}  // namespace
}  // namespace ridge::ort

RIDGE_EXPORT void ridge_observer_set_sink(const ridge::ort::Sink* sink) {
  ridge::ort::g_sink = sink != nullptr ? *sink : ridge::ort::Sink{};
}

RIDGE_EXPORT OrtStatus* CreateEpFactories(const char*, const OrtApiBase* base, const OrtLogger*,
                                          OrtEpFactory** factories, std::size_t capacity,
                                          std::size_t* count) {
  using namespace ridge::ort;
  *count = 0;
  g_api = negotiate_api(base, kLowestApi, &g_level);
  if (g_api == nullptr || capacity < 1) return nullptr;
  g_ep_api = g_api->GetEpApi();
  factories[0] = new Factory;
  *count = 1;
  return nullptr;
}

RIDGE_EXPORT OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  delete static_cast<ridge::ort::Factory*>(factory);
  return nullptr;
}
