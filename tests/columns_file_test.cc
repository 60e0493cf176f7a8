// SPDX-License-Identifier: Apache-2.0
// Columns files of every document (record/column_file.h) against the same document as JSON: the
// golden ones that a reader of ridge takes, and what the program prints in both formats.
#include <gtest/gtest.h>

#include "advice/record/describe.h"
#include "advice/record/scoreboard_describe.h"
#include "cli/schemas.h"
#include "evaluation/record/describe.h"
#include "generation/describe.h"
#include "machine/describe.h"
#include "record/column_file.h"
#include "record/json_read.h"
#include "record/json_write.h"
#include "record/testing/column_reader.h"
#include "workplace.h"

namespace ridge::tests {
namespace {

using record::testing::column_findings;
using ColumnFindings = record::testing::Findings;

/// Findings in the columns of a golden document, which is read and written again in both forms.
/// Golden figures are 1, which readers of profiles and plans refuse: PrintedColumns has these.
template <typename T>
ColumnFindings golden_columns() {
  std::string name(record::kType<T>.schema);
  name.replace(name.find('/'), 1, ".");
  const std::string text = read_text(source_tree() / "tests/golden" / (name + ".json"));
  const Result<T> document = record::read_json<T>(text);
  if (!document.ok()) return {document.error().text()};
  StringSink columns;
  record::write_columns(*document, columns);
  EXPECT_GT(record::testing::read_columns(columns.text()).tables.size(), 0U) << name;
  return column_findings(record::json_text(record::kType<T>, &*document), columns.text());
}

TEST(ColumnsFile, OfGoldenDocumentsSayWhatTheirJsonSays) {
  EXPECT_EQ(golden_columns<evaluation::Evaluation>(), ColumnFindings());
  EXPECT_EQ(golden_columns<generation::TokenGeneration>(), ColumnFindings());
  EXPECT_EQ(golden_columns<advice::Advice>(), ColumnFindings());
  EXPECT_EQ(golden_columns<advice::Scoreboard>(), ColumnFindings());
  EXPECT_EQ(golden_columns<machine::Document>(), ColumnFindings());
}

/// A document that a command prints, in both formats.
class PrintedColumns : public ::testing::TestWithParam<const char*> {};

TEST_P(PrintedColumns, SayWhatTheJsonSays) {
  const Workplace place;
  const std::string command = GetParam();
  const Outcome outcome =
      place.run(command + " --format json > d.json; " + command + " --format columns > d.columns");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string columns = read_text(place.folder() / "there/d.columns");
  ASSERT_GT(record::testing::read_columns(columns).tables.size(), 0U);
  EXPECT_EQ(column_findings(read_text(place.folder() / "there/d.json"), columns), ColumnFindings());
}

INSTANTIATE_TEST_SUITE_P(
    Verbs, PrintedColumns,
    ::testing::Values(
        "ridge analyze zoo:resnet18 --convention timm", "ridge analyze plain.onnx --symbolic",
        "ridge analyze unknown_operator.onnx --traffic",
        "ridge analyze plain.onnx --cache 8MiB --fuse runtime",
        "ridge analyze plain.onnx --bind batch=1,2", "ridge diff before.onnx after.onnx",
        "ridge accel before.onnx --machine gemmini-16 --bind batch=1,2",
        "ridge compare ort.json openvino.json", "ridge explain ort.json layer:0",
        "ridge runs add runs.db run.json; ridge runs list runs.db",
        "ridge runs add runs.db run.json; ridge runs show runs.db 1",
        "ridge runs add runs.db run.json ort.json; ridge runs show runs.db 1 2",
        "ridge eval plain.onnx --runtime null --scenario server --qps 500 --arrivals bursty:4 "
        "--duration 50ms --min-queries 5 --store runs.db > eval.txt || true; ridge runs show "
        "runs.db evaluation:1",
        "cp \"$RIDGE_SOURCE\"/tests/data/imports/ort_squeezenet1_1.json .; ridge import "
        "ort_squeezenet1_1.json --model zoo:squeezenet1_1 --bind batch=1",
        "ridge trace list", "ridge trace query A2 ort.json", "ridge trace query A3 spans.json",
        "ridge roofline run.json", "ridge zoo list",
        "rm -rf suite; ridge bricks plan before.onnx after.onnx --bind batch=2 --out suite"));

TEST(ColumnsFile, OfEveryDocumentHaveNamesOfTheirOwn) {
  for (const record::Type* type : cli::documents()) {
    struct Written {
      const record::Type& type;
      ColumnFindings findings;
    } written{*type, {}};
    type->with_new(&written, [](void* context, void* document) {
      auto& w = *static_cast<Written*>(context);
      StringSink columns;
      record::write_columns(w.type, document, columns);
      w.findings = column_findings(record::json_text(w.type, document), columns.text());
    });
    EXPECT_EQ(written.findings, ColumnFindings()) << type->schema;
  }
}

}  // namespace
}  // namespace ridge::tests
