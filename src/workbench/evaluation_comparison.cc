#include "workbench/evaluation_comparison.h"

#include <filesystem>
#include <iterator>

#include "base/file.h"

namespace ridge::workbench {
namespace {

Result<std::vector<compare::EvaluationRun>> runs_of(const EvaluationSource& source) {
  const std::string text = TRY(read_file(source.path, compare::kLargestEvaluation));
  const std::string label =
      source.label.empty() ? std::filesystem::path(source.path).stem().string() : source.label;
  Result<std::vector<compare::EvaluationRun>> runs = compare::read_evaluation(text, label);
  if (!runs.ok()) return std::move(runs).error().in_file(source.path);
  return runs;
}

}  // namespace

Result<compare::EvaluationComparison> compare_documents(
    const std::vector<EvaluationSource>& sources) {
  std::vector<compare::EvaluationRun> runs;
  for (const EvaluationSource& source : sources) {
    std::vector<compare::EvaluationRun> of = TRY(runs_of(source));
    std::move(of.begin(), of.end(), std::back_inserter(runs));
  }
  return compare::compare_evaluations(std::move(runs));
}

}  // namespace ridge::workbench
