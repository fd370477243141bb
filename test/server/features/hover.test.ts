import assert from "node:assert/strict";
import { hover } from "../../../server/src/features/hover.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, cursor, local, scopeOf } from "../../support/cell.ts";

/** Checks which text the hover is about, and what it says. */
function check(marked: string, at: string, says: RegExp, around: Around = {}, kind?: "header"): void {
  const { text, offset } = cursor(marked);
  const cell = readCell(text, kind);
  const found = hover(cell, offset, scopeOf(cell, around));
  assert.ok(found, "there is a hover");
  assert.equal(text.slice(found.span.start, found.span.end), at);
  assert.match(found.markdown, says);
}

const none = (marked: string): void => {
  const { text, offset } = cursor(marked);
  const cell = readCell(text);
  assert.equal(hover(cell, offset, scopeOf(cell)), undefined);
};

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const header = `{ "variables": { "alice": "${alice}" }, "labels": { "${alice}": "alice [x](https://evil.example)" } }`;

describe("hover", () => {
  it("explains a method", () => {
    const marked = `{ "method": "eth_getB|alance" }`;
    check(
      marked,
      `"eth_getBalance"`,
      /^\*\*eth_getBalance\*\* · reads state\n\n`eth_getBalance\(address, block\?\) → wei`/,
    );
    check(marked, `"eth_getBalance"`, /- 1 `block` \(`block`, optional, default `"latest"`\): /);
    check(marked, `"eth_getBalance"`, /\*\*`pending`\*\* .*pre-confirmed/);
    check(marked, `"eth_getBalance"`, /\[Source\]\(https:\/\/github\.com\/ethereum\/execution-apis/);
  });

  it("tells limits and refusals", () => {
    check(`{ "method": "eth_getBlock|Receipts" }`, `"eth_getBlockReceipts"`, /`HTTP 403`/);
    check(`{ "method": "eth_get|Logs" }`, `"eth_getLogs"`, /under 2,000/);
  });

  it("answers in a cell that is still being typed", () =>
    check(`{ "method": "eth_getBalance", "params": [|"0x`, `"0x`, /^\*\*address\*\*/));

  it("explains a field by its key and by its value", () => {
    const call = (members: string): string => `{ "method": "eth_call", "params": [{ ${members} }] }`;
    check(call(`"va|lue": "0x1"`), `"value"`, /^\*\*value\*\* \(`wei`, optional, default `"0x0"`\)/);
    check(
      call(`"value": "0x14d1120d7b16|0000"`),
      `"0x14d1120d7b160000"`,
      /1\.5 ether \(1,500,000,000,000,000,000 wei\)/,
    );
  });

  it("explains tags and quantities", () => {
    check(`{ "method": "eth_getBalance", "params": ["", "pend|ing"] }`, `"pending"`, /`pending`: .*pre-confirmed/);
    check(`{ "method": "eth_getBalance", "params": ["", "0x1e8|480"] }`, `"0x1e8480"`, /2,000,000 in decimal/);
    check(
      `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "time": "0x66a0|b6c4" } }] }] }`,
      `"0x66a0b6c4"`,
      /2024-07-24 08:09:40 UTC/,
    );
  });

  it("explains directives and members of the header", () => {
    check(`{ "wi|thin": "10 s" }`, `"within"`, /until `expect` holds/);
    check(`{ "chain|Id": "0x1" }`, `"chainId"`, /refuses any other/, {}, "header");
  });

  it("tells where an endpoint leads", () =>
    check(`{ "endpoint": "lo|cal" }`, `"local"`, /`127\.0\.0\.1:8545` · from built in/));

  it("tells what a placeholder stands for", () => {
    const balance = (of: string): string => `{ "method": "eth_getBalance", "params": ["${of}"] }`;
    check(
      balance("{{al|ice}}"),
      "{{alice}}",
      /\*\*alice\*\* · variable\n\n`"0x70997970C51812dc3A010C7d01b50e0d17dc79C8"`/,
      { header },
    );
    const cells = [`{ "name": "head", "method": "eth_blockNumber" }`];
    check(
      balance("{{head.res|ult}}"),
      "{{head.result}}",
      /from the cell `head` \(`eth_blockNumber`\)\n\nIt has not run yet/,
      { cells },
    );
    check(balance("{{no|ne}}"), "{{none}}", /no variable and no cell/);
  });

  it("shows the last result", () =>
    check(`{ "method": "eth_ch|ainId" }`, `"eth_chainId"`, /\*\*Last result\*\* 31337$/, {
      lastResult: () => ({ ok: true, summary: "31337" }),
    }));

  it("lets no text of a notebook or a chain become Markdown", () => {
    check(
      `{ "method": "eth_getCode", "params": ["${alice}|"] }`,
      `"${alice}"`,
      /Label: alice \\\[x\\\]\\\(https\\:\\\/\\\/evil\\\.example\\\)/,
      { header },
    );
    check(`{ "method": "eth_ch|ainId" }`, `"eth_chainId"`, /failed: \\<img src\\=x\\>$/, {
      lastResult: () => ({ ok: false, summary: "<img src=x>" }),
    });
    check(`{ "endpoint": "x|" }`, `"x"`, /^\*\*x\*\* · `a'b` · from \\\[c\\\]\\\(command\\:d\\\)\./, {
      endpoints: [{ ...local, name: "x", host: "a`b", origin: "[c](command:d)" }],
    });
  });

  it("has nothing to say about white space and unknown methods", () => {
    none(`{ "method": "eth_chainId" | }`);
    none(`{ "method": "foo_|bar" }`);
    none("|");
  });
});
