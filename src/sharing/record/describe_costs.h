// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of costs.h.
#pragma once

#include "record/describe.h"
#include "sharing/record/costs.h"

namespace ridge {

template <>
struct record::Describe<sharing::ModelCosts> {
  using T = sharing::ModelCosts;
  static constexpr auto kTime = between(0, static_cast<double>(sharing::kLongestCostNs));
  static constexpr std::array fields{
      field<&T::name>("name", "what tables call the model", required(), longest_text(200)),
      field<&T::bytes>("bytes", "its memory once it is prepared", required(),
                       between(1, static_cast<double>(sharing::kMostModelBytes))),
      field<&T::objects>("objects", "tensors that it consists of", between(1, 1 << 24)),
      field<&T::own_load>("own_load_ns", "until it is ready in a process that shares nothing",
                          required(), kTime),
      field<&T::prepared_load>("prepared_load_ns", "until it is ready from a prepared file",
                               required(), kTime),
      field<&T::lease>("lease_ns", "until it is ready from memory", kTime),
      field<&T::run>("run_ns", "one run, for traces that have no durations", kTime)};
};

template <>
struct record::Describe<sharing::SharingCosts> {
  using T = sharing::SharingCosts;
  static constexpr std::array fields{
      field<&T::bytes_per_s>("bytes_per_s", "bandwidth at which a model is read from disk",
                             required(), above(0), known()),
      field<&T::export_cost>("export_ns", "cost of handing an object out",
                             between(0, static_cast<double>(sharing::kLongestCostNs))),
      field<&T::open_cost>("open_ns", "cost of opening an object in the client",
                           between(0, static_cast<double>(sharing::kLongestCostNs)))};
};

template <>
struct record::Describe<sharing::CostTable> {
  using T = sharing::CostTable;
  static constexpr std::string_view text = "What models cost, for `ridge share replay --costs`.";
  static constexpr std::array fields{
      field<&T::ask>("ask_ns", "until a client knows that it must load by itself",
                     between(0, static_cast<double>(sharing::kLongestCostNs))),
      field<&T::sharing>("sharing", "cost of sharing itself, for --admission rho"),
      field<&T::models>("model", "one table for each; a trace with more models goes round them",
                        max_items(1000))};
  static Result<void> check(const T& costs) { return sharing::check(costs); }
};

}  // namespace ridge
