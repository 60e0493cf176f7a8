// SPDX-License-Identifier: Apache-2.0
// Results of trace queries for human readers, spreadsheets and programs.
//
//   write_trace_text(table, 20, sink);      // 0: all rows
//   write_trace_document(table, 0, sink);   // ridge.trace_query/1
//
// A null cell is "?" in text and Markdown, empty in CSV, null in JSON; the reason is below the
// table, in JSON in the description of the column.
#pragma once

#include <cstddef>

#include "base/sink.h"
#include "record/document_sink.h"
#include "trace/table.h"

namespace ridge::exports {

void write_trace_text(const trace::Table& table, std::size_t top, Sink& sink);
void write_trace_markdown(const trace::Table& table, std::size_t top, Sink& sink);
void write_trace_csv(const trace::Table& table, std::size_t top, Sink& sink);
void write_trace_document(const trace::Table& table, std::size_t top,
                          const record::DocumentSink& out);

}  // namespace ridge::exports
