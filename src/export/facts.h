// What is known of one thing, for people: a title, and a line for each thing that is said of it.
//
//   Facts f{"node #0 '/fc/MatMul', MatMul of opset 17", {{"MACs", "32"}}};
//   write_text(f, sink);       // the title, "  MACs       32"
//   write_markdown(f, sink);   // a table with the title in its head
//
// Texts may be hostile (names of models); each format makes them safe in its own way.
#pragma once

#include <string>
#include <vector>

#include "base/sink.h"

namespace ridge::exports {

struct FactRow {
  std::string key;  ///< "" goes on with what the line before says
  std::string value;
};

struct Facts {
  std::string title;
  std::vector<FactRow> rows;
};

void write_text(const Facts& facts, Sink& sink);
void write_markdown(const Facts& facts, Sink& sink);

}  // namespace ridge::exports
