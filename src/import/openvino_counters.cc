// SPDX-License-Identifier: Apache-2.0
// Performance counters reported by OpenVINO's benchmark_app, from its Python or C++ version:
//
//   layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)
//   conv1/WithoutBiases;Status.EXECUTED;Convolution;brgconv_avx512_bf16;2.454;2.454
//   relu1;Status.NOT_RUN;Relu;undef;0.000;0.000
//   Total;;;;15.362;15.362
//
// (columns: counter_table.h). detailed_counters writes one such table per infer request,
// average_counters a single one. With -json_stats the tables are lists:
//
//   {"report_type": "detailed", "detailed_performance": [{"nodes": [{"name": "conv1", "node_type":
//     "Convolution", "status": "Status.EXECUTED", "real_time": "2.454", "exec_type": "…"}, …]}, …]}
//
// ("avg_performance" is one such object). Every time is the mean over the runs of its request:
// OpenVINO does not keep individual runs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/json_scan.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/trim.h"
#include "import/counter_table.h"
#include "import/dropped.h"
#include "import/exec_graph.h"
#include "import/formats.h"
#include "import/names.h"
#include "profile/precision.h"
#include "stats/samples.h"

namespace ridge::imports {
namespace {

/// Element type at the end of an execType such as "jit_avx512_bf16"; "" if there is none.
std::string precision(std::string_view type) {
  const std::string_view last = type.substr(type.rfind('_') + 1);
  const std::string word = profile::precision_word(last);
  return word == last ? "" : word;
}

class CounterReader {
 public:
  explicit CounterReader(std::string_view content) : rest_(content) {
    out_.tool = "OpenVINO";
    out_.naming = Naming::kOpenVino;
  }

  Result<Recorded> run() {
    if (is_printed_counters(rest_.substr(0, kBeginning)))
      return input_error("RIDGE-IMP-0025",
                         "the lines that benchmark_app -pc prints have the names of layers cut off")
          .evidence(
              "a line with layerType and realTime: names longer than 20 characters end in ...")
          .hint(
              "record with benchmark_app -report_type detailed_counters -report_folder DIR, and "
              "import the CSV file that it writes there");
    // Each row is a new layer or one more time of a known layer.
    constexpr std::ptrdiff_t kShortest = 16, kMax = 1 << 20;
    const auto rows = static_cast<std::size_t>(
        std::min({std::ranges::count(rest_, '\n'), std::ssize(rest_) / kShortest, kMax}));
    out_.layers.reserve(rows);
    times_.reserve(rows);
    named_.reserve(rows);
    if (JsonScan(rest_).peek() == '{') take_report(JsonScan(std::exchange(rest_, {})));
    for (Lines lines(rest_); lines.next();) TRY(take(trimmed(lines.line())));
    if (table_ == 0)
      return input_error("RIDGE-IMP-0020", "the file is not a table of benchmark_app's counters")
          .hint("benchmark_app -report_type detailed_counters writes one");
    if (out_.layers.empty())
      return input_error("RIDGE-IMP-0021", "the table has no layer that was executed")
          .evidence(fmt::format("{}, {} not run", counted(rows_, "row"), not_run_))
          .hint("give -niter or -t, so that the model runs at least once");
    finish();
    return std::move(out_);
  }

 private:
  Result<void> take(std::string_view line) {
    if (is_counter_header(line)) return begin_table(line);
    if (table_ == 0 || line.empty()) return {};
    const std::optional<CounterCells> cells = columns_.cells(line, unescaped_);
    if (cells && (*cells)[kName] == "Total" && (*cells)[kStatus].empty())
      ended_ = true;
    else if (cells)
      take_row(*cells, columns_.nanos((*cells)[kReal]));
    else
      take_row({}, std::nullopt);
    return {};
  }

  void take_report(JsonScan scan) {
    scan.open('{');
    while (const auto key = scan.key()) {
      if (*key == "detailed_performance" && scan.open('[')) {
        while (scan.peek() == '{') {
          take_request(scan);
          scan.skip_commas();
        }
        scan.take(']');
      } else if (*key == "avg_performance" && scan.peek() == '{') {
        take_request(scan);
      } else {
        scan.value();
      }
    }
  }

  /// Reads an object with a list "nodes".
  void take_request(JsonScan& scan) {
    scan.open('{');
    while (const auto key = scan.key()) {
      if (*key != "nodes" || scan.peek() != '[') {
        scan.value();
        continue;
      }
      ++table_;
      JsonEvents nodes(scan);
      while (nodes.next()) take_node(nodes);
      note(nodes.damage(), out_.notes);
      ended_ = true;  // truncation has its own note
    }
  }

  void take_node(const JsonEvents& node) {
    constexpr std::array<std::string_view, kCounterColumns> kKeys = {"name", "status", "node_type",
                                                                     "exec_type", "real_time"};
    CounterCells cells;
    for (std::size_t i = 0; i < kCounterColumns; ++i) {
      const JsonValue value = node.find(kKeys[i]);
      cells[i] = value.escaped ? unescaped_.emplace_back(value.unescaped()) : value.text;
    }
    take_row(cells, scaled_decimal(cells[kReal], 1'000'000));
  }

  void take_row(const CounterCells& cells, std::optional<std::int64_t> time) {
    ++rows_;
    const std::string_view status = cells[kStatus].substr(
        cells[kStatus].starts_with("Status.") ? std::string_view("Status.").size() : 0);
    if (cells[kName].empty() || !time) {
      ++unreadable_;
    } else if (status != "EXECUTED") {
      if (table_ == 1) ++not_run_;
    } else if (*time < 0) {
      ++odd_.negative;
    } else {
      add(cells, *time);
    }
  }

  Result<void> begin_table(std::string_view header) {
    columns_ = TRY(counter_columns(header));
    ++table_;
    ended_ = false;
    return {};
  }

  void add(const CounterCells& cells, std::int64_t time_ns) {
    times_.push_back({layer_of(cells), static_cast<double>(time_ns)});
  }

  /// Layer of a row. A name that occurs twice in a table denotes two layers: the k-th occurrence of
  /// a name is the same layer in every table.
  std::uint32_t layer_of(const CounterCells& cells) {
    const auto [at, fresh] = named_.try_emplace(cells[kName]);
    Named& named = at->second;
    if (named.table != table_) named.present = kUnavailable;
    named.table = table_;
    std::uint32_t& next = named.present == kUnavailable ? named.first : next_[named.present];
    if (next == kUnavailable) {
      named.present = next = static_cast<std::uint32_t>(out_.layers.size());
      next_.push_back(kUnavailable);  // may invalidate `next`
      make_layer(cells);
    } else {
      named.present = next;
    }
    return named.present;
  }

  void make_layer(const CounterCells& cells) {
    RecordedLayer& layer = out_.layers.emplace_back();
    layer.name = cells[kName];
    layer.type = cells[kType];
    layer.implementation = cells[kKernel];
    layer.precision = precision(cells[kKernel]);
    layer.inserted = inserted_name(layer.name, layer.type, Naming::kOpenVino);
  }

  void finish() {
    std::ranges::stable_sort(times_, {}, &Timed::layer);
    std::vector<double> of_layer;
    for (std::size_t i = 0; i < times_.size();) {
      const std::uint32_t layer = times_[i].layer;
      for (of_layer.clear(); i < times_.size() && times_[i].layer == layer; ++i)
        of_layer.push_back(times_[i].ns);
      RecordedLayer& timed = out_.layers[layer];
      timed.time_ns = stats::median(of_layer);
      timed.kernels.push_back({timed.name, timed.type, timed.time_ns});
    }
    if (!ended_) out_.notes.push_back("the file is cut off: its last table has no total");
    if (unreadable_ > 0)
      out_.notes.push_back(fmt::format("{} could not be read and {} dropped",
                                       counted(unreadable_, "row"),
                                       unreadable_ == 1 ? "is" : "are"));
    note(odd_, out_.notes);
    if (not_run_ > 0)
      out_.notes.push_back(
          fmt::format("{} listed and not run by itself: fused into another or not needed",
                      counted(not_run_, "layer")));
    out_.notes.push_back(
        table_ == 1
            ? "times are means over the runs of the recording, with the profiler on"
            : fmt::format("times are medians over {}, of means over the runs of each, with the "
                          "profiler on",
                          counted(table_, "infer request")));
  }

  std::string_view rest_;
  std::deque<std::string> unescaped_;  // names and other texts of a JSON report that had escapes
  Recorded out_;
  Oddities odd_;
  CounterColumns columns_;
  std::int64_t table_ = 0, rows_ = 0, unreadable_ = 0, not_run_ = 0;
  bool ended_ = false;
  static constexpr std::uint32_t kUnavailable = 0xffffffff;
  /// Head of the linked list of layers that share a name.
  struct Named {
    std::uint32_t first = kUnavailable;
    std::uint32_t present = kUnavailable;  ///< the layer last seen in `table`
    std::int64_t table = 0;
  };
  std::unordered_map<std::string_view, Named> named_;  // keys point into the content
  std::vector<std::uint32_t> next_;                    // by layer: the next layer of the same name
  struct Timed {
    std::uint32_t layer = 0;
    double ns = 0;
  };
  std::vector<Timed> times_;  // one per layer and request
};

}  // namespace

Result<Recorded> read_openvino_counters(const Source& source) {
  Recorded recorded = TRY(CounterReader(source.content).run());
  if (source.exec_graph.empty()) return recorded;
  Result<ExecGraph> graph = read_exec_graph(source.exec_graph);
  if (!graph.ok()) return std::move(graph).error().in_file(source.exec_graph_path);
  describe(*graph, recorded);
  return recorded;
}

}  // namespace ridge::imports
