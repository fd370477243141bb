import assert from "node:assert/strict";
import fc from "fast-check";
import { type JsonValue, parseJson, printJson } from "../../../server/src/base/json.ts";
import { listMadeLater, listOfTexts } from "../../../server/src/base/lazyList.ts";
import { visible } from "../../../server/src/base/text.ts";
import { printLargeJson } from "../../../server/src/cli/largeJson.ts";
import { terminal } from "../../../server/src/cli/terminal.ts";

async function printed(value: JsonValue): Promise<{ readonly text: string; readonly pieces: number }> {
  const pieces: string[] = [];
  const out = { write: (text: string) => void pieces.push(text) };
  await printLargeJson(value, terminal(out, out, {}));
  return { text: pieces.join(""), pieces: pieces.length };
}

describe("JSON in pieces", () => {
  it("means the same as in one piece", async () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 14 }), fc.nat(300), async (value, times) => {
        const json: JsonValue = Array.from({ length: times }, () => ({ a: [value as JsonValue, {}], b: [] })); // more values than one piece has
        const { text } = await printed(json);
        assert.equal(printJson(parseJson(text) ?? "not JSON"), printJson(json));
        assert.equal(text, visible(text));
      }),
    ));

  it("has the same text as in one piece, but a line for each item of a long list", async () => {
    const short: JsonValue = { short: Array.from({ length: 99 }, () => ["a", { b: [] }]), c: "\u001b" };
    assert.equal((await printed([short])).text, visible(`${printJson([short], 2)}\n`));
    const rows = Array.from({ length: 400 }, (_, at) => ({ at, of: [1, { two: 2 }] }));
    const lines = rows.map((row, at) => `    ${printJson(row)}${at < 399 ? "," : ""}`);
    assert.equal((await printed({ rows, c: [] })).text, `{\n  "rows": [\n${lines.join("\n")}\n  ],\n  "c": []\n}\n`);
  });

  it("has the same text if the items of a list are read later", async () => {
    for (const count of [2, 99, 100, 2000]) {
      const items = Array.from({ length: count }, (_, at) => ({ topics: [`0x${at}`], removed: false }));
      const textAt = (index: number): string => printJson(items[index] ?? null);
      const names = new Set(["topics", "removed"]);
      const list = listOfTexts({
        length: count,
        names,
        around: ["", ""],
        textAt,
        kindAt: () => -1,
        text: () => printJson(items),
        textLength: printJson(items).length,
      });
      assert.equal((await printed({ list })).text, (await printed({ list: items })).text);
    }
  });

  it("has the same text if a list is made when it is looked at, and does not make it", async () => {
    const items = Array.from({ length: 3000 }, (_, at) => ({ at, of: ["a", "b"] }));
    let made = 0;
    const list = listMadeLater(
      () => {
        made++;
        return items;
      },
      () => {
        const texts = items.map((item) => printJson(item));
        return () => texts.shift();
      },
    );
    assert.equal((await printed([{ list, c: [] }])).text, (await printed([{ list: items, c: [] }])).text);
    assert.equal(made, 0);
    assert.deepEqual([JSON.stringify({ list }), list.length, made], [JSON.stringify({ list: items }), 3000, 1]);
  });

  it("keeps integers of any size, and names of any kind", async () => {
    const value = JSON.parse(`[{ "a": [{ "__proto__": 1, "\\u202e": "\\u001b" }] }]`) as JsonValue[];
    assert.equal((await printed([...value, [2n ** 70n]])).text, visible(`${printJson([...value, [2n ** 70n]], 2)}\n`));
  });

  it("waits for a slow reader after each piece", async () => {
    const pending: (() => void)[] = [];
    let pieces = 0;
    const out = {
      writableNeedDrain: true,
      write(text: string, written?: () => void) {
        if (text !== "") pieces++;
        if (written) pending.push(written);
      },
    };
    const done = printLargeJson(
      Array.from({ length: 5000 }, () => "0".repeat(60)),
      terminal(out, out, {}),
    );
    for (let read = 1; read < 5; read++) {
      await new Promise(setImmediate);
      assert.equal(pieces, read);
      pending.pop()?.();
    }
    await new Promise(setImmediate);
    pending.pop()?.();
    await done;
  });

  it("can be longer than a string", async () => {
    const line = "0".repeat(1000);
    const { pieces } = await printed([{ cells: Array.from({ length: 5000 }, () => line) }]);
    assert.ok(pieces >= 5, `${pieces} pieces`);
  });
});
