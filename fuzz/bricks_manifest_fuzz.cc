// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a manifest of bricks: what can be read survives a round trip.
#include "bricks/plan_describe.h"
#include "check.h"
#include "record/json_read.h"
#include "record/json_write.h"

namespace {

std::string written(const ridge::bricks::Plan& plan) {
  ridge::StringSink sink;
  ridge::record::write_json(plan, sink);
  return sink.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ridge::fuzz::check;
  const auto read = [](std::string_view text) {
    return ridge::record::read_json<ridge::bricks::Plan>(text);
  };
  const auto plan = read({reinterpret_cast<const char*>(data), size});
  if (!plan.ok()) {
    const std::string& code = plan.error().code();
    check(code == "RIDGE-BRICK-0010" || code.starts_with("RIDGE-REC-"));
    return 0;
  }
  const std::string once = written(*plan);
  const auto again = read(once);
  check(again.ok() && written(*again) == once);
  return 0;
}
