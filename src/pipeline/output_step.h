// SPDX-License-Identifier: Apache-2.0
// Steps from the outputs of a model for one sample to an answer, as plain data.
//
//   Softmax    pipeline/softmax.h    the values of an output, along its last axis
//   DropFirst                        the first classes, as the background of models from TensorFlow
//   Top        pipeline/ranking.h    the classes of highest score
//   Boxes      pipeline/boxes.h      detections, with suppression
//   Masks      pipeline/masks.h      the class of every pixel
//   Picture                          an image: values times `multiply`, channels last
//   Sequence                         the class of every position; kCollapsed: CTC's greedy path
//   Labels     pipeline/labels.h     names for the classes of the step before
//
// Softmax and DropFirst change an output; one of Top, Boxes, Masks, Picture and Sequence makes the
// answer of it; Labels follows. `output` is the position among the model's outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "pipeline/boxes.h"

namespace ridge::pipeline {

struct Softmax {
  std::size_t output = 0;

  bool operator==(const Softmax&) const = default;
};

struct DropFirst {
  std::size_t count = 1, output = 0;

  bool operator==(const DropFirst&) const = default;
};

struct Top {
  std::size_t most = 5, output = 0;

  bool operator==(const Top&) const = default;
};

/// Unit of a detector's coordinates.
enum class BoxUnit : std::uint8_t {
  kPixels,  ///< pixels of the model's input; the steps before the run are undone
  kShares,  ///< shares of the width and height of the model's input, 0 to 1
};

struct Boxes {
  BoxFormat format = BoxFormat::kCorners;
  BoxUnit unit = BoxUnit::kPixels;
  float score = 0.05F;
  double overlap = 0.5;
  std::size_t most = 100;
  std::int64_t first_class = 0;
  ClassesOf classes_of = ClassesOf::kEvery;
  std::optional<float> until = {};  ///< boxes from the first of a lower score on are left out
  /// Positions of outputs: boxes x 4; boxes x classes; with `classes`, a score and a class each.
  std::size_t boxes = 0, scores = 1;
  std::optional<std::size_t> classes;

  bool operator==(const Boxes&) const = default;
};

enum class ChannelAxis : std::uint8_t { kFirst, kLast };

struct Masks {
  ChannelAxis axis = ChannelAxis::kFirst;
  std::optional<double> above;  ///< one score for each pixel: class 1 where it is above this
  std::size_t output = 0;

  bool operator==(const Masks&) const = default;
};

struct Picture {
  ChannelAxis axis = ChannelAxis::kFirst;
  double multiply = 1;
  std::size_t output = 0;

  bool operator==(const Picture&) const = default;
};

struct Sequence {
  enum class Path : std::uint8_t {
    kPlain,      ///< words, joined by blanks
    kCollapsed,  ///< CTC: equal neighbors are one, class 0 is none; characters
  };
  Path path = Path::kCollapsed;
  std::size_t output = 0;

  bool operator==(const Sequence&) const = default;
};

struct Labels {
  std::string path;
  std::vector<std::string> names = {};  ///< lines of the file, once it was read

  bool operator==(const Labels& other) const { return path == other.path; }
};

using OutputStep = std::variant<Softmax, DropFirst, Top, Boxes, Masks, Picture, Sequence, Labels>;

}  // namespace ridge::pipeline
