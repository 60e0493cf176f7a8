// SPDX-License-Identifier: Apache-2.0
#include "base/lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"

namespace ridge {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kMark = "\xef\xbb\xbf";

/// Name of an encoding that `bytes` begin in and that is not UTF-8; "" if there is none.
std::string_view other_encoding(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe\0\0"sv) || bytes.starts_with("\0\0\xfe\xff"sv)) return "UTF-32";
  if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv)) return "UTF-16";
  if (bytes.size() < 4) return "";
  const auto zero = [&](std::size_t at) { return bytes[at] == '\0'; };
  const bool little = !zero(0) && zero(1), big = zero(0) && !zero(1);
  if (little && !zero(2) && zero(3)) return "UTF-16";
  if (big && zero(2) && !zero(3)) return "UTF-16";
  if ((little && zero(2) && zero(3)) || (zero(0) && zero(1) && zero(2) && !zero(3)))
    return "UTF-32";
  return "";
}

}  // namespace

std::string_view without_mark(std::string_view text) {
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

Result<void> check_encoding(std::string_view bytes) {
  const std::string_view other = other_encoding(bytes);
  if (other.empty()) return {};
  return input_error("RIDGE-IO-0012",
                     fmt::format("the file is {}, and texts are read as UTF-8", other))
      .hint("save it as UTF-8; Windows PowerShell: COMMAND | Out-File -Encoding utf8 FILE");
}

Result<std::string> text_of_file(std::string bytes, const std::string& path) {
  if (Result<void> good = check_encoding(bytes); !good.ok())
    return std::move(good).error().in_file(path);
  if (bytes.starts_with(kMark)) bytes.erase(0, kMark.size());
  return bytes;
}

Result<std::string> read_text_file(const std::string& path, std::int64_t limit) {
  return text_of_file(TRY(read_file(path, limit)), path);
}

bool Lines::next() {
  if (rest_.empty()) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return true;
}

std::string Lines::place() const { return fmt::format("line {}", number_); }

}  // namespace ridge
