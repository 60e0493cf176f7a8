#include "cli/console.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "base/file_writer.h"
#include "base/text.h"

namespace ridge::cli {

class Output::FileSink final : public Sink {
 public:
  FileSink(std::string path, FileWriter file) : path_(std::move(path)), file_(std::move(file)) {}

  void write(std::string_view text) override {
    if (!failure_.ok()) return;
    failure_ = file_.write(text);
    bytes_ += text.size();
  }

  Result<void> commit() {
    TRY(std::move(failure_));
    return file_.commit();
  }

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
};

Output::Output(Console& console, std::unique_ptr<FileSink> file)
    : console_(&console), file_(std::move(file)) {}
Output::Output(Output&&) noexcept = default;
Output& Output::operator=(Output&&) noexcept = default;
Output::~Output() = default;

Result<Output> Output::open(const std::string& path, Console& console) {
  if (path.empty() || path == "-") return Output(console, nullptr);
  return Output(console, std::make_unique<FileSink>(path, TRY(FileWriter::create(path))));
}

Sink& Output::sink() { return file_ ? static_cast<Sink&>(*file_) : console_->out; }

Result<void> Output::close() {
  if (!file_) return console_->flush_out();
  TRY(file_->commit());
  console_->err.write(file_->written());
  return {};
}

Result<void> Output::write(const std::string& path, std::string_view document, Console& console) {
  Output output = TRY(open(path, console));
  output.sink().write(document);
  return output.close();
}

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
