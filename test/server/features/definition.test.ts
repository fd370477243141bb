import assert from "node:assert/strict";
import { definition } from "../../../server/src/features/definition.ts";
import { createService } from "../../../server/src/service/service.ts";
import type { Around } from "../../support/cell.ts";
import { local } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";
import { inText, spotIn } from "../../support/notebook.ts";

/** Checks where one gets to from the cursor `|`: the places between `«` and `»`. */
function check(marked: string): void {
  const { text, document, cell, offset, scope } = spotIn(marked.replace(/[«»]/g, ""));
  const found = definition(cell, offset, scope).map((at) => {
    assert.ok("cell" in at);
    return inText(document, at);
  });
  const shown = found
    .sort((a, b) => b.start - a.start)
    .reduce((all, { start, end }) => `${all.slice(0, start)}«${all.slice(start, end)}»${all.slice(end)}`, text);
  assert.equal(shown, marked.replace("|", ""));
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("definition", () => {
  for (const marked of [
    // leads from a placeholder to a variable or a cell
    `{ "variables": { "«who»": 1 }, "cells": [{ "method": "a", "params": ["{{w|ho}}"] }] }`,
    `[{ "method": "a", "params": ["{|{b.result[0]}}"] }, { "name": "«b»", "method": "c" }]`,
    `[{ "method": "a", "params": ["{{b.res|ult[0]}}"] }, [{ "name": "«b»", "method": "c" }]]`,
    `[{ "method": "a", "params": [{ "{{b}|}": 1 }] }, { "name": "«b»", "batch": [] }]`,
    // leads from an address to its label
    `{ "labels": { "«${alice}»": "alice" }, "cells": [{ "method": "a", "params": ["|${alice.toLowerCase()}"] }] }`,
    `{ "variables": { "a": "|${alice}" }, "labels": { "«${alice}»": "alice" }, "cells": [] }`,
    // takes a declaration for its own
    `{ "variables": { "«wh|o»": 1 }, "cells": [] }`,
    `{ "variables": { "who": 1 }, "cells": [{ "name": "«w|ho»", "method": "a" }] }`,
    `{ "labels": { "${alice}": "«al|ice»" }, "cells": [] }`,
    `{ "labels": { "«${alice}|»": "alice" }, "cells": [] }`,
    // leads nowhere from what nothing declares
    `[{ "method": "a", "params": ["{{wh|o}}", "${alice}"] }]`,
    `[{ "method": "a", "params": ["{{who}}", "|${alice}"] }]`,
    `[{ "endpoint": "lo|cal", "method": "a" }]`,
    `[{ "me|thod": "a" }]`,
  ])
    it(marked, () => check(marked));

  it("leads from an endpoint to its file", () => {
    const place = { uri: "file:///w/rpc-endpoints.json", place: { line: 2, column: 4 } };
    const around: Around = { endpoints: [local, { ...local, name: "main", place }] };
    const { cell, offset, scope } = spotIn(`{ "endpoint": "ma|in", "cells": [] }`, around);
    assert.deepEqual(definition(cell, offset, scope), [place]);
  });

  it("finds the line and column of an endpoint in the file beside the notebook", async () => {
    const written = `{\r\n  "$schema": "x",\n  "main": "https://main.example",\r  "test": { "url": "https://test.example" }\n}`;
    const read = async (uri: string): Promise<Uint8Array | undefined> =>
      uri === "file:///w/rpc-endpoints.json" ? new TextEncoder().encode(written) : undefined;
    const service = createService(testHost({ files: { read } }));
    const text = `{ "endpoint": "main", "cells": [{ "endpoint": "test", "method": "a" }] }`;
    service.openText("file:///w/a.rpc.json", text);
    await service.settled("file:///w/a.rpc.json");
    const places = ["main", "test"].map((name) => service.definition("file:///w/a.rpc.json", text.indexOf(name)));
    assert.deepEqual(places, [
      [{ uri: "file:///w/rpc-endpoints.json", place: { line: 3, column: 4 } }],
      [{ uri: "file:///w/rpc-endpoints.json", place: { line: 4, column: 4 } }],
    ]);
  });
});
