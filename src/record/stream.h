// A list whose items are made while it is written, one after the other, so that a document holds
// one of them at a time.
//
//   struct Document { Stream<Row> rows; };
//   Document d{.rows = Stream<Row>([&](auto use) {
//     Row row;
//     for (const Node& n : nodes) use(row = row_of(n));
//   })};
//
// Written, never read. Ownership: what the function captures; it may be called more than once.
#pragma once

#include <functional>
#include <utility>

#include "record/describe.h"

namespace ridge::record {

template <typename T>
class Stream {
 public:
  Stream() = default;
  /// `each` calls its argument, use(const T&), with every item.
  template <typename Each>
    requires(!std::same_as<std::remove_cvref_t<Each>, Stream>)
  explicit Stream(Each each)
      : each_([each = std::move(each)](void* context, Type::EachItem visit) {
          each([&](const T& item) { visit(context, &item); });
        }) {}

  void each(void* context, Type::EachItem visit) const {
    if (each_) each_(context, visit);
  }

 private:
  std::function<void(void* context, Type::EachItem visit)> each_;
};

/// Found beside Stream by its argument.
template <typename T>
constexpr void fill(Type& t, const Stream<T>*) {
  t.form = Form::kList;
  t.borrowed = true;
  t.item = &kType<T>;
  t.each_streamed = [](const void* list, void* context, Type::EachItem visit) {
    detail::as<Stream<T>>(list).each(context, visit);
  };
}

}  // namespace ridge::record
