// SPDX-License-Identifier: Apache-2.0
// The writers of a result, one for each format of it: what --format offers is what has a writer.
// JSON and columns have one together, which hands on what is described.
//
//   constexpr Document<const Diff&, const DiffPage&> kDiffDocument = {
//       .table = exports::write_diff_text,
//       .described = [](auto& diff, auto&, auto& out) { out.write(diff); },
//   };
//   // table, json or columns:
//   add_document_options(flags, o.format, o.output, kDiffDocument.formats());
//   kDiffDocument.write(o.format, diff, page, output.sink());
//
// A verb that prints several results compares their formats by static_assert. Constants, without
// cost before something is written. Thread rule: pure.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/sink.h"
#include "record/document_sink.h"

namespace ridge::cli {

/// All formats, in the order in which the help lists them.
inline constexpr std::array<std::string_view, 9> kFormats = {
    "table", "json", "csv", "md", "trace", "svg", "html", "latex", "columns"};
/// The formats that are offered; "" in place of the others.
using OfferedFormats = std::array<std::string_view, kFormats.size()>;

/// The formats of verbs that print several results.
inline constexpr OfferedFormats kUsualFormats = {"table", "json", "csv", "md",     "",
                                                 "",      "",     "",    "columns"};

/// The form of a format that has one; nullopt: its text is not made from a description.
constexpr std::optional<record::DocumentForm> document_form(std::string_view format) {
  if (format == "json") return record::DocumentForm::kJson;
  if (format == "columns") return record::DocumentForm::kColumns;
  return std::nullopt;
}

/// `Shown`: parameters of the writers, before the sink: the result, and what else they need.
template <typename... Shown>
struct Document {
  using Writer = void (*)(Shown..., Sink&);
  using Describing = void (*)(Shown..., const record::DocumentSink&);
  /// By format; nullptr: not offered. The table, the default, is never left out.
  Writer table;
  Describing described = nullptr;  ///< json and columns
  Writer csv = nullptr, md = nullptr, trace = nullptr, svg = nullptr, html = nullptr,
         latex = nullptr;

  constexpr OfferedFormats formats() const {
    OfferedFormats out;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (document_form(kFormats[i]) ? described != nullptr : writers()[i] != nullptr)
        out[i] = kFormats[i];
    return out;
  }

  /// `format`: one of formats(); anything else is written as the table.
  void write(std::string_view format, Shown... shown, Sink& sink) const {
    if (const auto form = document_form(format); form && described != nullptr)
      return described(shown..., {sink, *form});
    Writer writer = nullptr;
    for (std::size_t i = 0; i < kFormats.size(); ++i)
      if (kFormats[i] == format) writer = writers()[i];
    (writer == nullptr ? table : writer)(shown..., sink);
  }

 private:
  constexpr std::array<Writer, kFormats.size()> writers() const {
    return {table, nullptr, csv, md, trace, svg, html, latex, nullptr};
  }
};

}  // namespace ridge::cli
