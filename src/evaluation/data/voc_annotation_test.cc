// SPDX-License-Identifier: Apache-2.0
// Annotations of Pascal VOC: what is read, and what is refused.
#include "evaluation/data/voc_annotation.h"

#include <gtest/gtest.h>

#include <string>

namespace ridge::evaluation {
namespace {

std::string annotation_error(std::string_view xml) {
  const auto read = parse_voc_annotation(xml);
  return read.ok() ? "read" : read.error().message();
}

std::string object(std::string_view inside) {
  return "<annotation><object>" + std::string(inside) + "</object></annotation>";
}

TEST(VocAnnotation, ObjectsHaveNamesBoxesAndDifficulty) {
  const auto read = parse_voc_annotation(
      "<annotation><size><width>9</width></size>\n"
      "<object><name> dog </name><bndbox><xmin>48.5</xmin><ymin>240</ymin><xmax>195</xmax>"
      "<ymax>371</ymax></bndbox><difficult>1</difficult></object>\n"
      "<object><name>cat</name><bndbox><xmax>2</xmax><ymax>2</ymax><xmin>1</xmin><ymin>1</ymin>"
      "</bndbox><part><name>head</name><bndbox><xmin>x</xmin></bndbox></part></object>"
      "</annotation>");
  ASSERT_TRUE(read.ok()) << read.error().text();
  ASSERT_EQ(read->size(), 2U);
  const VocObject& dog = read->at(0);
  EXPECT_EQ(dog.name, "dog");
  EXPECT_TRUE(dog.difficult);
  EXPECT_DOUBLE_EQ(dog.box.x, 48.5);
  EXPECT_DOUBLE_EQ(dog.box.y, 240);
  EXPECT_DOUBLE_EQ(dog.box.width, 147.5);
  EXPECT_DOUBLE_EQ(dog.box.height, 132);
  const VocObject& cat = read->at(1);
  EXPECT_EQ(cat.name, "cat");
  EXPECT_FALSE(cat.difficult);
  EXPECT_DOUBLE_EQ(cat.box.width, 2);
}

TEST(VocAnnotation, AnImageWithoutObjectsHasNone) {
  const auto read = parse_voc_annotation("<annotation><folder>VOC2012</folder></annotation>");
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->empty());
}

TEST(VocAnnotation, FaultsAreStatedWithTheirLine) {
  EXPECT_EQ(annotation_error("<annotation>\n<object>"), "line 2: no element found");
  EXPECT_EQ(annotation_error("<html></html>"), "line 1: its root is not <annotation>");
  EXPECT_EQ(annotation_error(object("<name>dog</name>")), "line 1: an object without xmin");
  EXPECT_EQ(annotation_error(object("<bndbox><xmin>wide</xmin></bndbox>")),
            "line 1: 'wide' is no number");
  EXPECT_EQ(
      annotation_error(object("<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax>"
                              "</bndbox>")),
      "line 1: an object without name");
  EXPECT_EQ(
      annotation_error(object("<name>dog</name><bndbox><xmin>5</xmin><ymin>1</ymin><xmax>4</xmax>"
                              "<ymax>2</ymax></bndbox>")),
      "line 1: an object whose second corner is before its first");
}

TEST(VocAnnotation, EntitiesAndDepthAreRefused) {
  EXPECT_EQ(annotation_error("<!DOCTYPE a [<!ENTITY x \"dog\">]>\n<annotation>&x;</annotation>"),
            "line 1: a document type");
  std::string deep = "<annotation>";
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_EQ(annotation_error(deep), "line 1: elements nest too deep");
}

}  // namespace
}  // namespace ridge::evaluation
