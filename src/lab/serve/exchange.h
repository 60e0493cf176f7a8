// SPDX-License-Identifier: Apache-2.0
// A request as the server's parts see it, and their answer. Plain data.
//
//   Answer answer = Answer::json(body);
//   answer.headers.emplace_back("Location", "/runs");
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "lab/serve/records.h"
#include "lab/serve/target.h"

namespace ridge::lab::serve {

/// Status codes that ridge answers with (RFC 9110).
enum Status : unsigned {
  kOk = 200,
  kAccepted = 202,
  kSeeOther = 303,
  kNotModified = 304,
  kBadRequest = 400,
  kUnauthorized = 401,
  kForbidden = 403,
  kNotFound = 404,
  kMethodNotAllowed = 405,
  kConflict = 409,
  kTooLarge = 413,
  kWrongType = 415,
  kMisdirected = 421,
  kServerError = 500,
  kUnavailable = 503,
};

struct Request {
  std::string method;      ///< "GET"
  std::string raw_target;  ///< as it was sent
  Target target;           ///< once it is parsed
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  /// Value of a header, its name in any letters; nullopt where it is absent or there twice.
  std::optional<std::string> header(std::string_view name) const;
  bool has_header(std::string_view name) const;
  bool writes() const { return method != "GET" && method != "HEAD"; }
};

/// Text that becomes known bit by bit, as server-sent events.
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// The text since the last call; "" for none yet; nullopt: at its end. Any thread.
  virtual std::optional<std::string> take() = 0;
};

struct Answer {
  unsigned status = kOk;
  std::string type;  ///< "" without a body
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::shared_ptr<EventSource> events = {};  ///< in place of a body

  bool has_header(std::string_view name) const;

  static Answer json(std::string body, unsigned status = kOk) {
    return {.status = status, .type = "application/json", .body = std::move(body)};
  }
  static Answer html(std::string body, unsigned status = kOk) {
    return {.status = status, .type = "text/html; charset=utf-8", .body = std::move(body)};
  }
  /// Elsewhere, to be fetched by GET.
  static Answer to(std::string place) {
    Answer out{.status = kSeeOther, .type = "", .body = ""};
    out.headers.emplace_back("Location", std::move(place));
    return out;
  }
};

/// Codes of the errors for a job that does not exist, and for a second one at a time.
inline constexpr std::string_view kNoSuchJob = "RIDGE-SERVE-0036", kJobRuns = "RIDGE-SERVE-0035";

/// The status that says who has to act: 404 for what is not there, 400 for other bad input, 503
/// where the machine lacks something, 500 for a defect.
unsigned status_of(const Error& error);
/// An error as a document (ridge.error/1), and as an answer.
ErrorDocument document_of(const Error& error);
Answer error_answer(const Error& error, unsigned status);
inline Answer error_answer(const Error& error) { return error_answer(error, status_of(error)); }

}  // namespace ridge::lab::serve
