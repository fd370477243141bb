import assert from "node:assert/strict";
import { code, escaped, fenced, joined, link, markdown, prose } from "../../../server/src/base/markdown.ts";
import { plainText } from "../../../server/src/base/plainText.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";

describe("plain text of Markdown", () => {
  for (const [text, plain] of [
    [markdown`**${escaped("a_b*c")}** · ${code("x_y")}`, "a_b*c · x_y"],
    [link("eth_call (docs)", "https://a.example/b_c") ?? markdown``, "eth_call (docs) (https://a.example/b_c)"],
    [markdown`**On the wire**\n\n${fenced('{ "a": "\\\\*" }\n```', "json")}`, 'On the wire\n\n{ "a": "\\\\*" }\n```'],
    [joined([markdown`one`, markdown`---`, markdown`- ${escaped("a|b")}`], "\n\n"), "one\n\n- a|b"],
    [
      markdown`| ${escaped("from")} | ${escaped("a|b")} |\n| --- | --: |\n| ${code("0x|1")} | 2 |`,
      "from  a|b\n0x|1  2",
    ],
    [prose("Takes `eth_call`s, *not* <b> https://x"), "Takes eth_calls, *not* <b> https://x"],
  ] as const) {
    it(`is ${JSON.stringify(plain)}`, () => assert.equal(plainText(text), plain));
  }

  it("gives the words of every summary of the catalogue back", () => {
    for (const { summary } of bundledCatalog.methods)
      assert.equal(plainText(prose(summary)), summary.replaceAll("`", "").trim());
  });
});
