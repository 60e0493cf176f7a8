// SPDX-License-Identifier: Apache-2.0
// Traces of token requests, and lengths, as any text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "check.h"
#include "scenario/token_requests.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto trace = ridge::scenario::read_token_trace(text); trace.ok()) {
    for (const auto& request : trace->requests)
      ridge::fuzz::check(request.prompt >= 1 && request.tokens >= 1 && request.after_ns >= 0);
  }
  if (const auto lengths = ridge::scenario::parse_lengths(text); lengths.ok())
    ridge::fuzz::check(lengths->low >= 1 && lengths->low <= lengths->high);
  return 0;
}
