// SPDX-License-Identifier: Apache-2.0
// A resolved model as ridge.analysis/1 (data/schema/ridge.analysis.1.json).
//
// Within a version, keys are only added. A dimension or count is an integer, an expression as text,
// or null where it cannot be known. A total that lacks a node is null, `incomplete` names it and
// `at_least` is the sum of the known nodes. An omitted input is an entry of kind "absent", so that
// positions match the operator's inputs.
// Cost: 200,000 nodes in about 0.2 s; memory for one row and the writer's buffer.
#pragma once

#include "analysis/resolved.h"
#include "export/analysis/document.h"
#include "export/analysis/tensors.h"
#include "record/document_sink.h"

namespace ridge::exports {

/// The document, as long as this object and what it is made of live. Where a size of an input is
/// free, it has the totals as expressions too.
class Analysis {
 public:
  Analysis(const analysis::Resolved& resolved, const AnalysisDocument& options);
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;
  ~Analysis() = default;

  const AnalysisView& view() const { return view_; }

 private:
  void set_tensors();
  void set_totals();
  void set_traffic_totals();
  void set_convention();

  const analysis::Resolved& r_;
  AnalysisDocument options_;
  Tensors tensors_;
  AnalysisView view_;
};

/// Writes the document and a newline.
void write_analysis_document(const analysis::Resolved& resolved, const AnalysisDocument& options,
                             const record::DocumentSink& out);

}  // namespace ridge::exports
