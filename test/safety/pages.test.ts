import assert from "node:assert/strict";
import { openMask } from "../../server/src/base/mask.ts";
import { clock } from "../../server/src/node/environment.ts";
import type { ExportPageParams } from "../../server/src/protocol/conversion.ts";
import type { Report } from "../../server/src/report/report.ts";
import { RowStore } from "../../server/src/run/result/rowStore.ts";
import { exportPage } from "../../server/src/save/exportPage.ts";
import { canary, hostileTexts, unseen } from "../support/hostileText.ts";

const script = "drawn();";

function made({ title = "a", cells }: Partial<ExportPageParams>): Promise<string> {
  const support = { rowStore: new RowStore(clock), mask: openMask(), clock, version: "1.0.0" };
  return exportPage({ title, cells: cells ?? [], script }, support);
}

/** A report with a text in every place. */
function reportWith(text: string): Report {
  const value = { text, raw: text, also: [text] };
  return {
    title: text,
    summary: text,
    status: "failed",
    headline: [{ text, exact: text }],
    facts: [{ name: "endpoint", value: text, short: text }],
    explorer: text,
    sections: [
      { kind: "fields", title: text, fields: [{ name: text, value }] },
      { kind: "table", title: text, columns: [{ name: text, align: "left" }], rows: [[value]], total: 1 },
      { kind: "failure", what: text, todo: text, fields: [{ name: text, value }] },
      { kind: "note", text },
      { kind: "text", title: text, text, length: text.length },
      { kind: "tree", title: text, nodes: [{ parts: [{ text }], children: [] }] },
      { kind: "flow", moves: [{ from: text, to: text, amount: text }], balances: [text], text },
    ],
  };
}

/** Every tag that a page may have. */
const tag =
  /^<(?:!doctype html|\/?(?:html|head|body|main|h[1-5]|p|ul|ol|li|blockquote|table|thead|tbody|tr|td|code|em|strong|s|b|footer|title|summary|span|section|details|div|pre|th)|hr|br|html lang="en"|meta (?:charset="utf-8"|name="[\w-]+" content="[\w=, -]*"|http-equiv="Content-Security-Policy" content="[^"<>]*")|(?:section|details|div|span|h2) class="[a-z ]+"(?: data-result="\d+")?|pre tabindex="0"|th scope="col")>$/;

/** Returns what in a page is not of ours. */
function strangeParts(page: string): readonly string[] {
  const data = /<script type="application\/json" id="results">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
  JSON.parse(data);
  const rest = page
    .replace(`<script type="application/json" id="results">${data}</script>`, "")
    .replace(`<script>${script}</script>`, "")
    .replace(/<style>[\s\S]*?<\/style>/, "");
  const tags = rest.match(/<[^>]*>?/g) ?? [];
  return [
    ...tags.filter((one) => !tag.test(one)),
    ...(data.includes("<") ? ["a tag in the data"] : []),
    ...(page.match(unseen) ?? []),
  ];
}

describe("an exported page", () => {
  it("shows hostile text as text, wherever it is from", async () => {
    for (const { text } of hostileTexts) {
      const cells: ExportPageParams["cells"] = [
        { kind: "header", text, reports: [] },
        { kind: "markdown", text, reports: [] },
        { kind: "request", text, reports: [reportWith(text)] },
        { kind: "request", text: JSON.stringify({ name: text, method: text, params: [text] }), reports: [] },
      ];
      const page = await made({ title: text, cells });
      assert.deepEqual(strangeParts(page), [], JSON.stringify(text.slice(0, 100)));
      if (text.includes(canary)) assert.ok(page.split(canary).length > 10);
    }
  });

  it("ends its own elements only itself", async () => {
    for (const text of [
      "</script><script>alert(1)</script>",
      "</pre><img src=x onerror=alert(1)>",
      "<!--",
      "</title>",
      "\u202e\u2066</style>",
      "]]>",
      "&lt;img&gt;",
    ]) {
      const cells: ExportPageParams["cells"] = (["header", "markdown", "request"] as const).map((kind) => ({
        kind,
        text,
        reports: [reportWith(text)],
      }));
      assert.deepEqual(strangeParts(await made({ title: text, cells })), [], text);
    }
  });

  it("would not pass with a strange tag", () => {
    const data = '<script type="application/json" id="results">[]</script>';
    for (const one of ['<img src="x">', "<script>alert(1)</script>", '<a href="https://x.example">', '<p onclick="x">'])
      assert.notDeepEqual(strangeParts(`${data}<p>${one}`), []);
  });

  it("hides keys that are written in the notebook, in its cells and in its results", async () => {
    const key = "9aK3xQ7vL2mN8pR4tW6yB1cD5";
    const written: readonly (readonly [kind: "header" | "request" | "markdown", text: string])[] = [
      ["header", JSON.stringify({ endpoint: `https://rpc.example/v2/${key}` })],
      [
        "header",
        JSON.stringify({ endpoint: { url: "https://rpc.example", headers: { Authorization: `Bearer ${key}` } } }),
      ],
      ["header", JSON.stringify({ variables: { apiKey: key } })],
      ["request", JSON.stringify({ method: "eth_call", endpoint: `https://rpc.example/?apikey=${key}` })],
      ["request", JSON.stringify({ method: "personal_unlockAccount", params: ["0x1", key] })],
      ["request", `{ "method": "eth_call", "endpoint": "https://user:${key}@rpc.example`],
      ["markdown", `Use https://rpc.example/v2/${key}, or \`curl -H "Authorization: Bearer ${key}"\`.`],
    ];
    for (const [kind, text] of written) {
      const said = `no method for ${key.toUpperCase()} and ${Buffer.from(key).toString("base64")}`;
      const cells: ExportPageParams["cells"] = [
        { kind, text, reports: [] },
        { kind: "request", text: "{}", reports: [reportWith(said)] },
      ];
      const page = await made({ cells });
      for (const part of [key, Buffer.from(key).toString("base64").slice(0, 20)])
        assert.ok(!page.toLowerCase().includes(part.toLowerCase()), text);
      assert.match(page, /Hidden values: ‹hidden›\./);
    }
  });
});
