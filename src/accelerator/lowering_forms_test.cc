// SPDX-License-Identifier: Apache-2.0
// Compares the products of convolutions, matrix products and sums with the loop nests of their
// definitions, on small random cases.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "accelerator/nests/loop_nest_testing.h"

namespace ridge::accelerator {
namespace {

using namespace testing;  // NOLINT: names of the loop nests

struct ConvCase {
  int axes, images, groups, channels, filters;  ///< channels and filters per group
  std::vector<int> size, kernel, stride, dilation, pad, out;

  ConvCase(Pick& pick, int max_axes)
      : axes(pick(1, max_axes)),
        images(pick(1, 2)),
        groups(pick(1, 3)),
        channels(pick(1, 2)),
        filters(pick(1, 2)) {
    for (int i = 0; i < axes; ++i) {
      kernel.push_back(pick(1, 3)), stride.push_back(pick(1, 2)), dilation.push_back(pick(1, 2));
      pad.push_back(pick(0, 1));
      const int span = (kernel[i] - 1) * dilation[i] + 1;
      size.push_back(std::max(1, span - 2 * pad[i]) + pick(0, 2));
      out.push_back((size[i] + 2 * pad[i] - span) / stride[i] + 1);
    }
  }
  std::string attributes() const {
    std::vector<int> pads = pad;
    pads.insert(pads.end(), pad.begin(), pad.end());
    return fmt::format("{{group={} strides=[{}] dilations=[{}] pads=[{}]}}", groups,
                       fmt::join(stride, ","), fmt::join(dilation, ","), fmt::join(pads, ","));
  }
};

TEST(LoweringForms, Convolution) {
  Pick pick(1);
  for (int round = 0; round < kRounds; ++round) {
    const ConvCase c(pick, 3);
    Definition nest;
    std::int64_t outside = 0;
    each({c.images, c.groups, c.filters, c.channels}, [&](const std::vector<int>& i) {
      each(c.out, [&](const std::vector<int>& o) {
        each(c.kernel, [&](const std::vector<int>& k) {
          std::vector<int> x;
          bool inside = true;
          for (int a = 0; a < c.axes; ++a) {
            x.push_back(o[a] * c.stride[a] + k[a] * c.dilation[a] - c.pad[a]);
            inside = inside && x[a] >= 0 && x[a] < c.size[a];
          }
          // Weights and results take part in the padding too; the data is not read there.
          const std::uint64_t from = inside ? flat({i[0], i[1], i[3]}, x) : 0;
          if (!inside) outside = 1;
          nest.multiply(from, flat({i[1], i[2], i[3]}, k), flat({i[0], i[1], i[2]}, o));
        });
      });
    });
    const std::string node = "Conv(x, w) " + c.attributes();
    const Layer layer =
        layer_of(fmt::format("input x[{},{},{}]\nconstant w[{},{},{}]", c.images,
                             c.groups * c.channels, fmt::join(c.size, ","), c.groups * c.filters,
                             c.channels, fmt::join(c.kernel, ",")),
                 node);
    Seen wanted = nest.seen();
    wanted.ifmap -= outside;
    ASSERT_EQ(seen_by(layer.gemms), wanted) << node;
    const bool counted = wanted.filter > 1;  // a single element is not a parameter
    ASSERT_EQ(layer.params, counted ? wanted.filter : 0) << node;
    ASSERT_EQ(layer.param_bytes, layer.params * 4) << node;
  }
}

TEST(LoweringForms, TransposedConvolution) {
  Pick pick(2);
  for (int round = 0; round < kRounds; ++round) {
    const ConvCase c(pick, 2);
    Definition nest;
    each({c.images, c.groups, c.channels, c.filters}, [&](const std::vector<int>& i) {
      each(c.size, [&](const std::vector<int>& x) {
        each(c.kernel, [&](const std::vector<int>& k) {
          std::vector<int> column = x;  // the result before its columns are summed
          column.insert(column.end(), k.begin(), k.end());
          nest.multiply(flat({i[0], i[1], i[2]}, x), flat({i[1], i[2], i[3]}, k),
                        flat({i[1], i[3]}, column) * kBase + static_cast<std::uint64_t>(i[0]));
        });
      });
    });
    const std::string node = fmt::format("ConvTranspose(x, w) {{group={}}}", c.groups);
    expect(layer_of(fmt::format("input x[{},{},{}]\nconstant w[{},{},{}]", c.images,
                                c.groups * c.channels, fmt::join(c.size, ","),
                                c.groups * c.channels, c.filters, fmt::join(c.kernel, ",")),
                    node),
           nest, node);
  }
}

TEST(LoweringForms, MatricesWithBroadcastBatches) {
  Pick pick(3);
  for (int round = 0; round < kRounds; ++round) {
    const int m = pick(1, 4), n = pick(1, 4), k = pick(1, 4);
    const std::vector<int> batch = {pick(1, 3), pick(1, 3)};
    std::vector<int> a, b;  // each axis in both factors, or with one element in one of them
    for (const int size : batch) {
      const int which = pick(0, 2);
      a.push_back(which == 1 ? 1 : size);
      b.push_back(which == 2 ? 1 : size);
    }
    Definition nest;
    each({batch[0], batch[1], m, n, k}, [&](const std::vector<int>& i) {
      const int a0 = a[0] == 1 ? 0 : i[0], a1 = a[1] == 1 ? 0 : i[1];
      const int b0 = b[0] == 1 ? 0 : i[0], b1 = b[1] == 1 ? 0 : i[1];
      const int o0 = a[0] == 1 && b[0] == 1 ? 0 : i[0], o1 = a[1] == 1 && b[1] == 1 ? 0 : i[1];
      if (o0 == i[0] && o1 == i[1])
        nest.multiply(at({a0, a1, i[2], i[4]}), at({b0, b1, i[4], i[3]}), at({o0, o1, i[2], i[3]}));
    });
    const std::string inputs = fmt::format("input x[{},{},{}] y[{},{},{}]", fmt::join(a, ","), m, k,
                                           fmt::join(b, ","), k, n);
    expect(layer_of(inputs, "MatMul(x, y)"), nest, inputs);
  }
}

TEST(LoweringForms, MatricesThatLieTransposed) {
  Pick pick(4);
  for (int round = 0; round < kRounds; ++round) {
    const int m = pick(1, 5), n = pick(1, 5), k = pick(1, 5), batch = pick(1, 3);
    const bool a = pick(0, 1) == 1, b = pick(0, 1) == 1, outer = pick(0, 1) == 1;
    Definition gemm, fused;
    each({batch, m, n, k}, [&](const std::vector<int>& i) {
      if (i[0] == 0) gemm.multiply(at({i[1], i[3]}), at({i[3], i[2]}), at({i[1], i[2]}));
      fused.multiply(at({i[0], i[1], i[3]}), at({i[0], i[3], i[2]}), at({i[0], i[1], i[2]}));
    });
    const std::string turned = fmt::format("transA={} transB={}", int{a}, int{b});
    const std::string inputs =
        fmt::format("input x[{},{}] y[{},{}]", a ? k : m, a ? m : k, b ? n : k, b ? k : n);
    expect(layer_of(inputs, "Gemm(x, y) {" + turned + "}"), gemm, inputs + turned);
    // transBatch moves the batch from the middle axis to the front.
    const int rows = a ? k : m, columns = a ? m : k;
    const std::string batched =
        fmt::format("input x[{},{},{}] y[{},{},{}]", outer ? rows : batch, outer ? batch : rows,
                    columns, batch, b ? n : k, b ? k : n);
    expect(layer_of(batched, fmt::format("com.microsoft.FusedMatMul(x, y) {{{} transBatchA={}}}",
                                         turned, int{outer})),
           fused, batched + turned);
  }
}

TEST(LoweringForms, EinsteinSums) {
  Pick pick(5);
  const std::vector<std::string> forms = {"ij,jk->ik",       "bij,bjk->bik", "bhqd,bhkd->bhqk",
                                          "bhqk,bhkd->bqhd", "ijk,kl->il",   "ij,ij->i",
                                          "i,i->",           "...ij,...jk"};
  for (int round = 0; round < kRounds; ++round) {
    const std::string equation = forms[static_cast<std::size_t>(round) % 8];
    std::string spelled = equation;
    if (spelled.starts_with("...")) spelled = "bij,bjk->bik";
    const std::size_t comma = spelled.find(','), arrow = spelled.find("->");
    const std::string a = spelled.substr(0, comma),
                      b = spelled.substr(comma + 1, arrow - comma - 1);
    const std::string out = spelled.substr(arrow + 2);
    std::string letters;
    std::vector<int> sizes;
    for (const char x : a + b)
      if (letters.find(x) == std::string::npos) letters += x, sizes.push_back(pick(2, 4));
    Definition nest;
    each(sizes, [&](const std::vector<int>& i) {
      const auto element = [&](const std::string& term, bool first) {
        std::uint64_t e = 1;
        for (const char x : term) e = e * kBase + static_cast<std::uint64_t>(i[letters.find(x)]);
        // A factor is repeated along the labels that only the other factor sums over.
        const std::string& other = first ? b : a;
        for (const char x : other)
          if (term.find(x) == std::string::npos && out.find(x) == std::string::npos)
            e = e * kBase + static_cast<std::uint64_t>(i[letters.find(x)]);
        return e;
      };
      std::uint64_t to = 1;
      for (const char x : out) to = to * kBase + static_cast<std::uint64_t>(i[letters.find(x)]);
      nest.multiply(element(a, true), element(b, false), to);
    });
    const auto shape = [&](const std::string& term) {
      std::vector<int> s;
      for (const char x : term) s.push_back(sizes[letters.find(x)]);
      return fmt::format("{}", fmt::join(s, ","));
    };
    expect(layer_of(fmt::format("input x[{}] y[{}]", shape(a), shape(b)),
                    fmt::format("Einsum(x, y) {{equation='{}'}}", equation)),
           nest, equation);
  }
}

TEST(LoweringForms, PackedWeights) {
  Pick pick(10);
  for (int round = 0; round < kRounds; ++round) {
    const int batch = pick(1, 2), rows = pick(1, 3), in = 16 * pick(1, 2), out = pick(1, 4);
    Definition nest;
    each({batch, rows, out, in}, [&](const std::vector<int>& i) {
      nest.multiply(at({i[0], i[1], i[3]}), at({i[2], i[3]}), at({i[0], i[1], i[2]}));
    });
    const std::string inputs = fmt::format("input x[{},{},{}]\nconstant w[{},{},8] s[{},{}]", batch,
                                           rows, in, out, in / 16, out, in / 16);
    const std::string node = fmt::format(
        "com.microsoft.MatMulNBits(x, w, s) {{K={} N={} bits=4 block_size=16}}", in, out);
    expect(layer_of(inputs, node), nest, inputs);
  }
}

TEST(LoweringForms, ExpertsThatShareTheTokensEvenly) {
  Pick pick(11);
  for (int round = 0; round < kRounds; ++round) {
    const int tokens = pick(1, 6), experts = pick(2, 4), k = pick(1, 2), hidden = pick(1, 3);
    const int inner = pick(1, 3);
    Definition up, down;
    for (int pass = 0; pass < tokens * k; ++pass)
      each({inner, hidden}, [&](const std::vector<int>& i) {
        const int expert = pass % experts;
        up.multiply(at({pass, i[1]}), at({expert, i[0], i[1]}), at({pass, i[0]}));
        down.multiply(at({pass, i[0]}), at({expert, i[0], i[1]}), at({pass, i[1]}));
      });
    const std::string inputs =
        fmt::format("input x[{},{}] router[{},{}]\nconstant a[{},{},{}] b[{},{},{}]", tokens,
                    hidden, tokens, experts, experts, inner, hidden, experts, hidden, inner);
    const std::string node =
        fmt::format("com.microsoft.MoE(x, router, a, _, b) {{k={} activation_type='relu'}}", k);
    ASSERT_EQ(seen_by(layer_of(inputs, node).gemms), up.seen() + down.seen()) << inputs << node;
  }
}

TEST(LoweringForms, CausalConvolution) {
  Pick pick(13);
  for (int round = 0; round < kRounds; ++round) {
    const int batch = pick(1, 2), channels = pick(1, 3), length = pick(1, 6), kernel = pick(1, 4);
    Definition nest;
    std::int64_t before = 0;
    each({batch, channels, length, kernel}, [&](const std::vector<int>& i) {
      const int x = i[2] - (kernel - 1) + i[3];
      if (x < 0) before = 1;
      nest.multiply(x < 0 ? 0 : at({i[0], i[1], x}), at({i[1], i[3]}), at({i[0], i[1], i[2]}));
    });
    Seen wanted = nest.seen();
    wanted.ifmap -= before;
    const std::string inputs = fmt::format("input x[{},{},{}]\nconstant w[{},1,{}]", batch,
                                           channels, length, channels, kernel);
    ASSERT_EQ(seen_by(layer_of(inputs, "CausalConvWithState(x, w)").gemms), wanted) << inputs;
  }
}

}  // namespace
}  // namespace ridge::accelerator
