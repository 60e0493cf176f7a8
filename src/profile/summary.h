// A whole profile in a few facts: what its times are, and the model as one point.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace ridge::profile {

struct ModelPoint {
  std::string name;       ///< path, sizes and threads
  std::string runtime;    ///< "ONNX Runtime"
  double operations = 0;  ///< of one run, a multiply-add as 2
  double bytes = 0;       ///< across the boundaries of all layers
  double latency_ns = 0;
  std::int32_t threads = 1;
  std::string machine;  ///< machine_name of the host it was measured on
};

/// "hostname, AMD EPYC (Zen 4), 2 processors" out of the host object of ridge.machine/1; "" where
/// it says nothing.
std::string machine_name(std::string_view host_json);

/// A recording that another program made: its times are as recorded, nothing was taken out.
bool is_imported(const Profile& profile);
/// Whether layer times have the profiler's part taken out.
bool is_corrected(const Profile& profile);

/// What notes on inputs begin with, followed by the input's name.
inline constexpr std::string_view kInputNote = "input '";
/// Of its notes those on what the runtime was given as inputs, such as an array that was converted.
std::vector<std::string> input_notes(const Profile& profile);

/// nullopt where a layer's work or bytes are not known.
std::optional<ModelPoint> point_of(const Profile& profile);

/// Adds the input notes of a run, each once and with its source: "model.onnx: input 'x': float64 of
/// x.npy converted to float32", each once.
void add_input_notes(const std::string& source, const Profile& profile,
                     std::vector<std::string>& notes);

}  // namespace ridge::profile
