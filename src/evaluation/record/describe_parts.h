// SPDX-License-Identifier: Apache-2.0
// Descriptions of parts of the document of an evaluation (record/describe.h): data, accuracy, and
// tests by LoadGen's rules.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "accuracy/describe.h"
#include "evaluation/record/evaluation.h"
#include "pipeline/output_step_text.h"
#include "pipeline/step_text.h"

namespace ridge {

namespace evaluation {

struct AsSteps {
  static std::string out(const std::vector<pipeline::Step>& steps) {
    return pipeline::print_steps(steps);
  }
  static Result<std::vector<pipeline::Step>> in(const std::string& text) {
    return pipeline::parse_steps(text);
  }
};
struct AsOutputSteps {
  static std::string out(const std::vector<pipeline::OutputStep>& steps) {
    return pipeline::print_output_steps(steps);
  }
  static Result<std::vector<pipeline::OutputStep>> in(const std::string& text) {
    return pipeline::parse_output_steps(text);
  }
};

struct ClassName {
  std::int64_t number = 0;
  std::string name;
};
struct AsClassNames {
  using Names = std::map<std::int64_t, std::string>;
  static std::vector<ClassName> out(const Names& names) {
    std::vector<ClassName> list;
    for (const auto& [number, name] : names) list.push_back({number, name});
    return list;
  }
  static Names in(std::vector<ClassName> list) {
    Names names;
    for (ClassName& c : list) names.emplace(c.number, std::move(c.name));
    return names;
  }
};

/// Unit of an audit's figures: AuditVerdict::in_ns.
struct AsUnit {
  static constexpr std::array<std::string_view, 2> kUnits = {"ns", "samples/s"};
  static std::string_view out(const bool& in_ns) { return kUnits[in_ns ? 0 : 1]; }
  static bool in(const std::string& unit) { return unit == kUnits[0]; }
};
inline std::span<const std::string_view> audit_units() { return AsUnit::kUnits; }

}  // namespace evaluation

template <>
struct record::Describe<evaluation::EvaluationData> {
  using T = evaluation::EvaluationData;
  static constexpr std::array fields{
      field<&T::source>("source", "folder or .npy"),
      field<&T::labels>("labels", "what is true of each", zero_is_null()),
      field<&T::steps, evaluation::AsSteps>("steps", "steps from a file or element to the input"),
      field<&T::metric>("metric", "how answers are judged"),
      field<&T::post, evaluation::AsOutputSteps>("post", "steps from the outputs to an answer")};
};

template <>
struct record::Describe<evaluation::StepTime> {
  using T = evaluation::StepTime;
  static constexpr std::array fields{field<&T::step>("step", "read, or the step"),
                                     field<&T::median_ns>("median_ns", "median over samples")};
};

template <>
struct record::Describe<evaluation::EvaluatedData> {
  using T = evaluation::EvaluatedData;
  using Times = evaluation::Preparation;
  static constexpr std::array fields{
      inlined<&T::of>(),
      field<&T::times, &Times::steps>(
          "step_times",
          "reading, then each of the steps; of one thread, and no part of any latency", on_line()),
      field<&T::names>("samples", "name of each sample", on_line()),
      field<&T::times, &Times::samples_ns>(
          "samples_ns", "time in which each sample was read and made", on_line()),
      field<&T::notes>("notes",
                       "labels that were passed over, and images whose data are damaged, so that "
                       "pixels may be wrong",
                       on_line())};
};

template <>
struct record::Describe<evaluation::NamedFigure> {
  using T = evaluation::NamedFigure;
  static constexpr std::array fields{
      field<&T::metric>(
          "metric",
          "top1, top5, coco_ap, voc_ap, mean_iou, psnr, ssim, exact_match, f1, cer, wer, ..."),
      inlined<&T::figure>()};
};

template <>
struct record::Describe<evaluation::ClassName> {
  using T = evaluation::ClassName;
  static constexpr std::array fields{field<&T::number>("class", "number"),
                                     field<&T::name>("name", "name")};
};

template <>
struct record::Describe<evaluation::Accuracy> {
  using T = evaluation::Accuracy;
  static constexpr std::array fields{
      field<&T::samples>("samples", "samples that were judged"),
      field<&T::classes>("classes", "classes of the model"),
      field<&T::top1>("top1", "share of samples with the right class first; null without labels"),
      field<&T::top5>("top5", "share with it among the first five; null for up to five classes"),
      field<&T::metrics>("metrics", "all figures, those above among them", on_line()),
      field<&T::class_names, evaluation::AsClassNames>(
          "class_names", "names of predicted classes, with labels(FILE) after the run", on_line()),
      field<&T::predicted>("predicted",
                           "class of each sample, -1 where all scores are NaN; empty where answers "
                           "are no classes",
                           on_line()),
      field<&T::correct>("correct", "1 for each sample that is right, else 0; empty without labels",
                         between(0, 1), on_line()),
      field<&T::notes>("notes",
                       "what is true of samples and was passed over: lines of other samples, "
                       "images without boxes",
                       on_line())};
};

template <>
struct record::Describe<evaluation::AuditVerdict> {
  using T = evaluation::AuditVerdict;
  using Logged = evaluation::LoggedOutputs;
  static constexpr std::array fields{
      field<&T::audit>("name", "which"),
      field<&T::passed>("passed", "its verdict"),
      field<&T::outputs, &Logged::compared>("outputs_compared",
                                            "outputs logged under load (test01)"),
      field<&T::outputs, &Logged::different>("outputs_different",
                                             "those that are not the ones of accuracy mode"),
      field<&T::in_ns, evaluation::AsUnit>("unit", "unit of the figures",
                                           one_of<evaluation::audit_units>()),
      field<&T::first>("first", "figure without the audit", known()),
      field<&T::second>("second", "figure with it", known()),
      field<&T::tolerance>("tolerance", "relative difference that is allowed", known()),
      field<&T::reasons>("reasons", "for not passing")};
};

template <>
struct record::Describe<evaluation::MlperfFigures> {
  using T = evaluation::MlperfFigures;
  static constexpr std::array fields{
      field<&T::folder>("folder", "folder of the logs"),
      field<&T::valid>("valid", "LoadGen's verdict; null in accuracy mode"),
      field<&T::reasons>("reasons", "for not being valid"),
      field<&T::audit>("audit", "compliance test; null without --audit"),
      field<&T::notes>("notes", "keys of the configuration that LoadGen does not know")};
};

}  // namespace ridge
