// SPDX-License-Identifier: Apache-2.0
#include "report/kit/picture.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/text.h"

namespace ridge::report {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = word << 8 |
             (at + i < bytes.size() ? static_cast<std::uint8_t>(bytes[at + i]) : std::uint32_t{0});
    for (std::size_t i = 0; i < 4; ++i)
      out += at + i > bytes.size() ? '=' : kDigits[word >> (18 - 6 * i) & 63];
  }
  return out;
}

std::string png_picture(std::string_view png, std::string_view alt) {
  return fmt::format("<img class=\"sample\" alt=\"{}\" src=\"data:image/png;base64,{}\">",
                     html_escape(alt), base64(png));
}

}  // namespace ridge::report
