// A dimension or count in a document: an integer, an expression of free sizes as text, or nullopt
// where it cannot be known.
//
//   FigureTexts texts(resolved.dims());
//   view.macs = texts.figure(counts.macs);
//
// A Figure borrows its text, which FigureTexts keeps until clear(): rows are written one by one.
// Cost: an integer is copied.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ops/dim.h"

namespace ridge::exports {

using Figure = std::optional<std::variant<std::int64_t, std::string_view>>;

class FigureTexts {
 public:
  explicit FigureTexts(const ops::DimPool& dims) : dims_(&dims) {}

  Figure figure(ops::Dim d) {
    if (d.known()) return d.value();
    if (d.unknown()) return std::nullopt;
    return std::string_view(texts_.emplace_back(dims_->text(d)));
  }
  void clear() {
    if (!texts_.empty()) texts_.clear();
  }

 private:
  const ops::DimPool* dims_;
  std::deque<std::string> texts_;
};

}  // namespace ridge::exports
