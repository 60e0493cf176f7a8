// One of several callers of a session (RIDGE_HAS_LANES): ONNX Runtime lets threads run one session
// at the same time.
//
// Ownership: refers to its Session, which must outlive it; a Feed refers to the caller's elements.
// Thread rule: a lane belongs to one thread; feeds are read by any.
#pragma once

#include <string>
#include <vector>

#include "runtime/ort/handles.h"
#include "runtime/ort/tensor_list.h"

namespace ridge::ort {

/// Inputs of a model as ONNX Runtime takes them.
struct Feed {
  std::vector<Handle<OrtValue>> owned;
  std::vector<const OrtValue*> values;  ///< pointers to `owned`
  std::vector<const char*> names;       ///< names of the session's inputs, one for each value
};

/// Parts of the session that a lane uses.
struct LaneSession {
  const Library* library = nullptr;
  OrtSession* session = nullptr;
  const OrtRunOptions* options = nullptr;  ///< cancellation ends runs through them
  const std::vector<std::string>* output_names = nullptr;
  const std::vector<const char*>* wanted = nullptr;  ///< output_names as pointers
};

class Lane {
 public:
  explicit Lane(const LaneSession& of) : of_(of), results_(of.wanted->size(), nullptr) {}
  ~Lane() { release(); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  Result<void> run(const Feed& feed);
  Result<RidgeTensors> outputs();

 private:
  void release();

  LaneSession of_;
  std::vector<OrtValue*> results_;  // owned
  TensorList list_;
};

}  // namespace ridge::ort
