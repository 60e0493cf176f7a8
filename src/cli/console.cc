// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/file.h"
#include "base/file_writer.h"
#include "base/temporary_folder.h"
#include "base/text.h"

namespace ridge::cli {

class Output::FileSink final : public Sink {
 public:
  FileSink(std::string path, FileWriter file) : path_(std::move(path)), file_(std::move(file)) {}

  void write(std::string_view text) override {
    if (file_.in_place() || !failure_.ok()) kept_ += text;
    if (failure_.ok()) {
      failure_ = file_.write(text);
      if (!failure_.ok() && !file_.in_place()) kept_ = file_.read_back(bytes_).append(text);
    }
    bytes_ += text.size();
  }

  Result<void> commit() {
    TRY(std::move(failure_));
    Result<void> done = file_.commit();
    if (!done.ok() && !file_.in_place()) kept_ = file_.read_back(bytes_);
    return done;
  }

  const std::string& path() const { return path_; }
  /// The document, or what can still be read of it, after commit() has failed.
  std::string take_document() { return std::move(kept_); }
  /// False if the document cannot be read any more.
  bool is_whole() const { return kept_.size() == bytes_; }

  /// "wrote run.json (12.3 kB)"; empty for a pipe or a device.
  std::string written() const {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(path_, unknown)) return "";
    const std::string size = si(static_cast<double>(bytes_));
    return fmt::format("wrote {} ({}{}B)\n", printable(path_), size, bytes_ < 1000 ? " " : "");
  }

 private:
  std::string path_;
  std::size_t bytes_ = 0;
  FileWriter file_;
  Result<void> failure_;
  std::string kept_;  ///< text that was written in place, or all after a failure
};

namespace {

/// ".json" of "out/run.json"; "" without an ending.
std::string file_ending(std::string_view path) {
  return std::filesystem::path(path).extension().string();
}

/// Writes the document to a new file in the temporary folder and returns its path.
Result<std::string> write_aside(std::string_view path, std::string_view document) {
  std::string aside = TRY(new_temporary_file("document", file_ending(path)));
  if (Result<void> written = write_file(aside, document); !written.ok()) {
    std::error_code ignored;
    std::filesystem::remove(aside, ignored);
    return std::move(written).error();
  }
  return aside;
}

Error with_evidence(Error error, std::string text) {
  const std::string before = error.evidence();
  return std::move(error).evidence(before.empty() ? std::move(text) : before + "; " + text);
}

}  // namespace

Output::Output(Console& console, std::unique_ptr<FileSink> file)
    : console_(&console), file_(std::move(file)) {}
Output::Output(Output&&) noexcept = default;
Output& Output::operator=(Output&&) noexcept = default;
Output::~Output() = default;

Result<Output> Output::open(const std::string& path, Console& console) {
  if (path.empty() || path == "-") {
    console.out_has_document = true;
    return Output(console, nullptr);
  }
  return Output(console, std::make_unique<FileSink>(path, TRY(FileWriter::create(path))));
}

Sink& Output::sink() { return file_ ? static_cast<Sink&>(*file_) : console_->out; }

Result<void> Output::close() {
  if (!file_) {
    TRY(console_->flush_out());
    place_ = "-";
    return {};
  }
  Result<void> done = file_->commit();
  if (done.ok()) {
    place_ = file_->path();
    console_->err.write(file_->written());
    return {};
  }
  if (!file_->is_whole())
    return with_evidence(std::move(done).error(), "the document cannot be read back");
  return saved(file_->path(), file_->take_document(), std::move(done).error());
}

/// The error of a file, with the place that its document went to instead.
Error Output::saved(std::string_view path, std::string document, Error why) {
  // A binary document is not for a terminal.
  const bool fits = !console_->out_is_terminal || document.find('\0') == std::string::npos;
  if (!console_->out_has_document && fits) {
    console_->out_has_document = true;
    console_->out.write(document);
    if (console_->flush_out().ok()) {
      place_ = "-";
      return with_evidence(std::move(why), "standard output contains the document");
    }
  }
  Result<std::string> aside = write_aside(path, document);
  if (!aside.ok()) return with_evidence(std::move(why), aside.error().summary());
  place_ = std::move(*aside);
  return with_evidence(std::move(why), place_ + " contains the document");
}

Result<void> Output::write(const std::string& path, std::string_view document, Console& console) {
  return write(
      path, [&](Sink& sink) { sink.write(document); }, console);
}

Result<void> Output::write(const std::string& path, const std::function<void(Sink&)>& document,
                           Console& console) {
  Result<Output> output = open(path, console);
  if (!output.ok()) {
    StringSink text;
    document(text);
    return Output(console, nullptr).saved(path, text.text(), std::move(output).error());
  }
  document(output->sink());
  return output->close();
}

void Writing::failed(const Error& error) { status_ = report(*console_, error); }

int report(Console& console, const Error& error) {
  console.err.write(error.text());
  switch (error.error_class()) {
    case ErrorClass::kInput:
      return kRejected;
    case ErrorClass::kEnvironment:
      return kEnvironment;
    case ErrorClass::kUsage:
      return kUsage;
    case ErrorClass::kBug:
      break;
  }
  return kBug;
}

void warn(Console& console, std::string_view file, std::string_view text) {
  const std::string source = file.empty() ? "" : printable(file) + ": ";
  console.err.write("warning: " + source + printable(text) + "\n");
}

}  // namespace ridge::cli
