// SPDX-License-Identifier: Apache-2.0
// The writers of a result, one for each format of it: what --format offers is what has a writer.
//
//   constexpr Document<const Diff&, const DiffPage&> kDiffDocument = {
//       .table = exports::write_diff_text,
//       .json = [](const auto& diff, const auto&, Sink& sink) { record::write_json(diff, sink); },
//   };
//   add_document_options(flags, o.format, o.output, kDiffDocument.formats());  // table or json
//   kDiffDocument.write(o.format, diff, page, output.sink());
//
// A verb that prints several results compares their formats by static_assert. Constants, without
// cost before something is written. Thread rule: pure.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/sink.h"

namespace ridge::cli {

/// All formats, in the order in which the help lists them.
inline constexpr std::array<std::string_view, 7> kFormats = {"table", "json", "csv", "md",
                                                             "trace", "svg",  "html"};
/// The formats that are offered; "" in place of the others.
using OfferedFormats = std::array<std::string_view, kFormats.size()>;

/// The formats of verbs that print several results.
inline constexpr OfferedFormats kUsualFormats = {"table", "json", "csv", "md", "", "", ""};

/// `Shown`: parameters of the writers, before the sink: the result, and what else they need.
template <typename... Shown>
struct Document {
  using Writer = void (*)(Shown..., Sink&);
  /// By format; nullptr: not offered. The table, the default, is never left out.
  Writer table, json = nullptr, csv = nullptr, md = nullptr, trace = nullptr, svg = nullptr,
                html = nullptr;

  constexpr OfferedFormats formats() const {
    OfferedFormats out;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (writers()[i] != nullptr) out[i] = kFormats[i];
    return out;
  }

  /// `format`: one of formats(); anything else is written as the table.
  void write(std::string_view format, Shown... shown, Sink& sink) const {
    Writer writer = nullptr;
    for (std::size_t i = 0; i < kFormats.size(); ++i)
      if (kFormats[i] == format) writer = writers()[i];
    (writer == nullptr ? table : writer)(shown..., sink);
  }

 private:
  constexpr std::array<Writer, kFormats.size()> writers() const {
    return {table, json, csv, md, trace, svg, html};
  }
};

}  // namespace ridge::cli
