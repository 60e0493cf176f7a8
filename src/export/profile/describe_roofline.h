// SPDX-License-Identifier: Apache-2.0
// Description (record/describe.h) of ridge.roofline/1.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "profile/summary.h"
#include "record/describe.h"
#include "roofline/point_roof.h"
#include "roofline/roofs.h"

namespace ridge::exports {

struct RooflinePoint {
  profile::ModelPoint model;
  std::optional<double> compute_roof;
};

/// Figures of a point; not finite where there is no time, no byte or no roof.
inline double flop_rate(const RooflinePoint& p) {
  return p.model.operations * 1e9 / p.model.latency_ns;
}
inline double byte_rate(const RooflinePoint& p) { return p.model.bytes * 1e9 / p.model.latency_ns; }
inline double intensity(const RooflinePoint& p) { return p.model.operations / p.model.bytes; }
std::optional<double> roof_share(const RooflinePoint& point);
inline std::string_view main_type(const RooflinePoint& p) { return roofline::main_type(p.model); }

struct TypedRoof {
  std::string dtype;
  std::optional<double> flop_per_s;
};

std::vector<TypedRoof> typed_roofs(const roofline::Roofs& roofs);

struct RooflineDocument {
  std::vector<RooflinePoint> points;
  std::vector<roofline::Roofs> roofs;
  std::vector<std::string> notes;
};

}  // namespace ridge::exports

namespace ridge {

template <>
struct record::Describe<exports::RooflinePoint> {
  using T = exports::RooflinePoint;
  using M = profile::ModelPoint;
  static constexpr std::array fields{
      field<&T::model, &M::name>("name",
                                 "model, sizes and threads, and the runtime where that varies"),
      field<&T::model, &M::machine>(
          "machine", "that it was measured on; null where that is not known", zero_is_null()),
      field<&T::model, &M::runtime>("runtime", "its name, such as ONNX Runtime"),
      field<&T::model, &M::threads>("threads", "of the runtime"),
      field<&T::model, &M::latency_ns>("latency_ns", "of an unprofiled run, the median"),
      computed<&exports::main_type>("dtype", "element type in which most of the operations run"),
      field<&T::compute_roof>("compute_roof",
                              "FLOP/s of the roofs of its element types, weighted by work; null "
                              "where one was not measured"),
      field<&T::model, &M::operations>("operations", "of a run, a multiply-add as 2", known()),
      field<&T::model, &M::bytes>("bytes", "across the boundaries of all layers", known()),
      computed<&exports::flop_rate>("flop_per_s", "operations by latency"),
      computed<&exports::byte_rate>("bytes_per_s", "bytes by latency"),
      computed<&exports::intensity>("intensity", "operations by bytes"),
      computed<&exports::roof_share>("roof_share", "flop_per_s over compute_roof")};
};

template <>
struct record::Describe<exports::TypedRoof> {
  using T = exports::TypedRoof;
  static constexpr std::array fields{field<&T::dtype>("dtype", "element type"),
                                     field<&T::flop_per_s>("flop_per_s", "a multiply-add as 2")};
};

template <>
struct record::Describe<roofline::Level> {
  using T = roofline::Level;
  static constexpr std::array fields{
      field<&T::name>("name", "`L1`, `L2`, `L3`, `memory`"),
      field<&T::capacity>("bytes", "that it holds for all the threads; null of memory",
                          zero_is_null()),
      field<&T::bytes_per_s>("bytes_per_s", "the fastest of read, write, copy, triad", known())};
};

template <>
struct record::Describe<roofline::Roofs> {
  using T = roofline::Roofs;
  static constexpr std::array fields{
      field<&T::threads>("threads", "of these roofs"),
      computed<&exports::typed_roofs>("compute", "a roof per element type", on_line(),
                                      item_lines()),
      field<&T::levels>("levels", "a roof per memory level, nearest first", on_line(),
                        item_lines())};
};

template <>
struct record::Describe<exports::RooflineDocument> {
  using T = exports::RooflineDocument;
  static constexpr std::string_view schema = "ridge.roofline/1";
  static constexpr std::string_view text =
      "Whole models as points under one machine's roofs: `ridge roofline --format json`.";
  static constexpr std::array fields{
      field<&T::points>("points", "in the order given", on_line(), item_lines()),
      field<&T::roofs>("roofs", "of every number of threads among the points", on_line(),
                       item_lines()),
      field<&T::notes>("notes", "what the models were given in place of what was asked for",
                       on_line())};
};

}  // namespace ridge
