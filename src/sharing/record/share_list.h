// SPDX-License-Identifier: Apache-2.0
// What a daemon of `ridge share` has: the document of `ridge share list`, and a message.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "base/words.h"
#include "record/describe.h"

namespace ridge::sharing {

/// Where an object lies.
enum class Level : std::uint8_t {
  kMemory,     ///< weights in sealed memory
  kTemplates,  ///< a process that has the model loaded, and forks
};
inline constexpr std::array kLevels = {Level::kMemory, Level::kTemplates};

enum class State : std::uint8_t { kAbsent, kLoading, kReady, kEvicting };

struct ShareLevel {
  Level level = Level::kMemory;
  std::string policy;
  Bytes budget{0}, used{0};
};

struct ShareObject {
  std::string key, model;
  Level level = Level::kMemory;
  State state = State::kAbsent;
  Bytes bytes{0};
  std::uint64_t leases = 0;
  bool pinned = false;
  std::uint64_t hits = 0;
  Nanos reload{0};
};

struct ShareList {
  std::string ridge;
  std::int64_t process = 0;
  std::uint64_t clients = 0;
  std::vector<ShareLevel> levels;
  std::vector<ShareObject> objects;
};

}  // namespace ridge::sharing

namespace ridge {

template <>
struct Words<sharing::Level> {
  using enum sharing::Level;
  static constexpr std::array list{
      Word{kMemory, "memory", "weights in sealed memory"},
      Word{kTemplates, "templates", "a process that has the model loaded, and forks"}};
};

template <>
struct Words<sharing::State> {
  using enum sharing::State;
  static constexpr std::array list{Word{kAbsent, "absent"}, Word{kLoading, "loading"},
                                   Word{kReady, "ready"}, Word{kEvicting, "evicting"}};
};

template <>
struct record::Describe<sharing::ShareLevel> {
  using T = sharing::ShareLevel;
  static constexpr std::array fields{
      field<&T::level>("level", "where objects lie"),
      field<&T::policy>("policy", "which object leaves when memory is short"),
      field<&T::budget>("budget_bytes", "bytes that objects may take"),
      field<&T::used>("used_bytes", "bytes that they take, those of loads in progress included")};
};

template <>
struct record::Describe<sharing::ShareObject> {
  using T = sharing::ShareObject;
  static constexpr std::array fields{
      field<&T::key>("key", "name of the object, which other content has not"),
      field<&T::model>("model", "path by which it was asked for first"),
      field<&T::level>("level", "where it lies"),
      field<&T::state>("state", "whether it can be leased"),
      field<&T::bytes>("bytes", "memory that it takes"),
      field<&T::leases>("leases", "leases of it now"),
      field<&T::pinned>("pinned", "whether it stays until it is unpinned"),
      field<&T::hits>("hits", "leases since it was loaded that needed no load"),
      field<&T::reload>("reload_ns", "duration of its load")};
};

template <>
struct record::Describe<sharing::ShareList> {
  using T = sharing::ShareList;
  static constexpr std::string_view schema = "ridge.share_list/1";
  static constexpr std::string_view text = "What the daemon of ridge share has.";
  static constexpr std::array fields{
      field<&T::ridge>("ridge", "version of the daemon"),
      field<&T::process>("process", "its process"),
      field<&T::clients>("clients", "programs that are connected, the one that asks included"),
      field<&T::levels>("levels", "levels of the cache"),
      field<&T::objects>("objects", "models that are there, are loaded, or leave", on_line(),
                         item_lines())};
};

}  // namespace ridge
