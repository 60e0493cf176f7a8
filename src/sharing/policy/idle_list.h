// SPDX-License-Identifier: Apache-2.0
// Idle objects in the order in which they became idle: a list that is linked through an array.
//
//   list.push_back(7), list.push_back(3), list.erase(7);
//   list.front()                                        // 3; nullopt of an empty list
//
// Internal to policy/. Thread rule: one thread. Cost: O(1) each; 12 bytes for each id up to the
// largest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ridge::sharing {

class IdleList {
 public:
  /// Moves an id that is in the list to its end.
  void push_back(std::uint32_t id) {
    if (id >= links_.size()) links_.resize(std::size_t{id} + 1);
    erase(id);
    links_[id] = {.before = last_, .after = kNone, .linked = true};
    (last_ == kNone ? first_ : links_[last_].after) = id;
    last_ = id;
  }
  /// Does nothing for an id that is not in the list.
  void erase(std::uint32_t id) {
    if (!contains(id)) return;
    const Link link = links_[id];
    (link.before == kNone ? first_ : links_[link.before].after) = link.after;
    (link.after == kNone ? last_ : links_[link.after].before) = link.before;
    links_[id].linked = false;
  }
  bool contains(std::uint32_t id) const { return id < links_.size() && links_[id].linked; }

  std::optional<std::uint32_t> front() const {
    return first_ == kNone ? std::nullopt : std::optional(first_);
  }
  /// The one behind an id of the list.
  std::optional<std::uint32_t> after(std::uint32_t id) const {
    const std::uint32_t next = links_[id].after;
    return next == kNone ? std::nullopt : std::optional(next);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Link {
    std::uint32_t before = kNone, after = kNone;
    bool linked = false;
  };

  std::vector<Link> links_;
  std::uint32_t first_ = kNone, last_ = kNone;
};

}  // namespace ridge::sharing
