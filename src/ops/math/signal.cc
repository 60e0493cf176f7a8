// SPDX-License-Identifier: Apache-2.0
// Spectra: windows, Fourier transforms, the mel scale.
//
// A Fourier transform of n complex points counts 5 n log2(n) FLOPs, and one of real points half of
// that, as in FFTW's benchmarks (fftw.org/speed), regardless of the algorithm.
#include <fmt/format.h>

#include <cmath>

#include "ops/rule.h"
#include "ops/tables.h"

namespace ridge::ops {
namespace {

enum class Points : std::uint8_t { kComplex, kReal };

// FLOPs of one transform; unknown if the length is unknown.
Dim transform_flops(Dim length, Points points) {
  if (!length.known() || length.value() < 0 || length.value() > INT32_MAX) return {};
  if (length.value() < 2) return Dim(0);
  // Cost of a radix-2 transform, the convention of FFT benchmarks whatever the algorithm: 8 complex
  // points take 5 * 8 * 3 = 120 FLOPs, 8 real ones 60.
  const auto n = static_cast<double>(length.value());
  return Dim(std::llround(5 * n * std::log2(n) / (points == Points::kReal ? 2 : 1)));
}

Result<void> require_length(const Context& c, Dim length, std::string_view what) {
  if (!length.known() || length.value() > 0) return {};
  return c.fail(Fault::kValue,
                fmt::format("{} is {}, it must be at least 1", what, length.value()));
}

// The last axis is 1 for real numbers, and 2 for complex ones.
Points points_of(const Shape& x) {
  return x.ranked() && x.rank > 0 && x.span().back().is(1) ? Points::kReal : Points::kComplex;
}

struct Transform {
  std::size_t axis = 0;
  Dim length;  ///< length of the transform
  Dim bins;    ///< number of output bins
  bool real_output = false;
};

// Returns nullopt if the rank or the axis is unknown.
Result<std::optional<Transform>> transform_of(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return std::optional<Transform>();
  if (x.rank < 2)
    return c.fail(Fault::kRank, fmt::format("input 0 has shape {}; it needs a signal axis and one "
                                            "for real and imaginary parts",
                                            text(c, x)));
  std::optional<std::int64_t> axis = c.opset() < 20 ? TRY(c.int_attribute("axis", 1)) : -2;
  if (c.opset() >= 20 && c.has_input(2)) {
    const Dim given = scalar_input(c, 2);
    axis = given.known() ? std::optional(given.value()) : std::nullopt;
  }
  if (!axis) return std::optional<Transform>();
  Transform t;
  t.axis = TRY(axis_of(c, *axis, x.span().size()));
  if (t.axis + 1 == x.span().size())
    return c.fail(Fault::kAxis, "the axis is the last one, which holds real and imaginary parts");
  const bool onesided = TRY(c.int_attribute("onesided", 0)) != 0;
  const bool inverse = TRY(c.int_attribute("inverse", 0)) != 0;
  DimPool& p = c.dims();
  // Half of a spectrum is enough for a real signal: 8 points have 5 bins, and the inverse makes 2 *
  // (5 - 1) = 8 points of 5 bins, if no length is given.
  t.real_output = onesided && inverse;
  const Dim size = x[t.axis];
  t.length = t.real_output ? p.mul(Dim(2), p.sub(size, Dim(1))) : size;
  if (c.has_input(1)) t.length = scalar_input(c, 1);
  TRY(require_length(c, t.length, "the length of the transform"));
  t.bins = onesided && !t.real_output ? p.add(p.floor_div(t.length, Dim(2)), Dim(1)) : t.length;
  return std::optional(t);
}

Result<void> infer_dft(Context& c) {
  TRY(require_inputs(c, 1));
  const auto t = TRY(transform_of(c));
  const Shape& x = c.input(0).shape;
  set_tensor(c, 0, c.input(0).dtype, x.ranked() ? shape_of(new_dims(c, x.span().size())) : Shape{});
  if (!t) return {};
  const auto out = c.arena().copy(x.span());
  out[t->axis] = t->bins;
  out.back() = Dim(t->real_output ? 1 : 2);
  set_tensor(c, 0, c.input(0).dtype, out);
  return {};
}

Work work_dft(Context& c) {
  const auto found = transform_of(c);
  if (!found.ok() || !*found) return {.flops = Dim()};
  const Transform& t = **found;
  const Shape& x = c.input(0).shape;
  Dim signals(1);
  for (std::size_t i = 0; i + 1 < x.span().size(); ++i)
    if (i != t.axis) signals = c.dims().mul(signals, x[i]);
  const Points points = t.real_output ? Points::kReal : points_of(x);
  return {.flops = c.dims().mul(signals, transform_flops(t.length, points))};
}

struct Frames {
  Dim batch, count, length, bins;
};

Result<std::optional<Frames>> frames(Context& c) {
  const Shape& x = c.input(0).shape;
  if (!x.ranked()) return std::optional<Frames>();
  if (x.rank != 2 && x.rank != 3)
    return c.fail(
        Fault::kRank,
        fmt::format("input 0 has shape {}; it must be [batch, length, 1 or 2]", text(c, x)));
  DimPool& p = c.dims();
  Frames f{.batch = x[0], .count = {}, .length = x[1], .bins = {}};
  const Shape& window = c.input(2).shape;
  if (c.has_input(3))
    f.length = scalar_input(c, 3);
  else if (c.has_input(2))
    f.length = window.rank == 1 ? window[0] : Dim();
  const Dim step = scalar_input(c, 1);
  TRY(require_length(c, f.length, "the length of a frame"));
  TRY(require_length(c, step, "the step from frame to frame"));
  const Dim room = p.sub(x[1], f.length);
  if (room.known() && room.value() < 0)
    return c.fail(Fault::kValue, fmt::format("a frame of {} is longer than the signal of {}",
                                             p.text(f.length), p.text(x[1])));
  // Example: frames of 6 every 4 samples in 16: (16 - 6) / 4 + 1 = 3; the last two samples are in
  // none.
  f.count = p.add(p.floor_div(room, step), Dim(1));
  const bool onesided = TRY(c.int_attribute("onesided", 1)) != 0;
  f.bins = onesided ? p.add(p.floor_div(f.length, Dim(2)), Dim(1)) : f.length;
  return std::optional(f);
}

Result<void> infer_stft(Context& c) {
  TRY(require_inputs(c, 2));
  const auto f = TRY(frames(c));
  const Frames known = f.value_or(Frames{});
  set_tensor(c, 0, c.input(0).dtype, c.shape({known.batch, known.count, known.bins, Dim(2)}));
  return {};
}

// With a window, every sample of a frame is multiplied by it.
Work work_stft(Context& c) {
  const auto found = frames(c);
  if (!found.ok() || !*found) return {.flops = Dim()};
  const Frames& f = **found;
  DimPool& p = c.dims();
  const Shape& x = c.input(0).shape;
  const Points points = x.rank == 2 ? Points::kReal : points_of(x);
  Dim each = transform_flops(f.length, points);
  if (c.has_input(2)) each = p.add(each, p.mul(f.length, Dim(points == Points::kReal ? 1 : 2)));
  return {.flops = p.mul(p.mul(f.batch, f.count), each)};
}

Result<void> infer_window(Context& c) {
  TRY(require_inputs(c, 1));
  const Dim size = scalar_input(c, 0);
  TRY(require_length(c, size, "the size of the window"));
  set_tensor(c, 0, TRY(type_attribute(c, "output_datatype", DataType::kFloat)), c.shape({size}));
  return {};
}

// Function body: a range, its angles once and twice, two cosines, three terms.
Work work_window(Context& c) {
  DimPool& p = c.dims();
  const Dim n = c.elements(c.output(0).shape);
  return {.flops = p.add(p.mul(n, Dim(7)), Dim(7)), .special = p.add(p.mul(n, Dim(2)), Dim(2))};
}

Result<void> infer_mel(Context& c) {
  TRY(require_inputs(c, 5));
  const Dim bins = scalar_input(c, 0), length = scalar_input(c, 1);
  TRY(require_length(c, bins, "the number of mel bins"));
  TRY(require_length(c, length, "the length of the transform"));
  DimPool& p = c.dims();
  set_tensor(c, 0, TRY(type_attribute(c, "output_datatype", DataType::kFloat)),
             c.shape({p.add(p.floor_div(length, Dim(2)), Dim(1)), bins}));
  return {};
}

// Two edges are converted to mel, and bins + 2 points back to hertz; every element is a slope of a
// triangle.
Work work_mel(Context& c) {
  DimPool& p = c.dims();
  const Dim n = c.elements(c.output(0).shape), points = p.add(scalar_input(c, 0), Dim(2));
  return {.flops = p.add(n, p.mul(points, Dim(3))), .special = p.add(p.add(n, points), Dim(2))};
}

constexpr Operator window(std::string_view name) {
  return {.name = name,
          .since = 17,
          .infer = infer_window,
          .work = work_window,
          .formula = "7N+7 FLOPs, 2N+2 cosines and divisions for N elements"};
}

constexpr Operator kSignalRows[] = {
    window("HannWindow"),
    window("HammingWindow"),
    window("BlackmanWindow"),
    {.name = "MelWeightMatrix",
     .since = 17,
     .infer = infer_mel,
     .work = work_mel,
     .formula = "N elements of B bins: N+3(B+2) FLOPs, N+B+4 divisions, logarithms and powers"},
    {.name = "DFT",
     .since = 17,
     .infer = infer_dft,
     .work = work_dft,
     .formula = "5*n*log2(n) FLOPs per signal of n points, half of that for real ones"},
    {.name = "STFT",
     .since = 17,
     .infer = infer_stft,
     .work = work_stft,
     .formula = "n FLOPs for the window and a DFT of n points per frame"},
};

}  // namespace

const std::span<const Operator> kSignal = kSignalRows;

}  // namespace ridge::ops
