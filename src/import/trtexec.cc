// SPDX-License-Identifier: Apache-2.0
// TensorRT's layer times as written by trtexec, and the layer information of its engine inspector:
//
//   [{ "count" : 2000 },
//    { "name" : "conv1 + relu1", "timeMs" : 51.2, "averageMs" : 0.0256, "medianMs" : 0.0256,
//      "percentage" : 3.1 }, ...]
//
// A fused layer's name lists its nodes, joined by " + "; a region compiled as a whole lists the two
// nodes at its ends. With --exportLayerInfo of an engine built with detailed profiling verbosity,
// type, tactic, precision, node names ("[ONNX Layer: name]") and tensor sizes come from there.
// --exportTimes has whole runs:
//
//   [{ "startComputeMs" : 1.2, …, "computeMs" : 0.51, "latencyMs" : 0.6 }, ...]
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/json_scan.h"
#include "base/text.h"
#include "import/dropped.h"
#include "import/formats.h"
#include "import/names.h"
#include "import/trtexec_console.h"
#include "import/trtexec_names.h"

namespace ridge::imports {
namespace {

using nlohmann::json;

constexpr std::int64_t kNanosPerMillisecond = 1'000'000;

/// Inspector files nest three levels deep; anything deeper than this is refused.
constexpr int kDeepestExport = 64;

/// Inspector data of one layer; empty if the file lists only its name.
struct LayerFacts {
  std::string type, tactic, precision, input_precision;
  std::vector<std::string> nodes;
};

struct LayerInfo {
  std::unordered_map<std::string, LayerFacts> layers;  ///< by layer name
  std::map<std::string, Dims> tensors;                 ///< sizes of the layers' inputs and outputs
};

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Element type in a format description such as "Thirty-two wide channel vectorized row major Int8
/// format", "Row major linear FP32", "Half".
std::string precision_in(std::string_view format) {
  const auto says = [&](std::string_view word) { return format.find(word) != std::string::npos; };
  if (says("BF16") || says("BFloat16")) return "bfloat16";
  if (says("FP32") || says("Float")) return "float32";
  if (says("FP16") || says("Half")) return "float16";
  if (says("Int8") || says("INT8")) return "int8";
  if (says("FP8")) return "float8";
  if (says("Int64")) return "int64";
  if (says("Int32")) return "int32";
  return "";
}

/// Element type of the first tensor in `list` ("Inputs" or "Outputs"); newer versions store it in a
/// separate key.
std::string precision_of(const json& layer, const char* list) {
  const auto tensors = layer.find(list);
  if (tensors == layer.end() || !tensors->is_array() || tensors->empty()) return "";
  const json& first = tensors->front();
  if (!first.is_object()) return "";
  const std::string both = text_of(first, "Format/Datatype");
  return precision_in(both.empty() ? text_of(first, "Datatype") : both);
}

/// Stores the sizes of named tensors; skips tensors with a dynamic size, which is negative.
void take_tensors(const json& layer, std::map<std::string, Dims>& out) {
  for (const char* list : {"Inputs", "Outputs"}) {
    const auto tensors = layer.find(list);
    if (tensors == layer.end() || !tensors->is_array()) continue;
    for (const json& tensor : *tensors) {
      const auto dims = tensor.is_object() ? tensor.find("Dimensions") : tensor.end();
      if (!tensor.is_object() || dims == tensor.end() || !dims->is_array()) continue;
      Dims sizes;
      for (const json& d : *dims)
        // A size above 2^63 - 1 converts to a negative number, which is none.
        sizes.push_back(d.is_number_integer() ? d.get<std::int64_t>() : -1);
      if (std::ranges::none_of(sizes, [](std::int64_t d) { return d < 0; }))
        out.try_emplace(text_of(tensor, "Name"), std::move(sizes));
    }
  }
}

LayerFacts facts_of(const json& layer) {
  return {.type = text_of(layer, "LayerType"),
          .tactic = text_of(layer, "TacticName"),
          .precision = precision_of(layer, "Outputs"),
          .input_precision = precision_of(layer, "Inputs"),
          .nodes = metadata_nodes(text_of(layer, "Metadata"))};
}

Result<LayerInfo> read_layer_info(std::string_view text, std::int64_t& plain) {
  LayerInfo out;
  bool too_deep = false;
  const auto keep = [&](int depth, json::parse_event_t, const json&) {
    too_deep |= depth > kDeepestExport;
    return depth <= kDeepestExport;
  };
  const json document = json::parse(text, keep, false);
  if (too_deep)
    return input_error(
               "RIDGE-IMP-0033",
               fmt::format("the layer information nests deeper than {} levels", kDeepestExport))
        .hint("give what trtexec --exportLayerInfo wrote");
  const auto layers = document.is_object() ? document.find("Layers") : document.end();
  if (document.is_discarded() || !document.is_object() || layers == document.end() ||
      !layers->is_array())
    return input_error("RIDGE-IMP-0032", "the layer information has no list 'Layers'")
        .hint("pass the complete file written by trtexec --exportLayerInfo");
  for (const json& layer : *layers) {
    if (layer.is_string()) {
      ++plain;
      out.layers.emplace(layer.get<std::string>(), LayerFacts());
    } else if (layer.is_object()) {
      out.layers.emplace(text_of(layer, "Name"), facts_of(layer));
      take_tensors(layer, out.tensors);
    }
  }
  return out;
}

/// Device time of each run in the output of trtexec --exportTimes.
Result<std::vector<std::int64_t>> read_times(std::string_view text,
                                             std::vector<std::string>& notes) {
  JsonScan scan(text);
  JsonEvents events(scan);
  std::vector<std::int64_t> runs_ns;
  Oddities odd;
  while (events.next()) {
    const JsonValue compute = events.find("computeMs");
    const auto ns = compute.kind == JsonValue::Kind::kNumber
                        ? scaled_decimal(compute.text, kNanosPerMillisecond)
                        : std::nullopt;
    if (!ns)
      ++odd.out_of_range;
    else if (*ns < 0)
      ++odd.negative;
    else
      runs_ns.push_back(*ns);
  }
  if (runs_ns.empty())
    return input_error("RIDGE-IMP-0034", "the times have no run with 'computeMs'")
        .hint("pass the complete file written by trtexec --exportTimes");
  note(events.damage(), notes);
  note(odd, notes);
  notes.push_back(
      fmt::format("a run is the time on the device of {} in --exportTimes: without the profiler "
                  "where trtexec ran "
                  "with --separateProfileRun, else with it",
                  counted(std::ssize(runs_ns), "run")));
  return runs_ns;
}

class TrtexecReader {
 public:
  explicit TrtexecReader(const Source& source) : scan_(source.content), events_(scan_) {
    out_.tool = "TensorRT";
    out_.naming = Naming::kTensorRt;
  }

  Result<Recorded> run(const Source& source) {
    std::int64_t plain = 0;
    if (!source.layer_info.empty()) {
      Result<LayerInfo> info = read_layer_info(source.layer_info, plain);
      if (!info.ok()) return std::move(info).error().in_file(source.layer_info_path);
      info_ = std::move(info->layers);
      out_.tensors = std::move(info->tensors);
    }
    if (is_console_log(source.content.substr(0, kBeginning))) {
      TRY(take_console(source.content));
    } else {
      while (events_.next()) take();
      note(events_.damage(), out_.notes);
    }
    note(odd_, out_.notes);
    if (out_.layers.empty() && whole_runs_ > 0)
      return input_error("RIDGE-IMP-0035", "the file has whole runs and no layers")
          .evidence(counted(whole_runs_, "run") + " of trtexec --exportTimes")
          .hint("import what --exportProfile wrote, with --times FILE for this one");
    if (out_.layers.empty())
      return input_error("RIDGE-IMP-0030", "the profile has no layer with a time")
          .evidence(fmt::format("{}, a count of {}", counted(elements_, "element"), count_))
          .hint("trtexec --exportProfile=FILE writes name, timeMs and averageMs of each layer");
    if (!source.times.empty()) {
      Result<std::vector<std::int64_t>> runs = read_times(source.times, out_.notes);
      if (!runs.ok()) return std::move(runs).error().in_file(source.times_path);
      out_.runs_ns = std::move(*runs);
    }
    add_kernels();
    add_notes(plain);
    return std::move(out_);
  }

 private:
  /// Adds the tactic as the kernel of each layer. If only some layers have one, the others use
  /// their type, so that kernel times add up to layer times.
  void add_kernels() {
    const auto has_tactic = [](const RecordedLayer& l) { return !l.implementation.empty(); };
    if (std::ranges::none_of(out_.layers, has_tactic)) return;
    for (RecordedLayer& layer : out_.layers) {
      const std::string& kernel = has_tactic(layer)    ? layer.implementation
                                  : layer.type.empty() ? layer.name
                                                       : layer.type;
      layer.kernels.push_back({layer.name, kernel, layer.time_ns});
    }
  }

  void take() {
    ++elements_;
    whole_runs_ += events_.find("computeMs").kind == JsonValue::Kind::kNumber ? 1 : 0;
    if (const JsonValue count = events_.find("count"); count.kind == JsonValue::Kind::kNumber) {
      count_ = scaled_decimal(count.text, 1).value_or(0);
      return;
    }
    const JsonValue name = events_.find("name");
    const auto time = this->time();
    if (!name.is_string() || !time) {
      ++odd_.out_of_range;
    } else if (*time < 0) {
      ++odd_.negative;
    } else {
      add(name.unescaped(), *time);
    }
  }

  Result<void> take_console(std::string_view text) {
    const ConsoleTable table = read_console(text);
    if (table.tables == 0)
      return input_error("RIDGE-IMP-0036", "the log of trtexec has no table of layers")
          .hint(
              "trtexec --dumpProfile --separateProfileRun prints it; --exportProfile=FILE writes "
              "it with more digits");
    count_ = table.runs;
    for (const ConsoleRow& row : table.rows) {
      ++elements_;
      const auto sum = row.sum_ns && count_ > 0 ? std::optional(*row.sum_ns / count_) : row.sum_ns;
      uncounted_ += !row.median_ns && !row.mean_ns && count_ <= 0 ? 1 : 0;
      (row.median_ns ? medians_ : means_) += 1;
      const auto time = row.median_ns ? row.median_ns : row.mean_ns ? row.mean_ns : sum;
      if (!time)
        ++odd_.out_of_range;
      else if (*time < 0)
        ++odd_.negative;
      else
        add(std::string(row.name), *time);
    }
    out_.notes.push_back(
        "times are as the console shows them, to 0.1 \xc2\xb5s: trtexec --exportProfile=FILE "
        "writes "
        "more digits");
    if (table.tables > 1)
      out_.notes.push_back(fmt::format("the last of {} is read", counted(table.tables, "table")));
    if (table.unreadable > 0)
      out_.notes.push_back(
          fmt::format("{} of the table could not be read", counted(table.unreadable, "line")));
    if (!table.ended) out_.notes.push_back("the table has no row Total: layers may be missing");
    return {};
  }

  /// Median if the version writes it, else the mean. Without a number of runs a sum stands as it
  /// is.
  std::optional<std::int64_t> time() {
    for (const std::string_view key : {"medianMs", "averageMs"}) {
      const JsonValue value = events_.find(key);
      if (value.kind != JsonValue::Kind::kNumber) continue;
      (key == "medianMs" ? medians_ : means_) += 1;
      return scaled_decimal(value.text, kNanosPerMillisecond);
    }
    const JsonValue sum = events_.find("timeMs");
    if (sum.kind != JsonValue::Kind::kNumber) return std::nullopt;
    ++means_;
    const auto all = scaled_decimal(sum.text, kNanosPerMillisecond);
    if (count_ > 0 && all) return *all / count_;
    if (all) ++uncounted_;
    return all;
  }

  void add(std::string name, std::int64_t time_ns) {
    RecordedLayer layer;
    layer.time_ns = static_cast<double>(time_ns);
    layer.name = std::move(name);
    if (!split_name(layer.name, layer.parts, layer.regions)) ++unsplit_;
    if (const auto info = info_.find(layer.name); info != info_.end())
      describe(info->second, layer);
    layer.inserted = inserted_name(layer.name, layer.type, Naming::kTensorRt);
    if (layer.inserted && layer.type.empty()) layer.type = "Reformat";
    out_.layers.push_back(std::move(layer));
  }

  void describe(const LayerFacts& facts, RecordedLayer& layer) {
    ++described_;
    layer.type = facts.type;
    layer.implementation = facts.tactic;
    layer.precision = facts.precision;
    if (facts.input_precision != facts.precision) layer.input_precision = facts.input_precision;
    if (facts.nodes.empty()) return;
    layer.parts = facts.nodes;
    layer.regions.clear();
  }

  void add_notes(std::int64_t plain) {
    note_unsplit(unsplit_, out_.notes);
    if (plain > 0)
      out_.notes.push_back(
          "the layer information has names alone: build with --profilingVerbosity=detailed");
    if (const auto missing = std::ssize(out_.layers) - described_; !info_.empty() && missing > 0)
      out_.notes.push_back(fmt::format("{} not in the layer information: of another engine?",
                                       counted(missing, "layer")));
    if (uncounted_ > 0)
      out_.work_unknown = fmt::format("{} have sums over runs that the file does not count",
                                      counted(uncounted_, "layer"));
    out_.notes.push_back(
        fmt::format("times are {} over {} with the profiler on, which adds an event to every layer",
                    uncounted_ > 0       ? "sums"
                    : medians_ >= means_ ? "medians"
                                         : "means",
                    count_ > 0 ? counted(count_, "run") : "an unknown number of runs"));
  }

  JsonScan scan_;
  JsonEvents events_;
  std::unordered_map<std::string, LayerFacts> info_;
  Recorded out_;
  Oddities odd_;
  std::int64_t whole_runs_ = 0;
  std::int64_t elements_ = 0, count_ = 0, medians_ = 0, means_ = 0, described_ = 0, unsplit_ = 0;
  std::int64_t uncounted_ = 0;  // layers with a sum over an unknown number of runs
};

}  // namespace

Result<Recorded> read_trtexec_profile(const Source& source) {
  return TrtexecReader(source).run(source);
}

}  // namespace ridge::imports
