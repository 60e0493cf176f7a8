// SPDX-License-Identifier: Apache-2.0
// Requests for models over time: what a replay plays. Read from a file (azure_trace.h) or drawn
// (generate.h).
//
//   Trace trace{.requests = {{.at_ns = 0, .model = 0}}, .models = {"resnet50"}};
//
// Thread rule: value types. Cost: 24 bytes for each request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ridge::sharing {

/// Limits of every trace.
inline constexpr std::size_t kMostRequests = std::size_t{1} << 24,
                             kMostModels = std::size_t{1} << 17;

struct Request {
  static constexpr std::int64_t kRunOfModel = -1;

  std::int64_t at_ns = 0;
  std::int64_t run_ns = kRunOfModel;  ///< kRunOfModel: as the model's costs have it
  std::uint32_t model = 0;            ///< position in Trace::models
};

struct Trace {
  std::vector<Request> requests;  ///< ascending by time
  std::vector<std::string> models;
};

}  // namespace ridge::sharing
