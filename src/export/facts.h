// SPDX-License-Identifier: Apache-2.0
// Facts about one subject, for human readers: a title, and a line per fact.
//
//   Facts f{"node #0 '/fc/MatMul', MatMul of opset 17", {{"MACs", "32"}}};
//   write_text(f, sink);       // the title, "  MACs       32"
//   write_markdown(f, sink);   // a table with the title in its head
//
// Texts are untrusted (names of models); each format escapes them in its own way.
#pragma once

#include <string>
#include <vector>

#include "base/sink.h"

namespace ridge::exports {

struct FactRow {
  std::string key;  ///< "": continues the previous row
  std::string value;
};

struct Facts {
  std::string title;
  std::vector<FactRow> rows;
};

void write_text(const Facts& facts, Sink& sink);
void write_markdown(const Facts& facts, Sink& sink);

}  // namespace ridge::exports
