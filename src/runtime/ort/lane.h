// One of several callers of a session (RIDGE_HAS_LANES): ONNX Runtime lets threads run one session
// at the same time.
//
// Outputs that are handed over are ONNX Runtime's own values, which its next run takes as inputs:
// nothing is copied.
//
// Ownership: refers to its Session, which must outlive it; a Feed refers to the caller's elements.
// A value that was handed over lives as long as one of its lanes needs it.
// Thread rule: a lane belongs to one thread; feeds are read by any.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
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
  const std::vector<std::string>* input_names = nullptr;
};

class Lane {
 public:
  explicit Lane(const LaneSession& of) : of_(of), results_(of.wanted->size()) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  Result<void> run(const Feed& feed);
  Result<RidgeTensors> outputs();
  /// See RidgeRuntimeApi::hand_over. Returns 0: nothing is copied. Usage errors: an output or input
  /// that does not exist (RIDGE-ORT-0024).
  Result<std::uint64_t> take(const Lane& from, std::span<const RidgePair> pairs);
  /// Inputs that take() gave it.
  Result<RidgeTensors> inputs();

 private:
  using Value = std::shared_ptr<OrtValue>;
  /// An output of a lane that is an input of this one.
  struct Taken {
    const char* name = nullptr;  ///< name of the input
    Value value;
  };
  Result<Taken> taken(const Lane& from, const RidgePair& pair) const;

  LaneSession of_;
  std::vector<Value> results_;  // null: an optional output that does not exist
  std::vector<Taken> taken_;
  std::vector<const char*> names_;  // inputs of a run, while it lasts
  std::vector<const OrtValue*> values_;
  TensorList list_, input_list_;
};

}  // namespace ridge::ort
