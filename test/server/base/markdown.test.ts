import assert from "node:assert/strict";
import fc from "fast-check";
import { marked, type Tokens } from "marked";
import {
  code,
  codeCut,
  escaped,
  fencedJson,
  figure,
  joined,
  link,
  type Markdown,
  markdown,
  masked,
  plainText,
  prose,
} from "../../../server/src/base/markdown.ts";
import { openMask } from "../../../server/src/base/mask.ts";
import { bundledCatalog } from "../../../server/src/catalog/catalog.ts";
import { anyText } from "../../support/anyText.ts";
import { times } from "../../support/depth.ts";
import { markdownFaults } from "../../support/renderedMarkdown.ts";

/** Pieces that mean something to a reader of Markdown, beside what people write. */
const pieces =
  "` `` ``` ~ ~~~ * ** _ __ [ ] ( ) ! < > </ a 1 1. 2) - + = # | : / // http https://a.b www.a.b @ x@y.zz &amp; & &#91; \\ $ $(x) { } ^ ' \" . mailto:a@b.cc xmpp: [x]: [^1] --- === 0x12 ftp://a.b <b>"
    .split(" ")
    .concat(" ", "  ", "\t", "\n", "\r", "\u2028", "\u202e", "\u001b");
const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(""));

/** Where Markdown of the product has text from outside in it. */
const places: readonly ((text: Markdown) => Markdown)[] = [
  (text) => text,
  (text) => markdown`- ${text}: b`,
  (text) => markdown`a ${text} b`,
  (text) => markdown`a\n${text}\nb`,
  (text) => markdown`${code("x")} · ${text} (${text})`,
];

describe("Markdown", () => {
  it("escapes what could begin a link, HTML or an address", () => {
    assert.equal(escaped("[a](command:b) <b> www.x.io a@b"), "\\[a\\]\\(command\\:b\\) \\<b\\> www\\.x\\.io a\\@b");
    assert.equal(escaped("a\u202eb\nc"), "a\\\\u202eb c");
  });

  it("leaves no mark of Markdown without its backslash", () =>
    fc.assert(
      fc.property(anyText(), (text) =>
        assert.doesNotMatch(escaped(text).replace(/\\[!-/:-@[-`{-~]/g, ""), /[!-/:-@[-`{-~]|[\n\r]/),
      ),
    ));

  it("has one way out of code, which text cannot take", () =>
    fc.assert(fc.property(anyText(), (text) => assert.match(code(text), /^`[^`\n\r]*`$/))));

  it("cuts code and says how long it was", () => {
    assert.equal(codeCut("abc", 5), "`abc`");
    assert.equal(codeCut("x".repeat(2000), 5), "`xxxx…` (2,000 characters)");
  });

  it("has a fence that no text inside ends", () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("`", "~", "a", "\n", "\u202e") }), (text) => {
        const [first = "", ...lines] = fencedJson(text).split("\n");
        const fence = first.replace("json", "");
        assert.match(fence, /^`{3,}$/);
        assert.equal(
          lines.findIndex((line) => line.startsWith(fence)),
          lines.length - 1,
        );
      }),
    ));

  it("is made of text from outside in four ways, and nothing in it becomes more than text", () => {
    for (const make of [escaped, prose, code, figure]) {
      for (const place of places) {
        const faults = (text: string): readonly string[] => markdownFaults(place(make(text)));
        fc.assert(
          fc.property(hostile, (text) => assert.deepEqual(faults(text), [])),
          { numRuns: times(1_000) },
        );
      }
    }
  });

  it("is a table with the columns that it is to have, whatever is in its cells", () =>
    fc.assert(
      fc.property(hostile, (text) => {
        const row = markdown`| ${escaped(text)} | b |\n| --- | --- |\n| ${escaped(text)} | c |`;
        assert.deepEqual(markdownFaults(row), []);
        assert.equal(columnsOf(row), 2);
      }),
    ));

  it("leaves English, names and figures as they are, for editors that show it as text", () => {
    assert.equal(
      prose("Takes `eth_call`s of eth_getLogs: 1.5 (at most), or `latest - 100`."),
      "Takes `eth_call`s of eth_getLogs: 1.5 (at most), or `latest - 100`.",
    );
    assert.equal(prose("a *b* [c](d) <e> f`g"), "a \\*b\\* \\[c\\](d) \\<e\\> f\\`g");
    for (const text of ["1,000.5 ether", "−1 gwei", "3 bytes", "2024-07-24 08:00:20 UTC"])
      assert.equal(figure(text), text);
    assert.equal(figure("1. ether"), "1\\. ether");
    assert.equal(markdown`${1234} of ${5_000_000n}`, "1,234 of 5,000,000");
  });

  it("hides a secret whose marks were escaped, and leaves other lines alone", () => {
    const mask = openMask();
    mask.add("s3cret-of/a.person", "‹secret KEY›");
    const text = markdown`**5 ether**\n\n- ${escaped("[s3cret-of/a.person]")}\n- ${code("s3cret-of/a.person")}`;
    const shown = masked(text, mask);
    assert.doesNotMatch(shown, /s3cret|person/);
    assert.ok(shown.startsWith("**5 ether**\n\n"));
    assert.deepEqual(markdownFaults(shown), []);
  });

  it("takes no string: the compiler finds what was not escaped", () => {
    const text: string = "[a](b)";
    // @ts-expect-error a string is not Markdown
    markdown`${text}`;
    // @ts-expect-error nor is a template of a string
    joined([`${escaped(text)}`], " ");
    assert.equal(markdown`${escaped(text)}`, "\\[a\\]\\(b\\)");
  });

  it("links only to the web, and lets nothing out of the link", () => {
    assert.equal(link("a]b", "https://x.io/a b(c)"), "[a\\]b](https://x.io/a%20b%28c%29)");
    const others =
      "http://x.io https://github.com@x.io/ https://a:b@x.io command:x javascript:alert(1) data:,x //x  file:///etc";
    for (const url of others.split(" ")) {
      assert.equal(link("a", url), undefined);
    }
  });
});

function columnsOf(text: string): number {
  const [table] = marked.lexer(text);
  return table?.type === "table" ? (table as Tokens.Table).header.length : 0; // told by its type
}

describe("plain text of Markdown", () => {
  for (const [text, plain] of [
    [markdown`**${escaped("a_b*c")}** · ${code("x_y")}`, "a_b*c · x_y"],
    [link("eth_call (docs)", "https://a.example/b_c") ?? markdown``, "eth_call (docs) (https://a.example/b_c)"],
    [markdown`**On the wire**\n\n${fencedJson('{ "a": "\\\\*" }\n```')}`, 'On the wire\n\n{ "a": "\\\\*" }\n```'],
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
