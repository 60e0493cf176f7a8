// SPDX-License-Identifier: Apache-2.0
// The document of one point alone, of one that has several.
//
//   record.document = session::document_of_point(evaluation, point, write_evaluation);
//
// `of` and `point` are as before when it returns: what is large in them is moved, not copied.
// Thread rule: pure.
#pragma once

#include <string>
#include <utility>

#include "base/sink.h"

namespace ridge::session {

/// `write(document, sink)` writes it. `point` need not be one of the points of `of`.
template <typename Document, typename Point, typename Write>
std::string document_of_point(Document& of, Point& point, Write write) {
  auto others = std::exchange(of.points, {});
  of.points.push_back(std::move(point));
  StringSink document;
  write(of, document);
  point = std::move(of.points.front());
  of.points = std::move(others);
  return document.text();
}

}  // namespace ridge::session
