// SPDX-License-Identifier: Apache-2.0
// Messages as frames and back: where messages.h, describe.h and frame.h meet.
//
//   out += wire(Kind::kRun, run);
//   Run run = TRY(unwire<Run>(frame, "b2"));              // RIDGE-LAB-0102 if it is none
//
// Thread rule: pure.
#pragma once

#include <optional>
#include <string>

#include "lab/agent/describe.h"
#include "lab/agent/frame.h"

namespace ridge::lab {

template <typename T>
std::string wire(Kind::Value kind, const T& message) {
  return frame_bytes(kind, record::to_binary(message));
}

template <typename T>
Result<T> unwire(const Frame& frame, const std::string& peer) {
  std::optional<T> message = record::from_binary<T>(frame.payload);
  if (!message) return no_message(peer, "bytes that are none of its kind");
  return std::move(*message);
}

}  // namespace ridge::lab
