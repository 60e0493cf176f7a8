// SPDX-License-Identifier: Apache-2.0
// Writes a described document as a columns file, ridge.columns/1 (docs/reference/columns.md): its
// lists of records as tables in columns, and the rest of it as JSON.
//
//   write_columns(analysis, sink);        // tables "nodes", "modules", "inputs", "outputs"
//
// The rule: each list of records at the top level of the document is a table, and a list of maps
// with scalar values is one, whose columns are the keys. A field of a row has the name that it has
// in JSON; a record in a row has the columns of its fields, each named FIELD_INNER. So "time_ns"
// {median, ci95: [low, high]} becomes time_ns_median, time_ns_ci95_low and time_ns_ci95_high.
// Lists, maps and variants of records in a row are JSON text. What is null or left out in JSON is
// null. Fields that are in documents alone, computed ones too, have columns; fields of rows alone
// have none (other than in columns.h).
//
// Thread rule: pure. Memory: one table at a time: its texts without the longest column, whose texts
// are written while rows are added, and its numbers in few bytes each (number_blocks.h).
// Cost: analyses of 200,000 nodes take about a third more processor time than as JSON, and 22 MiB
// (a chain) or 12 MiB (blocks) more memory (bench/columns_process.py, on a busy machine: 1.36, 95 %
// interval 1.24 to 1.43, and 1.33, 1.23 to 1.55).
#pragma once

#include "base/sink.h"
#include "record/describe.h"

namespace ridge::record {

/// `document`: a record. The sink gets the whole file, from its first byte on.
void write_columns(const Type& type, const void* document, Sink& sink);

template <typename T>
void write_columns(const T& document, Sink& sink) {
  write_columns(kType<T>, &document, sink);
}

}  // namespace ridge::record
