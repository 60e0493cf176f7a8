// SPDX-License-Identifier: Apache-2.0
// Descriptions (record/describe.h) of rows that the store has beside profile/describe.h:
// maps, lists of plain values, texts of a timeline.
#pragma once

#include <string>

#include "analysis/sizes/describe.h"
#include "profile/describe.h"
#include "profile/describe_records.h"

namespace ridge::store {

struct Opset {
  std::string domain;
  std::int64_t version = 0;
};
struct BindingRow {
  std::string name;
  analysis::Binding binding;
};
struct OptionRow {
  std::string name, value;
};
struct TimeRow {
  std::int64_t time_ns = 0;
};
/// A member, and what follows from all of them, for the views (views.h).
struct MemberRow {
  profile::Member member;
  bool home = false;   ///< this layer is the node's: profile::layers_of_nodes()
  bool leads = false;  ///< the layer's time stands at this node: profile::leading_member()
};
struct NoteRow {
  std::string note;
};
/// Interned text of a run's Timeline.
struct TextRow {
  std::string value;
};
/// Texts by their position in the table text.
struct AttributeRow {
  std::uint32_t key = 0, value = 0;
};
/// Node that a checked finding concerns.
struct CheckedNode {
  std::uint32_t node = 0;
};
/// Evaluation without its document.
struct EvaluationHead : profile::EvaluationRecord {};

/// All fields but the last.
template <std::size_t n>
constexpr std::array<record::Field, n - 1> without_last(
    const std::array<record::Field, n>& fields) {
  std::array<record::Field, n - 1> out;
  for (std::size_t i = 0; i + 1 < n; ++i) out[i] = fields[i];
  return out;
}

}  // namespace ridge::store

namespace ridge {

template <>
struct record::Describe<store::Opset> {
  using T = store::Opset;
  static constexpr std::array fields{field<&T::domain>("domain", "of operators"),
                                     field<&T::version>("version", "of the operator set")};
};

template <>
struct record::Describe<store::BindingRow> {
  using T = store::BindingRow;
  static constexpr std::array fields{field<&T::name>("name", "of the size"),
                                     inlined<&T::binding>()};
};

template <>
struct record::Describe<store::OptionRow> {
  using T = store::OptionRow;
  static constexpr std::array fields{field<&T::name>("name", "of the option"),
                                     field<&T::value>("value", "as given")};
};

template <>
struct record::Describe<store::TimeRow> {
  using T = store::TimeRow;
  static constexpr std::array fields{field<&T::time_ns>("time_ns", "of one run")};
};

template <>
struct record::Describe<store::MemberRow> {
  using T = store::MemberRow;
  static constexpr std::array fields{
      inlined<&T::member>(), field<&T::home>("home", "this layer is the node's"),
      field<&T::leads>("leads", "the layer's time stands at this node")};
};

template <>
struct record::Describe<store::NoteRow> {
  using T = store::NoteRow;
  static constexpr std::array fields{field<&T::note>("note", "what a reader must know")};
};

template <>
struct record::Describe<store::TextRow> {
  using T = store::TextRow;
  static constexpr std::array fields{field<&T::value>("value", "the text")};
};

template <>
struct record::Describe<store::AttributeRow> {
  using T = store::AttributeRow;
  static constexpr std::array fields{field<&T::key>("key", "position in text"),
                                     field<&T::value>("value", "position in text")};
};

template <>
struct record::Describe<store::CheckedNode> {
  using T = store::CheckedNode;
  static constexpr std::array fields{field<&T::node>("node", "of the model before the repair")};
};

template <>
struct record::Describe<store::EvaluationHead> {
  static constexpr auto fields = store::without_last(Describe<profile::EvaluationRecord>::fields);
};

}  // namespace ridge
