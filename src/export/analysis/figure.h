// SPDX-License-Identifier: Apache-2.0
// A dimension or count in a document: an integer, an expression of free sizes as text, or null
// where it cannot be known.
//
//   FigureTexts texts(resolved.dims());
//   view.macs = texts.figure(counts.macs);
//
// A Figure borrows its text, which FigureTexts keeps until clear(): rows are written one by one.
// Cost: an integer is copied.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <type_traits>

#include "ops/dim.h"
#include "record/describe.h"

namespace ridge::exports {

struct Figure {
  ops::Dim dim;
  const std::string* text = nullptr;  ///< set for an expression
};

class FigureTexts {
 public:
  explicit FigureTexts(const ops::DimPool& dims) : dims_(&dims) {}

  Figure figure(ops::Dim d) {
    if (!d.symbolic()) return {d};
    return {d, &texts_.emplace_back(dims_->text(d))};
  }
  void clear() {
    if (!texts_.empty()) texts_.clear();
  }

 private:
  const ops::DimPool* dims_;
  std::deque<std::string> texts_;
};

inline constexpr std::array<const record::Type*, 2> kFigureTypes{&record::kType<std::int64_t>,
                                                                 &record::kType<std::string>};

/// Type of a Figure that is known.
constexpr record::Type known_figure() {
  static_assert(sizeof(ops::Dim) == sizeof(std::int64_t) && std::is_standard_layout_v<ops::Dim>,
                "the address of a known Dim is that of its integer");
  record::Type t;
  t.form = record::Form::kEither;
  t.size = sizeof(Figure);
  t.alternatives = kFigureTypes;
  t.count = [](const void* v) {
    return std::size_t{static_cast<const Figure*>(v)->dim.symbolic() ? 1U : 0U};
  };
  t.at = [](void* v, std::size_t) -> void* {
    auto* figure = static_cast<Figure*>(v);
    if (figure->dim.symbolic()) return const_cast<std::string*>(figure->text);
    return &figure->dim;
  };
  return t;
}
inline constexpr record::Type kKnownFigure = known_figure();

/// Describes a Figure: null, an integer or a text.
constexpr void fill(record::Type& t, const Figure*) {
  t.form = record::Form::kOptional;
  t.borrowed = true;
  t.item = &kKnownFigure;
  t.count = [](const void* v) {
    return std::size_t{static_cast<const Figure*>(v)->dim.unknown() ? 0U : 1U};
  };
  t.at = [](void* v, std::size_t) { return v; };
}

}  // namespace ridge::exports
