// SPDX-License-Identifier: Apache-2.0
#include "lab/grid/price.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "record/toml.h"

namespace ridge::lab {
namespace {

constexpr std::int64_t kLargestFile = std::int64_t{1} << 20;

}  // namespace

Result<Price> read_price(std::string_view text) {
  const std::size_t at = text.rfind('=');
  const auto number =
      at == std::string_view::npos ? std::nullopt : finite_number(text.substr(at + 1));
  if (!number || *number <= 0 || at == 0)
    return usage_error("RIDGE-GRID-0006",
                       fmt::format("--price: '{}' is no price of a host", printable(text)))
        .hint("write the host and its price per hour: --price b2=0.50");
  return Price{std::string(text.substr(0, at)), *number};
}

Result<std::vector<Price>> read_prices(const std::string& path) {
  const std::string text = TRY(read_file(path, kLargestFile));
  Result<PriceList> list = record::read_toml<PriceList>(text);
  if (!list.ok()) return std::move(list).error().in_file(path);
  return std::move(list->price);
}

}  // namespace ridge::lab
