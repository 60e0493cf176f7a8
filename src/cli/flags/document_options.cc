// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/document_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <variant>
#include <vector>

namespace ridge::cli {
namespace {

struct KnownEnding {
  std::string_view ending, format;
};

constexpr std::array kEndings = {
    KnownEnding{".json", "json"},   KnownEnding{".json", "trace"},
    KnownEnding{".csv", "csv"},     KnownEnding{".md", "md"},
    KnownEnding{".markdown", "md"}, KnownEnding{".svg", "svg"},
    KnownEnding{".html", "html"},   KnownEnding{".htm", "html"},
    KnownEnding{".txt", "table"},   KnownEnding{".columns", "columns"},
    KnownEnding{".tex", "latex"},
};

using Formats = std::vector<std::string>;

bool writes(const Formats& formats, std::string_view format) {
  return std::ranges::find(formats, format) != formats.end();
}

/// Joins formats for the help: "table, json, csv or md".
std::string alternatives(const Formats& formats) {
  std::string out;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    out += i == 0 ? "" : i + 1 == formats.size() ? " or " : ", ";
    out += formats[i] == "trace" ? "trace (Chrome trace events)" : formats[i];
  }
  return out;
}

/// Formats of files with the ending of `output`; empty if the ending is unknown.
Formats formats_of(std::string_view output) {
  Formats out;
  for (const KnownEnding& known : kEndings)
    if (output.ends_with(known.ending)) out.emplace_back(known.format);
  return out;
}

std::string_view output_ending(std::string_view output) { return output.substr(output.rfind('.')); }

Error contradiction(const std::string& format, const std::string& output) {
  std::string_view ending;
  for (const KnownEnding& known : kEndings)
    if (ending.empty() && known.format == format) ending = known.ending;
  const std::string stem = output.substr(0, output.rfind('.'));
  return usage_error("RIDGE-CLI-0070",
                     fmt::format("--format {} contradicts --output {}", format, output))
      .hint(fmt::format("name the file {}{}, or omit --format", stem, ending));
}

Error unsupported_format(const Formats& formats, const std::string& output) {
  return usage_error("RIDGE-CLI-0073", fmt::format("--output {}: unsupported format {}", output,
                                                   output_ending(output)))
      .hint(fmt::format("supported formats: {}", alternatives(formats)));
}

void add_file(Flags& flags, const std::string& names, std::string& path, std::string_view help) {
  flags.add(names, path, std::string(help)).writes(Writes::kFile);
}

}  // namespace

void add_document_options(Flags& flags, std::string& format, std::string& output,
                          const OfferedFormats& formats, std::string_view output_help) {
  Formats known(formats.begin(), formats.end());
  std::erase(known, "");
  const Flag& given =
      flags.add("--format", format, alternatives(known) + "; default: by the ending of --output")
          .one_of(known);
  add_file(flags, "-o,--output", output, output_help);
  flags.after([&format, &output, known, &given] {
    const Formats possible = formats_of(output);
    if (given.given > 0 && !possible.empty() && !writes(possible, format))
      throw InvalidOption(contradiction(format, output));
    if (given.given == 0 && !possible.empty()) {
      const auto first =
          std::ranges::find_if(possible, [&](const std::string& f) { return writes(known, f); });
      if (first == possible.end()) throw InvalidOption(unsupported_format(known, output));
      format = *first;
    }
  });
}

Result<void> check_terminal(const Flags& flags, bool out_is_terminal) {
  std::string format, output;
  for (const Flag& row : flags.rows()) {
    const auto* text = std::get_if<std::string*>(&row.target);
    if (text == nullptr) continue;
    for (const std::string& name : row.long_names()) {
      if (name == "format") format = **text;
      if (name == "output") output = **text;
    }
  }
  if (!out_is_terminal || format != "columns" || (!output.empty() && output != "-")) return {};
  return usage_error("RIDGE-CLI-0074", "columns are binary, and standard output is a terminal")
      .hint("write a file: -o FILE.columns");
}

void add_output_option(Flags& flags, std::string& output) {
  add_file(flags, "-o,--output", output, kOutputHelp);
}

void add_report_option(Flags& flags, std::string& report) {
  add_file(flags, "--report", report, "write the report, one HTML file, to this path");
}

}  // namespace ridge::cli
