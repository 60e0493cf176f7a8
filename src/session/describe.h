// SPDX-License-Identifier: Apache-2.0
// Description of a MeasureSpec (record/describe.h): its keys in JSON and in TOML. Apart from the
// type, because few files read or write specs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/describe.h"
#include "session/measure_spec.h"

namespace ridge::session {

/// Longest of the lists of a spec.
inline constexpr std::size_t kMaxItems = 4096;
inline constexpr double kMaxBudget_s = 1e6;

/// Sizes of a point: shapes as on the command line, "1x3x224x224".
struct PointSizes {
  std::map<std::string, std::int64_t> names;
  std::map<std::string, std::string> shapes;
};

struct PointSizesCodec {
  static std::vector<PointSizes> out(const std::vector<analysis::Bindings>& points);
  static Result<std::vector<analysis::Bindings>> in(const std::vector<PointSizes>& points);
};

/// Names of runtimes, read by either name.
struct RuntimeNames {
  static std::vector<std::string> out(const std::vector<std::string>& names) { return names; }
  static Result<std::vector<std::string>> in(std::vector<std::string> names);
};

/// Options of a runtime, of which a file may state some alone (runtime/read_options.h).
struct FileOptions {
  using Options = std::vector<std::pair<std::string, std::string>>;

  static Options out(const Options& options) { return options; }
  static Result<Options> in(Options options);
};

/// Whose time a budget is.
struct BudgetOf {
  static constexpr std::array<std::string_view, 2> kWords{"process", "all"};
  static std::span<const std::string_view> words() { return kWords; }
  static std::string_view out(bool of_each_process) { return kWords[of_each_process ? 0 : 1]; }
  static bool in(const std::string& word) { return word == kWords[0]; }
};

Result<void> check_shapes(const PointSizes& sizes);

}  // namespace ridge::session

namespace ridge {

template <>
struct record::Describe<session::PointSizes> {
  using T = session::PointSizes;
  static constexpr std::array fields{
      field<&T::names>("names", "sizes by name", at_least(1)),
      field<&T::shapes>("shapes", "shapes of inputs, as in \"1x3x224x224\"; \"\" for a scalar")};
  static Result<void> check(const T& sizes) { return session::check_shapes(sizes); }
};

template <>
struct record::Describe<session::TimeBudget> {
  using T = session::TimeBudget;
  static constexpr std::array fields{
      field<&T::seconds>("seconds", "measuring time", known(), between(0, session::kMaxBudget_s),
                         above(0)),
      field<&T::of_each_process, session::BudgetOf>(
          "of", "\"process\": of each process; \"all\": of all processes of all points together",
          one_of<&session::BudgetOf::words>())};
};

template <>
struct record::Describe<session::MeasureSpec> {
  using T = session::MeasureSpec;
  static constexpr std::string_view text = "How models are measured.";
  static constexpr std::array fields{
      field<&T::runtimes, session::RuntimeNames>("runtimes", "runtimes; several: a sweep",
                                                 min_items(1), max_items(session::kMaxItems)),
      field<&T::threads>("threads", "numbers of threads; several: a sweep", min_items(1),
                         max_items(session::kMaxItems), between(1, session::kMaxThreads)),
      field<&T::sizes, session::PointSizesCodec>("sizes", "sizes of each point; several: a sweep",
                                                 min_items(1), max_items(session::kMaxItems)),
      field<&T::optimization>("optimization", "the runtime's optimization of the graph"),
      field<&T::weights>("weights", "constants: seeded numbers in their place, or as they are"),
      field<&T::inputs>("inputs", "a .npy, a .pb or elements, by the name of the input"),
      field<&T::runtime_options, session::FileOptions>("runtime_options",
                                                       "the runtime's own options"),
      field<&T::pin>("pin", "whether each thread gets a processor of its own"),
      field<&T::level>("level", "deepest level that is recorded"),
      field<&T::processes>("processes", "processes that measure a point",
                           between(1, session::kMaxProcesses)),
      field<&T::budget>("budget", "measuring time"),
      field<&T::seed>("seed", "seed of inputs and of seeded weights"),
      field<&T::refresh_roofs>("refresh_roofs", "whether the machine's roofs are measured again"),
      field<&T::verify>("verify", "most cuts that verify layer times; 0: none",
                        between(0, session::kMaxCuts)),
      field<&T::check_values>("check_values",
                              "whether values decide which nodes a layer stands for"),
      field<&T::runtime_library>("runtime_library", "path of the runtime's library",
                                 command_line_only())};
};

}  // namespace ridge
