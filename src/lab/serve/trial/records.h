// SPDX-License-Identifier: Apache-2.0
// A try of models on one sample of a client's own: what is asked, and what is answered. Plain data;
// describe.h has the names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "lab/serve/records.h"
#include "scenario/percentiles.h"

namespace ridge::lab::serve {

enum class SampleKind : std::uint8_t { kPicture, kTensor, kText };

struct TrialSample {
  SampleKind kind = SampleKind::kPicture;
  std::string name;  ///< to be shown
  std::string data;  ///< base64
};

struct TrialRequest {
  std::vector<std::string> models, runtimes;
  TrialSample sample;
};

/// A class that a model names, with its score.
struct TriedClass {
  std::int64_t number = 0;
  std::string name;  ///< "" without labels
  double score = 0;
};

struct TriedBox {
  TriedClass of;
  double left = 0, top = 0, right = 0, bottom = 0;
};

enum class AnswerKind : std::uint8_t { kClasses, kBoxes, kMask, kText };

/// Answer that the steps of a manifest make of a model's outputs.
struct TriedAnswer {
  AnswerKind kind = AnswerKind::kClasses;
  std::vector<TriedClass> classes;  ///< with shares: those of a mask's pixels
  std::vector<TriedBox> boxes;
  std::string text;
};

struct TriedOutput {
  std::string name, type;
  std::vector<std::int64_t> shape;
  std::vector<double> first;
};

/// One model in one runtime.
struct TriedPair {
  std::string model;
  std::string runtime;  ///< as asked, then with its version
  std::int64_t queries = 0;
  std::optional<scenario::Percentile> median;
  std::optional<TriedAnswer> answer;
  std::vector<TriedOutput> outputs;
  std::vector<std::string> notes;
  std::optional<ErrorDocument> error;
};

struct Trial {
  std::int64_t id = 0;
  JobState state = JobState::kRunning;
  SampleKind kind = SampleKind::kPicture;
  std::string name;
  std::int64_t bytes = 0;
  std::int64_t asked = 0;  ///< number of pairs
  std::vector<TriedPair> pairs;
};

}  // namespace ridge::lab::serve

namespace ridge {

template <>
struct Words<lab::serve::SampleKind> {
  using K = lab::serve::SampleKind;
  static constexpr std::array list{Word(K::kPicture, "picture", "a JPEG or PNG file"),
                                   Word(K::kTensor, "tensor", "a .npy file"),
                                   Word(K::kText, "text", "UTF-8, at most 1 MiB")};
};

template <>
struct Words<lab::serve::AnswerKind> {
  using K = lab::serve::AnswerKind;
  static constexpr std::array list{
      Word(K::kClasses, "classes", "the classes of highest score"),
      Word(K::kBoxes, "boxes", "what was found where"),
      Word(K::kMask, "mask", "classes of pixels, with their shares of all pixels"),
      Word(K::kText, "text", "what was read")};
};

}  // namespace ridge
