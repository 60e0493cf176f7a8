// SPDX-License-Identifier: Apache-2.0
// A list whose items are made while it is written, one after the other, so that a document holds
// one of them at a time.
//
//   struct Document { Stream<Row> rows; };
//   Document d{.rows = Stream<Row>([&](auto use) {
//     Row row;
//     for (const Node& n : nodes) use(row = row_of(n));
//   })};
//
// Use it for a list of a document that is only written, as JSON, and made from other data; a list
// that is also read or written in binary is a std::vector, or described by rows.h. Any type that
// names its StreamItem and has each(use) is such a list; Stream holds any function. Written, never
// read. Ownership: what the function captures; it may be called more than once.
#pragma once

#include <functional>
#include <utility>

#include "record/describe.h"

namespace ridge::record {

template <typename T>
class Stream {
 public:
  using StreamItem = T;

  Stream() = default;
  /// `each` calls its argument, use(const T&), with every item.
  template <typename Each>
    requires(!std::same_as<std::remove_cvref_t<Each>, Stream>)
  explicit Stream(Each each)
      : each_([each = std::move(each)](void* context, Type::EachItem visit) {
          each([&](const T& item) { visit(context, &item); });
        }) {}

  template <typename Use>
  void each(Use use) const {
    if (each_)
      each_(&use, [](void* context, const void* item) {
        (*static_cast<Use*>(context))(*static_cast<const T*>(item));
      });
  }

 private:
  std::function<void(void* context, Type::EachItem visit)> each_;
};

}  // namespace ridge::record
