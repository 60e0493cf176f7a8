// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/operators_verb.h"

#include <memory>

#include "cli/flags/document_options.h"
#include "export/analysis/operator_text.h"

namespace ridge::cli {
namespace {

std::string operators_text() {
  std::string out;
  for (const std::string_view domain : exports::operator_domains())
    out += (out.empty() ? "" : "\n") + std::string(exports::domain_name(domain)) + "\n" +
           exports::operator_table(domain).text();
  return out;
}

constexpr Document<> kOperatorsDocument = {
    .table = [](Sink& sink) { sink.write(operators_text()); },
    .csv = [](Sink& sink) { sink.write(exports::operator_rows().csv()); },
    .md = [](Sink& sink) { sink.write(exports::operators_page()); }};

Result<void> run_operators(const OperatorsOptions& options, Console& console) {
  Output output = TRY(Output::open(options.output, console));
  kOperatorsDocument.write(options.format, output.sink());
  return output.close();
}

}  // namespace

int operators(const OperatorsOptions& options, Console& console) {
  const Result<void> done = run_operators(options, console);
  return done.ok() ? kDone : report(console, done.error());
}

Run setup_operators(Flags& flags) {
  auto options = std::make_shared<OperatorsOptions>();
  add_document_options(flags, options->format, options->output, kOperatorsDocument.formats());
  return [options](Console& console) { return operators(*options, console); };
}

}  // namespace ridge::cli
