// SPDX-License-Identifier: Apache-2.0
// Operators with a matrix product as a minor part.
#include "accelerator/products.h"

namespace ridge::accelerator {

// A matrix [axes + 1, axes], padded to [4, 3], times every position of [batch, positions.., axes].
std::optional<Gemms> affine_grid(const Form& f) {
  const auto out = f.output(0);
  if (!out || out->size() < 4) return std::nullopt;
  const std::int64_t positions = product(std::span(*out).subspan(1, out->size() - 2));
  return Gemms{matrix_product(positions, 3, 4, (*out)[0])};
}

// Queries of every head times one small weight.
std::optional<Gemms> gated_position_bias(const Form& f) {
  const auto out = f.output(0), w = f.input(3);
  if (!out || out->size() != 4 || !w || w->size() != 2) return std::nullopt;
  return Gemms{matrix_product(product(std::span(*out).first(3)), (*w)[1], (*w)[0])};
}

namespace {

/// Sizes of streams [..., branches, width] or [..., branches x width].
struct FormStreams {
  std::int64_t tokens, branches, width;
};
std::optional<FormStreams> form_streams(const Form& f) {
  const auto x = f.input(0);
  if (!x || x->empty()) return std::nullopt;
  const std::int64_t flat = f.integer("num_branches", 0), all = product(*x);
  if (flat == 0 && x->size() < 2) return std::nullopt;
  const std::int64_t branches = flat > 0 ? flat : (*x)[x->size() - 2];
  const std::int64_t width = flat > 0 ? x->back() / flat : x->back();
  if (branches < 1 || width < 1) return std::nullopt;
  return FormStreams{all / branches / width, branches, width};
}

}  // namespace

std::optional<Gemms> stream_pre_mix(const Form& f) {
  const auto s = form_streams(f);
  if (!s) return std::nullopt;
  return Gemms{matrix_product(1, s->width, s->branches, s->tokens)};
}

std::optional<Gemms> stream_post_mix(const Form& f) {
  const auto s = form_streams(f);
  if (!s) return std::nullopt;
  return Gemms{matrix_product(s->branches, s->width, s->branches, s->tokens)};
}

namespace {

/// Sizes of samples [samples, features] or [features].
struct Samples {
  std::int64_t count, features;
};
std::optional<Samples> samples(const Form& f) {
  const auto x = f.input(0);
  if (!x || x->empty() || x->size() > 2 || x->back() < 1) return std::nullopt;
  return Samples{x->size() == 2 ? (*x)[0] : 1, x->back()};
}

}  // namespace

std::optional<Gemms> linear_model(const Form& f) {
  const auto s = samples(f);
  if (!s) return std::nullopt;
  return Gemms{matrix_product(s->count, f.length("coefficients") / s->features, s->features)};
}

// Products of samples and support vectors (none for RBF kernels, which use distances), then with
// the coefficients. Without vectors: a linear model.
std::optional<Gemms> support_vectors(const Form& f) {
  const auto s = samples(f);
  if (!s) return std::nullopt;
  const std::int64_t vectors = f.length("support_vectors") / s->features;
  if (vectors < 1) return linear_model(f);
  Gemms out;
  if (f.text("kernel_type", "LINEAR") != "RBF")
    out.push_back(matrix_product(s->count, vectors, s->features));
  out.push_back(matrix_product(s->count, f.length("coefficients") / vectors, vectors));
  return out;
}

}  // namespace ridge::accelerator
