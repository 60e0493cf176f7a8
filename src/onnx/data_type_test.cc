// SPDX-License-Identifier: Apache-2.0
#include "onnx/data_type.h"

#include <gtest/gtest.h>

#include <limits>

namespace ridge::onnx {
namespace {

TEST(DataType, EveryNumberHasARowAndEveryNameLeadsBack) {
  for (std::int32_t number = 1; number <= 28; ++number) {
    const DataTypeInfo* row = info_of(number);
    ASSERT_NE(row, nullptr) << number;
    EXPECT_EQ(static_cast<std::int32_t>(row->type), number);
    EXPECT_EQ(data_type_named(row->name), row->type);
  }
  for (const std::int32_t number : {-1, 0, 29, 999, std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_EQ(info_of(number), nullptr) << number;
  }
  EXPECT_EQ(name(DataType::kUndefined), "undefined");
  EXPECT_EQ(data_type_named("float"), std::nullopt);
}

TEST(DataType, StorageIsPackedAndRoundedUp) {
  EXPECT_EQ(storage_bytes(DataType::kFloat, 3), 12);
  EXPECT_EQ(storage_bytes(DataType::kComplex128, 3), 48);
  EXPECT_EQ(storage_bytes(DataType::kInt4, 0), 0);
  EXPECT_EQ(storage_bytes(DataType::kInt4, 3), 2);
  EXPECT_EQ(storage_bytes(DataType::kInt2, 5), 2);
  EXPECT_EQ(storage_bytes(DataType::kFloat6E2M3, 4), 3);
  EXPECT_EQ(storage_bytes(DataType::kFloat6E2M3, 5), 4);
}

TEST(DataType, StorageThatCannotBeIsNone) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(storage_bytes(DataType::kDouble, kMax / 8), kMax / 8 * 8);
  EXPECT_EQ(storage_bytes(DataType::kDouble, kMax / 8 + 1), std::nullopt);
  EXPECT_EQ(storage_bytes(DataType::kInt4, kMax), kMax / 2 + 1);
  EXPECT_EQ(storage_bytes(DataType::kFloat, -1), std::nullopt);
  EXPECT_EQ(storage_bytes(DataType::kString, 1), std::nullopt);
  EXPECT_EQ(storage_bytes(DataType::kUndefined, 1), std::nullopt);
}

}  // namespace
}  // namespace ridge::onnx
