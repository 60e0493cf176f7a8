#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tokens of texts by Hugging Face's tokenizers, for tokenizer_oracle_test.cc.

    tokenizer_oracle.py FOLDER_OF_DOCS FOLDER

Trains vocabularies on the docs and on difficult texts, and writes for each a NAME.json and
NAME.cases, of which each line is the step's padding, length, a text, ids, mask and types.
"""
import json
import pathlib
import random
import sys
import unicodedata

from tokenizers import (AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers,
                        processors, trainers)

CASES = 700
LENGTHS = [4, 7, 16, 64, 300]
DIFFICULT = [
    "", " ", "\n", "\t x", "a", "  two  blanks ", "it's we'll I'd they've you're 'S 'LL ''s",
    "Caf\u00e9 na\u00efve \u00c5ngstr\u00f6m STRASSE Stra\u00dfe \u0130stanbul \u0131 \u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2",
    "e\u0301\u0327\u0323 q\u0307\u0323 a\u0323\u0307 \u0344 \u0958 \u1e9b\u0323",
    "\u6a21\u578b\u63a8\u7406 mixed\u4e2d\u6587text \u65e5\u672c\u8a9e\u306e\u30c6\u30ad\u30b9\u30c8 \ud55c\uad6d\uc5b4 \u3400\uf900\U00020000\U0002f800",
    "\U0001f469\u200d\U0001f469\u200d\U0001f466 \U0001f44d\U0001f3fd \U0001f1e9\U0001f1ea \u2764\ufe0f 1\ufe0f\u20e3",
    "nul\0 bell\a vt\v ff\f nel\u0085 soft\u00adhyphen zwnj\u200c bom\ufeff repl\ufffd rtl\u202e",
    "nb\u00a0sp ogham\u1680 em\u2003 ls\u2028ps\u2029 narrow\u202f ideographic\u3000",
    "\u0627\u0644\u0639\u0631\u0628\u064a\u0629\u064f"
    " \u05e2\u05b4\u05d1\u05e8\u05b4\u05d9\u05ea \u0939\u093f\u0928\u094d\u0926\u0940 \u0e44\u0e17\u0e22\u0e01\u0e33\u0e25\u0e31\u0e07",
    "\u0440\u0443\u0441\u0441\u043a\u0438\u0439 \u0419\u043e\u0433 \u0401\u043b\u043a\u0430 \u03b5\u03bb\u03bb\u03b7\u03bd\u03b9\u03ba\u03ac ti\u1ebfng Vi\u1ec7t",
    "\u00bd \u00b2 \u2160 \u2460 \u0663 \u0e53 1234567890 3.14159 1e-9 0x1F",
    "a" * 99, "b" * 100, "c" * 101, "d" * 3000, "ab" * 900, " " * 500, "!" * 400, "x y " * 300,
    "\u00e9" * 100, "\u0301" * 200, "\u4e2d" * 120,
    "[CLS] x [SEP] [MASK][MASK] [mask] [UNK]un", "<s> a</s> <mask>  <mask>b  c <mask>",
    "wordpart <|endoftext|>x<|endoftext|><|endoftext |> special_one special_ones  special_one ",
    "Stripped LEFT   [L] [R]   right stripped_both  [L]  [R]  ",
    "void f(const std::vector<int>& v) { return v[0] != 0 ? a->b : c::d; } // 100% \\n",
]


def settled_characters():
    """Characters of Unicode 3.2 that no later version put elsewhere."""
    old = unicodedata.ucd_3_2_0
    out = []
    for code in range(0x20, 0x30000):
        c = chr(code)
        kind = unicodedata.category(c)
        if kind not in ("Cn", "Cs") and old.category(c) == kind:
            out.append(c)
    return out


def texts_of(docs, draw):
    lines = [line for path in sorted(docs.glob("*.md"))
             for line in path.read_text().splitlines() if line]
    pool = settled_characters()
    low = [c for c in pool if ord(c) < 0x2E80]
    out = list(DIFFICULT)
    while len(out) < CASES:
        kind = draw.randrange(4)
        if kind == 0:
            out.append(draw.choice(lines))
        elif kind == 1:
            out.append("".join(draw.choices(low, k=draw.randrange(1, 60))))
        elif kind == 2:
            out.append("".join(draw.choices(pool, k=draw.randrange(1, 40))))
        else:
            words = draw.choice(lines).split() + draw.choice(DIFFICULT).split()
            draw.shuffle(words)
            out.append(draw.choice([" ", "  ", "\n", "\u00a0"]).join(words[:40]))
    return lines, out


def word_piece(lines, normalizer, **how):
    t = Tokenizer(models.WordPiece(unk_token="[UNK]", **how))
    t.normalizer, t.pre_tokenizer = normalizer, pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    t.train_from_iterator(lines + DIFFICULT, trainers.WordPieceTrainer(
        vocab_size=1500, special_tokens=special, show_progress=False))
    t.decoder = decoders.WordPiece()
    return t


def byte_pairs(lines, special, alphabet=True, **level):
    t = Tokenizer(models.BPE())
    t.pre_tokenizer = pre_tokenizers.ByteLevel(**level)
    t.decoder = decoders.ByteLevel()
    first = pre_tokenizers.ByteLevel.alphabet() if alphabet else []
    t.train_from_iterator(lines + DIFFICULT if alphabet else lines, trainers.BpeTrainer(
        vocab_size=1500 if alphabet else 400, special_tokens=special, initial_alphabet=first,
        show_progress=False))
    return t


def changed(t, change):
    """The tokenizer of a file in which something was changed."""
    file = json.loads(t.to_str())
    change(file)
    return file


def bert(t):
    cls, sep = t.token_to_id("[CLS]"), t.token_to_id("[SEP]")
    t.post_processor = processors.TemplateProcessing(
        single="[CLS]:3 $A:1 [SEP]:2", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", cls), ("[SEP]", sep)])
    return json.loads(t.to_str())


def cased(t):
    t.add_tokens([AddedToken("special_one", single_word=True), AddedToken("[L]", lstrip=True),
                  AddedToken("[R]", rstrip=True, normalized=False),
                  AddedToken("Stripped", normalized=True), AddedToken("pe\u0301", normalized=True)])
    t.post_processor = processors.BertProcessing(("[SEP]", t.token_to_id("[SEP]")),
                                                 ("[CLS]", t.token_to_id("[CLS]")))
    return json.loads(t.to_str())


def roberta(t):
    t.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    t.post_processor = processors.RobertaProcessing(("</s>", t.token_to_id("</s>")),
                                                    ("<s>", t.token_to_id("<s>")))

    def legacy(file):  # merges as texts
        file["model"]["merges"] = [" ".join(pair) for pair in file["model"]["merges"]]
    return changed(t, legacy)


def sequence(t):
    t.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False), processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", t.token_to_id("<s>"))])])

    def whole(file):
        file["model"]["ignore_merges"] = True
    return changed(t, whole)


def with_unknown(t, fuse):
    def change(file):
        file["model"].update(unk_token="<unk>", fuse_unk=fuse)
    return changed(t, change)


def files(lines):
    bert_normalizer = normalizers.BertNormalizer
    gpt2 = {"add_prefix_space": False}
    few = byte_pairs(lines, ["<pad>", "<unk>"], alphabet=False, **gpt2)
    return {
        "uncased": (bert(word_piece(lines, bert_normalizer())), ""),
        "cased": (cased(word_piece(lines, bert_normalizer(lowercase=False),
                                   max_input_chars_per_word=20)), ""),
        "accents": (bert(word_piece(lines, bert_normalizer(
            clean_text=False, handle_chinese_chars=False, strip_accents=False))), ""),
        "plain": (bert(word_piece(lines, None)), "[MASK]"),
        "gpt2": (json.loads(byte_pairs(lines, ["<|endoftext|>"], **gpt2).to_str()),
                 "<|endoftext|>"),
        "roberta": (roberta(byte_pairs(lines, ["<s>", "<pad>", "</s>", "<unk>"])), ""),
        "sequence": (sequence(byte_pairs(lines, ["<s>", "<pad>"], use_regex=False)), ""),
        "dropped": (json.loads(few.to_str()), ""),
        "unknown": (with_unknown(few, False), ""),
        "fused": (with_unknown(few, True), ""),
    }


def main(docs, folder):
    draw = random.Random(7)
    lines, texts = texts_of(docs, draw)
    for name, (file, pad) in files(lines).items():
        t = Tokenizer.from_str(json.dumps(file))
        (folder / f"{name}.json").write_text(json.dumps(file))
        padding = pad or next(p for p in ("[PAD]", "<pad>") if t.token_to_id(p) is not None)
        with open(folder / f"{name}.cases", "w") as out:
            for text in texts:
                length = draw.choice(LENGTHS)
                t.enable_truncation(length)
                t.enable_padding(length=length, pad_id=t.token_to_id(padding), pad_token=padding)
                e = t.encode(text)
                out.write(json.dumps([pad, length, text, e.ids, e.attention_mask, e.type_ids]) +
                          "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
