// SPDX-License-Identifier: Apache-2.0
#include "evaluation/run/trace.h"

#include <fmt/format.h>

#include <optional>

#include "base/file_writer.h"
#include "base/percent.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "measure/gate.h"
#include "measure/job.h"
#include "measure/runtime_layers.h"
#include "pipeline/step_text.h"
#include "runtime/inputs/npy.h"
#include "runtime/runtime.h"
#include "trace/application.h"

namespace ridge::evaluation {
namespace {

/// Rounds of a plain and a profiled run each, no more than are recorded.
runtime::Plan plan_of(std::uint32_t queries) {
  runtime::Plan plan;
  plan.min_rounds = plan.max_rounds = queries;
  plan.budget = Nanos{0};
  return plan;
}

/// Writes the first samples of an input as its file.
Result<void> write_input(const DataSamples& data, std::size_t input, const std::string& path) {
  const runtime::InputTensor& first = data.samples.sets.at(0).at(input);
  FileWriter out = TRY(FileWriter::create(path));
  TRY(out.write(runtime::npy_preamble({first.type, first.dims})));
  const auto values = data.samples.memory.bytes().subspan(static_cast<std::size_t>(first.offset),
                                                          static_cast<std::size_t>(first.bytes));
  TRY(out.write({reinterpret_cast<const char*>(values.data()), values.size()}));
  return out.commit();
}

/// Type of an input that no file holds.
std::optional<onnx::DataType> not_held(const DataSamples& data) {
  for (const DataTarget& target : data.targets)
    if (!runtime::npy_holds(target.type)) return target.type;
  return std::nullopt;
}

Result<ProfiledQueries> profiled(const Profiling& of) {
  measure::Request request = of.request;
  request.plan = plan_of(of.queries);
  request.processes = 1;
  request.recorded_runs = of.queries;
  request.runtime.warn = {};  // what there is to say, the load has said
  std::optional<TemporaryFolder> folder;
  if (of.data != nullptr) {
    if (const auto type = not_held(*of.data))
      return ProfiledQueries{
          .missing = fmt::format("samples of type {} cannot be profiled", onnx::name(*type))};
    folder.emplace(TRY(TemporaryFolder::make()));
    request.inputs.clear();
    for (std::size_t i = 0; i < of.data->targets.size(); ++i) {
      const std::string path = fmt::format("{}/input{}.npy", folder->path(), i);
      TRY(write_input(*of.data, i, path));
      request.inputs[of.data->targets[i].original] = path;
    }
  }
  if (!measure::reports_layers(of.runtime))
    return ProfiledQueries{.missing = "it reports no layers"};
  measure::Job job = TRY(measure::Job::begin(of.resolved, request));
  measure::Job::Started started = TRY(job.start(1));
  runtime::Measurement measured = TRY(started.runtime.measure(started.session, request.plan));
  ProfiledQueries out;
  if (!measured.samples.empty()) out.origin_ns = measured.samples.front().start.count;
  TRY(job.take(1, started.load_ns, std::move(measured)));
  std::vector<measure::Kept> kept;
  for (const measure::ProcessRuns& runs : job.collect())
    kept.push_back(measure::gate(runs, job.host()));
  profile::Profile profile = TRY(job.finish(kept));
  out.recording = std::move(profile.timeline);
  return out;
}

std::vector<trace::ApplicationStep> application_steps(const EvaluatedData& data) {
  std::vector<std::string> names = {"read"};
  for (const pipeline::Step& step : data.of.steps) names.push_back(pipeline::print_step(step));
  std::vector<trace::ApplicationStep> out;
  for (const StepSpan& span : data.spans)
    out.push_back({.sample = span.sample,
                   .name = names.at(static_cast<std::size_t>(std::int64_t{span.step} + 1)),
                   .begin_ns = span.begin_ns,
                   .end_ns = span.end_ns});
  return out;
}

}  // namespace

ProfiledQueries profile_queries(const Profiling& of) {
  Result<ProfiledQueries> done = profiled(of);
  if (done.ok()) return std::move(*done);
  ProfiledQueries out;
  out.missing = done.error().summary();
  return out;
}

EvaluationTrace trace_of(const Evaluation& evaluation) {
  EvaluationTrace out;
  trace::ApplicationTrace trace;
  if (evaluation.data) trace.add_steps(application_steps(*evaluation.data));
  for (const EvaluatedPoint& p : evaluation.points) {
    trace.add({.name = p.runtime_name, .queries = p.load.queries});
    trace.add_profiled(p.runtime_name, p.profiled.recording, p.profiled.origin_ns);
    if (!p.profiled.missing.empty())
      out.missing.push_back(fmt::format("{}: {}", p.runtime_name, p.profiled.missing));
  }
  out.left_out = trace.left_out();
  out.profile.timeline = trace.take();
  out.stack = trace::application_stack(out.profile.timeline);
  return out;
}

std::vector<std::string> stack_lines(const EvaluationTrace& trace) {
  std::vector<std::string> out;
  for (const trace::StackLevel& level : trace.stack) {
    const double remainder = level.time_ns > 0 ? static_cast<double>(level.remainder_ns()) /
                                                     static_cast<double>(level.time_ns)
                                               : 0;
    std::string line = fmt::format("{}: {}, {} in sum, {} of it in nothing below", level.name,
                                   counted(static_cast<std::int64_t>(level.spans), "span"),
                                   duration(level.time_ns), percent(remainder));
    if (level.exceeding > 0)
      line += fmt::format("; {} of them shorter than what is below, by up to {}", level.exceeding,
                          duration(level.max_excess_ns));
    out.push_back(std::move(line));
  }
  for (const std::string& missing : trace.missing) out.push_back("no layers of " + missing);
  if (trace.left_out > 0)
    out.push_back(counted(static_cast<std::int64_t>(trace.left_out), "query") +
                  " left out: the first ones and the slowest are kept");
  return out;
}

}  // namespace ridge::evaluation
