// Arbitrary bytes as a manifest of bricks: what can be read survives a round trip.
#include "bricks/manifest.h"
#include "check.h"

namespace {

std::string written(const ridge::bricks::Plan& plan) {
  ridge::StringSink sink;
  ridge::bricks::write_manifest(plan, sink);
  return sink.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ridge::fuzz::check;
  const auto plan = ridge::bricks::read_manifest({reinterpret_cast<const char*>(data), size});
  if (!plan.ok()) {
    check(plan.error().code() == "RIDGE-BRICK-0010");
    return 0;
  }
  const std::string once = written(*plan);
  const auto again = ridge::bricks::read_manifest(once);
  check(again.ok() && written(*again) == once);
  return 0;
}
