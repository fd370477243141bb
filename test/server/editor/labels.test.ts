import assert from "node:assert/strict";
import { createService } from "../../../server/src/service/service.ts";
import { edited } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";

const uri = "file:///nowhere/a.rpc.json";
const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const cell = `{ "method": "eth_chainId" }`;

/** The notebook after an address got a name, or why it got none. */
function labelled(text: string | undefined, address = alice, name = "Alice", from = "file:///nowhere/A.sol"): string {
  const service = createService(testHost());
  if (text !== undefined) service.openText(uri, text);
  const made = service.label({ uri: from, address, name });
  if ("refused" in made) return made.refused;
  return "header" in made ? made.header : edited(text ?? "", made.edits);
}

describe("a label", () => {
  const entry = `"${alice}": "Alice"`;
  for (const [what, before, after] of [
    ["the first", `{ "cells": [${cell}] }`, `{ "labels": { ${entry} }, "cells": [${cell}] }`],
    [
      "one of several",
      `{ "labels": { "0x${"1".repeat(40)}": "b" }, "cells": [] }`,
      `{ "labels": { "0x${"1".repeat(40)}": "b", ${entry} }, "cells": [] }`,
    ],
    [
      "another for the same address",
      `{ "labels": { "${alice.toLowerCase()}": "old" }, "cells": [] }`,
      `{ "labels": { "${alice.toLowerCase()}": "Alice" }, "cells": [] }`,
    ],
    ["in place of nothing", `{ "labels": null, "cells": [] }`, `{ "labels": { ${entry} }, "cells": [] }`],
  ] as const)
    it(`is written into the header: ${what}`, () => assert.equal(labelled(before), after));

  for (const [what, before, after] of [
    ["a list", `[${cell}]\n`, `{ "labels": { ${entry} }, "cells": [${cell}] }\n`],
    ["one request", cell, `{ "labels": { ${entry} }, "cells": [${cell}] }`],
  ] as const)
    it(`gives ${what} a header`, () => assert.equal(labelled(before), after));

  it("is the header that a notebook of cells gets", () => {
    const service = createService(testHost());
    service.openNotebook(uri, [{ uri: `${uri}#a`, kind: "code", text: cell }]);
    assert.deepEqual(service.label({ uri: `${uri}#a`, address: alice, name: "Alice" }), {
      notebook: uri,
      header: `{ "labels": { ${entry} } }`,
    });
  });

  it("is written as it is, whatever it contains", () => {
    const text = labelled(`{ "cells": [] }`, alice, ` "quoted" \\ 💰 `);
    assert.deepEqual(JSON.parse(text), { labels: { [alice]: `"quoted" \\ 💰` }, cells: [] });
  });

  for (const [what, made] of [
    ["there is no notebook", labelled(undefined)],
    ["it is empty", labelled(`{ "cells": [] }`, alice, "  ")],
    ["it is of no address", labelled(`{ "cells": [] }`, "0x12")],
    ["labels are something else", labelled(`{ "labels": 7, "cells": [] }`)],
    ["the file has a mistake", labelled(`[${cell}`)],
    ["it looks like an address", labelled(`{ "cells": [] }`, alice, "0x7099")],
  ] as const)
    it(`is refused if ${what}`, () =>
      assert.match(
        made,
        /^(Open a notebook|Not an address|A label needs|The label cannot be added|A label cannot look like)/,
      ));
});
