// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a profile document: a document that can be read survives a round trip.
#include "profile/read.h"

#include "check.h"
#include "profile/json.h"

namespace {

std::string written(const ridge::profile::Profile& profile) {
  ridge::StringSink sink;
  ridge::profile::write_json(profile, sink);
  return sink.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ridge::fuzz::check;
  const auto read = ridge::profile::read_profiles({reinterpret_cast<const char*>(data), size});
  if (!read.ok()) {
    const std::string& code = read.error().code();
    check(code.starts_with("RIDGE-PROF-") || code.starts_with("RIDGE-REC-"));
    return 0;
  }
  for (const ridge::profile::Profile& profile : *read) {
    const std::string once = written(profile);
    const auto again = ridge::profile::read_profiles(once);
    check(again.ok() && again->size() == 1 && written(again->front()) == once);
  }
  return 0;
}
