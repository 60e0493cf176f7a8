// SPDX-License-Identifier: Apache-2.0
// A tokenizer.json, a zero byte and a text: whatever is read encodes every text, to the length that
// was asked for.
#include <cstdint>
#include <string_view>

#include "check.h"
#include "text/tokenizer_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = bytes.find('\0');
  const std::string_view text = end == bytes.npos ? std::string_view() : bytes.substr(end + 1);
  const auto tokenizer = text::read_tokenizer(bytes.substr(0, end));
  if (!tokenizer.ok()) return 0;
  constexpr int kLength = 70;
  const auto encoding = tokenizer->encode(text, {.length = kLength});
  if (!encoding.ok()) return 0;
  for (const auto* values : {&encoding->ids, &encoding->mask, &encoding->types})
    fuzz::check(values->size() == kLength);
  std::size_t padding = 0;
  for (std::size_t i = 0; i < kLength; ++i) {
    fuzz::check(encoding->ids[i] >= 0 && encoding->types[i] >= 0);
    padding += encoding->mask[i] == 0 ? 1U : 0U;
    fuzz::check(encoding->mask[i] == (padding == 0 ? 1 : 0));  // on the right
  }
  return 0;
}
