// SPDX-License-Identifier: Apache-2.0
#include "export/facts.h"

#include <fmt/format.h>

#include "base/text.h"
#include "export/table.h"

namespace ridge::exports {

void write_text(const Facts& facts, Sink& sink) {
  std::string out = printable(facts.title) + "\n";
  for (const FactRow& fact : facts.rows)
    out += fmt::format("  {:<10} {}\n", printable(fact.key), printable(fact.value));
  sink.write(out);
}

void write_markdown(const Facts& facts, Sink& sink) {
  Table table({{"subject"}, {facts.title}});
  for (const FactRow& fact : facts.rows) table.add({fact.key, fact.value});
  sink.write(table.markdown());
}

}  // namespace ridge::exports
