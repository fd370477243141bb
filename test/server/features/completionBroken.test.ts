import assert from "node:assert/strict";
import fc from "fast-check";
import { completion } from "../../../server/src/features/completion.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { createService } from "../../../server/src/service/service.ts";
import { type Around, change, cursor, scopeOf } from "../../support/cell.ts";
import { applied, check, complete, completes, labels } from "../../support/complete.ts";
import { times } from "../../support/depth.ts";
import { testHost } from "../../support/host.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const around: Around = {
  header: `{ "variables": { "alice": "${alice}" } }`,
  cells: [`{ "name": "head", "method": "eth_getBlockByNumber" }`],
};

describe("completion in broken text", () => {
  it("takes quotes of either kind", () => {
    const after = `{ "method": "eth_getCode", "params": ["{{alice}}"] }`;
    for (const typed of [`"al|"`, `"al|`, `'al|'`, `'al|`, "al|", "|", `"|"`, `'|'`]) {
      check(`{ "method": "eth_getCode", "params": [${typed}] }`, "{{alice}}", after, around);
    }
    completes("method", `{ ‹'meth|'→"method": ""› }`);
    check(`{ "method": "eth_getCode", "params": ['{{al|'] }`, "{{alice}}", after, around);
  });
  it("compares with the quote that is there", () => {
    const [item] = complete(`{ "name": "a", 'me|' }`);
    assert.equal(item?.filterText, `'${item?.label}'`);
  });
  it("finds a key by half of it, quoted or not", () => {
    completes("name", `{ "method": "eth_chainId", ‹na|→"name": ""› }`);
    completes("name", `{ "method": "eth_chainId", "‹na|→name": ""› }`);
    completes("name", `{ "method": "eth_chainId"‹ "na|→, "name": "›" }`);
    completes("name", `{ "‹na|"→name": "",› "method": "eth_chainId" }`);
  });
  it("takes a trailing comma for a beginning", () => {
    completes("id", `{ "method": "eth_chainId",|‹→"id": 1› }`);
    completes("latest", `{ "method": "eth_getCode", "params": ["${alice}",|‹→"latest"›] }`);
  });
  it("answers behind a closing bracket inside of an object, not behind the last one", () => {
    completes("name", `{ "method": "eth_call", "params": []‹ |→, "name": ""› }`);
    assert.deepEqual(labels(`{ "method": "eth_chainId" }|`), []);
  });
  it("answers where brackets are missing", () => {
    assert.ok(labels(`{ "method": "eth_call", "params": [{ "to": "0x", |`).includes("data"));
    assert.ok(
      labels(`{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "calls": [{ "|`).includes("from"),
    );
    assert.ok(labels(`[{ "method": "eth_|`).includes("eth_call"));
  });
  it("is silent in comments and goes on behind them", () => {
    assert.deepEqual(labels(`{ "method": "eth_chainId", // na|\n }`), []);
    assert.deepEqual(labels(`{ /* | */ }`), []);
    assert.deepEqual(labels(`{ // |`), []);
    assert.ok(labels(`{ /* , */ "method": "eth_chainId", | }`).includes("name"));
    assert.ok(labels(`{ // "method": "x"\n "method": "eth_|" }`).includes("eth_call"));
    assert.ok(labels(`{ "endpoint": "http://x", "|" }`).includes("method"));
  });
  it("writes a value behind a key that is a placeholder", () =>
    completes(
      "{{alice}}",
      `{ "method": "eth_call", "params": [{}, "latest", { "{{‹al|"→alice}}": { "balance": "0xde0b6b3a7640000" }› }] }`,
      around,
    ));
  it("names that could break out of a snippet or a string stay what they are", () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it looks like a stop of a snippet, and is none
    const odd = 'a"b$1${2}}\\';
    const found = complete(`{ "method": "eth_call", "endpoint": "|" }`, {
      endpoints: [{ name: odd, host: "h", origin: "o" }],
    });
    const after = applied(`{ "method": "eth_call", "endpoint": "" }`, found[0] ?? assert.fail());
    assert.equal(JSON.parse(after).endpoint, odd);
  });

  const samples = [
    `{ "name": "b", "method": "eth_getBalance", "params": ["{{alice}}", "pending"], "expect": { "result": { ">=": "1" } }, "within": "10 s" }`,
    `{\n  "method": "eth_call",\n  "params": [{ "to": "{{head.result.miner}}", "data": { "function": "balanceOf(address)", "args": ["${alice}"] } }, { "blockNumber": "0x1" }]\n}`,
    `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "stateOverrides": { "{{alice}}": { "state": { "0x01": "0x02" } } }, "calls": [{ "gas": 1, "accessList": [] }] }], "validation": true }, "latest"] }`,
    `{ "method": "eth_getLogs", "params": [{ "address": ["${alice}"], "topics": [null, ["0x12", null]], "fromBlock": "0x1" }], "abi": ["event A(uint256 b)"] }`,
    `{ "method": "eth_getLogs", "params": [{ "event": "Transfer", "args": { "to": ["{{alice}}"] } }] }`,
    `{ "batch": [{ "method": "eth_chainId" }, { "method": "eth_getCode", "params": [] }], "name": "both" }`,
    `[{ "id": 1, "method": "eth_getStorageAt", "params": ["${alice}", "0x0"], "snapshot": true }]`,
  ];

  it("leaves JSON behind in every cell that is cut and closed by the editor", () =>
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.nat(320), fc.boolean(), (sample, at, header) => {
        const cut = sample.slice(0, at);
        const text = cut + closing(cut);
        const cell = readCell(text);
        for (const item of completion(cell, cut.length, scopeOf(cell, header ? around : {}))) {
          const after = applied(text, item);
          assert.doesNotThrow(() => JSON.parse(after), `${item.label}: ${after}`);
        }
      }),
      { numRuns: times(100) },
    ));
});

/** The quote and the brackets that an editor has closed by itself. */
function closing(text: string): string {
  const open: string[] = [];
  let isString = false;
  for (const character of text) {
    if (character === '"') isString = !isString;
    else if (!isString && character === "{") open.unshift("}");
    else if (!isString && character === "[") open.unshift("]");
    else if (!isString && (character === "}" || character === "]")) open.shift();
  }
  return (isString ? '"' : "") + open.join("");
}

describe("completion in a file shown as text", () => {
  const uri = "file:///a.rpc.json";

  /** Checks what accepting a suggestion changes in a file, written as a {@link change}. */
  function inFile(label: string, marked: string): void {
    const [before, after] = change(marked);
    const { text, offset } = cursor(before);
    const service = createService(testHost());
    service.openText(uri, text);
    const item = service.completion(uri, offset).find((one) => one.label === label);
    assert.ok(item, `${label} is suggested`);
    assert.equal(applied(text, item), after);
  }
  const one = `{\n  "method": "eth_chainId"\n}`;

  it("offers requests between cells, with the commas that are missing", () => {
    inFile("eth_chainId", `{ "cells": [|‹→${one}›] }`);
    inFile("eth_chainId", `{ "cells": [{ "method": "x" }‹ |→, ${one}›] }`);
    inFile("eth_chainId", `{ "cells": [{ "method": "x" }, |‹→${one}›] }`);
    inFile("eth_chainId", `{ "cells": [|‹→${one},› { "method": "x" }] }`);
    inFile("eth_chainId", `[{ "method": "x" }, |‹→${one},› { "method": "y" }]`);
  });
  it("finds them by a word", () => {
    inFile("eth_chainId", `{ "cells": [‹eth_c|→${one}›] }`);
    inFile("eth_chainId", `{ "cells": [{ "method": "x" }‹ eth_c|→, ${one},› { "method": "y" }] }`);
  });
  it("offers them in a file that is blank", () => inFile("eth_chainId", `‹|→${one}›`));
  it("looks into cells and the header", () => {
    inFile("name", `{ "cells": [{ "method": "eth_chainId", "‹na|→name": "›" }] }`);
    inFile("endpoint", `{ "‹endp|→endpoint": "›", "cells": [] }`);
  });
  it("reaches the header on either side of the cells, with the commas that are missing", () => {
    const cells = `"cells": [{ "method": "x" }]`;
    inFile("labels", `{\n  "endpoint": "a",\n  |‹→"labels": {  },›\n  ${cells}\n}`);
    inFile("labels", `{ |‹→"labels": {  },› ${cells} }`);
    inFile("labels", `{ ${cells}‹ | }→, "labels": {  } }›`);
    inFile("Base", `{ "chainId": |‹→"0x2105"›, ${cells} }`);
  });
  it("offers requests where the list is still open", () => {
    inFile("eth_chainId", `{ "cells": [|‹→${one}›`);
    inFile("eth_chainId", `[{ "method": "x" }, |‹→${one}›`);
  });

  describe("that is no notebook yet", () => {
    const notebook = `{\n  "endpoint": "local",\n  "variables": {  },\n  "cells": [\n    \n  ]\n}`;

    it("begins one, or a request, in a blank file and behind a first word", () => {
      for (const marked of ["|", "note|", `"note|`]) inFile("notebook", `‹${marked}→${notebook}›`);
      for (const marked of ["|", "eth_c|", `"eth_c|`]) inFile("eth_chainId", `‹${marked}→${one}›`);
      inFile("notebook", `\ufeff\n|‹→${notebook}›\n`);
    });
    it("begins nothing that has a fault", async () => {
      const service = createService(testHost());
      service.openText(uri, notebook);
      await service.settled(uri);
      assert.deepEqual(service.diagnostics(uri), []);
    });
    it("begins a request as well as a header in an empty object", () => {
      inFile("cells", `{ |‹→"cells": [\n  \n]› }`);
      inFile("eth_chainId", `{ |‹→"method": "eth_chainId"› }`);
      inFile("method", `{|‹→"method": ""›`);
      inFile("cells", `{ "endpoint": "local", |‹→"cells": [\n  \n]› }`);
      inFile("[…]", `{ "cells": |‹→[\n  \n]› }`);
    });
    it("goes on with the request that was begun", () => {
      inFile("method", `{"jsonrpc": "2.0", |‹→"method": ""›`);
      inFile("method", `{ "id": 1, "‹meth|→method": "›" }`);
    });
    it("says nothing where the text is something else", () => {
      const service = createService(testHost());
      for (const text of ["# Notes about eth", "<<<<<<< HEAD\n", "12 34"]) {
        service.openText(uri, text);
        assert.deepEqual(service.completion(uri, text.trimEnd().length), [], text);
      }
    });
  });
  it("keeps what belongs to files out of the cells of a notebook", () => {
    const service = createService(testHost());
    service.openNotebook(uri, [
      { uri: "cell:0", kind: "code", text: "{ }", header: true },
      { uri: "cell:1", kind: "code", text: "" },
    ]);
    for (const cell of ["cell:0", "cell:1"]) {
      const found = service.completion(cell, cell === "cell:0" ? 2 : 0).map(({ label }) => label);
      assert.ok(found.length > 0 && !found.includes("cells") && !found.includes("notebook"));
    }
  });
});
