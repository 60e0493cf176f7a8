#include "compare/evaluation_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json_at.h"

namespace ridge::compare {
namespace {

constexpr std::string_view kSchema = "ridge.evaluation/1";
constexpr std::uint64_t kMaxThreads = 1 << 16;

Error unreadable_run(std::string message) {
  return input_error("RIDGE-CMP-0020", std::move(message))
      .hint("write it with: ridge eval MODEL --format json --output FILE");
}

std::optional<stats::Interval> interval_of(const JsonAt& at) {
  if (at.null()) return std::nullopt;
  std::vector<double> ends;
  at.each([&](const JsonAt& end) { ends.push_back(end.number()); });
  if (ends.size() == 2) return stats::Interval{ends[0], ends[1]};
  at.fail("two numbers");
  return std::nullopt;
}

MeasuredFigure figure_of(const JsonAt& at, const char* value, const char* interval) {
  return {at[value].figure(), interval_of(at[interval])};
}

void read_load(const JsonAt& at, EvaluationRun& out) {
  if (at.null()) return;
  at["latency"]["percentiles"].each([&](const JsonAt& p) {
    out.latency.push_back({p["percentile"].number(), figure_of(p, "value_ns", "ci95_ns")});
  });
  out.completed_per_s = figure_of(at["completed"], "per_s", "ci95_per_s");
}

void read_answers(const JsonAt& at, EvaluationRun& out) {
  if (at.null()) return;
  if (const auto predicted = at.find("predicted"); predicted && !predicted->null())
    predicted->each([&](const JsonAt& c) { out.predicted.push_back(c.integer()); });
  if (const auto correct = at.find("correct"); correct && !correct->null())
    correct->each([&](const JsonAt& c) { out.correct.push_back(c.below<std::uint8_t>(2)); });
  if (const auto names = at.find("class_names"))
    names->each([&](const JsonAt& n) { out.class_names[n["class"].integer()] = n["name"].text(); });
  if (const auto metrics = at.find("metrics"))
    metrics->each([&](const JsonAt& m) {
      out.metrics.push_back({m["metric"].text(), figure_of(m, "value", "ci95")});
    });
}

accuracy::OutputFile output_file(const JsonAt& at) {
  const std::optional<accuracy::Outputs> kind = accuracy::outputs_named(at["kind"].text());
  if (!kind) at.fail("kind of outputs");
  accuracy::OutputFile out{.output = at["output"].text(),
                           .kind = kind.value_or(accuracy::Outputs::kPlain)};
  if (at["file"].null()) return out;
  out.path = at["file"].text();
  out.sha256 = at["sha256"].text();
  return out;
}

std::string locked_sha256(const JsonAt& lock, const char* what) {
  const auto item = lock.find(what);
  if (!item || item->null()) return {};
  const auto hash = item->find("sha256");
  return hash ? hash->text_or_null() : std::string();
}

EvaluationRun read_point(const JsonAt& at, const EvaluationRun& shared) {
  EvaluationRun out = shared;
  out.runtime = at["runtime"]["name"].text();
  out.version = at["runtime"]["version"].text();
  out.threads = at["threads"].below<int>(kMaxThreads);
  out.queries_per_s = at["queries_per_s"].real();
  if (const auto lock = at.find("lock"); lock && !lock->null()) {
    out.data_sha256 = locked_sha256(*lock, "data");
    out.labels_sha256 = locked_sha256(*lock, "labels");
  }
  read_answers(at["accuracy"], out);
  if (const auto outputs = at.find("outputs"))
    outputs->each([&](const JsonAt& file) { out.outputs.push_back(output_file(file)); });
  read_load(at["figures"], out);
  if (const JsonAt validity = at["validity"]; !validity.null())
    out.validity = validity["state"].text();
  const auto fits = [&](std::size_t size) { return size == 0 || size == out.samples.size(); };
  if (!fits(out.predicted.size()) || !fits(out.correct.size()))
    at.fail("as many answers as samples");
  return out;
}

EvaluationRun read_shared(const JsonAt& at) {
  EvaluationRun out;
  out.host = at["host"].text();
  out.model = at["model"]["path"].text();
  out.graph_hash = at["model"]["graph_hash"].text();
  if (const JsonAt scenario = at["scenario"]; !scenario.null())
    out.scenario = scenario["kind"].text();
  const auto data = at.find("data");
  if (!data || data->null()) return out;
  out.data = (*data)["source"].text();
  out.steps = (*data)["steps"].text();
  (*data)["samples"].each([&](const JsonAt& s) { out.samples.push_back(s.text()); });
  const std::set<std::string_view> different(out.samples.begin(), out.samples.end());
  if (different.size() != out.samples.size()) data->fail("samples of different names");
  (*data)["samples_ns"].each([&](const JsonAt& s) { out.prepare_ns.push_back(s.number()); });
  if (!out.prepare_ns.empty() && out.prepare_ns.size() != out.samples.size())
    data->fail("as many times as samples");
  return out;
}

}  // namespace

std::string EvaluationRun::class_text(std::int64_t number) const {
  const auto named = class_names.find(number);
  return named == class_names.end() ? fmt::format("{}", number)
                                    : fmt::format("{} {}", number, named->second);
}

bool EvaluationRun::numbered() const {
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i] != std::to_string(i)) return false;
  return !samples.empty();
}

const MeasuredFigure* EvaluationRun::latency_at(double percentile) const {
  const auto found = std::ranges::find(latency, percentile, &LatencyFigure::percentile);
  return found == latency.end() ? nullptr : &found->ns;
}

Result<std::vector<EvaluationRun>> read_evaluation(std::string_view text, const std::string& name) {
  std::string why;
  const nlohmann::json document = json_object(text, why);
  if (!why.empty()) return unreadable_run("it is no document of an evaluation: " + why);
  std::optional<std::string> failure;
  const JsonAt at(document, failure);
  if (const std::string schema = at["schema"].text(); !failure && schema != kSchema)
    return unreadable_run(fmt::format("it is a document of '{}', not of '{}'", schema, kSchema));
  const EvaluationRun shared = read_shared(at);
  std::vector<EvaluationRun> out;
  at["points"].each([&](const JsonAt& point) { out.push_back(read_point(point, shared)); });
  if (failure) return unreadable_run("it is no document of an evaluation: it lacks " + *failure);
  if (out.empty()) return unreadable_run("the document has no runtime");
  for (EvaluationRun& run : out)
    run.label = out.size() == 1 ? name : fmt::format("{} {}", name, run.runtime);
  return out;
}

}  // namespace ridge::compare
