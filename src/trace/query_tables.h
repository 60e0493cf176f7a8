// SPDX-License-Identifier: Apache-2.0
// Implementations of the queries listed in queries.cc, and their shared helpers.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/table.h"
#include "trace/view.h"

namespace ridge::trace {

Table model_information(std::span<const View> runs);  // A1
Table layer_information(const View& run);             // A2
Table layer_latency(const View& run);                 // A3
Table layer_memory(const View& run);                  // A4
Table layer_types(const View& run);                   // A5
Table latency_by_type(const View& run);               // A6
Table memory_by_type(const View& run);                // A7
Table kernel_information(const View& run);            // A8
Table kernel_roofline(const View& run);               // A9
Table kernels_by_name(const View& run);               // A10
Table kernels_by_layer(const View& run);              // A11
Table counters_by_layer(const View& run);             // A12
Table device_time_by_layer(const View& run);          // A13
Table layer_roofline(const View& run);                // A14
Table kernels_by_model(const View& run);              // A15
Table counters(const View& run);                      // counters
Table run_differences(std::span<const View> runs);    // diff
Table idle_time(const View& run);                     // idle
Table level_costs(const View& run);                   // levels
Table thread_balance(const View& run);                // threads

inline constexpr std::string_view kNoCounters = "the run has no such counter";
inline constexpr std::string_view kNoWork =
    "the run is not joined to a model, or the work of a node of it is not known";
inline constexpr std::string_view kNoRoofs = "the run has no roofs to compare with";

/// First columns of a table over several runs: the run's number, and its label where any run has
/// one.
struct RunColumns {
  RunColumns(std::span<const View> runs, Table& table);
  void set(Row& row, std::size_t run) const;
  std::size_t size() const { return labeled_ ? 2 : 1; }

 private:
  std::span<const View> runs_;
  bool labeled_;
};

/// part / whole; nullopt where the whole is not positive.
inline std::optional<double> share_of(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}
inline std::optional<double> ratio(std::optional<double> a, std::optional<double> b) {
  return a && b ? share_of(*a, *b) : std::nullopt;
}
inline std::optional<double> sum(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(*a + *b) : std::nullopt;
}
/// a per second
inline std::optional<double> rate(std::optional<double> a, double ns) {
  return a && ns > 0 ? std::optional(*a / ns * 1e9) : std::nullopt;
}

double layer_sum_ns(const View& run);
double kernel_sum_ns(const View& run);
/// Source of the times, as a note below a table.
std::string layer_note(const View& run);
std::string kernel_note(const View& run);

template <typename T>
std::vector<const T*> longest_first(const std::vector<T>& rows) {
  std::vector<const T*> out;
  for (const T& row : rows) out.push_back(&row);
  std::stable_sort(out.begin(), out.end(),
                   [](const T* a, const T* b) { return a->time_ns > b->time_ns; });
  return out;
}

}  // namespace ridge::trace
