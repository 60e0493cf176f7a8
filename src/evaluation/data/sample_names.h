// SPDX-License-Identifier: Apache-2.0
// Samples by the names that other files give them.
//
//   const SampleNames samples(names);                  // borrows `names`
//   samples.find("val/cat.jpg")                        // position of cat.jpg
//
// A name is a sample's whole name, a path whose last part that is, or the name without its ending
// if one sample alone has it. Thread rule: plain values.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ridge::evaluation {

/// Whether the samples are all of their source, or the first of them.
enum class Whole : bool { kNo, kYes };

/// A name without its ending.
std::string_view stem(std::string_view name);

/// A cell of a line without the blanks and the double quotes around it.
std::string_view unquoted(std::string_view cell);

class SampleNames {
 public:
  explicit SampleNames(const std::vector<std::string>& names);

  std::optional<std::size_t> find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, std::size_t> whole_, stems_;
};

/// True for "cat.jpg" and other names of images, and for names with an ending that a sample has.
bool resembles_name(std::string_view text, const std::vector<std::string>& names);

}  // namespace ridge::evaluation
