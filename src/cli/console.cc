#include "cli/console.h"

#include <optional>

#include "base/file_writer.h"
#include "base/text.h"

namespace ridge::cli {

class Output::FileSink final : public Sink {
 public:
  explicit FileSink(FileWriter file) : file_(std::move(file)) {}

  void write(std::string_view text) override {
    if (!failure_.ok()) return;
    failure_ = file_.write(text);
  }

  Result<void> commit() {
    TRY(std::move(failure_));
    return file_.commit();
  }

 private:
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
  return Output(console, std::make_unique<FileSink>(TRY(FileWriter::create(path))));
}

Sink& Output::sink() { return file_ ? static_cast<Sink&>(*file_) : console_->out; }

Result<void> Output::close() { return file_ ? file_->commit() : Result<void>(); }

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
