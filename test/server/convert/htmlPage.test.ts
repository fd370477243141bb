import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { markdownHtml } from "../../../server/src/convert/htmlMarkdown.ts";
import { htmlPage, jsonHtml, type Page } from "../../../server/src/convert/htmlPage.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { some } from "../../support/depth.ts";
import { expectLinear } from "../../support/growth.ts";

const report: Report = {
  title: "balance: eth_getBalance",
  summary: "1.5 ether",
  status: "ok",
  sections: [],
  facts: [{ name: "endpoint", value: "local (127.0.0.1:8545)", short: "local" }],
  ranAt: 1_700_000_000_000,
};
const page: Page = {
  title: "a",
  cells: [
    { kind: "header", text: '{ "variables": {} }', reports: [] },
    { kind: "markdown", text: "# Title", reports: [] },
    { kind: "request", text: '{ "name": "balance", "method": "eth_getBalance" }', reports: [report] },
    { kind: "request", text: '{ "method": "eth_chainId" }', reports: [] },
  ],
  missingRows: 0,
  exportedAt: 1_700_000_100_000,
  version: "1.2.3",
  script: "drawn();",
};

describe("Markdown of a page", () => {
  for (const [text, made] of [
    ["# A `b` #", "<h2>A <code>b</code></h2>"],
    ["a\nb  \nc\n\nd", "<p>a\nb  <br>c</p>\n<p>d</p>"],
    ["**a** _b_ ~~c~~ a_b_c 2 * 3 * 4", "<p><strong>a</strong> <em>b</em> <s>c</s> a_b_c 2 * 3 * 4</p>"],
    ["[a](https://x.example) <b>", '<p>a <span class="address">https://x.example</span> &lt;b&gt;</p>'],
    ["![a](https://x.example/a.png)", '<p>a <span class="address">https://x.example/a.png</span></p>'],
    ["- a\n  - b\n- c", "<ul><li><p>a</p>\n<ul><li><p>b</p></li></ul></li><li><p>c</p></li></ul>"],
    ["1. a\n\n   b\n2. c", "<ol><li><p>a</p>\n<p>b</p></li><li><p>c</p></li></ol>"],
    ["> a\n> b", "<blockquote><p>a\nb</p></blockquote>"],
    ["```json\n<a> **b**\n```\nc", '<pre tabindex="0"><code>&lt;a&gt; **b**</code></pre>\n<p>c</p>'],
    ["~~~\na", '<pre tabindex="0"><code>a</code></pre>'],
    [
      "| a | b |\n|---|:-:|\n| `c` | d \\| e |",
      '<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td><code>c</code></td><td>d | e</td></tr></tbody></table>',
    ],
    ["***\n| a", "<hr>\n<p>| a</p>"],
    ["\\*a\\* `*b*", "<p>*a* `<em>b</em></p>"],
    ["a\u202eb", "<p>a\\u202eb</p>"],
    ["", ""],
  ] as const)
    it(`shows ${JSON.stringify(text)}`, () => assert.equal(markdownHtml(text), made));

  it("takes time in proportion to the text, whatever it is", async () => {
    const pieces = "`|` ``|*|**a |_a|[|![a](|> |- |  - |```\n|# |\\|~~|* * * ";
    for (const piece of some([...pieces.split("|"), "|a\n", "|a|\n|-|\n"], 5))
      await expectLinear(200_000 / piece.length, (size) => markdownHtml(piece.repeat(size)), piece);
  });
});

describe("JSON of a page", () => {
  it("colours keys, values and placeholders, and keeps every character", () => {
    const text = '{ "a": ["b {{c.d}}", -1.5e3, true, null], "e<": 0x1 // f\n "g';
    assert.match(
      jsonHtml(text),
      /<span class="key">&quot;a&quot;<\/span>: \[<span class="string">&quot;b <b>\{\{c\.d\}\}<\/b>/,
    );
    const shown = jsonHtml(text)
      .replace(/<[^>]*>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&lt;", "<");
    assert.equal(shown, text);
  });
});

describe("an exported page", () => {
  it("contains the cells in order, and the text of their results", async () => {
    const text = await htmlPage(page);
    const shown = text.slice(text.indexOf("<main>"), text.indexOf("</main>"));
    assert.match(
      shown,
      /<h1>a<\/h1>[\s\S]*Header[\s\S]*<h2>Title<\/h2>[\s\S]*<span>1<\/span>balance[\s\S]*1\.5 ether[\s\S]*<span>2<\/span>eth_chainId/,
    );
    assert.equal(shown.match(/data-result/g)?.length, 1);
  });

  it("says when, where and by what it was made", async () => {
    const footer = (await htmlPage({ ...page, missingRows: 2722 })).split("<footer>")[1]?.split("</footer>")[0];
    assert.equal(
      footer?.replace(/<\/p><p>/g, "\n").replace(/<[^>]*>/g, ""),
      [
        "Exported 2023-11-14 22:15:00 UTC by RPC Notebook 1.2.3.",
        "Answered by local (127.0.0.1:8545), 2023-11-14 22:13:20 UTC.",
        "2,722 rows of long tables are left out.",
        "No value was hidden.",
      ].join("\n"),
    );
  });

  it("says what is hidden in it", async () => {
    const cells: Page["cells"] = [
      { kind: "request", text: '["‹secret KEY›", "‹.env A›", "‹hidden›", "‹other›"]', reports: [] },
    ];
    assert.match(await htmlPage({ ...page, cells }), /Hidden values: ‹secret KEY›, ‹\.env A›, ‹hidden›\./);
  });

  it("allows its own script and style by their hashes, and nothing else", async () => {
    const text = await htmlPage({ ...page, script: 'draw("</script><!--");' });
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1] ?? "";
    const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? "";
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? "";
    const hash = (content: string): string => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;
    assert.equal(script, 'draw("\\x3c/script>\\x3c!--");');
    assert.equal(
      policy,
      `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
    );
    assert.doesNotMatch(style, /url\(|@import/);
  });
});
