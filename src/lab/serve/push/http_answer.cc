// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/push/http_answer.h"

#include <fmt/format.h>
#include <strings.h>

#include <charconv>

#include "base/list.h"
#include "base/number.h"
#include "base/trim.h"

namespace ridge::lab::serve {
namespace {

constexpr std::string_view kLineEnd = "\r\n", kHeaderEnd = "\r\n\r\n";
constexpr std::size_t kStatusLine = 12;  // "HTTP/1.1 200"

bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

ParsedAnswer bad_answer(std::string why) { return {AnswerState::kBad, {}, std::move(why)}; }

ParsedAnswer incomplete(bool ended) {
  return ended ? ParsedAnswer{AnswerState::kCut, {}, "the connection ended within the answer"}
               : ParsedAnswer{AnswerState::kPartial, {}, {}};
}

/// Facts of a header about the body.
struct AnswerHeader {
  unsigned status = 0;
  std::optional<std::int64_t> retry_after_s;
  std::optional<std::size_t> length;
  bool chunked = false;
  std::string why;  ///< not "": it is refused
};

unsigned status_of_line(std::string_view line) {
  if (!line.starts_with("HTTP/1.1 ") && !line.starts_with("HTTP/1.0 ")) return 0;
  if (line.size() < kStatusLine || (line.size() > kStatusLine && line[kStatusLine] != ' '))
    return 0;
  const auto status = whole_number<unsigned>(line.substr(9, 3));
  return status && *status >= 100 && *status < 600 ? *status : 0;
}

void take_field(std::string_view name, std::string_view value, AnswerHeader& out) {
  if (same_letters(name, "Retry-After")) out.retry_after_s = whole_number(value);
  if (same_letters(name, "Transfer-Encoding")) {
    if (out.chunked || !same_letters(value, "chunked")) out.why = "an unknown encoding of its body";
    out.chunked = true;
  }
  if (same_letters(name, "Content-Length")) {
    const auto length = whole_number<std::size_t>(value);
    if (!length || out.length) out.why = "not one length of its body";
    if (length && *length > kAnswerBytes)
      out.why = fmt::format("it is larger than {} bytes", kAnswerBytes);
    out.length = length;
  }
}

AnswerHeader read_answer_header(std::string_view text) {
  AnswerHeader out;
  const auto lines = split(text, kLineEnd);
  out.status = status_of_line(lines.front());
  if (out.status == 0) return out.why = "it does not begin as HTTP/1.1 does", out;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t colon = lines[i].find(':');
    const std::string_view name = lines[i].substr(0, colon);
    if (colon == std::string_view::npos || name.empty() ||
        name.find_first_of(" \t") != std::string_view::npos)
      return out.why = "a line of its header is not one", out;
    take_field(name, trimmed(lines[i].substr(colon + 1)), out);
    if (!out.why.empty()) return out;
  }
  if (out.chunked && out.length) out.why = "two lengths of its body";
  return out;
}

/// Body in chunks; its trailers are skipped.
ParsedAnswer read_chunks(std::string_view text, bool ended, HttpAnswer answer) {
  while (true) {
    const std::size_t end = text.find(kLineEnd);
    if (end == std::string_view::npos) return incomplete(ended);
    const std::string_view digits = trimmed(text.substr(0, std::min(end, text.find(';'))));
    std::size_t size = 0;
    const auto [last, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
    if (digits.empty() || error != std::errc() || last != digits.data() + digits.size())
      return bad_answer("a chunk of its body has no length");
    if (size > kAnswerBytes)
      return bad_answer(fmt::format("it is larger than {} bytes", kAnswerBytes));
    text.remove_prefix(end + kLineEnd.size());
    if (size == 0) {
      const bool whole =
          text.starts_with(kLineEnd) || text.find(kHeaderEnd) != std::string_view::npos;
      return whole ? ParsedAnswer{AnswerState::kWhole, std::move(answer), {}} : incomplete(ended);
    }
    if (text.size() < size + kLineEnd.size()) return incomplete(ended);
    if (text.substr(size, kLineEnd.size()) != kLineEnd)
      return bad_answer("a chunk of its body has no end");
    answer.body += text.substr(0, size);
    text.remove_prefix(size + kLineEnd.size());
  }
}

}  // namespace

ParsedAnswer parse_answer(std::string_view received, bool ended) {
  if (received.size() > kAnswerBytes)
    return bad_answer(fmt::format("it is larger than {} bytes", kAnswerBytes));
  while (true) {
    const std::size_t header_end = received.find(kHeaderEnd);
    if (header_end == std::string_view::npos) return incomplete(ended);
    AnswerHeader header = read_answer_header(received.substr(0, header_end));
    if (!header.why.empty()) return bad_answer(std::move(header.why));
    received.remove_prefix(header_end + kHeaderEnd.size());
    if (header.status < 200) continue;
    HttpAnswer answer{header.status, header.retry_after_s, {}};
    const bool empty = header.status == 204 || header.status == 304;
    if (header.chunked && !empty) return read_chunks(received, ended, std::move(answer));
    const std::size_t length = empty ? 0 : header.length.value_or(received.size());
    if (received.size() < length || (!header.length && !empty && !ended)) return incomplete(ended);
    answer.body = received.substr(0, length);
    return {AnswerState::kWhole, std::move(answer), {}};
  }
}

}  // namespace ridge::lab::serve
