#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small tokenizers with texts for fuzz/tokenizer_fuzz.cc.

    fuzz/tokenizer_seeds.py FOLDER && scripts/add_to_corpus.sh tokenizer_fuzz FOLDER/*
"""
import json
import pathlib
import sys

TEXT = "Un\u00e9 \u4e2d  it's 12 low[M]low <s>\u0301\u0323!"
WORDS = {"added_tokens": [{"id": 3, "content": "[M]", "special": True, "lstrip": True, "rstrip": True},
                          {"id": 6, "content": "L\u00f3w", "single_word": True}],
         "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                        "strip_accents": None, "lowercase": True},
         "pre_tokenizer": {"type": "BertPreTokenizer"},
         "padding": {"direction": "Right", "pad_id": 0, "pad_type_id": 1},
         "post_processor": {"type": "TemplateProcessing", "pair": [],
                            "single": [{"SpecialToken": {"id": "C", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 1}}],
                            "special_tokens": {"C": {"id": "C", "ids": [1, 2], "tokens": ["C", "D"]}}},
         "model": {"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 9,
                   "vocab": {"[PAD]": 0, "[UNK]": 4, "un": 5, "##e": 7, "low": 8, "'": 9}}}
BYTES = {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "use_regex": True},
         "post_processor": {"type": "Sequence", "processors": [
             {"type": "ByteLevel"}, {"type": "RobertaProcessing", "cls": ["<s>", 0], "sep": ["</s>", 1]}]},
         "model": {"type": "BPE", "unk_token": "<u>", "fuse_unk": True, "ignore_merges": False,
                   "vocab": {"<s>": 0, "</s>": 1, "<u>": 2, "l": 3, "o": 4, "w": 5, "lo": 6, "low": 7, "\u0120": 8, "\u0120low": 9},
                   "merges": ["l o", ["lo", "w"], ["\u0120", "low"]]}}


def main(folder):
    seeds = {"words": WORDS, "words_plain": WORDS | {"normalizer": None, "post_processor": None},
             "words_bert": WORDS | {"post_processor": {"type": "BertProcessing", "cls": ["C", 1], "sep": ["S", 2]}},
             "bytes": BYTES, "bytes_whole": BYTES | {"model": BYTES["model"] | {"ignore_merges": True, "unk_token": None}},
             "unigram": WORDS | {"model": {"type": "Unigram", "vocab": [["a", -1.5]]}}}
    for name, file in seeds.items():
        (folder / name).write_bytes(json.dumps(file).encode() + b"\0" + TEXT.encode())
    (folder / "latin").write_bytes(json.dumps(BYTES).encode() + b"\0caf\xe9")
    (folder / "none").write_bytes(b"{}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
