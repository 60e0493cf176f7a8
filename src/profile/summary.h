// SPDX-License-Identifier: Apache-2.0
// Summary of a profile: the kind of its times, and the model as one point of a roofline plot.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::profile {

/// Work of the layers that compute in one element type.
struct TypedWork {
  std::string dtype;      ///< "float32", "int8"; "" where the runtime does not say
  double operations = 0;  ///< a multiply-add counted as 2
  double macs = 0;
};

struct ModelPoint {
  std::string name;                ///< path, sizes and threads
  std::string runtime;             ///< "ONNX Runtime"
  double operations = 0;           ///< per run, a multiply-add counted as 2
  std::vector<TypedWork> by_type;  ///< types of the operations, most first
  double bytes = 0;                ///< over the boundaries of all layers
  double latency_ns = 0;
  std::int32_t threads = 1;
  std::string machine;  ///< machine_name() of the host of the measurement
};

/// Formats the host object of ridge.machine/1: "hostname, AMD EPYC (Zen 4), 2 processors"; "" if it
/// names no processor model.
std::string machine_name(std::string_view host_json);

/// True for a recording of another program: its times are as recorded, without correction.
bool is_imported(const Profile& profile);
/// True if the profiling overhead was subtracted from the layer times.
bool is_corrected(const Profile& profile);

/// Prefix of notes on inputs, followed by the input's name.
inline constexpr std::string_view kInputNote = "input '";
/// Prefix of the line on inputs whose meaning is known, and the elements that they got.
inline constexpr std::string_view kInputsNote = "inputs by their meaning: ";
/// Returns the notes on the runtime's inputs, for example an array that was converted.
std::vector<std::string> input_notes(const Profile& profile);

/// Returns nullopt if the work or bytes of a layer are unknown.
std::optional<ModelPoint> point_of(const Profile& profile);

/// Adds the input notes of a run, each once and with its source: "model.onnx: input 'x': float64 of
/// x.npy converted to float32", each once.
void add_input_notes(const std::string& source, const Profile& profile,
                     std::vector<std::string>& notes);

}  // namespace ridge::profile
