// SPDX-License-Identifier: Apache-2.0
#include "evaluation/repeat/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "base/lines.h"
#include "evaluation/answers/output_files.h"
#include "evaluation/record/document.h"
#include "evaluation/repeat/runs.h"

namespace ridge::evaluation {
namespace {

Result<std::vector<compare::EvaluationRun>> evaluation_runs(const EvaluationSource& source) {
  const std::string text = TRY(read_text_file(source.path, kLargestEvaluation));
  const std::string label =
      source.label.empty() ? std::filesystem::path(source.path).stem().string() : source.label;
  Result<Evaluation> read = read_evaluation(text);
  if (!read.ok()) {
    Error error = std::move(read).error().in_file(source.path);
    return error.hint().empty() ? std::move(error).hint(std::string(kHowToWrite)) : error;
  }
  Result<std::vector<compare::EvaluationRun>> runs = runs_of(std::move(*read), label);
  if (!runs.ok()) return std::move(runs).error().in_file(source.path);
  return runs;
}

/// The output of a name, if it has a file.
const accuracy::OutputFile* file_of(const compare::EvaluationRun& run, const std::string& output) {
  const auto found = std::ranges::find(run.outputs, output, &accuracy::OutputFile::output);
  return found == run.outputs.end() || found->path.empty() ? nullptr : &*found;
}

/// Files of the baseline by path, each opened and checked once for all runs.
using BaseRows = std::map<std::string, Result<OutputRows>>;

Result<accuracy::OutputDivergence> compared_divergence(
    const accuracy::OutputFile& a, const accuracy::OutputFile& b,
    const std::vector<compare::JoinedPair>& pairs, BaseRows& opened) {
  auto base = opened.find(a.path);
  if (base == opened.end()) base = opened.emplace(a.path, OutputRows::open(a)).first;
  if (!base->second.ok()) return Error(base->second.error());
  const OutputRows& first = *base->second;
  const OutputRows second = TRY(OutputRows::open(b));
  const accuracy::Outputs kind = a.kind == b.kind ? a.kind : accuracy::Outputs::kPlain;
  accuracy::Divergence comparison(kind);
  for (const compare::JoinedPair& pair : pairs) {
    const std::vector<float> x = TRY(first.read(pair.first)), y = TRY(second.read(pair.second));
    if (x.size() != y.size()) return accuracy::divergence_of_output(a.output, kind, nullptr);
    TRY(comparison.add(x, y));
  }
  accuracy::OutputDivergence out = accuracy::divergence_of_output(a.output, kind, &comparison);
  for (std::size_t& sample : out.differ) sample = pairs[sample].first;
  for (accuracy::LargestDifference* largest :
       {&out.figures.largest_absolute, &out.figures.largest_relative})
    largest->sample = pairs[largest->sample].first;
  return out;
}

/// Notes an output that is not compared because a run has no file of it.
void note_absent(const std::string& output, const compare::EvaluationRun& in,
                 compare::EvaluationComparison& c) {
  std::string note =
      fmt::format("output '{}' is not compared: {} has none that was saved", output, in.label);
  if (std::ranges::find(c.notes, note) == c.notes.end()) c.notes.push_back(std::move(note));
}

/// Adds the outputs that both runs have files of. Files that cannot be used are noted: all else is
/// still compared.
void add_outputs(compare::EvaluationComparison& c, compare::EvaluationDifference& d,
                 BaseRows& opened) {
  const compare::EvaluationRun& base = c.runs[0];
  const compare::EvaluationRun& run = c.runs[d.run];
  if (base.outputs.empty() || run.outputs.empty()) {
    if (base.outputs.empty() != run.outputs.empty())
      c.notes.push_back(fmt::format("{}: its outputs were not saved, so none are compared",
                                    base.outputs.empty() ? base.label : run.label));
    return;
  }
  const std::vector<compare::JoinedPair> pairs = compare::joined_samples(base, run);
  if (pairs.empty()) return;
  for (const accuracy::OutputFile& output : base.outputs) {
    const accuracy::OutputFile* const first = file_of(base, output.output);
    const accuracy::OutputFile* const second = file_of(run, output.output);
    if (first == nullptr || second == nullptr) {
      note_absent(output.output, first == nullptr ? base : run, c);
      continue;
    }
    Result<accuracy::OutputDivergence> made = compared_divergence(*first, *second, pairs, opened);
    if (made.ok())
      d.outputs.push_back(std::move(*made));
    else
      c.notes.push_back(fmt::format("{}: output '{}' is not compared: {}", run.label, output.output,
                                    made.error().summary()));
  }
  for (const accuracy::OutputFile& output : run.outputs)
    if (std::ranges::find(base.outputs, output.output, &accuracy::OutputFile::output) ==
        base.outputs.end())
      note_absent(output.output, base, c);
}

}  // namespace

Result<compare::EvaluationComparison> compare_documents(
    const std::vector<EvaluationSource>& sources) {
  std::vector<compare::EvaluationRun> runs;
  for (const EvaluationSource& source : sources) {
    std::vector<compare::EvaluationRun> of = TRY(evaluation_runs(source));
    std::move(of.begin(), of.end(), std::back_inserter(runs));
  }
  compare::EvaluationComparison out = TRY(compare::compare_evaluations(std::move(runs)));
  BaseRows opened;
  for (compare::EvaluationDifference& d : out.differences) add_outputs(out, d, opened);
  return out;
}

}  // namespace ridge::evaluation
