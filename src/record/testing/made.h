// SPDX-License-Identifier: Apache-2.0
// Types that use every feature of describe.h, for the tests of the adapters and for fuzzing.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "record/describe.h"

namespace ridge::record::testing {

enum class Color : std::uint8_t { kRed = 1, kGreen, kDarkBlue = 9 };

struct Interval {
  double low = 0, high = 0;
};

struct Estimate {
  double median = 0;
  std::optional<Interval> ci95;
};

struct Circle {
  double radius = 1;
};

struct Box {
  std::int64_t width = 1, height = 1;
  std::vector<double> edges;
};

using Shape = std::variant<Circle, Box>;

struct Origin {
  std::string host, tool;
};

struct Layer {
  std::string name;
  Color color = Color::kRed;
  Estimate time;
  double share = 0;  ///< 0.5 is 50 %
  std::optional<std::uint32_t> parent;
};

struct Made {
  bool fast = false;
  std::int32_t level = -1;
  std::uint64_t seed = 1;
  std::uint8_t threads = 1;
  float ratio = 0.5F;
  double load = 0;
  std::string title;
  std::string dtype = "float32";
  Color color = Color::kGreen;
  Nanos wait{5};
  Shape shape;
  Origin origin;
  std::vector<Layer> layers;
  std::vector<std::uint32_t> sizes;
  std::vector<std::string> notes;
  std::array<std::int16_t, 2> grid{1, 1};
  std::map<std::string, std::int64_t> bindings;
  std::vector<std::pair<std::string, std::string>> options;
  std::optional<Estimate> excess;
  std::optional<std::string> reason;
  Json host;
  std::string library;
  std::int64_t added = 7;
};

inline constexpr std::string_view kTypes[] = {"float32", "int8"};
inline std::span<const std::string_view> types() { return kTypes; }

inline double queries_per_s(const Made& m) { return m.load * 2; }
inline bool is_fast(const Made& m) { return m.fast; }

inline std::int64_t half_wait(const Made& m) { return m.wait.count / 2; }
inline Result<void> set_half_wait(Made& m, std::int64_t half) {
  if (half < 0 || half > 1'000'000) return input_error("RIDGE-MADE-0001", "no half of a wait");
  m.wait.count = half * 2;
  return {};
}

struct Percent {
  static double out(double share) { return share * 100; }
  static Result<double> in(double percent) {
    if (percent > 100) return input_error("RIDGE-MADE-0002", "more than all");
    // The share that is written as this percentage, where there is one.
    const double near = percent / 100;
    for (const double share : {near, std::nextafter(near, 0), std::nextafter(near, 2)})
      if (out(share) == percent) return share;
    return near;
  }
};

}  // namespace ridge::record::testing

namespace ridge {

template <>
struct Words<record::testing::Color> {
  using Color = record::testing::Color;
  static constexpr std::array list{Word{Color::kRed, "red", "the color of stop"},
                                   Word{Color::kGreen, "green"},
                                   Word{Color::kDarkBlue, "dark-blue"}};
};

template <>
struct record::Describe<record::testing::Interval> {
  using T = testing::Interval;
  static constexpr std::string_view name = "interval";
  static constexpr bool positional = true;
  static constexpr std::array fields{field<&T::low>("low", "lower bound"),
                                     field<&T::high>("high", "upper bound")};
};

template <>
struct record::Describe<record::testing::Estimate> {
  using T = testing::Estimate;
  static constexpr std::string_view name = "estimate";
  static constexpr std::array fields{field<&T::median>("median", "middle of the samples"),
                                     field<&T::ci95>("ci95", "interval of the median")};
};

template <>
struct record::Describe<record::testing::Circle> {
  using T = testing::Circle;
  static constexpr std::string_view name = "circle";
  static constexpr std::array fields{field<&T::radius>("radius_m", "radius", at_least(0))};
};

template <>
struct record::Describe<record::testing::Box> {
  using T = testing::Box;
  static constexpr std::string_view name = "box";
  static constexpr std::array fields{
      field<&T::width>("width", "size to the right", between(1, 100)),
      field<&T::height>("height", "size upwards", or_default()),
      field<&T::edges>("edges", "where it is cut", or_default(), max_items(4))};
};

template <>
struct record::Describe<record::testing::Origin> {
  using T = testing::Origin;
  static constexpr std::string_view name = "origin";
  static constexpr std::array fields{field<&T::host>("host_name", "where it was made"),
                                     field<&T::tool>("tool", "what made it", zero_is_null())};
};

template <>
struct record::Describe<record::testing::Layer> {
  using T = testing::Layer;
  static constexpr std::string_view name = "layer";
  static constexpr std::array fields{
      field<&T::name>("name", "name in the model", required(), longest_text(40)),
      field<&T::color>("color", "its color"), field<&T::time>("time_ns", "time of a run"),
      field<&T::share, testing::Percent>("percent", "part of the time"),
      field<&T::parent>("parent", "layer that holds it")};
};

template <>
struct record::Describe<record::testing::Made> {
  using T = testing::Made;
  static constexpr std::string_view name = "made";
  static constexpr std::string_view schema = "ridge.made/2";
  static constexpr std::string_view text = "A document that uses every feature.";
  static constexpr std::array fields{
      field<&T::fast>("fast", "whether it is fast"),
      field<&T::level>("level", "a level below 0 or above"),
      field<&T::seed>("seed", "seed of all that is drawn", when<&testing::is_fast>()),
      field<&T::threads>("threads", "threads of a run", between(1, 64)),
      field<&T::ratio>("ratio", "a ratio", or_default()),
      field<&T::load>("load_per_s", "load", unasked("load")),
      computed<&testing::queries_per_s>("queries_per_s", "twice the load"),
      field<&T::title>("title", "title", zero_is_null()),
      field<&T::dtype>("dtype", "element type", one_of<&testing::types>(), omit_default()),
      field<&T::color>("color", "color of all", on_line()),
      computed<&testing::half_wait, &testing::set_half_wait>("half_wait_ns", "half of the wait"),
      field<&T::shape>("shape", "shape of it"),
      inlined<&T::origin>(),
      field<&T::layers>("layers", "layers in their order", on_line(), item_lines(), omit_default()),
      field<&T::sizes>("sizes", "sizes that are run"),
      field<&T::notes>("notes", "notes for people", or_default()),
      field<&T::grid>("grid", "rows and columns"),
      field<&T::bindings>("bindings", "sizes by name", max_items(100)),
      field<&T::options>("options", "options of a runtime"),
      field<&T::excess>("excess_ns", "time that is too much"),
      field<&T::reason>("reason", "why it is not known"),
      field<&T::host>("host", "host as another tool describes it"),
      field<&T::library>("library", "library that is loaded", command_line_only()),
      field<&T::added>("added", "a later member", since(2))};
  static Result<void> check(const T& made) {
    if (made.level <= 1000) return {};
    return input_error("RIDGE-MADE-0003", "a level is at most 1000");
  }
};

}  // namespace ridge

namespace ridge::record::testing {

/// Every member differs from its default.
inline Made example() {
  Made m;
  m.fast = true;
  m.level = -40'000;
  m.seed = 18'446'744'073'709'551'615U;
  m.threads = 8;
  m.ratio = 0.25F;
  m.load = 1.5;
  m.title = "a \"title\"\n\xE2\x82\xAC";
  m.dtype = "int8";
  m.color = Color::kDarkBlue;
  m.wait = Nanos{84};
  m.shape = Box{.width = 3, .height = 4, .edges = {0.5, 2}};
  m.origin = {.host = "elsewhere", .tool = "by hand"};
  m.layers = {{.name = "conv",
               .color = Color::kGreen,
               .time = {.median = 12.5, .ci95 = Interval{11, 14}},
               .share = 0.25,
               .parent = std::nullopt},
              {.name = "relu", .time = {.median = std::nan("")}, .share = 0.5, .parent = 0}};
  m.sizes = {1, 2, 4'294'967'295};
  m.notes = {"one, two", ""};
  m.grid = {-3, 4};
  m.bindings = {{"batch", 8}, {"seq.len", -1}};
  m.options = {{"b", "2"}, {"a", ""}};
  m.excess = Estimate{.median = 3, .ci95 = std::nullopt};
  m.reason = "none";
  m.host = {"{\"z\":1,\"a\":[null]}"};
  m.added = 70;
  return m;
}

}  // namespace ridge::record::testing
