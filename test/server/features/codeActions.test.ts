import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import type { Scope } from "../../../server/src/analysis/scope.ts";
import { type CodeAction, codeActions } from "../../../server/src/features/codeActions.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { headerValues } from "../../../server/src/notebook/header.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, cursor, preconfirmed, scopeOf } from "../../support/cell.ts";
import { pluck } from "../../support/pluck.ts";

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const word = `0x${"0".repeat(63)}1`;
const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

interface Asked {
  readonly cell: Cell;
  readonly scope: Scope;
  readonly actions: readonly CodeAction[];
}

function ask(marked: string, around: Around = {}, kind?: "header"): Asked {
  const { text, offset } = cursor(marked);
  const cell = readCell(text, kind);
  const scope = scopeOf(cell, around);
  return { cell, scope, actions: codeActions(cell, { start: offset, end: offset }, scope) };
}

function applied(cell: Cell, { edits }: CodeAction): string {
  const own = edits.filter((edit) => edit.cell === cell).sort((a, b) => b.span.start - a.span.start);
  for (const [at, edit] of own.entries())
    assert.ok(edit.span.end <= (own[at - 1]?.span.start ?? cell.text.length), "no overlap");
  return own.reduce((text, { span, insert }) => text.slice(0, span.start) + insert + text.slice(span.end), cell.text);
}

/** The cell, and the header, after the action with this title; the problem that it fixes is gone then. */
function afterFix(
  marked: string,
  title: string,
  around?: Around,
  kind?: "header",
): { cell: string; header: string | undefined } {
  const { cell, scope, actions } = ask(marked, around, kind);
  const action = actions.find((one) => one.title === title);
  assert.ok(action, `no "${title}" among ${JSON.stringify(actions.map((one) => one.title))}`);
  const text = applied(cell, action);
  const header = scope.header && applied(scope.header, action);
  const { fixes } = action;
  if (fixes) {
    const next = readCell(text, kind);
    const scopeAfter = afterwards(scope, cell, next, header);
    const count = (problems: ReturnType<typeof check>): number =>
      problems.filter(({ code }) => code === fixes.code).length;
    assert.ok(count(check(next, scopeAfter)) < count(check(cell, scope)), `${fixes.code} is gone`);
  }
  return { cell: text, header: kind === "header" ? undefined : header };
}

function afterwards(scope: Scope, cell: Cell, next: Cell, headerText: string | undefined): Scope {
  const header = scope.header === cell ? next : headerText === undefined ? undefined : readCell(headerText, "header");
  const cells = scope.cells.map((one) => (one === cell ? next : one));
  return { ...scope, header, cells, variables: headerValues(header).variables };
}

/** The one fix that an editor applies on a key. */
function preferred(marked: string, around?: Around, kind?: "header"): string {
  const action = ask(marked, around, kind).actions.find((one) => one.preferred);
  assert.ok(action, "there is one answer");
  return afterFix(marked, action.title, around, kind).cell;
}

function fixAll(text: string, around?: Around, kind?: "header"): string | undefined {
  const { cell, actions } = ask(`|${text}`, around, kind);
  const action = actions.find((one) => one.kind === "source.fixAll");
  return action && applied(cell, action);
}

describe("quick fixes", () => {
  const logs = (filter: string): string => `{ "method": "eth_getLogs", "params": [{ ${filter} }] }`;
  const call = (members: string): string =>
    `{ "method": "eth_call", "params": [{ "to": "${address}", ${members} }, "latest"] }`;
  const balance = (block: string): string => `{ "method": "eth_getBalance", "params": ["${address}", ${block}] }`;

  for (const [what, before, text, around] of [
    [
      "a method's name",
      `{ "method": "eth_getBal|anc" , "params": ["${address}", "latest"] }`,
      `{ "method": "eth_getBalance" , "params": ["${address}", "latest"] }`,
    ],
    [
      "a member of assume",
      `{ "method": "eth_call", "params": [{}, "latest"], "assume": { "balanc|es": {} } }`,
      `{ "method": "eth_call", "params": [{}, "latest"], "assume": { "balance": {} } }`,
    ],
    [
      "an account in assume",
      `{ "method": "eth_call", "params": [{}, "latest"], "assume": { "balance": { "alic|": "1 ether" } } }`,
      `{ "method": "eth_call", "params": [{}, "latest"], "assume": { "balance": { "alice": "1 ether" } } }`,
      { header: `{ "labels": { "${address}": "alice" } }` },
    ],
    ["a member's name", `{ "method": "eth_chainId", "par|ms": [] }`, `{ "method": "eth_chainId", "params": [] }`],
    ["the method's key", `{ "mehto|d": "eth_chainId" }`, `{ "method": "eth_chainId" }`],
    ["a field's name", logs(`"adr|ess": "${address}"`), logs(`"address": "${address}"`)],
    ["a field in the wrong case", logs(`"block|hash": "${word}"`), logs(`"blockHash": "${word}"`)],
    ["a tag", balance('"lat|est "'), balance('"latest"')],
    ["a tag in capitals", balance('"Pend|ing"'), balance('"pending"')],
    ["a decimal block in a string", balance('"12|3"'), balance('"0x7b"')],
    ["leading zeros", balance('"0x0|0002"'), balance('"0x2"')],
    ["a quantity without a digit", call('"value": "0|x"'), call('"value": "0x0"')],
    ["a quantity without 0x", call('"gas": "5f|f"'), call('"gas": "0x5ff"')],
    ["bytes without 0x", call(`"from": "${address.slice(2, 20)}|${address.slice(20)}"`), call(`"from": "${address}"`)],
    ["bytes with 0X", call('"data": "0X|12"'), call('"data": "0x12"')],
    ["spaces around an address", call(`"from": " ${address}| "`), call(`"from": "${address}"`)],
    [
      "a short word",
      `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "${address}": { "stateDiff": { "${word}": "0x|2a" } } }] }`,
      `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "${address}": { "stateDiff": { "${word}": "0x${"0".repeat(62)}2a" } } }] }`,
    ],
    [
      "a short slot that is a key",
      `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "${address}": { "stateDiff": { "0x|1": "${word}" } } }] }`,
      `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "${address}": { "stateDiff": { "${word}": "${word}" } } }] }`,
    ],
    ["a value that should be a list", logs(`"topics": "${word}|"`), logs(`"topics": ["${word}"]`)],
    ["a list that should be a value", call(`"from": |["${address}"]`), call(`"from": "${address}"`)],
    [
      "a boolean in quotes",
      `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [], "validation": "tr|ue" }, "latest"] }`,
      `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [], "validation": true }, "latest"] }`,
    ],
    ["the version", `{ "jsonrpc": |2.0, "method": "eth_chainId" }`, `{ "jsonrpc": "2.0", "method": "eth_chainId" }`],
    [
      "a missing block",
      `{ "method": "eth_getBalance", "params": ["${address}"|] }`,
      `{ "method": "eth_getBalance", "params": ["${address}", "latest"] }`,
    ],
    [
      "a missing block where there is pre-confirmed state",
      `{ "method": "eth_getBalance", "params": [\n  "${address}"\n|] }`,
      `{ "method": "eth_getBalance", "params": [\n  "${address}",\n  "pending"\n] }`,
      { endpoint: { cadence: preconfirmed } },
    ],
    [
      "a missing parameter",
      `{ "method": "eth_getBlockReceipts", "params": [|] }`,
      `{ "method": "eth_getBlockReceipts", "params": ["latest"] }`,
    ],
    [
      "missing params",
      `{ "name": "a", "method": "eth_getBlock|Receipts" }`,
      `{ "name": "a", "method": "eth_getBlockReceipts", "params": ["latest"] }`,
    ],
    [
      "missing params on lines",
      `{\n  "method": "eth_getBlock|Receipts",\n  "id": 1\n}`,
      `{\n  "method": "eth_getBlockReceipts",\n  "params": ["latest"],\n  "id": 1\n}`,
    ],
    [
      "one parameter too many",
      `{ "method": "eth_chainId", "params": [1|, 2] }`,
      `{ "method": "eth_chainId", "params": [] }`,
    ],
    [
      "parameters too many",
      `{ "method": "eth_getBalance", "params": ["${address}", "latest", tr|ue] }`,
      balance('"latest"'),
    ],
    [
      "parameters in the wrong order",
      `{ "method": "eth_getBalance", "params": ["la|test", "${address}"] }`,
      balance('"latest"'),
    ],
    [
      "parameters by name",
      `{ "method": "eth_getBalance", "params": |{ "block": "latest", "address": "${address}" } }`,
      balance('"latest"'),
    ],
    [
      "parameters by name, on lines",
      `{ "method": "eth_getBalance", "params": |{\n    "block": "latest",\n    "address": "${address}"\n  } }`,
      `{ "method": "eth_getBalance", "params": [\n    "${address}",\n    "latest"\n  ] }`,
    ],
    [
      "a parameter without its list",
      `{ "method": "eth_getLogs", "params": |{ "address": "${address}" } }`,
      logs(`"address": "${address}"`),
    ],
    [
      "a key that is there twice",
      `{ "method": "eth_chainId", "id": 1, "i|d": 2 }`,
      `{ "method": "eth_chainId", "id": 2 }`,
    ],
    [
      "the name of a cell",
      `{ "name": "a|", "method": "eth_chainId" }`,
      `{ "name": "a2", "method": "eth_chainId" }`,
      { cells: [`{ "name": "a", "method": "eth_chainId" }`] },
    ],
    [
      "a numbered name",
      `{ "name": "a1|", "method": "eth_chainId" }`,
      `{ "name": "a3", "method": "eth_chainId" }`,
      { cells: [`{ "name": "a1", "method": "eth_chainId" }`, `{ "name": "a2", "method": "eth_chainId" }`] },
    ],
    ["two names of the call data", call('"data": "0x12", "in|put": "0x34"'), call('"input": "0x34"')],
    [
      "two names of the time",
      `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "time": "0x1", "timest|amp": "0x2" } }] }, "latest"] }`,
      `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "time": "0x1" } }] }, "latest"] }`,
    ],
    [
      "a fifth topic that says nothing",
      logs(`"top|ics": ["${word}", null, null, null, null]`),
      logs(`"topics": ["${word}", null, null, null]`),
    ],
    [
      "a range that runs backwards",
      logs('"fromBlock": "0x|2", "toBlock": "0x1"'),
      logs('"fromBlock": "0x1", "toBlock": "0x2"'),
    ],
    [
      "tags that run backwards",
      logs('"fromBlock": "la|test", "toBlock": "earliest"'),
      logs('"fromBlock": "earliest", "toBlock": "latest"'),
    ],
    [
      "an endpoint's name",
      `{ "method": "eth_chainId", "endpoint": "loca|" }`,
      `{ "method": "eth_chainId", "endpoint": "local" }`,
    ],
    [
      "a placeholder's name",
      `{ "method": "eth_getBalance", "params": ["{{ali|se}}", "latest"] }`,
      `{ "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`,
      { header: `{ "variables": { "alice": "${address}" } }` },
    ],
    [
      "a path's first step",
      `{ "method": "eth_getBlockReceipts", "params": ["{{head.resu|t}}"] }`,
      `{ "method": "eth_getBlockReceipts", "params": ["{{head.result}}"] }`,
      { cells: [`{ "name": "head", "method": "eth_blockNumber" }`] },
    ],
    [
      "a path without a step",
      `{ "method": "eth_getBlockReceipts", "params": ["{{he|ad}}"] }`,
      `{ "method": "eth_getBlockReceipts", "params": ["{{head.result}}"] }`,
      { cells: [`{ "name": "head", "method": "eth_blockNumber" }`] },
    ],
    [
      "a path's later step",
      `{ "method": "eth_getBalance", "params": ["{{logs.result[0].adress|}}", "latest"] }`,
      `{ "method": "eth_getBalance", "params": ["{{logs.result[0].address}}", "latest"] }`,
      { cells: [`{ "name": "logs", "method": "eth_getLogs", "params": [{}] }`] },
    ],
    [
      "an index without brackets",
      `{ "method": "eth_getBalance", "params": ["{{logs.result.0|.address}}", "latest"] }`,
      `{ "method": "eth_getBalance", "params": ["{{logs.result[0].address}}", "latest"] }`,
      { cells: [`{ "name": "logs", "method": "eth_getLogs", "params": [{}] }`] },
    ],
    [
      "one value of expect",
      `{ "method": "eth_chainId", "expect": |"0x1" }`,
      `{ "method": "eth_chainId", "expect": { "result": "0x1" } }`,
    ],
    [
      "a signature for a topic",
      logs('"topics": ["Trans|fer(address,address,uint256)"]'),
      logs(`"topics": ["${transfer}"]`),
    ],
    [
      "a method without its namespace",
      `{ "method": "chain|Id", "params": [] }`,
      `{ "method": "eth_chainId", "params": [] }`,
    ],
    [
      "a slot and a block in the wrong order",
      `{ "method": "eth_getStorageAt", "params": ["${address}", "lat|est", "0x0"] }`,
      `{ "method": "eth_getStorageAt", "params": ["${address}", "0x0", "latest"] }`,
    ],
    [
      "offsets that run backwards",
      logs('"fromBlock": "la|test", "toBlock": "latest - 5"'),
      logs('"fromBlock": "latest - 5", "toBlock": "latest"'),
    ],
    [
      "an operator",
      `{ "method": "eth_chainId", "expect": { "result": { "=|>": 1 } } }`,
      `{ "method": "eth_chainId", "expect": { "result": { ">=": 1 } } }`,
    ],
    [
      "an operator of another tool",
      `{ "method": "eth_chainId", "expect": { "result": { "$gt|e": 1 } } }`,
      `{ "method": "eth_chainId", "expect": { "result": { ">=": 1 } } }`,
    ],
    [
      "an operand without its list",
      `{ "method": "eth_chainId", "expect": { "result": { "in": |1 } } }`,
      `{ "method": "eth_chainId", "expect": { "result": { "in": [1] } } }`,
    ],
    [
      "operators without a path",
      `{ "method": "eth_chainId", "expect": { ">|=": 1, "<": 5 } }`,
      `{ "method": "eth_chainId", "expect": { "result": { ">=": 1, "<": 5 } } }`,
    ],
    [
      "a path of expect",
      `{ "method": "eth_chainId", "expect": { "resul|": "0x1" } }`,
      `{ "method": "eth_chainId", "expect": { "result": "0x1" } }`,
    ],
    [
      "a path that JSONPath would take",
      `{ "method": "eth_getLogs", "params": [{ "address": "${address}" }], "expect": { "$.result[0]['da|ta']": "0x" } }`,
      `{ "method": "eth_getLogs", "params": [{ "address": "${address}" }], "expect": { "result[0].data": "0x" } }`,
    ],
    [
      "a hidden character",
      `{ "method": "eth_chainId", "name": "a|\u202eb" }`,
      `{ "method": "eth_chainId", "name": "ab" }`,
    ],
  ] as const satisfies readonly (readonly [string, string, string, Around?])[]) {
    it(`fix ${what}`, () => assert.equal(preferred(before, around), text));
  }

  describe("of broken JSON", () => {
    for (const [what, before, text, around] of [
      ["a comma at the end", `{ "method": "eth_chainId"|, }`, `{ "method": "eth_chainId" }`],
      ["a comma too many", `{ "method": "eth_chainId",|, "id": 1 }`, `{ "method": "eth_chainId", "id": 1 }`],
      ["a missing comma", `{ "method": "eth_chainId" |"id": 1 }`, `{ "method": "eth_chainId", "id": 1 }`],
      [
        "a missing comma in a list",
        `{ "method": "eth_getBalance", "params": ["${address}" |"latest"] }`,
        `{ "method": "eth_getBalance", "params": ["${address}", "latest"] }`,
      ],
      ["a missing colon", `{ "method" |"eth_chainId" }`, `{ "method": "eth_chainId" }`],
      ["an equals sign", `{ "method" |= "eth_chainId" }`, `{ "method" : "eth_chainId" }`],
      ["single quotes", `{ "method": |'eth_chainId' }`, `{ "method": "eth_chainId" }`],
      [
        "single quotes around double ones",
        `{ "method": "eth_chainId", "name": |'a"b\\'c' }`,
        `{ "method": "eth_chainId", "name": "a\\"b'c" }`,
      ],
      ["backticks", '{ "method": |`eth_chainId` }', `{ "method": "eth_chainId" }`],
      ["typographic quotes", `{ "method": |“eth_chainId” }`, `{ "method": "eth_chainId" }`],
      ["a key without quotes", `{ meth|od: "eth_chainId" }`, `{ "method": "eth_chainId" }`],
      ["a value without quotes", `{ "method": eth_ch|ainId }`, `{ "method": "eth_chainId" }`],
      [
        "hex without quotes",
        `{ "method": "eth_getBlockReceipts", "params": [|0x12] }`,
        `{ "method": "eth_getBlockReceipts", "params": ["0x12"] }`,
      ],
      [
        "a placeholder without quotes",
        `{ "method": "eth_getBalance", "params": [{{al|ice}}, "latest"] }`,
        `{ "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`,
        { header: `{ "variables": { "alice": "${address}" } }` },
      ],
      [
        "the name of a variable",
        `{ "method": "eth_getBalance", "params": [ali|ce, "latest"] }`,
        `{ "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`,
        { header: `{ "variables": { "alice": "${address}" } }` },
      ],
      [
        "Python's words",
        `{ "method": "eth_chainId", "snapshot": Tr|ue }`,
        `{ "method": "eth_chainId", "snapshot": true }`,
      ],
      ["JavaScript's big numbers", `{ "method": "eth_chainId", "id": 1|n }`, `{ "method": "eth_chainId", "id": 1 }`],
      [
        "a number with zeros in front",
        `{ "method": "eth_chainId", "id": |007 }`,
        `{ "method": "eth_chainId", "id": 7 }`,
      ],
      ["a comment at the end of a line", `{ "method": "eth_chainId" |// the chain\n}`, `{ "method": "eth_chainId" \n}`],
      ["a comment over lines", `{ |/* the\nchain */ "method": "eth_chainId" }`, `{  "method": "eth_chainId" }`],
      [
        "a missing bracket at the end",
        `{ "method": "eth_getBlockReceipts", "params": ["latest"|`,
        `{ "method": "eth_getBlockReceipts", "params": ["latest"]}`,
      ],
      [
        "a missing bracket in between",
        `{ "method": "eth_getBlockReceipts", "params": ["latest" |}`,
        `{ "method": "eth_getBlockReceipts", "params": ["latest"] }`,
      ],
      ["a bracket too many", `{ "method": "eth_chainId" }|}`, `{ "method": "eth_chainId" }`],
      ["a semicolon at the end", `{ "method": "eth_chainId" }|;`, `{ "method": "eth_chainId" }`],
      ["a missing quote at the end of a key", `{ "method|: "eth_chainId" }`, `{ "method": "eth_chainId" }`],
      [
        "a missing quote at the end of a string",
        `{ "method": "eth_chainId|, "id": 1 }`,
        `{ "method": "eth_chainId", "id": 1 }`,
      ],
      [
        "a missing quote at the start of a string",
        `{ "method": eth_chainId|", "id": 1 }`,
        `{ "method": "eth_chainId", "id": 1 }`,
      ],
      ["a space that is none", `{|\u00a0"method": "eth_chainId" }`, `{ "method": "eth_chainId" }`],
      [
        "a tab in a string",
        `{ "method": "eth_chainId", "name": "a|\tb" }`,
        `{ "method": "eth_chainId", "name": "a\\tb" }`,
      ],
      [
        "an escape that is none",
        `{ "method": "eth_chainId", "name": "a|\\'b" }`,
        `{ "method": "eth_chainId", "name": "a'b" }`,
      ],
    ] as const satisfies readonly (readonly [string, string, string, Around?])[]) {
      it(`fix ${what}`, () => assert.equal(preferredNear(before, around), text));
    }

    for (const [what, before] of [
      ["would invent a value", `{ "method": | }`],
      ["would invent the value of a key", `{ "method"|`],
      ["would drop a call", `callback|({ "method": "eth_chainId" })`],
      ["would drop a type", `{ "method": "eth_chainId", "id": Long("1"|) }`],
      ["would join strings", `{ "method": "eth_" |+ "chainId" }`],
      ["would complete a number", `{ "method": "eth_chainId", "id": 2.| }`],
      ["has no answer", `{ "method": "eth_chainId" %|%% }}} [`],
    ] as const) {
      it(`leave to people what ${what}`, () => assert.deepEqual(pluck(ask(before).actions, "title"), []));
    }

    it("repair several faults at once, each in its place", () => {
      const text = `{ method: 'eth_getBalance', "params": [{{alice}}, "latest",], // why\n "id": 1_0; }`;
      const cell = readCell(text);
      const actions = codeActions(cell, { start: 0, end: text.length }, scopeOf(cell, {}));
      const [repair, ...others] = actions.filter(({ kind }) => kind === "quickfix");
      assert.deepEqual(others, []);
      assert.equal(
        repair && applied(cell, repair),
        `{ "method": "eth_getBalance", "params": ["{{alice}}", "latest"], \n "id": 10 }`,
      );
      assert.ok((repair?.edits.length ?? 0) > 3, "the text in between is not replaced");
    });
  });

  it("keep what a command sends", () => {
    const data = `{"method":"web3_sha3","params":["0x12"],"id":"it's"}`;
    for (const command of [
      `cu|rl -X POST https://rpc.example -H 'a: b' --data '${data.replace("'", "'\\''")}'`,
      `$ cu|rl https://rpc.example \\\n  -d ${JSON.stringify(data)} \\\n  -s`,
      `cu|rl --json='${data.replace("'", "'\\''")}' https://rpc.example\n`,
    ])
      assert.equal(preferred(command), data);
    for (const command of [`cu|rl https://rpc.example`, `cu|rl -d @body.json x`, `cu|rl -d '{"id":'"$ID"'}' x`])
      assert.deepEqual(ask(command).actions, []);
  });

  it("write the unit that was meant", () => {
    assert.equal(preferred(call('"value": "1.5 et|h"')), call('"value": "1.5 ether"'));
    assert.equal(preferred(call('"value": "30 gwe|y"')), call('"value": "30 gwei"'));
    assert.equal(afterFix(call('"value": "1.|5"'), 'Write "1.5 gwei"').cell, call('"value": "1.5 gwei"'));
  });

  it("know the functions and events in scope", () => {
    const data = (name: string): string => call(`"data": { "function": "${name}", "args": ["${address}"] }`);
    assert.equal(preferred(data("balance|of")), data("balanceOf"));
    assert.equal(preferred(logs('"event": "Transf|r"')), logs('"event": "Transfer"'));
    assert.equal(preferred(logs('"events|": "Transfer"')), logs('"event": "Transfer"'));
  });

  it("leave to people what has more than one answer", () => {
    const titles = (marked: string, around?: Around): readonly string[] => {
      const { actions } = ask(marked, around);
      assert.ok(actions.every((one) => !one.preferred));
      return actions.filter(({ kind }) => kind === "quickfix").map((one) => one.title);
    };
    assert.deepEqual(titles(logs(`"blockHash": "${word}", "from|Block": "0x1"`)), [
      "Delete blockHash",
      "Delete fromBlock",
    ]);
    assert.deepEqual(titles(call('"gasPrice": "0x1", "maxFeePer|Gas": "0x2"')), [
      "Delete gasPrice",
      "Delete maxFeePerGas",
    ]);
    assert.deepEqual(titles(logs(`"fromBlock": "0x0", "toBlock": "0x27|10", "address": "${address}"`)), [
      "End at 0x7cf",
      "Begin at 0x1f41",
    ]);
    assert.deepEqual(titles(call('"value": "1e|3"')), ['Write "0x3e8"', 'Write "0x1e3"']);
    assert.deepEqual(titles(`{ "method": "eth_chainId", "expect": {}, "within": "1|0" }`), [
      'Write "10 s"',
      'Write "10 blocks"',
    ]);
    assert.deepEqual(titles(`{ "method": "eth_chainId", "expect": {}, "within": |3 }`), [
      'Write "3 s"',
      'Write "3 blocks"',
    ]);
    assert.deepEqual(
      titles(`{ "method": "eth_chainId", "name": "{{a|}}" }`, {
        header: `{ "variables": { "a": 1 } }`,
      }),
      ["Write 1", "Keep the braces as text"],
    );
    assert.deepEqual(titles(call('"data": "0|x0"')), ['Write "0x"', 'Write "0x00"']);
    assert.deepEqual(titles(`{ "method": "eth_chainId", "feeTo|ken": 1 }`), ["Delete feeToken"]);
    assert.deepEqual(titles(`{ "method": "eth_chai|nIds_of_mine" }`), []);
  });

  it("offer the right checksum, and leave it to people whether the digits are right", () => {
    const wrong = address.replace("C518", "c518");
    const title = `Write the address as ${address}`;
    assert.equal(afterFix(balance('"latest"').replace(address, `|${wrong}`), title).cell, balance('"latest"'));
  });

  it("write what a run makes of a decimal number", () => {
    assert.equal(afterFix(balance("12|3"), 'Write "0x7b"').cell, balance('"0x7b"'));
    assert.equal(afterFix(call('"value": 2100|0'), 'Write "0x5208"').cell, call('"value": "0x5208"'));
    assert.equal(
      afterFix(call('"value": 12345678901234567890123456789|0'), 'Write "0x18ee90ff6c373e0ee4e3f0ad2"').cell,
      call('"value": "0x18ee90ff6c373e0ee4e3f0ad2"'),
    );
  });

  it("clamp a range of logs", () =>
    assert.equal(
      afterFix(logs(`"fromBlock": "0x0", "toBlock": "0x27|10", "address": "${address}"`), "End at 0x7cf").cell,
      logs(`"fromBlock": "0x0", "toBlock": "0x7cf", "address": "${address}"`),
    ));

  it("delete one hidden character, or all", () =>
    assert.equal(
      afterFix(
        `{ "method": "eth_call", "params": [{ "to": "|\u202d${address}\u202c" }, "latest"] }`,
        "Delete all 2 hidden characters",
      ).cell,
      `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest"] }`,
    ));

  it("take a secret out of the file", () =>
    assert.equal(
      afterFix(
        `{ "method": "x_login", "params": [{ "apiKey": "|abcd1234efgh5678" }] }`,
        "Take it from the secret storage: {{$secret.API_KEY}}",
      ).cell,
      `{ "method": "x_login", "params": [{ "apiKey": "{{$secret.API_KEY}}" }] }`,
    ));

  it("send braces as they stand", () =>
    assert.equal(
      afterFix(`{ "method": "web3_sha3", "params": ["{{x|}}"] }`, "Send the braces as text").cell,
      `{ "method": "web3_sha3", "params": ["{{{{x}}}}"] }`,
    ));
});

/** Does the same as {@link preferred}, for a fault that an editor underlines after the cursor. */
function preferredNear(marked: string, around: Around = {}): string {
  const { text } = cursor(marked);
  const cell = readCell(text);
  const [fault] = check(cell, scopeOf(cell, around)).filter(({ code }) => code === "json-syntax");
  assert.ok(fault);
  return preferred(`${text.slice(0, fault.span.start)}|${text.slice(fault.span.start)}`, around);
}

describe("quick fixes that make a variable", () => {
  const unresolved = `{ "method": "eth_getBalance", "params": ["{{al|ice}}", "latest"] }`;
  for (const [header, text] of [
    ["{}", `{ "variables": { "alice": "" } }`],
    ["{ }", `{ "variables": { "alice": "" } }`],
    ["", `{ "variables": { "alice": "" } }`],
    [`{\n}`, `{ "variables": { "alice": "" }\n}`],
    [`{ "endpoint": "local" }`, `{ "variables": { "alice": "" }, "endpoint": "local" }`],
    [`{\n  "endpoint": "local"\n}`, `{\n  "variables": { "alice": "" },\n  "endpoint": "local"\n}`],
    [`{\r\n\t"endpoint": "local"\r\n}`, `{\r\n\t"variables": { "alice": "" },\r\n\t"endpoint": "local"\r\n}`],
    [`{ "variables": {} }`, `{ "variables": { "alice": "" } }`],
    [`{ "variables": null }`, `{ "variables": { "alice": "" } }`],
    [`{ "variables": { "bob": 1 }, "labels": {} }`, `{ "variables": { "bob": 1, "alice": "" }, "labels": {} }`],
    [`{\n  "variables": {\n    "bob": 1\n  }\n}`, `{\n  "variables": {\n    "bob": 1,\n    "alice": ""\n  }\n}`],
    [`{ "variables": { "bob": 1 }, "variables": {} }`, `{ "variables": { "bob": 1 }, "variables": { "alice": "" } }`],
  ] as const) {
    it(`add it to ${JSON.stringify(header)}`, () => {
      const made = afterFix(unresolved, "Add a variable alice to the header", { header });
      assert.equal(made.header, text);
      assert.doesNotThrow(() => JSON.parse(made.header ?? ""));
      assert.equal(made.cell, unresolved.replace("|", ""));
    });
  }

  for (const header of [undefined, `{ "endpoint": }`, `{ "variables": [] }`, "[]"]) {
    it(`do nothing to ${header}`, () => {
      const { actions } = ask(unresolved, header === undefined ? {} : { header });
      assert.deepEqual(
        actions.map((one) => one.title),
        ["Send the braces as text"],
      );
    });
  }

  for (const [sample, name] of [
    ["0x…", "address"],
    ["0x...", "address"],
    ["<addr>", "addr"],
    ["<wallet address>", "walletAddress"],
    ["0xYourAddress", "address"],
    ["YOUR_ADDRESS", "address"],
    ["{address}", "address"],
  ] as const) {
    it(`put one in place of ${sample}`, () => {
      const marked = `{ "method": "eth_getBalance", "params": ["|${sample}", "latest"] }`;
      const made = afterFix(marked, `Make it a variable {{${name}}}`, { header: "{}" });
      assert.equal(made.cell, `{ "method": "eth_getBalance", "params": ["{{${name}}}", "latest"] }`);
      assert.equal(made.header, `{ "variables": { "${name}": "" } }`);
    });
  }

  it("take a name that is free", () => {
    const marked = `{ "method": "eth_getBalance", "params": ["|<alice>", "latest"] }`;
    const made = afterFix(marked, "Make it a variable {{alice2}}", { header: `{ "variables": { "alice": 1 } }` });
    assert.equal(made.header, `{ "variables": { "alice": 1, "alice2": "" } }`);
  });
});

describe("refactorings", () => {
  const twice = `{ "method": "eth_call", "params": [{ "from": "${address}", "to": "|${address.toLowerCase()}" }, "latest"] }`;

  it("make an address a variable wherever the cell has it", () => {
    const made = afterFix(twice, "Make the address a variable {{to}}", { header: "{}" });
    assert.equal(made.header, `{ "variables": { "to": "${address.toLowerCase()}" } }`);
    assert.equal(made.cell, `{ "method": "eth_call", "params": [{ "from": "{{to}}", "to": "{{to}}" }, "latest"] }`);
  });

  it("call the variable by the label", () => {
    const header = `{ "labels": { "${address}": "Demo Dollar" } }`;
    const made = afterFix(twice, "Make the address a variable {{demoDollar}}", { header });
    assert.equal(
      made.cell,
      `{ "method": "eth_call", "params": [{ "from": "{{demoDollar}}", "to": "{{demoDollar}}" }, "latest"] }`,
    );
  });

  it("take the variable that has the address already", () => {
    const header = `{ "variables": { "alice": "${address}" } }`;
    const made = afterFix(twice, "Write the variable {{alice}} in place of the address", { header });
    assert.equal(made.header, header);
    assert.equal(
      made.cell,
      `{ "method": "eth_call", "params": [{ "from": "{{alice}}", "to": "{{alice}}" }, "latest"] }`,
    );
  });

  it("put a request into a batch", () => {
    const made = afterFix(`{ "name": "a", "meth|od": "eth_chainId" }`, "Put the request into a batch");
    assert.equal(made.cell, `{ "batch": [{ "name": "a", "method": "eth_chainId" }] }`);
  });
});

describe("fix all", () => {
  for (const [text, fixed] of [
    [
      `{ method: 'eth_call', params: [{ to: '${address}', value: 21000, gas: 0x5208 /* all */, }], }`,
      `{ "method": "eth_call", "params": [{ "to": "${address}", "value": 21000, "gas": "0x5208"  }, "latest"] }`,
    ],
    [
      `{\n  "jsonrpc": 2.0\n  "method": "eth_getBalanc",\n  "params": { "block": 16, "adress": "${address}" },\n  "id": 1, // first\n  "id": 2\n}`,
      `{\n  "jsonrpc": "2.0",\n  "method": "eth_getBalance",\n  "params": ["${address}", 16], \n  "id": 2\n}`,
    ],
    [
      `[{ "method": "eth_getBalance", "params": ["latest", "${address}"] }, { "method": "eth_chainID" }]`,
      `[{ "method": "eth_getBalance", "params": ["${address}", "latest"] }, { "method": "eth_chainId" }]`,
    ],
  ] as const) {
    it(`makes ${text.slice(0, 60)}… right, once and for all`, () => {
      const made = fixAll(text);
      assert.equal(made, fixed);
      assert.doesNotThrow(() => JSON.parse(made ?? ""));
      assert.equal(fixAll(made ?? ""), undefined);
    });
  }

  it("is not offered where nothing has one answer", () => {
    assert.equal(fixAll(`{ "method": "eth_chainId" }`), undefined);
    assert.equal(fixAll(`{ "method": "eth_call", "params": ["<call>", "latest"] }`), undefined);
  });

  it("is not offered where the JSON stays broken", () =>
    assert.equal(fixAll(`{ "method": "eth_getBalanc" %%% }}} [`), undefined));

  it("touches each place by itself, so that a header keeps the cells that stand in it", () => {
    const { cell, actions } = ask(`|{ "endpiont": "local", "chainId": "0x01", "variabels": {} }`, {}, "header");
    const action = actions.find((one) => one.kind === "source.fixAll");
    assert.equal(action?.edits.length, 3);
    assert.equal(action && applied(cell, action), `{ "endpoint": "local", "chainId": "0x1", "variables": {} }`);
  });
});
