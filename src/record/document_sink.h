// SPDX-License-Identifier: Apache-2.0
// Where a described document goes, and in which form. A writer that takes one of these in place of
// a Sink says what the document is; its forms follow from the description.
//
//   void write_diff(const Diff& diff, const DocumentSink& out) { out.write(view_of(diff)); }
//   write_diff(diff, sink);                            // JSON
//   write_diff(diff, {sink, DocumentForm::kColumns});
//
// Ownership: borrows the sink. Thread rule: as the sink.
#pragma once

#include <cstdint>

#include "base/sink.h"
#include "record/column_file.h"
#include "record/json_write.h"

namespace ridge::record {

enum class DocumentForm : std::uint8_t { kJson, kColumns };

class DocumentSink {
 public:
  // Implicit: a document goes to a plain sink as JSON. NOLINTNEXTLINE(google-explicit-constructor)
  DocumentSink(Sink& sink, DocumentForm form = DocumentForm::kJson) : sink_(sink), form_(form) {}

  template <typename T>
  void write(const T& document) const {
    if (form_ == DocumentForm::kJson)
      write_json(document, sink_);
    else
      write_columns(document, sink_);
  }

 private:
  Sink& sink_;
  DocumentForm form_;
};

}  // namespace ridge::record
