#include "accuracy/divergence_json.h"

#include "accuracy/figure_json.h"

namespace ridge::accuracy {

namespace {

void write_largest(JsonWriter& json, std::string_view key, const LargestDifference& largest) {
  json.key(key).begin_object().key("value").value(largest.value);
  json.key("sample").value(static_cast<std::int64_t>(largest.sample));
  json.key("index").value(static_cast<std::int64_t>(largest.index)).end_object();
}

/// Figure of scores; null for other outputs.
void write_scored(JsonWriter& json, std::string_view key, const OutputDivergence& d,
                  const Figure& figure) {
  const bool scores = d.comparable && d.kind != Outputs::kPlain;
  json.key(key);
  write_figure(json, scores ? std::optional(figure) : std::nullopt);
}

}  // namespace

void write_divergence(JsonWriter& json, const std::vector<OutputDivergence>& divergence) {
  json.begin_array();
  for (const OutputDivergence& d : divergence) {
    const DivergenceFigures& f = d.figures;
    json.line().begin_object().key("output").value(d.output).key("kind").value(name(d.kind));
    json.key("comparable").value(d.comparable).key("samples").value(f.samples);
    json.key("values").value(f.values);
    write_largest(json, "largest_absolute", f.largest_absolute);
    write_largest(json, "largest_relative", f.largest_relative);
    json.key("mean_absolute").value(f.mean_absolute);
    json.key("differ_in_kind").value(f.differ_in_kind);
    write_scored(json, "agreement", d, f.agreement);
    write_scored(json, "kl", d, f.kullback_leibler);
    write_scored(json, "js", d, f.jensen_shannon);
    json.key("infinite_divergences").value(f.infinite_divergences);
    json.key("no_distribution").value(f.no_distribution);
    json.key("differ").begin_array();
    for (const std::size_t sample : d.differ) json.value(static_cast<std::int64_t>(sample));
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace ridge::accuracy
