// --format, --output and --report as every verb has them.
//
//   add_document_options(app, o.format, o.output, {"table", "json", "csv", "md"});
//   add_report_option(app, o.report);
//
// Without --format the ending of --output chooses: run.json, layers.csv, page.md, roofs.svg,
// report.html, all.txt (a table). An ending that chooses no format (run.log) leaves the default.
// Everything is checked while the command line is read, before anything is measured. Errors: usage
// class where the ending contradicts --format or names a format that the verb does not write;
// environment class where the file cannot be written there.
#pragma once

#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace CLI {
class App;
}

namespace ridge::cli {

/// An option that was read and cannot be; thrown through the parser, caught where it was called.
class WrongOption : public std::exception {
 public:
  explicit WrongOption(Error error) : error_(std::move(error)) {}
  const char* what() const noexcept override { return error_.message().c_str(); }
  const Error& error() const { return error_; }

 private:
  Error error_;
};

inline constexpr std::string_view kOutputHelp = "write the document to this file";

/// `format` holds the default. The first format of an ending is the one that it chooses.
void add_document_options(CLI::App& app, std::string& format, std::string& output,
                          std::initializer_list<std::string_view> formats,
                          std::string_view output_help = kOutputHelp);

/// Alone, where no format is chosen by it.
void add_output_option(CLI::App& app, std::string& output);

/// An HTML page beside the document.
void add_report_option(CLI::App& app, std::string& report);

}  // namespace ridge::cli
