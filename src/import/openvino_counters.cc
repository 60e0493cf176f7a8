// Performance counters reported by OpenVINO's benchmark_app, from its Python or C++ version:
//
//   layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)
//   conv1/WithoutBiases;Status.EXECUTED;Convolution;brgconv_avx512_bf16;2.454;2.454
//   relu1;Status.NOT_RUN;Relu;undef;0.000;0.000
//   Total;;;;15.362;15.362
//
// detailed_counters writes one such table per infer request, average_counters a single one. With
// -json_stats the tables are lists:
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
#include "base/text.h"
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

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

enum Column : std::uint8_t { kName, kStatus, kType, kKernel, kReal, kColumns };

/// Cells of one layer's row.
using Cells = std::array<std::string_view, kColumns>;

/// Table row split into columns; extra semicolons at the left belong to the name.
class Line {
 public:
  /// `width`: number of columns of the table.
  Line(std::string_view line, std::size_t width) {
    if (line.ends_with(';') && std::ranges::count(line, ';') == static_cast<std::ptrdiff_t>(width))
      line.remove_suffix(1);
    std::size_t cells = 1;
    for (std::size_t at = width; at-- > 1 && !line.empty();) {
      const std::size_t cut = line.rfind(';');
      if (cut == std::string_view::npos) return;
      if (at < kColumns) cells_[at] = line.substr(cut + 1);
      line = line.substr(0, cut);
      ++cells;
    }
    cells_[kName] = line;
    whole_ = cells == width && !line.empty();
  }
  bool whole() const { return whole_; }
  const Cells& cells() const { return cells_; }

 private:
  Cells cells_;
  bool whole_ = false;
};

class Reader {
 public:
  explicit Reader(std::string_view content) : rest_(content) {
    out_.tool = "OpenVINO";
    out_.naming = Naming::kOpenVino;
  }

  Result<Recorded> run() {
    // Each row is a new layer or one more time of a known layer.
    constexpr std::ptrdiff_t kShortest = 16, kMost = 1 << 20;
    const auto rows = static_cast<std::size_t>(
        std::min({std::ranges::count(rest_, '\n'), std::ssize(rest_) / kShortest, kMost}));
    out_.layers.reserve(rows);
    times_.reserve(rows);
    named_.reserve(rows);
    if (JsonScan(rest_).peek() == '{') take_report(JsonScan(std::exchange(rest_, {})));
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      take(trimmed(rest_.substr(0, end)));
      rest_ = end == std::string_view::npos ? "" : rest_.substr(end + 1);
    }
    if (width_ == 0)
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
  void take(std::string_view line) {
    if (line.starts_with("layerName;")) return begin_table(line);
    if (width_ == 0 || line.empty()) return;
    if (line.starts_with("Total;")) {
      ended_ = true;
      return;
    }
    const Line cells(line, width_);
    take_row(cells.cells(), cells.whole());
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
      width_ = kColumns;
      ++table_;
      JsonEvents nodes(scan);
      while (nodes.next()) take_node(nodes);
      note(nodes.damage(), out_.notes);
      ended_ = true;  // truncation has its own note
    }
  }

  void take_node(const JsonEvents& node) {
    constexpr std::array<std::string_view, kColumns> kKeys = {"name", "status", "node_type",
                                                              "exec_type", "real_time"};
    Cells cells;
    for (std::size_t i = 0; i < kColumns; ++i) {
      const JsonValue value = node.find(kKeys[i]);
      cells[i] = value.escaped ? unescaped_.emplace_back(value.unescaped()) : value.text;
    }
    take_row(cells, !cells[kName].empty());
  }

  void take_row(const Cells& cells, bool whole) {
    ++rows_;
    const std::string_view status = cells[kStatus].substr(
        cells[kStatus].starts_with("Status.") ? std::string_view("Status.").size() : 0);
    const auto time = scaled_decimal(cells[kReal], 1'000'000);
    if (!whole || !time) {
      ++unreadable_;
    } else if (status != "EXECUTED") {
      if (table_ == 1) ++not_run_;
    } else if (*time < 0) {
      ++odd_.negative;
    } else {
      add(cells, *time);
    }
  }

  void begin_table(std::string_view header) {
    while (header.ends_with(';')) header.remove_suffix(1);
    width_ = static_cast<std::size_t>(std::ranges::count(header, ';')) + 1;
    if (width_ < kColumns) width_ = 0;
    ++table_;
    ended_ = false;
  }

  void add(const Cells& cells, std::int64_t time_ns) {
    times_.push_back({layer_of(cells), static_cast<double>(time_ns)});
  }

  /// Layer of a row. A name that occurs twice in a table denotes two layers: the k-th occurrence of
  /// a name is the same layer in every table.
  std::uint32_t layer_of(const Cells& cells) {
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

  void make_layer(const Cells& cells) {
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
  std::size_t width_ = 0;
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
  Recorded recorded = TRY(Reader(source.content).run());
  if (source.exec_graph.empty()) return recorded;
  Result<ExecGraph> graph = read_exec_graph(source.exec_graph);
  if (!graph.ok()) return std::move(graph).error().in_file(source.exec_graph_path);
  describe(*graph, recorded);
  return recorded;
}

}  // namespace ridge::imports
