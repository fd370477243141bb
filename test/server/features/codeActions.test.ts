import assert from "node:assert/strict";
import { check } from "../../../server/src/analysis/check.ts";
import type { Scope } from "../../../server/src/analysis/scope.ts";
import { type CodeAction, codeActions } from "../../../server/src/features/codeActions.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { headerValues } from "../../../server/src/notebook/header.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, change, cursor, edited, preconfirmed, scopeOf } from "../../support/cell.ts";
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
  return edited(
    cell.text,
    edits.filter((edit) => edit.cell === cell),
  );
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

/** Checks the cell after an action, written as a {@link change}; what stands around it may be changed as well. */
function fixes(title: string, marked: string, around?: Around): string | undefined {
  const [before, after] = change(marked);
  const made = afterFix(before, title, around);
  assert.equal(made.cell, after);
  return made.header;
}

describe("quick fixes", () => {
  const logs = (filter: string): string => `{ "method": "eth_getLogs", "params": [{ ${filter} }] }`;
  const call = (members: string): string =>
    `{ "method": "eth_call", "params": [{ "to": "${address}", ${members} }, "latest"] }`;
  const balance = (block: string): string => `{ "method": "eth_getBalance", "params": ["${address}", ${block}] }`;
  const around: Around = {
    header: `{ "variables": { "alice": "${address}" }, "labels": { "${address}": "alice" } }`,
    cells: [
      `{ "name": "a", "method": "eth_chainId" }`,
      `{ "name": "a1", "method": "eth_chainId" }`,
      `{ "name": "head", "method": "eth_blockNumber" }`,
      `{ "name": "logs", "method": "eth_getLogs", "params": [{}] }`,
    ],
  };

  for (const marked of [
    `{ "method": "‹eth_getBal|anc→eth_getBalance›" , "params": ["${address}", "latest"] }`,
    `{ "method": "eth_call", "params": [{}, "latest"], "assume": { "‹balanc|es→balance›": {} } }`,
    `{ "method": "eth_call", "params": [{}, "latest"], "assume": { "balance": { "‹alic|→alice›": "1 ether" } } }`,
    `{ "method": "eth_chainId", "‹par|ms→params›": [] }`,
    `{ "‹mehto|d→method›": "eth_chainId" }`,
    `{ "method": "eth_getLogs", "params": [{ "‹adr|ess→address›": "${address}" }] }`,
    `{ "method": "eth_getLogs", "params": [{ "‹block|hash→blockHash›": "${word}" }] }`,
    `{ "method": "eth_getBalance", "params": ["${address}", "lat|est‹ →›"] }`,
    `{ "method": "eth_getBalance", "params": ["${address}", "‹Pend|ing→pending›"] }`,
    `{ "method": "eth_getBalance", "params": ["${address}", "‹12|3→0x7b›"] }`,
    `{ "method": "eth_getBalance", "params": ["${address}", "‹0x0|0002→0x2›"] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "value": "‹0|x→0x0›" }, "latest"] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "gas": "‹5f|f→0x5ff›" }, "latest"] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "from": "‹70997970C51812dc3A|010C7d01b50e0d17dc79C8→${address}›" }, "latest"] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "data": "‹0X|12→0x12›" }, "latest"] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "data": ‹"balan|ceOf(0x12, 5)"→{ "function": "balanceOf", "args": ["0x12", "5"] }› }] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "data": ‹"total|Supply()"→{ "function": "totalSupply()", "args": [] }› }] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "from": "‹ ${address}| →${address}›" }, "latest"] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "${address}": { "stateDiff": { "${word}": "‹0x|2a→0x${"0".repeat(62)}2a›" } } }] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}" }, "latest", { "${address}": { "stateDiff": { "‹0x|1→${word}›": "${word}" } } }] }`,
    `{ "method": "eth_getLogs", "params": [{ "topics": ‹"${word}|"→["${word}"]› }] }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "from": ‹|["${address}"]→"${address}"› }, "latest"] }`,
    `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [], "validation": ‹"tr|ue"→true› }, "latest"] }`,
    `{ "jsonrpc": ‹|2.0→"2.0"›, "method": "eth_chainId" }`,
    `{ "method": "eth_getBalance", "params": ["${address}"|‹→, "latest"›] }`,
    `{ "method": "eth_getBlockReceipts", "params": [|‹→"latest"›] }`,
    `{ "name": "b", "method": "eth_getBlock|Receipts"‹→, "params": ["latest"]› }`,
    `{\n  "method": "eth_getBlock|Receipts",\n  "‹→params": ["latest"],\n  "›id": 1\n}`,
    `{ "method": "eth_chainId", "params": [‹1|, 2→›] }`,
    `{ "method": "eth_getBalance", "params": ["${address}", "latest"‹, tr|ue→›] }`,
    `{ "method": "eth_getBalance", "params": ["‹la|test", "${address}→${address}", "latest›"] }`,
    `{ "method": "eth_getBalance", "params": ‹|{ "block": "latest", "address": "${address}" }→["${address}", "latest"]› }`,
    `{ "method": "eth_getBalance", "params": ‹|{\n    "block": "latest",\n    "address": "${address}"\n  }→[\n    "${address}",\n    "latest"\n  ]› }`,
    `{ "method": "eth_getLogs", "params": ‹|{ "address": "${address}" }→[{ "address": "${address}" }]› }`,
    `{ "method": "eth_chainId", "id": ‹1, "i|d": →›2 }`,
    `{ "name": "‹a|→a2›", "method": "eth_chainId" }`,
    `{ "name": "‹a1|→a2›", "method": "eth_chainId" }`,
    `{ "method": "eth_call", "params": [{ "to": "${address}", "‹data": "0x12", "→›in|put": "0x34" }, "latest"] }`,
    `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "time": "0x1"‹, "timest|amp": "0x2"→› } }] }, "latest"] }`,
    `{ "method": "eth_getLogs", "params": [{ "top|ics": ["${word}", null, null, null‹, null→›] }] }`,
    `{ "method": "eth_getLogs", "params": [{ "fromBlock": "‹0x|2", "toBlock": "0x1→0x1", "toBlock": "0x2›" }] }`,
    `{ "method": "eth_getLogs", "params": [{ "fromBlock": "‹la|test", "toBlock": "earliest→earliest", "toBlock": "latest›" }] }`,
    `{ "method": "eth_chainId", "endpoint": "‹loca|→local›" }`,
    `{ "method": "eth_getBalance", "params": ["{{‹ali|se→alice›}}", "latest"] }`,
    `{ "method": "eth_getBlockReceipts", "params": ["{{head.‹resu|t→result›}}"] }`,
    `{ "method": "eth_getBlockReceipts", "params": ["{{he|ad‹→.result›}}"] }`,
    `{ "method": "eth_getBalance", "params": ["{{logs.result[0].‹adress|→address›}}", "latest"] }`,
    `{ "method": "eth_getBalance", "params": ["{{logs.result‹.0|→[0]›.address}}", "latest"] }`,
    `{ "method": "eth_chainId", "expect": ‹|"0x1"→{ "result": "0x1" }› }`,
    `{ "method": "eth_getLogs", "params": [{ "topics": ["‹Trans|fer(address,address,uint256)→${transfer}›"] }] }`,
    `{ "method": "‹chain|Id→eth_chainId›", "params": [] }`,
    `{ "method": "eth_getStorageAt", "params": ["${address}", "‹lat|est", "0x0→0x0", "latest›"] }`,
    `{ "method": "eth_getLogs", "params": [{ "fromBlock": "la|test‹", "toBlock": "latest - 5→ - 5", "toBlock": "latest›" }] }`,
    `{ "method": "eth_chainId", "expect": { "result": { "‹=|>→>=›": 1 } } }`,
    `{ "method": "eth_chainId", "expect": { "result": { "‹$gt|e→>=›": 1 } } }`,
    `{ "method": "eth_chainId", "expect": { "result": { "in": ‹|1→[1]› } } }`,
    `{ "method": "eth_chainId", "expect": { "‹>|=": 1, "<": 5→result": { ">=": 1, "<": 5 }› } }`,
    `{ "method": "eth_chainId", "expect": { "‹resul|→result›": "0x1" } }`,
    `{ "method": "eth_getLogs", "params": [{ "address": "${address}" }], "expect": { "‹$.result[0]['da|ta']→result[0].data›": "0x" } }`,
    `{ "method": "eth_chainId", "name": "‹x|\u202ey→xy›" }`,
  ])
    it(`fix ${marked}`, () => {
      const [before, after] = change(marked);
      assert.equal(preferred(before, around), after);
    });

  it("write `pending` for a missing block where there is pre-confirmed state", () => {
    const [before, after] = change(`{ "method": "eth_getBalance", "params": [\n  "${address}"‹→,\n  "pending"›\n|] }`);
    assert.equal(preferred(before, { endpoint: { cadence: preconfirmed } }), after);
  });

  describe("of broken JSON", () => {
    for (const marked of [
      `{ "method": "eth_chainId"‹|,→› }`,
      `{ "method": "eth_chainId",‹|,→› "id": 1 }`,
      `{ "method": "eth_chainId"‹→,› |"id": 1 }`,
      `{ "method": "eth_getBalance", "params": ["${address}"‹→,› |"latest"] }`,
      `{ "method"‹→:› |"eth_chainId" }`,
      `{ "method" ‹|=→:› "eth_chainId" }`,
      `{ "method": ‹|'eth_chainId'→"eth_chainId"› }`,
      `{ "method": "eth_chainId", "name": ‹|'a"b\\'c'→"a\\"b'c"› }`,
      `{ "method": ‹|\`eth_chainId\`→"eth_chainId"› }`,
      `{ "method": ‹|\u201ceth_chainId\u201d→"eth_chainId"› }`,
      `{ ‹meth|od→"method"›: "eth_chainId" }`,
      `{ "method": ‹eth_ch|ainId→"eth_chainId"› }`,
      `{ "method": "eth_getBlockReceipts", "params": [‹|0x12→"0x12"›] }`,
      `{ "method": "eth_getBalance", "params": [‹{{al|ice}}→"{{alice}}"›, "latest"] }`,
      `{ "method": "eth_getBalance", "params": [‹ali|ce→"{{alice}}"›, "latest"] }`,
      `{ "method": "eth_chainId", "snapshot": ‹Tr|ue→true› }`,
      `{ "method": "eth_chainId", "id": ‹1|n→1› }`,
      `{ "method": "eth_chainId", "id": ‹|007→7› }`,
      `{ "method": "eth_chainId" ‹|// the chain→›\n}`,
      `{ ‹|/* the\nchain */→› "method": "eth_chainId" }`,
      `{ "method": "eth_getBlockReceipts", "params": ["latest"|‹→]}›`,
      `{ "method": "eth_getBlockReceipts", "params": ["latest"‹→]› |}`,
      `{ "method": "eth_chainId" }‹|}→›`,
      `{ "method": "eth_chainId" }‹|;→›`,
      `{ "method|‹→"›: "eth_chainId" }`,
      `{ "method": "eth_chainId|‹→"›, "id": 1 }`,
      `{ "method": ‹→"›eth_chainId|", "id": 1 }`,
      `{‹|\u00a0→ ›"method": "eth_chainId" }`,
      `{ "method": "eth_chainId", "name": "a‹|\tb→\\tb›" }`,
      `{ "method": "eth_chainId", "name": "a‹|\\→›'b" }`,
    ])
      it(`fix ${marked}`, () => {
        const [before, after] = change(marked);
        assert.equal(preferredNear(before, around), after);
      });

    for (const before of [
      `{ "method": | }`,
      `{ "method"|`,
      `callback|({ "method": "eth_chainId" })`,
      `{ "method": "eth_chainId", "id": Long("1"|) }`,
      `{ "method": "eth_" |+ "chainId" }`,
      `{ "method": "eth_chainId", "id": 2.| }`,
      `{ "method": "eth_chainId" %|%% }}} [`,
    ])
      it(`leave ${before} to people`, () => assert.deepEqual(pluck(ask(before).actions, "title"), []));

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

  it("know the functions and events in scope", () => {
    const data = (name: string): string => call(`"data": { "function": "${name}", "args": ["${address}"] }`);
    assert.equal(preferred(data("balance|of")), data("balanceOf"));
    assert.equal(preferred(logs('"event": "Transf|r"')), logs('"event": "Transfer"'));
    assert.equal(preferred(logs('"events|": "Transfer"')), logs('"event": "Transfer"'));
    assert.equal(preferred(call('"value": "1.5 et|h"')), call('"value": "1.5 ether"'));
    assert.equal(preferred(call('"value": "30 gwe|y"')), call('"value": "30 gwei"'));
  });

  for (const [marked, ...titles] of [
    [logs(`"blockHash": "${word}", "from|Block": "0x1"`), "Delete blockHash", "Delete fromBlock"],
    [call('"gasPrice": "0x1", "maxFeePer|Gas": "0x2"'), "Delete gasPrice", "Delete maxFeePerGas"],
    [logs(`"fromBlock": "0x0", "toBlock": "0x27|10", "address": "${address}"`), "End at 0x7cf", "Begin at 0x1f41"],
    [call('"value": "1e|3"'), 'Write "0x3e8"', 'Write "0x1e3"'],
    [
      `{ "method": "eth_chainId", "expect": { "result": "0x1" }, "within": "1|0" }`,
      'Write "10 s"',
      'Write "10 blocks"',
    ],
    [`{ "method": "eth_chainId", "expect": { "result": "0x1" }, "within": |3 }`, 'Write "3 s"', 'Write "3 blocks"'],
    [`{ "method": "eth_chainId", "name": "{{n|}}" }`, "Write 1", "Keep the braces as text"],
    [call('"data": "0|x0"'), 'Write "0x"', 'Write "0x00"'],
    [`{ "method": "eth_chainId", "feeTo|ken": 1 }`, "Delete feeToken"],
    [`{ "method": "eth_chai|nIds_of_mine" }`],
  ] as const)
    it(`leave ${marked} to people, who choose between ${titles}`, () => {
      const { actions } = ask(marked, { header: `{ "variables": { "n": 1 } }` });
      assert.ok(actions.every((one) => !one.preferred));
      assert.deepEqual(
        pluck(
          actions.filter(({ kind }) => kind === "quickfix"),
          "title",
        ),
        titles,
      );
    });

  for (const [title, marked] of [
    [
      `Write the address as ${address}`,
      balance('"latest"').replace(address, `‹|${address.replace("C518", "c518")}→${address}›`),
    ],
    ['Write "1.5 gwei"', call('"value": "‹1.|5→1.5 gwei›"')],
    ['Write "0x7b"', balance('‹12|3→"0x7b"›')],
    ['Write "0x5208"', call('"value": ‹2100|0→"0x5208"›')],
    [
      'Write "0x18ee90ff6c373e0ee4e3f0ad2"',
      call('"value": ‹12345678901234567890123456789|0→"0x18ee90ff6c373e0ee4e3f0ad2"›'),
    ],
    ["End at 0x7cf", logs(`"fromBlock": "0x0", "toBlock": "‹0x27|10→0x7cf›", "address": "${address}"`)],
    [
      "Delete all 2 hidden characters",
      `{ "method": "eth_call", "params": [{ "to": "|‹\u202d→›${address}‹\u202c→›" }, "latest"] }`,
    ],
    [
      "Take it from the secret storage: {{$secret.API_KEY}}",
      `{ "method": "x_login", "params": [{ "apiKey": "‹|abcd1234efgh5678→{{$secret.API_KEY}}›" }] }`,
    ],
    ["Send the braces as text", `{ "method": "web3_sha3", "params": ["‹{{x|}}→{{{{x}}}}›"] }`],
  ] as const)
    it(`${title} in ${marked}`, () => void fixes(title, marked));
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
  for (const marked of [
    `{‹→ "variables": { "alice": "" } ›}`,
    `{ ‹→"variables": { "alice": "" } ›}`,
    `‹→{ "variables": { "alice": "" } }›`,
    `{‹→ "variables": { "alice": "" }›\n}`,
    `{ ‹→"variables": { "alice": "" }, ›"endpoint": "local" }`,
    `{\n  ‹→"variables": { "alice": "" },\n  ›"endpoint": "local"\n}`,
    `{\r\n\t‹→"variables": { "alice": "" },\r\n\t›"endpoint": "local"\r\n}`,
    `{ "variables": {‹→ "alice": "" ›} }`,
    `{ "variables": ‹null→{ "alice": "" }› }`,
    `{ "variables": { "bob": 1‹→, "alice": ""› }, "labels": {} }`,
    `{\n  "variables": {\n    "bob": 1‹→,\n    "alice": ""›\n  }\n}`,
    `{ "variables": { "bob": 1 }, "variables": {‹→ "alice": "" ›} }`,
  ])
    it(`add it to ${marked}`, () => {
      const [header, after] = change(marked);
      const made = afterFix(unresolved, "Add a variable alice to the header", { header });
      assert.deepEqual([made.header, made.cell], [after, unresolved.replace("|", "")]);
      assert.doesNotThrow(() => JSON.parse(after));
    });

  for (const header of [undefined, `{ "endpoint": }`, `{ "variables": [] }`, "[]"])
    it(`do nothing to ${header}`, () => {
      const { actions } = ask(unresolved, header === undefined ? {} : { header });
      assert.deepEqual(pluck(actions, "title"), ["Send the braces as text"]);
    });

  for (const [sample, name] of [
    ["0x…", "address"],
    ["0x...", "address"],
    ["<addr>", "addr"],
    ["<wallet address>", "walletAddress"],
    ["0xYourAddress", "address"],
    ["YOUR_ADDRESS", "address"],
    ["{address}", "address"],
    ["<taken>", "taken2"],
  ] as const)
    it(`put one in place of ${sample}`, () => {
      const marked = `{ "method": "eth_getBalance", "params": ["‹|${sample}→{{${name}}}›", "latest"] }`;
      const header = fixes(`Make it a variable {{${name}}}`, marked, { header: `{ "variables": { "taken": 1 } }` });
      assert.equal(header, `{ "variables": { "taken": 1, "${name}": "" } }`);
    });
});

describe("refactorings", () => {
  for (const [name, title, before, after] of [
    ["to", "Make the address a variable {{to}}", "{}", `{ "variables": { "to": "${address.toLowerCase()}" } }`],
    [
      "demoDollar",
      "Make the address a variable {{demoDollar}}",
      `{ "labels": { "${address}": "Demo Dollar" } }`,
      `{ "variables": { "demoDollar": "${address.toLowerCase()}" }, "labels": { "${address}": "Demo Dollar" } }`,
    ],
    ["alice", "Write the variable {{alice}} instead of the address", `{ "variables": { "alice": "${address}" } }`],
  ] as const)
    it(`${title}, wherever the cell has it`, () => {
      const variable = `→{{${name}}}›`;
      const marked = `{ "method": "eth_call", "params": [{ "from": "‹${address}${variable}", "to": "‹|${address.toLowerCase()}${variable}" }, "latest"] }`;
      assert.equal(fixes(title, marked, { header: before }), after ?? before);
    });

  it("put a request into a batch", () =>
    void fixes("Put the request in a batch", `{ ‹→"batch": [{ ›"name": "a", "meth|od": "eth_chainId"‹→ }]› }`));
});

describe("a name for an address", () => {
  for (const [marked, around] of [
    [`{ "method": "eth_getBalance", "params": ["0x70997970C5|1812dc3A010C7d01b50e0d17dc79C8", "latest"] }`, {}],
    [`{ "method": "eth_call", "params": [{ "to": "|${address}" }], "expect": { "result": "0x1" } }`, { header: "{}" }],
    [`{ "method": "eth_chainId", "expect": { "result": "${address}|" } }`, { header: "{}" }],
  ] as const)
    it(`is offered at ${marked}`, () => {
      const named = ask(marked, around).actions.filter(({ namesAddress }) => namesAddress === address);
      assert.deepEqual(pluck(named, "title"), ["Name this address…"]);
    });

  it("can be another one", () => {
    const header = `{ "labels": { "${address}": "alice" } }`;
    const { actions } = ask(`{ "method": "eth_getBalance", "params": ["${address}|"] }`, { header });
    assert.ok(pluck(actions, "title").includes("Rename this address…"));
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
  ] as const)
    it(`makes ${text.slice(0, 60)}… right, once and for all`, () => {
      const made = fixAll(text);
      assert.equal(made, fixed);
      assert.doesNotThrow(() => JSON.parse(made ?? ""));
      assert.equal(fixAll(made ?? ""), undefined);
    });

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

describe("an event of several meanings", () => {
  it("is chosen by its signature, and no two titles are the same", () => {
    const marked = `{ "method": "eth_getLogs", "params": [{ "event": "Payment|Captured", "fromBlock": "latest" }] }`;
    const { cell, scope, actions } = ask(marked);
    const fixes = actions.filter(({ fixes }) => fixes?.code === "ambiguous-event");
    assert.ok(fixes.length > 2);
    assert.equal(new Set(pluck(fixes, "title")).size, fixes.length);
    assert.ok(pluck(fixes, "title").includes("Write PaymentCaptured(bytes32,uint256,uint16,address)"));
    for (const one of fixes) {
      const next = readCell(applied(cell, one));
      assert.deepEqual(check(next, afterwards(scope, cell, next, undefined)), [], next.text);
    }
  });
});
