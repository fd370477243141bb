import assert from "node:assert/strict";
import fc from "fast-check";
import { explained } from "../../../../server/src/editor/pastedRequests.ts";
import { readCell } from "../../../../server/src/notebook/readCell.ts";
import { anyText } from "../../../support/anyText.ts";
import { scopeOf } from "../../../support/cell.ts";
import { corpusLines } from "../../../support/corpus.ts";
import { some, times } from "../../../support/depth.ts";
import { expectLinear } from "../../../support/growth.ts";
import { alice, hash, pastedTexts, token } from "./pastedTexts.ts";

const scope = scopeOf(readCell(""), {
  header: JSON.stringify({ labels: { [alice]: "Alice", [token]: "Token" } }),
  endpoint: { chainId: 31337n },
});

/** Methods that a reading may ask for. All of them only read. */
const reads = /^(?:eth_(?:get\w+|call|chainId))$/;

function requestsIn(cells: readonly { readonly text: string }[]) {
  return cells.flatMap(({ text }) => readCell(text).requests);
}

describe("what a pasted text may be", () => {
  for (const { what, text, first, asks } of pastedTexts)
    it(`is recognised: ${what}`, async () => {
      const { readings, note = "" } = await explained(text, scope);
      const [best] = readings;
      if (first === undefined) {
        assert.deepEqual([best, note.includes(asks[0])], [undefined, true], note);
        return;
      }
      assert.match(best?.name ?? note, first);
      assert.match(best?.what ?? "", /^[A-Z\d].*[.…]$/s, "a sentence");
      if (asks[0] === "") return;
      const [cell] = best?.cells ?? [];
      assert.equal(readCell(cell?.text ?? "").faults.length, 0);
      assert.equal(requestsIn(best?.cells ?? [])[0]?.method, asks[0]);
      assert.ok(cell?.text.includes(asks[1] ?? ""), cell?.text);
    });

  it("lays a transaction out as the formatter does", async () => {
    const [best] = (await explained(hash, scope)).readings;
    assert.equal(
      best?.cells[0]?.text,
      `{\n  "method": "eth_getTransactionByHash",\n  "params": ["${hash}"],\n  "explain": true\n}`,
    );
  });

  it("never makes a cell that sends a transaction, except from a request that is one", async () => {
    for (const { text, what } of pastedTexts) {
      const { readings } = await explained(text, scope);
      for (const { name, cells } of readings.filter(({ name }) => !name.startsWith("Request ")))
        for (const { method } of requestsIn(cells)) assert.match(method ?? "", reads, `${what}, ${name}`);
    }
  });

  it("names the chain of a page, and says if the endpoint is another one", async () => {
    const [base] = (await explained(`https://basescan.org/tx/${hash}`, scope)).readings;
    assert.match(base?.what ?? "", /It is for chain 8453, Base, but the endpoint local is .*31337/);
    const [other] = (await explained(`https://explorer.example/tx/${hash}`, scope)).readings;
    assert.doesNotMatch(other?.what ?? "", /It is for/);
    const [prefixed] = (await explained(`arb1:${token}`, scope)).readings;
    assert.match(prefixed?.what ?? "", /It is for chain 42161, Arbitrum One/);
  });

  it("lists several values, the transaction first", async () => {
    const { readings } = await explained(`block 17 has ${token} and tx ${hash}, 0xa9059cbb`, scope);
    assert.deepEqual(
      readings.map(({ name }) => name),
      ["Transaction hash", "Function transfer(address,uint256)", "Address of Token", "Block 17"],
    );
  });

  it("offers the other meanings of 32 bytes, and none that runs for a private key", async () => {
    const { readings } = await explained(hash, scope);
    assert.deepEqual(
      readings.map(({ name, cells }) => [name, cells.length]),
      [
        ["Transaction hash", 1],
        ["Block hash", 1],
        ["Word of 32 bytes", 1],
        ["Private key", 0],
      ],
    );
  });

  it("simulates a signed transaction from its sender", async () => {
    const raw = pastedTexts.find(({ what }) => what === "a transaction of type 2")?.text ?? "";
    const [best] = (await explained(raw, scope)).readings;
    assert.match(best?.cells[1]?.text ?? "", /"method": "eth_call"[\s\S]*"from": "0x[\da-fA-F]{40}"/);
  });

  it("says if an address is mistyped", async () => {
    const [best] = (await explained(alice.replace("C8", "c8"), scope)).readings;
    assert.match(best?.what ?? "", /checksum is wrong/);
  });

  it("leaves the key of a page out", async () => {
    const text = pastedTexts.find(({ what }) => what === "an address of an API with a key")?.text ?? "";
    assert.ok(!JSON.stringify(await explained(text, scope)).includes("ABCDEFGH"));
  });

  it("makes no placeholder of a text", async () => {
    const secret = "{{$secret.MAIN_KEY}}";
    for (const text of [
      `Contract Call:\n  address: ${token}\n  function: f(string a)\n  args: (${secret})\n\nerror`,
      JSON.stringify({ to: token, data: "0x12345678", from: secret, value: secret }),
      JSON.stringify({ topics: [secret], data: secret, address: secret }),
      `https://etherscan.io/tx/${secret}`,
    ])
      for (const { cells } of (await explained(text, scope)).readings)
        for (const { text: cell } of cells) assert.ok(!cell.includes("{{"), cell);
  });
});

describe("texts of the corpus", () => {
  it("are requests if they are bodies of requests that are whole", async () => {
    for (const line of corpusLines("requests")) {
      const { raw } = JSON.parse(line) as { readonly raw?: string };
      const cell = readCell(raw ?? "");
      const [request] = cell.requests;
      if (raw === undefined || cell.faults.length > 0 || cell.requests.length !== 1 || !request?.members.has("jsonrpc"))
        continue;
      const { method = "" } = request;
      const [best] = (await explained(raw, scope)).readings;
      if (!/^eth_(?:subscription|send|sign)|Raw/.test(method)) assert.equal(best?.name, `Request ${method}`, raw);
    }
  });

  it("are errors of endpoints, and have a reading or a sentence", async () => {
    for (const line of corpusLines("errors")) {
      const { code, message, data } = JSON.parse(line);
      const { readings, note } = await explained(
        JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message, data } }),
        scope,
      );
      assert.ok(
        readings.every(({ name }) => /^(?:Revert data|Address|Block|Transaction|Failed call|Error message)/.test(name)),
        message,
      );
      assert.ok(readings.length > 0 || note !== undefined, message);
    }
  });

  it("are logs, calls and reverts", async () => {
    const names = {
      event: /^Log/,
      "raw-log": /^Log/,
      "pseudo-transfer-log": /^Log/,
      call: /^Call data/,
      revert: /^Revert data/,
    };
    for (const line of corpusLines("vectors")) {
      const { kind, topics, data } = JSON.parse(line);
      const name = names[kind as keyof typeof names];
      if (!name || typeof data !== "string" || data.length === 10) continue;
      const text = topics ? JSON.stringify({ address: token, topics, data }) : data;
      assert.match((await explained(text, scope)).readings[0]?.name ?? "", name, line);
    }
  });
});

describe("texts that nobody expects", () => {
  const isFine = async (text: string): Promise<boolean> => {
    const { readings, note } = await explained(text, scope);
    assert.ok(readings.length > 0 || (note ?? "") !== "", "a reading or a sentence");
    for (const { name, what, cells } of readings) {
      assert.ok(name.length <= 170 && what.length > 0 && what.length <= 500);
      for (const { text: cell } of cells) assert.ok(cell.trim() !== "");
    }
    return true;
  };

  it("never break it: random text", () =>
    fc.assert(fc.asyncProperty(anyText({ maxLength: 300 }), isFine), { numRuns: times(300) }));

  it("never break it: random parts of the table", () => {
    const parts = fc.constantFrom(...pastedTexts.flatMap(({ text }) => text.match(/[\s\S]{1,40}/g) ?? []));
    return fc.assert(
      fc.asyncProperty(
        fc.array(parts, { maxLength: 12 }).map((all) => all.join("")),
        isFine,
      ),
      { numRuns: times(300) },
    );
  });

  it("never break it: the beginnings of the table", async () => {
    for (const { text } of some(pastedTexts, 30))
      for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 0.98]) await isFine(text.slice(0, Math.floor(text.length * part)));
  });

  const mega = 1_000_000;
  const most = 190_000; // a longer text is not read as one value
  const repeated = (piece: string, length: number) =>
    [length / piece.length, (size: number) => piece.repeat(size)] as const;
  for (const [what, [size, text]] of Object.entries({
    "zeros of hex": [mega, (size: number) => `0x${"0".repeat(size)}`],
    hex: repeated("0xdeadbeef", mega),
    braces: repeated("{", mega),
    "pairs of braces": repeated('{"to":', mega),
    quotes: repeated('\\"', mega),
    spaces: repeated(" ", mega),
    blocks: repeated("block ", mega),
    points: repeated("a.", mega),
    "an error many times": repeated(`Error: execution reverted data="0x08c379a0" `, mega),
    "titles of viem": repeated("Raw Call Arguments:\n  a: b\n", mega),
    hashes: repeated(`${hash} `, mega),
    colons: repeated("https://", mega),
    "binary data": repeated(String.fromCharCode(0, 7, 200, 65533), mega),
    JSON: [
      20_000,
      (size: number) =>
        JSON.stringify(Array.from({ length: size }, (_, at) => ({ at, text: "not about a chain at all" }))),
    ],
    digits: repeated("1234567890", mega),
    commas: repeated("1,", mega),
    "a row of brackets inside a text": [most, (size: number) => `x${")".repeat(size)}x`],
    "a value of viem with spaces inside": [
      most,
      (size: number) => `error Call Arguments:\n from:x${" ".repeat(size)}y\n`,
    ],
    "a row of backslashes": [most, (size: number) => `error \\"${"\\".repeat(size)}x`],
    "names of a block's member": repeated("parentHash ", most),
    "lists in lists of selectors": [
      20 ** 3,
      (size: number) => {
        const list = (item: unknown): unknown => Array.from({ length: Math.cbrt(size) }, () => item);
        return JSON.stringify(list(list(list("0xa9059cbb"))));
      },
    ],
    "an HTTP request with empty lines": [most, (size: number) => `POST http://a/\n${"\n".repeat(size)}x`],
    "a call of fetch with empty lines": [most, (size: number) => `fetch(${"\n".repeat(size)}`],
  } as const))
    it(`are read in time: ${what}`, () => expectLinear(size, (count) => isFine(text(count)))).timeout(60_000);
});
