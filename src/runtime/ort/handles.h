// SPDX-License-Identifier: Apache-2.0
// Owners of ONNX Runtime's objects.
//
//   Handle<OrtSession> session = own(library, raw);   // released through the API that made it
#pragma once

#include <memory>

#include "runtime/ort/library.h"

namespace ridge::ort {

template <typename T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

inline Handle<OrtEnv> own(const Library& l, OrtEnv* p) { return {p, l.api().ReleaseEnv}; }
inline Handle<OrtThreadingOptions> own(const Library& l, OrtThreadingOptions* p) {
  return {p, l.api().ReleaseThreadingOptions};
}
inline Handle<OrtSession> own(const Library& l, OrtSession* p) {
  return {p, l.api().ReleaseSession};
}
inline Handle<OrtSessionOptions> own(const Library& l, OrtSessionOptions* p) {
  return {p, l.api().ReleaseSessionOptions};
}
inline Handle<OrtRunOptions> own(const Library& l, OrtRunOptions* p) {
  return {p, l.api().ReleaseRunOptions};
}
inline Handle<OrtMemoryInfo> own(const Library& l, OrtMemoryInfo* p) {
  return {p, l.api().ReleaseMemoryInfo};
}
inline Handle<OrtAllocator> own(const Library& l, OrtAllocator* p) {
  return {p, l.api().ReleaseAllocator};
}
inline Handle<OrtValue> own(const Library& l, OrtValue* p) { return {p, l.api().ReleaseValue}; }
inline Handle<OrtTypeInfo> own(const Library& l, OrtTypeInfo* p) {
  return {p, l.api().ReleaseTypeInfo};
}
inline Handle<OrtTensorTypeAndShapeInfo> own(const Library& l, OrtTensorTypeAndShapeInfo* p) {
  return {p, l.api().ReleaseTensorTypeAndShapeInfo};
}

}  // namespace ridge::ort
