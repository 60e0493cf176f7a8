// SPDX-License-Identifier: Apache-2.0
// Descriptions of the types of records.h.
#pragma once

#include "lab/serve/describe.h"
#include "lab/serve/trial/records.h"
#include "record/describe.h"
#include "scenario/figures_describe.h"

namespace ridge {

template <>
struct record::Describe<lab::serve::TrialSample> {
  using T = lab::serve::TrialSample;
  static constexpr std::array fields{
      field<&T::kind>("kind", "what the bytes are", required()),
      field<&T::name>("name", "name of its file, to be shown", longest_text(200), or_default()),
      field<&T::data>("data", "its bytes in base64 (RFC 4648, section 4)", required())};
};

template <>
struct record::Describe<lab::serve::TrialRequest> {
  using T = lab::serve::TrialRequest;
  static constexpr std::string_view schema = "ridge.try_request/1";
  static constexpr std::string_view text =
      "Models to be tried on a sample: the body of `POST /api/v1/try` of `ridge serve`.";
  static constexpr std::array fields{
      field<&T::models>("models", "names of the registry, or zoo:NAME", required(), min_items(1),
                        max_items(4)),
      field<&T::runtimes>("runtimes",
                          "names of runtimes; empty: the one that the manifest is for, else that "
                          "of ridge eval",
                          max_items(4), or_default()),
      field<&T::sample>("sample", "what they are tried on", required())};
};

template <>
struct record::Describe<lab::serve::TriedClass> {
  using T = lab::serve::TriedClass;
  static constexpr std::array fields{
      field<&T::number>("class", "its number"),
      field<&T::name>("name", "its label; null where the manifest has none", zero_is_null()),
      field<&T::score>("score", "as the manifest's steps make it; of a mask, share of its pixels")};
};

template <>
struct record::Describe<lab::serve::TriedBox> {
  using T = lab::serve::TriedBox;
  static constexpr std::array fields{
      inlined<&T::of>(),
      field<&T::left>("left", "in the unit of the model's output, as the three others"),
      field<&T::top>("top", "top"), field<&T::right>("right", "right"),
      field<&T::bottom>("bottom", "bottom")};
};

template <>
struct record::Describe<lab::serve::TriedAnswer> {
  using T = lab::serve::TriedAnswer;
  static constexpr std::array fields{
      field<&T::kind>("kind", "what it consists of"),
      field<&T::classes>("classes", "by falling score, at most 5", item_lines()),
      field<&T::boxes>("boxes", "by falling score, at most 100", item_lines()),
      field<&T::text>("text", "what was read; null otherwise", zero_is_null())};
};

template <>
struct record::Describe<lab::serve::TriedOutput> {
  using T = lab::serve::TriedOutput;
  static constexpr std::array fields{
      field<&T::name>("name", "in the model"),
      field<&T::type>("type", "element type of the values as they are kept"),
      field<&T::shape>("shape", "without the axis of the batch"),
      field<&T::first>("first", "the first values, at most 8")};
};

template <>
struct record::Describe<lab::serve::TriedPair> {
  using T = lab::serve::TriedPair;
  static constexpr std::array fields{
      field<&T::model>("model", "as asked"),
      field<&T::runtime>("runtime", "with its version, if it ran"),
      field<&T::queries>("queries", "one after the other, that the median is of"),
      field<&T::median>("median", "median latency; null without one"),
      field<&T::answer>("answer", "by the manifest's steps; null without any", on_line()),
      field<&T::outputs>("outputs", "each output of the model that has values", on_line(),
                         item_lines()),
      field<&T::notes>("notes", "why the latency does not count, or what must be known of it"),
      field<&T::error>("error", "why there is no result; null otherwise", on_line())};
};

template <>
struct record::Describe<lab::serve::Trial> {
  using T = lab::serve::Trial;
  static constexpr std::string_view schema = "ridge.try/1";
  static constexpr std::string_view text =
      "Models that a client of `ridge serve --allow-run` tries on a sample of its own: "
      "`GET /api/v1/try/N`.";
  static constexpr std::array fields{
      field<&T::id>("number", "of the try"),
      field<&T::state>("state", "what it does"),
      field<&T::kind>("kind", "of the sample"),
      field<&T::name>("name", "of the sample's file, as the client says; null without",
                      zero_is_null()),
      field<&T::bytes>("bytes", "of the sample"),
      field<&T::asked>("asked", "pairs of a model and a runtime"),
      field<&T::pairs>("pairs", "those that are done, in the order that was asked for",
                       item_lines())};
};

}  // namespace ridge
