// SPDX-License-Identifier: Apache-2.0
// Points of a request as --dry-run lists them: the document ridge.points/1. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/words.h"
#include "record/describe.h"

namespace ridge {
namespace session {

enum class ListedState : std::uint8_t { kWaiting, kHeld };

struct ListedPoint {
  std::string key;  ///< in its request (point_choice.h)
  std::string model, point, runtime;
  int threads = 1;
  ListedState state = ListedState::kWaiting;
  std::string stored;     ///< "evaluation:3", its name in the store; "": it is not there
  std::string store_key;  ///< key of its result in a store; "": without its runtime
  std::vector<std::string> machines;  ///< whose results of it the store has
};

struct PointList {
  std::vector<ListedPoint> points;
};

}  // namespace session

template <>
struct Words<session::ListedState> {
  using State = session::ListedState;
  static constexpr std::array list{Word{State::kWaiting, "waiting", "not measured"},
                                   Word{State::kHeld, "held", "the store has it"}};
};

template <>
struct record::Describe<session::ListedPoint> {
  using T = session::ListedPoint;
  static constexpr std::array fields{
      field<&T::key>("key", "for --point: the same on every machine"),
      field<&T::model>("model", "as given"),
      field<&T::point>("point", "sizes and threads: batch=4, 2 threads"),
      field<&T::runtime>("runtime", "as --runtimes names it"),
      field<&T::threads>("threads", "of the runtime"),
      field<&T::state>(
          "state", "waiting: not measured; held: the store has it, as this machine measured it"),
      field<&T::stored>("stored", "its name in the store: evaluation:3; null of others",
                        zero_is_null()),
      field<&T::store_key>("store_key",
                           "of its result in a store, as this machine measures it; null of a "
                           "runtime that is not here",
                           zero_is_null()),
      field<&T::machines>("machines",
                          "whose results of it the store has: host, processor, number of "
                          "processors; this one among them where it is held")};
};

template <>
struct record::Describe<session::PointList> {
  using T = session::PointList;
  static constexpr std::string_view schema = "ridge.points/1";
  static constexpr std::string_view text =
      "Points of a request: `ridge eval MODEL --dry-run --format json`, and the same of `ridge "
      "generate`. Those of `ridge bench` are in ridge.bench/1.";
  static constexpr std::array fields{
      field<&T::points>("points", "in the order in which they run", item_lines())};
};

}  // namespace ridge
