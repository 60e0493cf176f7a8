#include "cli/verbs/operators_verb.h"

#include <memory>

#include "cli/flags/document_options.h"
#include "export/analysis/operator_text.h"

namespace ridge::cli {
namespace {

std::string document(const std::string& format) {
  if (format == "md") return exports::operators_page();
  if (format == "csv") return exports::operator_rows().csv();
  std::string out;
  for (const std::string_view domain : exports::operator_domains())
    out += (out.empty() ? "" : "\n") + std::string(exports::domain_name(domain)) + "\n" +
           exports::operator_table(domain).text();
  return out;
}

Result<void> run_operators(const OperatorsOptions& options, Console& console) {
  Output output = TRY(Output::open(options.output, console));
  output.sink().write(document(options.format));
  return output.close();
}

}  // namespace

int operators(const OperatorsOptions& options, Console& console) {
  const Result<void> done = run_operators(options, console);
  return done.ok() ? kDone : report(console, done.error());
}

Run setup_operators(Flags& flags) {
  auto options = std::make_shared<OperatorsOptions>();
  add_document_options(flags, options->format, options->output, {"table", "csv", "md"});
  return [options](Console& console) { return operators(*options, console); };
}

}  // namespace ridge::cli
