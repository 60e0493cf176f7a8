// SPDX-License-Identifier: Apache-2.0
// TOML under construction: keys, tables and arrays of tables, within the limits of base/toml.h.
//
//   TomlText toml;
//   toml.text("name", "net");                 // name = "net"
//   toml.begin_table("model");                // [model]
//   std::string file = std::move(toml).file();
//
// Text over one line is written as a multi-line string, in pieces that stay below the longest line
// that the reader takes. Plain data, no thread rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridge::manifest {

class TomlText {
 public:
  void begin_table(std::string_view name);
  /// [table.name]
  void begin_inner_table(std::string_view table, std::string_view name);
  void begin_array_table(std::string_view name);

  /// Nothing is written for empty text.
  void text(std::string_view key, std::string_view value);
  /// Writes empty text too.
  void whole_text(std::string_view key, std::string_view value);
  void texts(std::string_view key, const std::vector<std::string>& values);
  void truth(std::string_view key, bool value);
  void whole(std::string_view key, std::int64_t value);
  /// Numbers as they stand: "3" or "3, 224, 224".
  void numbers(std::string_view key, std::string_view list);

  std::string file() && { return std::move(out_); }

 private:
  void key(std::string_view name);

  std::string out_;
};

}  // namespace ridge::manifest
