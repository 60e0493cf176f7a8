// SPDX-License-Identifier: Apache-2.0
// What the server answers to: one table, of which the router, the OpenAPI document and the page of
// docs are made.
//
//   for (const Route& route : routes()) ...
//   const Answer answer = dispatch(service, request);
//
// Thread rule: as the handlers.
#pragma once

#include <span>
#include <string_view>

#include "lab/serve/listener.h"
#include "lab/serve/service.h"
#include "record/type.h"

namespace ridge::lab::serve {

struct Route {
  std::string_view method;
  std::string_view path;                 ///< "/api/v1/runs/{run}": a part in braces is a number
  std::string_view summary;              ///< one sentence
  std::string_view type;                 ///< media type of its answer
  const record::Type* query = nullptr;   ///< settings of its query
  const record::Type* answer = nullptr;  ///< its document; nullptr: another, or none
  Handle handle = nullptr;
  std::string_view body = {};             ///< content of its body; "": it takes none
  unsigned status = kOk;                  ///< status of its answer, if nothing failed
  const record::Type* request = nullptr;  ///< document of its body; nullptr: as `body` says
  std::size_t body_bytes = kBodyBytes;    ///< most that its body may have

  bool is_api() const { return path.starts_with("/api/") || path == "/metrics"; }
};

std::span<const Route> routes();

/// Answer of the route that has the request's method and path; HEAD is as GET. Errors become their
/// documents, or a page where the path is not one of the API.
Answer dispatch(Service& service, const Request& request);

/// Sets the header Allow (RFC 9110, 10.2.1) of a refused method: those of the routes with the
/// request's path, "" without one.
void add_allowed(Answer& answer, const Request& request);

/// Bytes that the body of a request may have.
std::size_t body_limit(const Request& request);

/// The form that an error has for this request.
Answer refusal_answer(const Request& request, const Error& error, unsigned status);

}  // namespace ridge::lab::serve
