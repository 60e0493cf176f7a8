// SPDX-License-Identifier: Apache-2.0
// Digests of content: rows by the columns of their descriptions, so that what is stored, what is
// read back and what is recognized cannot disagree.
//
//   ContentDigest content;
//   content.add_row(profile);
//   content.add_rows(profile.nodes);          // their number, then each
//   const std::string key = content.hex();
//
// Floating-point numbers count by their bits; those that are not finite are absent. Thread rule: as
// for Digest.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash/digest.h"
#include "record/columns.h"

namespace ridge::store {

class ContentDigest final : public record::RowSink {
 public:
  template <typename Row>
  void add_row(const Row& row) {
    record::write_row(record::kType<Row>, &row, *this);
  }
  template <typename Row>
  void add_rows(const std::vector<Row>& rows) {
    digest_.add_int(std::ssize(rows));
    for (const Row& row : rows) add_row(row);
  }

  void integer(std::int64_t value) override { digest_.add_int(value); }
  void real(double value) override { digest_.add(std::bit_cast<std::uint64_t>(value)); }
  void text(std::string_view value) override { digest_.add(value); }
  void null() override { digest_.add(kAbsent); }
  std::string hex() { return digest_.hex(); }

 private:
  /// A word that no figure of a profile has.
  static constexpr std::uint64_t kAbsent = 0xfff8'6162'7365'6e74ULL;

  Digest digest_;
};

}  // namespace ridge::store
