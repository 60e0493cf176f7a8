// SPDX-License-Identifier: Apache-2.0
// Data passed between the ONNX Runtime plug-in and its observer, which ONNX Runtime loads as a
// separate shared object.
//
// The plug-in opens the observer too, looks up `ridge_observer_set_sink` and sets the destination
// of observations before a session is created. One sink per process: the plug-in points it at the
// session being loaded or profiled. Plain data and plain functions.
#pragma once

#include <onnxruntime_c_api.h>

#include <cstdint>

namespace ridge::ort {

/// Completed profiling event of ONNX Runtime. Strings are valid during the call only.
struct Observation {
  OrtProfilingEventCategory category = OrtProfilingEventCategory_SESSION;
  std::uint64_t correlation = 0;
  const char* name = "";  ///< "<node>_kernel_time", or the name of a session event
  const char* op_type = "";
  const char* provider = "";
  const char* shapes = "";    ///< output_type_shape
  std::int64_t start_ns = 0;  ///< CLOCK_MONOTONIC, when StartEvent was called
  std::int64_t stop_ns = 0;   ///< time of StopEvent: after the event's record was built
  std::int64_t duration_us = 0;
  std::uint64_t thread = 0;  ///< distinguishes threads
  std::uint32_t depth = 0;   ///< number of open events on this thread
};

struct Sink {
  void* context = nullptr;
  /// Receives the graph (and each body) before the main optimizations, with inferred types and
  /// shapes.
  void (*graph)(void* context, const OrtApi* api, const OrtGraph* graph) = nullptr;
  void (*event)(void* context, const Observation& event) = nullptr;
};

inline constexpr char kSetSink[] = "ridge_observer_set_sink";
using SetSink = void (*)(const Sink* sink);  ///< nullptr: observe nothing

inline constexpr char kObserverName[] = "ridge_observer";

/// Returns the newest C API that library and headers share, at least `lowest`; nullptr if there is
/// none.
inline const OrtApi* negotiate_api(const OrtApiBase* base, std::uint32_t lowest,
                                   std::uint32_t* level) {
  for (*level = ORT_API_VERSION; *level >= lowest; --*level) {
    if (const OrtApi* api = base->GetApi(*level)) return api;
  }
  return nullptr;
}

/// First C API in which an execution provider may have a profiler and a single run may be profiled.
inline constexpr std::uint32_t kLowestApi = 25;

}  // namespace ridge::ort
