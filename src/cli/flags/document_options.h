// SPDX-License-Identifier: Apache-2.0
// Options --format, --output and --report, common to the verbs.
//
//   add_document_options(flags, o.format, o.output, kDiffDocument.formats());
//   add_report_option(flags, o.report);
//
// Without --format, the ending of --output selects the format: run.json, layers.csv, page.md,
// roofs.svg, report.html, all.txt (a table). Other endings (run.log) select the default. All checks
// are made while the command line is parsed, before measuring. Errors: usage class if the ending
// contradicts --format or belongs to a format that the verb does not write, and for columns on a
// terminal; environment class if the file cannot be created.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "cli/document.h"
#include "cli/flags/flags.h"

namespace ridge::cli {

/// Error of an option's value. Thrown through CLI11's parser and caught by its caller.
class InvalidOption : public std::exception {
 public:
  explicit InvalidOption(Error error) : error_(std::move(error)) {}
  const char* what() const noexcept override { return error_.message().c_str(); }
  const Error& error() const { return error_; }

 private:
  Error error_;
};

inline constexpr std::string_view kOutputHelp = "write the document to this file";

/// Adds --format and --output. `format`: initially the default. An ending that several formats
/// share (.json) selects the first of them in the table of endings that the verb writes.
void add_document_options(Flags& flags, std::string& format, std::string& output,
                          const OfferedFormats& formats,
                          std::string_view output_help = kOutputHelp);

/// After parsing: refuses columns, which are binary, on a terminal.
Result<void> check_terminal(const Flags& flags, bool out_is_terminal);

/// Adds --output alone; its ending does not select a format.
void add_output_option(Flags& flags, std::string& output);

/// Adds --report, an HTML page in addition to the document.
void add_report_option(Flags& flags, std::string& report);

}  // namespace ridge::cli
