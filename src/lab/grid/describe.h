// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of grids, ridge.grid/1.
#pragma once

#include "lab/grid/grid.h"
#include "record/describe.h"
#include "stats/describe.h"

namespace ridge {

template <>
struct record::Describe<lab::BatchThroughput> {
  using T = lab::BatchThroughput;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::batch>("batch", "items of one run of the model"),
      field<&T::items_per_s, &E::value>("items_per_s", "batch / median latency"),
      field<&T::items_per_s, &E::interval>("items_ci95_per_s",
                                           "95 % interval; null for too few runs"),
      field<&T::runs>("runs", "that are pooled"),
      field<&T::processes>("processes", "that measured")};
};

template <>
struct record::Describe<lab::GridCell> {
  using T = lab::GridCell;
  using E = stats::Estimate;
  static constexpr std::array fields{
      field<&T::row>("row", "position in rows"),
      field<&T::column>("column", "position in columns"),
      field<&T::host>("host", "machine of the setting"),
      field<&T::setting>("setting", "what was measured; runs of it are pooled"),
      field<&T::recorded_s>("recorded_s", "when the newest was stored, seconds since 1970 (UTC)"),
      field<&T::accuracy_metric>("accuracy_metric", "top1, ...; empty without accuracy"),
      field<&T::accuracy, &E::value>("accuracy", "of the newest evaluation that has one"),
      field<&T::accuracy, &E::interval>("accuracy_ci95", "95 % interval"),
      field<&T::latency_batch>("latency_batch",
                               "smallest batch, of which the latencies are; null for evaluations"),
      field<&T::median_ns, &E::value>("median_ns", "median latency"),
      field<&T::median_ns, &E::interval>("median_ci95_ns", "95 % interval; null for too few runs"),
      field<&T::trimmed_mean_ns, &E::value>("trimmed_mean_ns",
                                            "mean latency without 20 % at each end"),
      field<&T::trimmed_mean_ns, &E::interval>("trimmed_mean_ci95_ns",
                                               "95 % interval; null for too few runs"),
      field<&T::p90_ns, &E::value>("p90_ns", "90th percentile of the latency, rank ceil(0.9 n)"),
      field<&T::p90_ns, &E::interval>("p90_ci95_ns", "95 % interval; null for too few runs"),
      field<&T::items_per_s, &E::value>("items_per_s", "largest throughput over the batches"),
      field<&T::items_per_s, &E::interval>("items_ci95_per_s", "95 % interval"),
      field<&T::items_batch>("items_batch", "batch where it is; null for evaluations"),
      field<&T::params>("params", "parameters of the model, those of each node"),
      field<&T::cost_per_million, &E::value>(
          "cost_per_million",
          "of inferences at items_per_s, in the price's currency; null without a price"),
      field<&T::cost_per_million, &E::interval>("cost_per_million_ci95", "95 % interval"),
      field<&T::speed_up, &E::value>("speed_up",
                                     "median latency of the base over this one's; 1: the base"),
      field<&T::speed_up, &E::interval>("speed_up_ci95", "95 % interval"),
      field<&T::runs>("runs", "that are pooled"),
      field<&T::processes>("processes", "that measured them"),
      field<&T::samples>("samples", "latencies"),
      field<&T::validity>("validity",
                          "valid, invalid or undecided: the load of the evaluation that gives the "
                          "times; empty for runs"),
      field<&T::evaluations>("evaluations", "that fit; the newest with a figure gives it"),
      field<&T::left_out>("left_out", "runs of older settings"),
      field<&T::batches>("batches", "throughput over batch", item_lines())};
};

template <>
struct record::Describe<lab::Grid> {
  using T = lab::Grid;
  static constexpr std::string_view schema = "ridge.grid/1";
  static constexpr std::string_view text =
      "What a run database has measured, rows by columns: `ridge report STORE --format json`. A "
      "place where nothing was measured has no cell.";
  static constexpr std::array fields{
      field<&T::rows_by>("rows_by", "keys that make a row"),
      field<&T::columns_by>("columns_by", "keys that make a column"),
      field<&T::rows>("rows", "their names"),
      field<&T::columns>("columns", "their names"),
      field<&T::base>("base", "column that speed-ups refer to; empty without"),
      field<&T::cells>("cells", "by row, then column", item_lines())};
};

}  // namespace ridge
