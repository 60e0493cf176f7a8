// SPDX-License-Identifier: Apache-2.0
#include "record/schema.h"

#include <gtest/gtest.h>

#include "record/testing/made.h"

namespace ridge::record {
namespace {

using namespace testing;

std::string schema_of(const Type& type) {
  StringSink sink;
  write_schema(type, sink);
  return sink.text();
}

TEST(Schema, DescribesEachKey) {
  EXPECT_EQ(schema_of(kType<Layer>), R"({
"$schema":"https://json-schema.org/draft/2020-12/schema",
"title":"layer",
"description":"","type":"object","required":["name","color","time_ns","percent","parent"],
"properties":{
"name":{"description":"name in the model","type":"string"},
"color":{"description":"its color","enum":["red","green","dark-blue"]},
"time_ns":{"description":"time of a run","type":"object","required":["median","ci95"],
"properties":{
"median":{"description":"middle of the samples","type":["number","null"]},
"ci95":{"description":"interval of the median","type":["array","null"],"minItems":2,"maxItems":2,"items":{"type":["number","null"]}}
}},
"percent":{"description":"part of the time","type":["number","null"]},
"parent":{"description":"layer that holds it","type":["integer","null"]}
}
}
)");
}

TEST(Schema, PageIsATableOfKeys) {
  EXPECT_EQ(schema_page(kType<Made>), R"(## ridge.made/2

A document that uses every feature.

| key | type | meaning |
| --- | --- | --- |
| `schema` | `"ridge.made/2"` | name and version of this document |
| `fast` | boolean | whether it is fast |
| `level` | integer | a level below 0 or above |
| `seed` | integer or null | seed of all that is drawn |
| `threads` | integer | threads of a run |
| `ratio` | number or null | a ratio |
| `load_per_s` | number or null | load |
| `queries_per_s` | number or null | twice the load |
| `title` | string or null | title |
| `dtype` | `float32`, `int8` | element type |
| `color` | `red`, `green`, `dark-blue` | color of all |
| `half_wait_ns` | integer | half of the wait |
| `shape` | object | shape of it |
| `shape.kind` | `circle`, `box` | which of them |
| `shape.radius_m` | number or null | radius |
| `shape.width` | integer | size to the right |
| `shape.height` | integer | size upwards |
| `shape.edges` | array | where it is cut |
| `host_name` | string | where it was made |
| `tool` | string or null | what made it |
| `layers` | array | layers in their order |
| `layers[].name` | string | name in the model |
| `layers[].color` | `red`, `green`, `dark-blue` | its color |
| `layers[].time_ns` | object | time of a run |
| `layers[].time_ns.median` | number or null | middle of the samples |
| `layers[].time_ns.ci95` | array or null | interval of the median |
| `layers[].percent` | number or null | part of the time |
| `layers[].parent` | integer or null | layer that holds it |
| `sizes` | array | sizes that are run |
| `notes` | array | notes for people |
| `grid` | array | rows and columns |
| `bindings` | object | sizes by name |
| `options` | object | options of a runtime |
| `excess_ns` | object or null | time that is too much |
| `excess_ns.median` | number or null | middle of the samples |
| `excess_ns.ci95` | array or null | interval of the median |
| `reason` | string or null | why it is not known |
| `host` | any | host as another tool describes it |
| `added` | integer | a later member |
)");
}

}  // namespace
}  // namespace ridge::record
