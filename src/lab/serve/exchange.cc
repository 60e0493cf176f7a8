// SPDX-License-Identifier: Apache-2.0
#include "lab/serve/exchange.h"

#include <strings.h>

#include <algorithm>

#include "lab/serve/describe.h"
#include "record/json_write.h"
#include "store/errors.h"

namespace ridge::lab::serve {
namespace {

bool is_named(const std::pair<std::string, std::string>& header, std::string_view name) {
  return header.first.size() == name.size() &&
         ::strncasecmp(header.first.data(), name.data(), name.size()) == 0;
}

}  // namespace

std::optional<std::string> Request::header(std::string_view name) const {
  std::optional<std::string> out;
  for (const auto& header : headers) {
    if (!is_named(header, name)) continue;
    if (out) return std::nullopt;
    out = header.second;
  }
  return out;
}

bool Request::has_header(std::string_view name) const {
  return std::ranges::any_of(headers, [&](const auto& header) { return is_named(header, name); });
}

bool Answer::has_header(std::string_view name) const {
  return std::ranges::any_of(headers, [&](const auto& header) { return is_named(header, name); });
}

unsigned status_of(const Error& error) {
  if (error.code() == store::kNoSuchRun || error.code() == store::kNoSuchEvaluation ||
      error.code() == store::kNoSuchExperiment || error.code() == kNoSuchJob)
    return kNotFound;
  if (error.code() == kJobRuns) return kConflict;
  switch (error.error_class()) {
    case ErrorClass::kEnvironment:
      return kUnavailable;
    case ErrorClass::kBug:
      return kServerError;
    default:
      return kBadRequest;
  }
}

ErrorDocument document_of(const Error& error) {
  return {.code = error.code(),
          .message = error.message(),
          .where = error.where(),
          .evidence = error.evidence(),
          .hint = error.hint()};
}

Answer error_answer(const Error& error, unsigned status) {
  StringSink sink;
  record::write_json(document_of(error), sink);
  return Answer::json(sink.text(), status);
}

}  // namespace ridge::lab::serve
