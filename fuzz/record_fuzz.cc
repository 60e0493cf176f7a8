// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as every form of a described type (record/testing/made.h): what is accepted is
// written again and reads back equal. The reader of JSON accepts what the JSON library accepts.
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/sink.h"
#include "check.h"
#include "record/binary.h"
#include "record/csv.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/settings.h"
#include "record/testing/made.h"
#include "record/toml.h"

namespace {

using namespace ridge::record;
using ridge::fuzz::check;
using ridge::record::testing::Made;

bool equal(const Made& a, const Made& b) { return same(kType<Made>, &a, &b); }

/// A text may have become longer than TOML is read (escapes), lists stand deeper than in JSON.
bool is_limit(const std::string& code) {
  return code == "RIDGE-ACC-0201" || code == "RIDGE-ACC-0202" || code == "RIDGE-ACC-0205";
}

void check_forms(Made made) {
  if (!made.fast) made.seed = 1;  // is not written then
  ridge::StringSink sink;
  write_json(made, sink);
  const auto json = read_json<Made>(sink.text());
  check(json.ok() && equal(*json, made));
  const auto toml = ridge::record::read_toml<Made>(toml_text(made));
  check(toml.ok() ? equal(*toml, made) : is_limit(toml.error().code()));
  const auto bytes = from_binary<Made>(to_binary(made));
  check(bytes && equal(*bytes, made));
  Made set_again;
  for (const Setting& s : settings(kType<Made>, &made))
    check(set(kType<Made>, &set_again, s.name, s.value).ok());
  check(equal(set_again, made));
  ridge::StringSink csv;
  write_csv_line(kType<Made>, &made, csv);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The library also refuses numbers beyond a double, and ends at a zero byte.
  if (size < 1000 && text.find('\0') == text.npos && nlohmann::json::accept(text))
    check(JsonTree::parse(text, {.depth = 1000}).ok());
  if (const auto made = read_json<Made>(text); made.ok()) check_forms(*made);
  if (const auto made = read_json<Made>(text, {.of = Reading::Of::kPeople}); made.ok())
    check_forms(*made);
  if (const auto made = ridge::record::read_toml<Made>(text); made.ok()) check_forms(*made);
  if (const auto made = from_binary<Made>(text)) {
    // The binary form has no bounds.
    const auto again = from_binary<Made>(to_binary(*made));
    check(again && equal(*again, *made));
  }
  const std::size_t equals = std::min(text.find('='), size);
  Made made;
  if (set(kType<Made>, &made, text.substr(0, equals), text.substr(std::min(equals + 1, size)))
          .ok() &&
      made.level <= 1000)
    check_forms(made);
  return 0;
}
