// SPDX-License-Identifier: Apache-2.0
// Bundles, as users seal, check and repeat them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "workplace.h"

namespace ridge::tests {
namespace {

/// Measures before.onnx into runs.db.
const std::string kMeasured =
    "ridge profile before.onnx --processes 5 --budget 400ms --store runs.db "
    ">table\n";

TEST(BundleSlow, OfARunIsCheckedShownAndComparedWithItself) {
  const Workplace place;
  const Outcome o = place.run(kMeasured + R"(
ridge bundle seal runs.db:1 -o a.ridge
ridge bundle seal runs.db -o b.ridge
cmp a.ridge b.ridge
ridge bundle verify a.ridge b.ridge
ridge bundle show a.ridge
ridge bundle diff a.ridge b.ridge)");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "a.ridge: every byte is as sealed\nb.ridge: every byte is as sealed\n"))
      << o.out;
  EXPECT_TRUE(has(o.out, "before.onnx  model")) << o.out;
  EXPECT_TRUE(has(o.out, "no difference shown: latency +0.0 %")) << o.out;
}

TEST(BundleSlow, IsReplayedWithoutTheFileItWasMadeOf) {
  const Workplace place;
  const Outcome o = place.run(kMeasured + R"(
ridge bundle seal runs.db:1 -o a.ridge
rm before.onnx runs.db
ridge bundle replay a.ridge --store again.db || [ $? -eq 1 ]
ridge runs list again.db --format csv | wc -l)");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "latency ")) << o.out;
  EXPECT_TRUE(o.out.ends_with("2\n")) << o.out;
}

TEST(BundleSlow, ByReferenceKeepsHashes) {
  const Workplace place;
  const Outcome o = place.run(kMeasured + R"(
ridge bundle seal runs.db:1 -o a.ridge --by-reference
ridge bundle verify a.ridge
ridge bundle show a.ridge
echo changed >>before.onnx
ridge bundle replay a.ridge)");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(has(o.out, "by reference")) << o.out;
  EXPECT_TRUE(has(o.err, "the bundle has a file by reference, which is not here")) << o.err;
}

TEST(BundleSlow, IsSignedByAKeyOfOpenSsh) {
  const Workplace place;
  const Outcome o = place.run(kMeasured + R"sh(
ssh-keygen -q -t ed25519 -N '' -f key
ssh-keygen -q -t ed25519 -N '' -f other
echo "me@lab $(cat key.pub)" >signers
echo "me@lab $(cat other.pub)" >others
ridge bundle seal runs.db:1 -o a.ridge --sign key
ridge bundle verify a.ridge --signers signers --signer me@lab
! ridge bundle verify a.ridge --signers others --signer me@lab 2>wrong
! ridge bundle verify a.ridge --signers signers --signer you@lab 2>another
cat wrong another)sh");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "a.ridge: every byte is as sealed, signed by me@lab\n")) << o.out;
  EXPECT_TRUE(has(o.out, "the signature is not of me@lab")) << o.out;
  EXPECT_TRUE(has(o.out, "the signature is not of you@lab")) << o.out;
}

TEST(BundleSlow, OfAnotherModelThanWasMeasuredIsNotSealed) {
  const Workplace place;
  const Outcome o =
      place.run(kMeasured + "cp after.onnx before.onnx; ridge bundle seal runs.db -o a.ridge");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(has(o.err, "this is not the file that was measured")) << o.err;
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "there/a.ridge"));
}

/// Evaluates before.onnx into runs.db.
const std::string kEvaluated =
    "ridge eval before.onnx --runtimes ort --threads 1 --duration 300ms --store runs.db "
    ">table || [ $? -eq 1 ]\n";

TEST(BundleSlow, OfAnEvaluationIsReplayedWithoutItsFiles) {
  const Workplace place;
  const Outcome o = place.run(kEvaluated + R"(
ridge bundle seal runs.db evaluation:1 -o a.ridge
ridge bundle seal runs.db evaluation:1 -o b.ridge
cmp a.ridge b.ridge
ridge bundle verify a.ridge
ridge bundle show a.ridge --format json >index.json
ridge bundle diff a.ridge b.ridge
rm before.onnx runs.db
ridge bundle replay a.ridge --store again.db || [ $? -eq 1 ]
ridge runs show again.db evaluation:1 --format json >again.json)");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_TRUE(has(o.out, "no difference shown: median latency +0.0 %")) << o.out;
  EXPECT_TRUE(has(o.out, "queries per second ")) << o.out;
  EXPECT_TRUE(has(read_text(place.folder() / "there/index.json"), R"("result":"evaluation")"));
  EXPECT_TRUE(has(read_text(place.folder() / "there/again.json"), "before.onnx"));
}

TEST(BundleSlow, OfAnEvaluationWithAnotherModelIsNotSealed) {
  const Workplace place;
  const Outcome o = place.run(
      kEvaluated + "cp after.onnx before.onnx; ridge bundle seal runs.db evaluation:1 -o a.ridge");
  EXPECT_EQ(o.status, 3);
  EXPECT_TRUE(has(o.err, "this is not the file that was measured")) << o.err;
  EXPECT_FALSE(std::filesystem::exists(place.folder() / "there/a.ridge"));
}

TEST(Bundle, OfNoSingleResultIsRefused) {
  const Workplace place;
  for (const std::string source : {"run.json", "no.db", "no.db:3"})
    EXPECT_EQ(place.run("ridge bundle seal " + source + " -o a.ridge").status, 2) << source;
  EXPECT_EQ(place.run("ridge bundle show run.json").status, 3);
  EXPECT_EQ(place.run("ridge bundle verify no.ridge").status, 4);
}

}  // namespace
}  // namespace ridge::tests
