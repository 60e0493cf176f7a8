// SPDX-License-Identifier: Apache-2.0
#include "scenario/token_requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/csv.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/trim.h"
#include "scenario/csv_field.h"
#include "stats/random.h"

namespace ridge::scenario {
namespace {

constexpr std::size_t kMaxRequestBytes = std::size_t{64} << 20, kLongestRequestLine = 4096,
                      kMaxColumns = 64;
constexpr double kMaxSpread = 10, kLatestS = 1e9;
constexpr std::size_t kNoRequestColumn = static_cast<std::size_t>(-1);

Error bad_lengths(std::string_view text) {
  return usage_error("RIDGE-SCEN-0111",
                     fmt::format("'{}' is no length in tokens", shorten(printable(text), 40)))
      .hint(fmt::format("write 128, uniform:64,256, or lognormal:MEDIAN,SPREAD[,LARGEST], each "
                        "length from 1 to {}",
                        kMaxLength));
}

std::vector<std::string_view> texts_of(std::string_view line, std::size_t most) {
  std::vector<std::string_view> out = split(line);
  if (out.size() > most) out.resize(most);
  for (std::string_view& text : out) text = csv_text(text);
  return out;
}

std::optional<std::uint32_t> length(std::string_view text) {
  const auto n = whole_number<std::uint32_t>(text);
  return n && *n >= 1 && *n <= kMaxLength ? n : std::nullopt;
}

/// A number of the standard normal distribution (Box and Muller 1958, Annals of Mathematical
/// Statistics 29:610).
double drawn_normal(stats::Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

std::uint32_t draw(const Lengths& lengths, stats::Random& random) {
  if (lengths.spread <= 0)
    return lengths.low +
           static_cast<std::uint32_t>(random.below(std::size_t{lengths.high - lengths.low} + 1));
  const double drawn = lengths.low * std::exp(lengths.spread * drawn_normal(random));
  return static_cast<std::uint32_t>(
      std::clamp(std::round(drawn), 1.0, static_cast<double>(lengths.high)));
}

struct RequestColumns {
  std::size_t prompt = kNoRequestColumn, tokens = kNoRequestColumn, time = kNoRequestColumn;
  double unit_ns = 1;
};

Error fault_in_requests(std::size_t line, std::string message) {
  return input_error("RIDGE-SCEN-0110", std::move(message)).in(fmt::format("line {}", line));
}

Result<RequestColumns> read_request_header(std::string_view line, std::size_t number) {
  constexpr std::string_view kPrompts[] = {"prompt", "prompttokens", "inputtokens", "inputlength",
                                           "contexttokens"};
  constexpr std::string_view kTokens[] = {"tokens", "output", "outputtokens", "outputlength",
                                          "generatedtokens"};
  RequestColumns out;
  const std::vector<std::string_view> names = texts_of(line, kMaxColumns);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = csv_name(names[i]);
    if (std::ranges::find(kPrompts, name) != std::end(kPrompts)) {
      out.prompt = i;
    } else if (std::ranges::find(kTokens, name) != std::end(kTokens)) {
      out.tokens = i;
    }
  }
  if (const auto time = time_column(line)) {
    out.time = time->index;
    out.unit_ns = std::pow(10.0, time->decimals);
  }
  if (out.prompt != kNoRequestColumn && out.tokens != kNoRequestColumn) return out;
  return fault_in_requests(number, "the header names no column of prompts and none of tokens")
      .hint("begin with a line such as prompt_tokens,output_tokens");
}

Result<void> read_request(std::string_view line, std::size_t number, const RequestColumns& columns,
                          TokenTrace& trace) {
  const auto part = [&](std::size_t i) { return csv_text(line, i); };
  TokenRequest request;
  for (const auto& [column, field] : {std::pair(columns.prompt, &TokenRequest::prompt),
                                      std::pair(columns.tokens, &TokenRequest::tokens)}) {
    const auto n = length(part(column));
    if (!n)
      return fault_in_requests(number,
                               fmt::format("'{}' is no number of tokens from 1 to {}",
                                           shorten(printable(part(column)), 40), kMaxLength));
    request.*field = *n;
  }
  if (columns.time != kNoRequestColumn) {
    const auto time = finite_number(part(columns.time));
    if (!time || *time < 0 || *time * columns.unit_ns > kLatestS * 1e9)
      return fault_in_requests(number, fmt::format("'{}' is no time from 0 to 10^9 seconds",
                                                   shorten(printable(part(columns.time)), 40)));
    request.after_ns = std::llround(*time * columns.unit_ns);
    if (!trace.requests.empty() && request.after_ns < trace.requests.back().after_ns)
      return fault_in_requests(number, "the time is before that of the request above")
          .hint("sort the lines");
  }
  trace.requests.push_back(request);
  return {};
}

}  // namespace

Result<Lengths> parse_lengths(std::string_view text) {
  if (const auto n = length(text)) return Lengths{*n, *n, 0};
  const std::size_t colon = text.find(':');
  const std::vector<std::string_view> parts =
      texts_of(colon == std::string_view::npos ? "" : text.substr(colon + 1), 4);
  const std::string_view kind = text.substr(0, colon);
  const auto low = length(parts[0]);
  if (!low) return bad_lengths(text);
  if (kind == "uniform" && parts.size() == 2) {
    const auto high = length(parts[1]);
    if (high && *low <= *high) return Lengths{*low, *high, 0};
  }
  if (kind == "lognormal" && (parts.size() == 2 || parts.size() == 3)) {
    const auto spread = finite_number(parts[1]);
    const auto most = parts.size() == 3 ? length(parts[2]) : std::optional(kMaxLength);
    if (spread && *spread > 0 && *spread <= kMaxSpread && most && *low <= *most)
      return Lengths{*low, *most, *spread};
  }
  return bad_lengths(text);
}

std::string text_of(const Lengths& lengths) {
  if (lengths.spread > 0 && lengths.high == kMaxLength)
    return fmt::format("lognormal:{},{}", lengths.low, lengths.spread);
  if (lengths.spread > 0)
    return fmt::format("lognormal:{},{},{}", lengths.low, lengths.spread, lengths.high);
  if (lengths.low == lengths.high) return fmt::format("{}", lengths.low);
  return fmt::format("uniform:{},{}", lengths.low, lengths.high);
}

Result<TokenTrace> read_token_trace(std::string_view text) {
  if (text.size() > kMaxRequestBytes)
    return input_error("RIDGE-SCEN-0110", fmt::format("the trace has {} bytes, the limit is {}",
                                                      text.size(), kMaxRequestBytes));
  TokenTrace out;
  std::optional<RequestColumns> columns;
  for (Lines lines(text); lines.next();) {
    const std::string_view line = trimmed(lines.line());
    const std::size_t number = lines.number();
    if (line.empty() || line.front() == '#') continue;
    if (line.size() > kLongestRequestLine)
      return fault_in_requests(
          number, fmt::format("the line is longer than {} characters", kLongestRequestLine));
    if (!columns) {
      columns = TRY(read_request_header(line, number));
      continue;
    }
    if (out.requests.size() == kMaxRequests)
      return fault_in_requests(number, fmt::format("more than {} requests", kMaxRequests));
    TRY(read_request(line, number, *columns, out));
  }
  if (out.requests.empty()) return input_error("RIDGE-SCEN-0110", "the trace has no requests");
  out.timed = columns->time != kNoRequestColumn;
  const std::int64_t first = out.requests[0].after_ns;
  for (TokenRequest& request : out.requests) request.after_ns -= first;
  return out;
}

Result<std::vector<TokenRequest>> requests_of(const Workload& w) {
  if (w.count == 0 || w.count > kMaxRequests)
    return usage_error("RIDGE-SCEN-0111",
                       fmt::format("a generation has 1 to {} requests", kMaxRequests));
  std::unique_ptr<Arrivals> arrivals;
  if (w.arrivals) arrivals = TRY(make_arrivals(*w.arrivals, w.seed));
  stats::Random random(w.seed);
  std::vector<TokenRequest> out;
  for (std::uint32_t i = 0; i < w.count; ++i) {
    TokenRequest& request = out.emplace_back();
    if (w.trace.empty()) {
      request.prompt = draw(w.prompt, random);
      request.tokens = draw(w.tokens, random);
    } else {
      request = w.trace[i % w.trace.size()];
      if (w.timed && !arrivals && i >= w.trace.size()) {  // moments of a trace are played once
        out.pop_back();
        break;
      }
    }
    if (!arrivals) continue;
    request.after_ns = arrivals->next();
    if (request.after_ns != kNever) continue;
    out.pop_back();
    break;
  }
  return out;
}

}  // namespace ridge::scenario
