// SPDX-License-Identifier: Apache-2.0
// Prices of machines, from which costs follow: given by the user, never assumed.
//
//   const Price price = TRY(read_price("host=0.50"));
//   const std::vector<Price> prices = TRY(read_prices("prices.toml"));
//
// The file has a table for each machine:
//
//   [[price]]
//   host = "b2"
//   per_hour = 0.5
//
// The currency is the user's. Errors: usage class, RIDGE-GRID-0006, for a text that is no price;
// input class, as record/toml.h, for a file. Thread rule: pure, but for the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/describe.h"

namespace ridge::lab {

struct Price {
  std::string host;  ///< name of the machine
  double per_hour = 0;
};

/// Content of a file.
struct PriceList {
  std::vector<Price> price;
};

/// "HOST=NUMBER", the number above 0; the host has what stands before the last "=".
Result<Price> read_price(std::string_view text);
Result<std::vector<Price>> read_prices(const std::string& path);

}  // namespace ridge::lab

namespace ridge {

template <>
struct record::Describe<lab::Price> {
  using T = lab::Price;
  static constexpr std::array fields{
      field<&T::host>("host", "name of the machine", required()),
      field<&T::per_hour>("per_hour", "price of an hour, in a currency of yours", required(),
                          known(), above(0))};
};

template <>
struct record::Describe<lab::PriceList> {
  using T = lab::PriceList;
  static constexpr std::array fields{
      field<&T::price>("price", "a machine each", required(), max_items(100'000))};
};

}  // namespace ridge
