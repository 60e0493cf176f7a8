// SPDX-License-Identifier: Apache-2.0
// Description of a lock as the documents of evaluations have it (record/describe.h). Its file is
// TOML of another form: manifest/lock.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "manifest/lock.h"
#include "record/describe.h"

namespace ridge {

namespace manifest {

/// Settings as a map from name to text; their places are lines of files.
struct AsMap {
  using Map = std::vector<std::pair<std::string, std::string>>;
  static Map out(const std::vector<Setting>& settings) {
    Map map;
    for (const Setting& s : settings) map.emplace_back(s.name, s.value);
    return map;
  }
  static std::vector<Setting> in(const Map& map) {
    std::vector<Setting> settings;
    for (const auto& [name, value] : map) settings.push_back({name, value, {}});
    return settings;
  }
};

inline std::string_view format_of(const Lock&) { return kLockFormat; }
inline std::span<const std::string_view> lock_formats() { return {&kLockFormat, 1}; }

}  // namespace manifest

template <>
struct record::Describe<manifest::Lock::Item> {
  using T = manifest::Lock::Item;
  static constexpr std::array fields{
      field<&T::name>("name", "as given", zero_is_null()),
      field<&T::sha256>("sha256", "hash", zero_is_null()),
      field<&T::entry>("entry", "name and version in a manifest or registry; null: found by none",
                       zero_is_null())};
};

template <>
struct record::Describe<manifest::Lock::Runtime> {
  using T = manifest::Lock::Runtime;
  static constexpr std::array fields{
      field<&T::name>("name", "value of --runtime"),
      field<&T::version>("version", "as it says", zero_is_null()),
      field<&T::sha256>("sha256", "hash of its library; null for the null runtime",
                        zero_is_null())};
};

template <>
struct record::Describe<manifest::Lock::File> {
  using T = manifest::Lock::File;
  static constexpr std::array fields{
      field<&T::use>("use", "input NAME, arrivals, runtime library"),
      field<&T::name>("name", "path as given"),
      field<&T::sha256>("sha256", "hash; null for the library, which is that of the runtime",
                        zero_is_null())};
};

template <>
struct record::Describe<manifest::Lock::Steps> {
  using T = manifest::Lock::Steps;
  static constexpr std::array fields{
      computed<&manifest::pipeline_sha256>("sha256", "hash of the steps as text"),
      field<&T::before>("before", "steps of each input"),
      field<&T::after>("after", "steps after the run")};
};

template <>
struct record::Describe<manifest::Lock> {
  using T = manifest::Lock;
  using Settings = manifest::AsMap;
  static constexpr std::array fields{
      computed<&manifest::format_of>("format", "name and version of locks",
                                     one_of<manifest::lock_formats>()),
      field<&T::ridge>("ridge", "version that evaluated", zero_is_null()),
      field<&T::model>("model",
                       "model with its external data; a network of the zoo by its structure",
                       on_line()),
      field<&T::data>("data", "array, or images of a folder in order; null without data",
                      on_line()),
      field<&T::labels>("labels", "file of labels; null without labels", on_line()),
      field<&T::runtimes>("runtimes", "the runtimes that evaluated", on_line()),
      field<&T::files>("files", "other files that options name", on_line()),
      field<&T::pipeline>("pipeline", "steps from files to the input and after the output",
                          on_line()),
      field<&T::options, Settings>("options", "options of scenario and runtime by name, as text",
                                   on_line()),
      field<&T::seeds, Settings>("seeds", "seeds by name, as text", on_line()),
      field<&T::host, Settings>("host", "facts about the machine by name, as text", on_line())};
};

}  // namespace ridge
