// A whole model as one point: what it executed and how long that took. Made from a Profile or read
// from a ridge.profile/1 document.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace ridge::profile {

struct ModelPoint {
  std::string name;       ///< path and sizes
  double operations = 0;  ///< of one run, a multiply-add as 2
  double bytes = 0;       ///< across the boundaries of all layers
  double latency_ns = 0;
  std::int32_t threads = 1;
  std::string machine;  ///< machine_name of the host it was measured on
};

/// "hostname, AMD EPYC (Zen 4), 2 processors" out of the host object of ridge.machine/1; "" where
/// it says nothing.
std::string machine_name(std::string_view host_json);

/// nullopt where a layer's work or bytes are not known.
std::optional<ModelPoint> point_of(const Profile& profile);

/// The points of a document: one of ridge.profile/1, several of ridge.profiles/1. Input errors name
/// what is missing.
Result<std::vector<ModelPoint>> read_points(std::string_view json);

}  // namespace ridge::profile
