import assert from "node:assert/strict";
import { hover } from "../../../server/src/features/hover.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, cursor, local, hoverText as says, scopeOf } from "../../support/cell.ts";

/** The text before the documentation of the place. */
const reads = (marked: string, around: Around = {}): string => says(marked, around).split("\n\n---\n\n")[0] ?? "";

function isRight(text: string, expected: RegExp | string): void {
  if (typeof expected === "string") assert.equal(text, expected);
  else assert.match(text, expected);
}
const readsAs = (marked: string, expected: RegExp | string, around?: Around): void =>
  isRight(reads(marked, around), expected);
const saysAs = (marked: string, expected: RegExp | string, around?: Around): void =>
  isRight(says(marked, around), expected);

/** Checks what a hover says, and that it is about the text in `‹…›`. */
function check(marked: string, expected: RegExp, around: Around = {}, kind?: "header"): void {
  const { text, offset } = cursor(marked.replace(/[‹›]/g, ""));
  const cell = readCell(text, kind);
  const found = hover(cell, offset, scopeOf(cell, around));
  assert.ok(found, "there is a hover");
  const start = marked.replace("|", "").indexOf("‹");
  assert.deepEqual(found.span, { start, end: marked.replace("|", "").indexOf("›") - 1 });
  assert.match(found.markdown, expected);
}

const none = (marked: string): void => assert.equal(says(marked), "");

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const labelled = { header: `{ "labels": { "${alice}": "alice" } }` };
const hostile = `{ "variables": { "alice": "${alice}" }, "labels": { "${alice}": "alice [x](https://evil.example)" } }`;

const word = (hex: string): string => hex.replace(/^0x/, "").toLowerCase().padStart(64, "0");
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const transferData = `0xa9059cbb${word(alice)}${word("0x14d1120d7b160000")}`;

const balance = (params: string): string => `{ "method": "eth_getBalance", "params": [${params}] }`;
const call = (members: string): string => `{ "method": "eth_call", "params": [{ ${members} }] }`;
const logs = (members: string): string => `{ "method": "eth_getLogs", "params": [{ ${members} }] }`;
const calls = (named: string, args: string): string =>
  call(`"to": "${bob}", "data": { "function": "${named}", "args": [${args}] }`);

describe("hover", () => {
  describe("on methods, parameters and fields", () => {
    it("explains a method", () => {
      check(
        `{ "method": ‹"eth_getB|alance"› }`,
        /^\*\*eth_getBalance\*\* · reads state\n\n`eth_getBalance\(address, block\?\) → wei`/,
      );
      check(`{ "method": ‹"eth_getB|alance"› }`, /- 1 `block` \(`block`, optional, default `"latest"`\): /);
      check(`{ "method": ‹"eth_getB|alance"› }`, /\*\*`pending`\*\* .*pre-confirmed/);
      check(`{ "method": ‹"eth_getB|alance"› }`, /\[Source\]\(https:\/\/github\.com\/ethereum\/execution-apis/);
    });

    it("tells limits and refusals", () => {
      check(`{ "method": ‹"eth_getBlock|Receipts"› }`, /`HTTP 403`/);
      check(`{ "method": ‹"eth_get|Logs"› }`, /under 2,000/);
    });

    it("answers in a cell that is still being typed", () =>
      check(`{ "method": "eth_getBalance", "params": [‹|"0x›`, /^\*\*address\*\*[\s\S]*\[Source\]\(https:/));

    it("explains a field by its key, with its source", () =>
      check(call(`‹"va|lue"›: "0x1"`), /^\*\*value\*\* \(`wei`, optional, default `"0x0"`\)[\s\S]*\[Source\]\(https:/));

    it("explains directives and members of the header", () => {
      check(`{ ‹"wi|thin"›: "10 s" }`, /until `expect` holds/);
      check(`{ ‹"chain|Id"›: "0x1" }`, /refuses any other/, {}, "header");
      check(`{ ‹"var|iables"›: {} }`, /placeholders/, {}, "header");
      check(`{ "variables": { ‹"tok|en"›: 1 } }`, /`\{\{token\}\}`/, {}, "header");
      check(`{ "chainId": ‹"0x2|105"› }`, /^8,453 in decimal: Base$/, {}, "header");
    });

    it("has nothing to say about white space and unknown methods", () => {
      none(`{ "method": "eth_chainId" | }`);
      none(`{ "method": "foo_|bar" }`);
      none("|");
    });
  });

  describe("on values", () => {
    it("reads amounts in every unit", () => {
      const value = (text: string): string => reads(call(`"value": ${text}`));
      assert.equal(value(`"0x14d1120d7b16|0000"`), "1.5 ether = 1,500,000,000 gwei = 1,500,000,000,000,000,000 wei");
      assert.equal(value(`"0x6fc23|ac00"`), "30 gwei = 30,000,000,000 wei");
      assert.equal(value(`"0x|0"`), "0 ether");
      assert.equal(
        value(`"1.5 eth|er"`),
        '1.5 ether = 1,500,000,000 gwei = 1,500,000,000,000,000,000 wei\n\nOn the wire: `"0x14d1120d7b160000"`',
      );
    });

    it("reads gas, counts, times, blocks and chains", () => {
      const overrides = (member: string): string =>
        `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { ${member} } }] }] }`;
      readsAs(call(`"gas": "0xb7|1b00"`), "12,000,000 gas");
      readsAs(call(`"nonce": "0x1|0"`), "16 in decimal");
      readsAs(call(`"chainId": "0x|a"`), "10 in decimal: OP Mainnet");
      readsAs(overrides(`"time": "0x66a0|b6c4"`), "2024-07-24 08:09:40 UTC (1,721,808,580 s since 1970)");
      readsAs(balance(`"", "0x1e8|480"`), "Block 2,000,000");
      readsAs(balance(`"", 200|0000`), 'Block 2,000,000\n\nOn the wire: `"0x1e8480"`');
      readsAs(balance(`"", "latest| - 100"`), /^Counts from the number of `latest`/);
    });

    it("explains tags without listing the others", () => {
      const text = says(balance(`"", "pend|ing"`));
      assert.match(text, /^`pending`: .*pre-confirmed/);
      assert.doesNotMatch(text, /finalized/);
    });

    it("links blocks and addresses to the endpoint's explorer", () => {
      const around = { endpoint: { explorer: "https://basescan.org/" } };
      readsAs(balance(`"", "0x1|0"`), /\[Open in basescan\\\.org\]\(https:\/\/basescan\.org\/block\/16\)$/, around);
      readsAs(balance(`"${alice}|"`), new RegExp(`\\(https://basescan\\.org/address/${alice}\\)$`), around);
      assert.doesNotMatch(reads(balance(`"${alice}|"`), { endpoint: { explorer: "command:x" } }), /\]\(/);
      readsAs(balance(`"${alice}|"`), /\(https:\/\/x\.io\/a%29%5bb%5d%28c\/address\/0x\w+\)$/, {
        endpoint: { explorer: "https://x.io/a)[b](c" },
      });
    });

    it("names addresses: checksum, label, variable, and what everybody knows", () => {
      const header = `{ "variables": { "me": "${alice}" }, "labels": { "${alice}": "alice" } }`;
      readsAs(balance(`"${alice.toLowerCase()}|"`), `\`${alice}\`\n\nLabel: alice\n\nVariable: \`me\``, { header });
      readsAs(balance('"0xca11bde05977b3631167028862be2a173976ca11|"'), /\*\*Multicall3\*\* · Makes many calls/);
      readsAs(balance(`"0x${"e".repeat(40)}|"`), /\*\*native currency\*\*/);
      readsAs(balance(`"0x${"0".repeat(39)}1|"`), /\*\*ecRecover\*\*/);
    });

    it("names addresses in keys, labels and variables", () => {
      const overrides = `{ "method": "eth_call", "params": [{}, "latest", { "${alice}|": {} }] }`;
      readsAs(overrides, /Label: alice/, labelled);
      const text = `{ "variables": { "a": "${alice}" }, "labels": { "${alice}": "alice" } }`;
      for (const at of [`${alice}" },`, `${alice}":`, `alice" }`]) {
        const found = says(text.replace(at, `|${at}`), { header: text }, "header");
        assert.match(found, new RegExp(`^\`${alice}\`\n\nLabel: alice`));
      }
    });

    it("knows slots by name", () => {
      const slot = (text: string): string => reads(`{ "method": "eth_getStorageAt", "params": ["", ${text}] }`);
      assert.match(
        slot('"0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc|"'),
        /^`eip1967\.proxy\.implementation` · The contract whose code a proxy runs\. \[Source\]\(https:\/\/eips/,
      );
      assert.equal(slot('"0x1|0"'), "16 in decimal");
    });
  });

  describe("on topics", () => {
    it("declares every event that topic 0 may be, with its source", () =>
      readsAs(
        logs(`"topics": ["${transferTopic}|"]`),
        [
          "`event Transfer(address indexed from, address indexed to, uint256 value)` · [ERC\\-20](https://eips.ethereum.org/EIPS/eip-20) · guessed by topic 0",
          "`event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)` · [ERC\\-721](https://eips.ethereum.org/EIPS/eip-721) · guessed by topic 0",
          "`event Transfer(address from, address to, uint256 value)` · [tokens before ERC\\-721](https://etherscan.io/address/0x06012c8cf97bead5deae237070f9587f8e7a266d#code) · guessed by topic 0",
        ].join("\n\n"),
      ));

    it("puts the notebook's own declaration in the place of the bundled one", () => {
      const header = `{ "abi": ["event Transfer(address indexed who, address indexed whom, uint256 much)"] }`;
      const text = reads(logs(`"topics": ["${transferTopic}|"]`), { header });
      assert.match(text, /^`event Transfer\(address indexed who, address indexed whom, uint256 much\)` · the header/);
      assert.doesNotMatch(text, /eip-20\)|, uint256 much\)` · [^\n]*guessed/);
    });

    it("decodes the other topics by their event", () => {
      const second = logs(`"topics": ["${transferTopic}", "0x${word(alice)}|"]`);
      readsAs(second, `\`from\` (\`address\`) of \`Transfer\`: alice \`${alice}\``, labelled);
      const among = logs(`"topics": [["${transferTopic}"], null, ["0x${word(bob)}|"]]`);
      readsAs(among, `\`to\` (\`address\`) of \`Transfer\`: \`${bob}\``);
    });

    it("guesses where no event is named", () => {
      readsAs(logs(`"topics": [null, "0x${word(alice)}|"]`), /^alice/, labelled);
      readsAs(logs(`"topics": ["0x${"12".repeat(32)}|"]`), /^No known event has this topic 0/);
    });
  });

  describe("on calls", () => {
    it("decodes call data argument by argument", () =>
      readsAs(
        call(`"to": "${bob}", "data": "${transferData}|"`),
        [
          "`function transfer(address to, uint256 value) returns (bool success)` · `0xa9059cbb` · [ERC\\-20](https://eips.ethereum.org/EIPS/eip-20) · guessed by its selector",
          "",
          `- \`to\` (\`address\`): alice \`${alice}\``,
          "- `value` (`uint256`): `1,500,000,000,000,000,000` (1.5 with 18 decimals)",
        ].join("\n"),
        labelled,
      ));

    it("shows every function that a selector may be, those that fit first", () => {
      const text = reads(call(`"to": "${bob}", "data": "0x095ea7b3${word(alice)}${"f".repeat(64)}|"`));
      assert.match(text, /^2 known functions have the selector `0x095ea7b3`:/);
      assert.match(text, /`spender`.*\n- `value` \(`uint256`\): `2\^256 - 1` \(the largest value: no limit\)/);
      assert.match(text, /`function approve\(address approved, uint256 tokenId\)`.* · \[ERC\\-721\]/);
    });

    it("decodes by the notebook's own ABI", () => {
      const header = `{ "abi": ["function transfer(address whom, uint256 much)"] }`;
      const text = reads(call(`"to": "${bob}", "data": "${transferData}|"`), { header });
      assert.match(text, /^`function transfer\(address whom, uint256 much\)` · `0xa9059cbb` · the header\n\n- `whom`/);
    });

    it("follows calls inside of calls", () => {
      const inner = transferData.slice(2);
      const bytes = `${word("0x44")}${inner.padEnd(192, "0")}`;
      const outer = `0x4f1ef286${word(alice)}${word("0x40")}${bytes}`;
      const text = reads(call(`"to": "${bob}", "data": "${outer}|"`));
      assert.match(
        text,
        /upgradeToAndCall[\s\S]*`data` \(`bytes`\): 1 call\n {2}- calls `transfer\(address,uint256\)` of `0x7099.*`\n {4}- `to` \(`address`\): /,
      );
      const packed = `00${bob.slice(2)}${word("0x0")}${word("0x44")}${inner}`;
      const batch = `0x8d80ff0a${word("0x20")}${word(`0x${(packed.length / 2).toString(16)}`)}${packed.padEnd(320, "0")}`;
      readsAs(
        call(`"to": "${alice}", "data": "${batch}|"`),
        /multiSend[\s\S]*\n {2}- calls `transfer\(address,uint256\)` of `0x3C44/,
      );
    });

    it("shows declarations once that say the same, with all of their sources", () => {
      const text = reads(call(`"to": "${bob}", "data": "0x70a08231${word(alice)}|"`));
      assert.doesNotMatch(text, /known functions have/);
      assert.match(text, /^`function balanceOf\(.*\[ERC\\-20\]\(\S+\) · \[ERC\\-721\]/);
    });

    it("puts what is given for the called contract first", () => {
      const header = `{ "abi": ["function transfer(address any, uint256 much)", { "address": "${bob}", "abi": ["function transfer(address payee, uint256 wad)"] }] }`;
      const first = (to: string): string | undefined =>
        /`function transfer\(address (\w+)/.exec(
          reads(call(`"to": "${to}", "data": "${transferData}|"`), { header }),
        )?.[1];
      assert.deepEqual([first(bob), first(alice)], ["payee", "any"]);
    });

    it("says when data does not fit, and shows the words of unknown selectors", () => {
      readsAs(call(`"to": "${bob}", "data": "${transferData}00|"`), /It does not fit exactly: 1 byte more/);
      const unknown = reads(call(`"to": "${bob}", "data": "0x12345678${word(alice)}|"`), labelled);
      assert.match(unknown, /^No known function has the selector `0x12345678`\.\n\n- word 0: alice/);
      readsAs(call(`"to": "${bob}", "data": "0x12|"`), /^1 byte: fewer than the four bytes of a selector/);
    });

    it("takes data without a receiver for code", () =>
      readsAs(call(`"data": "${transferData}|"`), /^68 bytes of code that deploys a contract/));

    it("declares a function by its name, with what is sent", () => {
      const text = reads(calls("transf|er", `"${alice}", 5`));
      assert.match(
        text,
        /^`function transfer\(address to, uint256 value\) returns \(bool success\)` · selector `0xa9059cbb` · \[ERC\\-20\]\(https:\/\/eips\.ethereum\.org\/EIPS\/eip-20\)/,
      );
      assert.match(text, /On the wire: `"0xa9059cbb0{24}70997970/);
      readsAs(calls("nothing|", ""), /^No ABI in scope declares the function `nothing`/);
    });

    it("declares an event by its name", () => {
      const text = reads(logs(`"event": "Mem|o", "args": { "caller": "${alice}" }`));
      assert.match(
        text,
        /^`event Memo\(address indexed caller, bytes32 indexed memo\)` · topic 0 `0x6989f581\w+` · \[Base B20\]/,
      );
    });

    it("tells which argument a value is, and reads it", () => {
      readsAs(
        calls("transfer", `"${alice}|", 5`),
        new RegExp(`^\`to\` \\(\`address\`\\) · argument 1 of \`transfer\`\n\n\`${alice}\`\n\nLabel: alice`),
        labelled,
      );
      readsAs(
        calls("transfer", `"${alice}", "1500000000000000000|"`),
        /^`value` \(`uint256`\) · argument 2 of `transfer`\n\n1,500,000,000,000,000,000 in decimal · 1\.5 with 18 decimals/,
      );
      readsAs(
        calls("f((address who, uint256[] ids) x)", `{ "who": "${alice}", "ids": [1, 2|] }`),
        /^`x` \(`\(address,uint256\[\]\)`, here one `uint256`\) · argument 1 of `f`/,
      );
      readsAs(
        logs(`"event": "Transfer", "args": { "to": ["${alice}|"] }`),
        /^`to` \(`address`\) · indexed argument 2 of `Transfer`/,
      );
    });

    it("declares the signatures of an ABI", () =>
      check(
        `{ "abi": [‹"event Mine(address indexed |who)"›] }`,
        /^`event Mine\(address indexed who\)` · topic 0 `0x\w{64}`$/,
        {},
        "header",
      ));
  });

  describe("on placeholders", () => {
    const cells = [`{ "method": "eth_chainId" }`, `{ "name": "head", "method": "eth_blockNumber" }`];
    const ran = (result: string, ok = true): Around => ({
      cells,
      lastResult: ({ requests }: Cell) =>
        requests[0]?.name === "head"
          ? { ok, summary: "x", values: () => new Map([["head", ok ? { result } : { error: {} }]]) }
          : undefined,
    });

    it("shows a variable's value and what it is", () => {
      const header = `{ "variables": { "alice": "${alice}", "fee": "0x6fc23ac00", "list": [{ "x": 1 }] }, "labels": { "${alice}": "Alice" } }`;
      check(
        balance(`"‹{{al|ice}}›"`),
        new RegExp(`^\`\\{\\{alice\\}\\}\` · variable of the header\n\n\`${alice}\`\n\nLabel: Alice$`),
        { header },
      );
      readsAs(call(`"value": "{{fee|}}"`), /`"0x6fc23ac00"`\n\n30 gwei = 30,000,000,000 wei$/, { header });
      readsAs(call(`"gas": "{{list[0].x|}}"`), /`1`/, { header });
      readsAs(call(`"gas": "{{list[4]|}}"`), /There is no `list\[4\]`: `list` is an array of 1\./, { header });
    });

    it("shows the last result that a path leads to, and where from", () => {
      check(
        balance(`"", "‹{{head.res|ult}}›"`),
        /^`\{\{head\.result\}\}` · from cell 2, `eth_blockNumber`\n\n\*\*Last result\*\* `"0x1e8480"`\n\nBlock 2,000,000$/,
        ran("0x1e8480"),
      );
      readsAs(
        balance(`"{{head.result.x|}}"`),
        /There is no `head\.result\.x`: `head\.result` is a string\.$/,
        ran("0x1"),
      );
      readsAs(balance(`"{{head.result|}}"`), /Its last run failed\. There is no `head\.result`/, ran("0x1", false));
      readsAs(balance(`"{{head.result|}}"`), /It has not run yet; it runs first\.$/, { cells });
    });

    it("cuts a long value and says its length", () =>
      readsAs(balance(`"{{head.result|}}"`), /…` \(1,004 characters\)/, ran(`0x${"ab".repeat(500)}`)));

    it("never shows a value of the host", () => {
      check(balance(`"‹{{$sec|ret.KEY}}›"`), /the secret `KEY`\. .* never shown\.$/);
      check(balance(`"‹{{$env.A|}}›"`), /the environment variable `A`/);
    });

    it("says when nothing has the name", () => check(balance(`"‹{{no|ne}}›"`), /no variable or cell has this name$/));

    it("is about the placeholder, also within other text and before the string ends", () => {
      check(call(`"data": "0x70a08231‹{{a|}}›"`), /no variable/);
      check(`{ "method": "eth_call", "params": ["‹{{a|}}›`, /no variable/);
    });
  });

  describe("on the request and its results", () => {
    const sent = `{ "name": "b", "method": "eth_getBalance", "params": ["{{alice}}", "{{$secret.S}}"] }`;
    const header = `{ "variables": { "alice": "${alice}" } }`;
    const wire = `{"jsonrpc":"2.0","id":1,"method": "eth_getBalance","params": ["${alice}", "‹secret S›"]}`;

    it("shows the wire form at the opening bracket and at `params`", () => {
      check(`‹|{›${sent.slice(1)}`, /^\*\*On the wire\*\*/, { header });
      assert.ok(says(`|${sent}`, { header }).includes(`\`\`\`json\n${wire}\n\`\`\``));
      assert.ok(says(sent.replace("params", "par|ams"), { header }).includes(wire));
      assert.ok(
        says(sent.replace("params", "par|ams"), { header }).includes("`eth_getBalance(address, block?) → wei`"),
      );
    });

    it("shows that of a batch, and says why there is none", () => {
      saysAs(`|[{ "method": "a" }, { "method": "b" }]`, /\[\{"jsonrpc":"2\.0","id":1.*,\{"jsonrpc":"2\.0","id":2/);
      saysAs(`{ "bat|ch": [{ "method": "eth_chainId" }] }`, /On the wire/);
      saysAs(`|${sent}`, /^\*\*Not sent\.\*\* Line 1 of the cell\\, column 56\\: \\\{\\\{alice/);
    });

    it("says what a run finds out first", () =>
      saysAs(
        `|{ "method": "eth_getBalance", "params": ["0x${"1".repeat(40)}", "latest - 100"] }`,
        /^\*\*On the wire\*\* when it runs\. Line 1.* a run asks for the number of the block latest first/,
      ));

    it("shows the last result", () =>
      check(`{ "method": ‹"eth_ch|ainId"› }`, /\*\*Last result\*\* 31337$/, {
        lastResult: () => ({ ok: true, summary: "31337" }),
      }));

    it("tells where an endpoint leads, and who chose it", () => {
      check(`{ "endpoint": ‹"lo|cal"› }`, /^\*\*local\*\* · `127\.0\.0\.1\\?:8545`\. It is built into RPC Notebook\.$/);
      check(`{ "endpoint": ‹"lo|cal"› }`, /go there now\. You chose it\\?\.$/, { endpoint: {} });
      check(`{ ‹"end|point"›: "x" }`, /takes precedence over the notebook's\.\n\n\*\*local\*\*/, { endpoint: {} });
    });

    it("explains what is expected", () => {
      const expecting = (inside: string): string =>
        `{ "name": "b", "method": "eth_getBalance", "expect": { ${inside} } }`;
      const last: Around = { lastResult: () => ({ values: () => new Map([["b", { result: "0x1" }]]) }) };
      readsAs(expecting(`"res|ult": "0x1"`), /a path into the answer[\s\S]*In the last result: `"0x1"`$/, last);
      readsAs(expecting(`"result.x|": "0x1"`), /In the last result: nothing; `result` is a string$/, last);
      readsAs(expecting(`"result": { ">|=": "0x1" }`), /^`>=` · The value is at least this number/);
      readsAs(expecting(`"result": { ">=": "0x6fc23ac00|" }`), /^30 gwei = /);
      readsAs(expecting(`"error.code": -3200|0`), /^`-32000` \*\*server error\*\* · .*\[Source\]\(https:/);
      readsAs(expecting(`"error.code": { "in": [|3, 4444] }`), /\*\*execution reverted\*\*/);
      readsAs(expecting(`"decoded[0].to": "${alice}|"`), /Label: alice/, labelled);
    });
  });

  it("lets no text of a notebook or a chain become Markdown", () => {
    check(
      `{ "method": "eth_getCode", "params": [‹"${alice}|"›] }`,
      /Label: alice \\\[x\\\]\\\(https\\:\\\/\\\/evil\\\.example\\\)/,
      { header: hostile },
    );
    check(`{ "method": ‹"eth_ch|ainId"› }`, /failed: \\<img src\\=x\\>$/, {
      lastResult: () => ({ ok: false, summary: "<img src=x>" }),
    });
    check(`{ "endpoint": ‹"x|"› }`, /^\*\*x\*\* · `a'b`. It is in \\\[c\\\]\\\(command\\:d\\\)\./, {
      endpoints: [{ ...local, name: "x", host: "a`b", origin: "[c](command:d)" }],
    });
    check(`‹|{› "method": "x", "params": ["\`\`\`\`\\n[a](b)\u202e"] }`, /\n`{5}json\n.*\\u202e.*\n`{5}$/);
    readsAs(calls("a\u0060b|", ""), /the function `a'b`/);
  });
});
