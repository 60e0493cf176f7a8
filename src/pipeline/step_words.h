// SPDX-License-Identifier: Apache-2.0
// Words of the text form of steps, with what they mean (see step_text.h). The first of each table
// is the default; of several words for one meaning the first is printed.
#pragma once

#include <string_view>

#include "pipeline/step.h"

namespace ridge::pipeline {

template <typename Value>
struct Word {
  std::string_view text;
  Value value;
};

inline constexpr Word<Color> kColors[] = {
    {"rgb", Color::kRgb}, {"bgr", Color::kBgr}, {"gray", Color::kGray}, {"l", Color::kGray}};
inline constexpr Word<Turn> kTurns[] = {
    {"unturned", Turn::kNever}, {"exif", Turn::kExif}, {"stored", Turn::kNever}};
/// Whose gray and defaults decode has: OpenCV's imread turns images as their Exif data says.
inline constexpr Word<GrayBy> kDecoders[] = {{"pillow", GrayBy::kPillow},
                                             {"opencv", GrayBy::kOpencv}};
inline constexpr Word<Dct> kDcts[] = {{"islow", Dct::kIslow}, {"ifast", Dct::kIfast}};
inline constexpr Word<Upsampling> kUpsamplings[] = {{"fancy", Upsampling::kFancy},
                                                    {"box", Upsampling::kBox}};
inline constexpr Word<Fit> kFits[] = {
    {"exact", Fit::kExact}, {"short", Fit::kShort}, {"inside", Fit::kInside}};
inline constexpr Word<SideRounding> kSideRoundings[] = {{"down", SideRounding::kDown},
                                                        {"half_up", SideRounding::kHalfUp},
                                                        {"up", SideRounding::kUp},
                                                        {"truncate", SideRounding::kDown}};
inline constexpr Word<PillowRelease> kPillowReleases[] = {{"pillow", PillowRelease::kSince13},
                                                          {"pillow12", PillowRelease::kUntil12}};
inline constexpr std::string_view kOpencv = "opencv";
inline constexpr Word<Coordinates> kCoordinates[] = {
    {"half_pixel", Coordinates::kHalfPixel},
    {"pytorch_half_pixel", Coordinates::kPytorchHalfPixel},
    {"align_corners", Coordinates::kAlignCorners},
    {"asymmetric", Coordinates::kAsymmetric}};
inline constexpr Word<PillowFilter> kPillowFilters[] = {
    {"bilinear", PillowFilter::kBilinear}, {"nearest", PillowFilter::kNearest},
    {"box", PillowFilter::kBox},           {"hamming", PillowFilter::kHamming},
    {"bicubic", PillowFilter::kBicubic},   {"lanczos", PillowFilter::kLanczos}};
inline constexpr Word<OpencvFilter> kOpencvFilters[] = {
    {"linear", OpencvFilter::kLinear},   {"nearest", OpencvFilter::kNearest},
    {"area", OpencvFilter::kArea},       {"cubic", OpencvFilter::kCubic},
    {"bilinear", OpencvFilter::kLinear}, {"bicubic", OpencvFilter::kCubic}};
inline constexpr Word<FloatFilter> kFloatFilters[] = {{"linear", FloatFilter::kLinear},
                                                      {"nearest", FloatFilter::kNearest},
                                                      {"cubic", FloatFilter::kCubic},
                                                      {"bilinear", FloatFilter::kLinear},
                                                      {"bicubic", FloatFilter::kCubic}};
inline constexpr Word<NearestRounding> kNearestRoundings[] = {
    {"nearest_half_down", NearestRounding::kHalfDown},
    {"nearest_half_up", NearestRounding::kHalfUp},
    {"nearest_floor", NearestRounding::kFloor},
    {"nearest_ceil", NearestRounding::kCeil}};
inline constexpr Word<Anchor> kAnchors[] = {{"center", Anchor::kCenter},
                                            {"top_left", Anchor::kTopLeft}};
inline constexpr Word<CropRounding> kCropRoundings[] = {{"half_even", CropRounding::kHalfEven},
                                                        {"down", CropRounding::kDown},
                                                        {"floor", CropRounding::kDown}};
inline constexpr Word<ElementType> kElementTypes[] = {{"float32", ElementType::kFloat32},
                                                      {"uint8", ElementType::kUint8}};
inline constexpr Word<Operation> kOperations[] = {{"add", Operation::kAdd},
                                                  {"subtract", Operation::kSubtract},
                                                  {"multiply", Operation::kMultiply},
                                                  {"divide", Operation::kDivide}};
inline constexpr Word<Arithmetic> kArithmetics[] = {{"float", Arithmetic::kFloat},
                                                    {"double", Arithmetic::kDouble},
                                                    {"float32", Arithmetic::kFloat},
                                                    {"float64", Arithmetic::kDouble}};
inline constexpr Word<Layout> kLayouts[] = {
    {"nchw", Layout::kNchw}, {"nhwc", Layout::kNhwc}, {"chw", Layout::kChw}, {"hwc", Layout::kHwc}};
inline constexpr Word<text::Strip> kStrips[] = {{"none", text::Strip::kNone},
                                                {"space", text::Strip::kSpace}};

/// Text of `value`, which the table has.
template <typename Value, std::size_t kCount>
constexpr std::string_view word_for(const Word<Value> (&table)[kCount], Value value) {
  for (const Word<Value>& word : table)
    if (word.value == value) return word.text;
  return {};
}

}  // namespace ridge::pipeline
