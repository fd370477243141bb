import assert from "node:assert/strict";
import { signatureHelp } from "../../../server/src/features/signatureHelp.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { cursor, scopeOf } from "../../support/cell.ts";

interface Shown {
  /** The label, with the active parameter in `‹›`. */
  readonly label: string;
  readonly documentation: string;
  /** The text of the active parameter. */
  readonly active: string;
}

function help(marked: string, header?: string): Shown | undefined {
  const { text, offset } = cursor(marked);
  const cell = readCell(text);
  const found = signatureHelp(cell, offset, scopeOf(cell, header === undefined ? {} : { header }));
  if (!found) return undefined;
  const { label, documentation, params, active } = found;
  const param = active === undefined ? undefined : params[active];
  if (active !== undefined) assert.ok(param, "the active parameter is there");
  const shown = param
    ? `${label.slice(0, param.span.start)}‹${label.slice(param.span.start, param.span.end)}›${label.slice(param.span.end)}`
    : label;
  return { label: shown, documentation, active: param?.documentation ?? "" };
}

const label = (marked: string, header?: string): string | undefined => help(marked, header)?.label;

const call = (inside: string): string => `{ "method": "eth_call", "params": [{ "data": { ${inside} } }] }`;

describe("signature help", () => {
  it("follows the cursor through the parameters", () => {
    const balance = (params: string): string => `{ "method": "eth_getBalance", "params": [${params}] }`;
    assert.equal(label(balance("|")), "eth_getBalance(‹address›, block?) → wei");
    assert.equal(label(balance('"0x|"')), "eth_getBalance(‹address›, block?) → wei");
    assert.equal(label(balance('"0x",|')), "eth_getBalance(address, ‹block?›) → wei");
    assert.equal(label(balance('"0x", "late|st"')), "eth_getBalance(address, ‹block?›) → wei");
    assert.equal(label(balance('"0x", "latest", |')), "eth_getBalance(address, block?) → wei");
  });

  it("documents the method and each parameter", () => {
    const found = help(`{ "method": "eth_getBalance", "params": [|] }`);
    assert.match(found?.documentation ?? "", /^Returns the balance/);
    assert.match(found?.active ?? "", /^\*\*address\*\* \(`address`\)\n\nThe account\./);
  });

  it("stays with the parameter in its depths, and says what is due there", () => {
    const found = help(`{ "method": "eth_call", "params": [{ "to": "", "value": "|" }, "latest"] }`);
    assert.equal(found?.label, "eth_call(‹transaction›, block?, stateOverrides?, blockOverrides?) → returndata");
    assert.match(found?.active ?? "", /^\*\*transaction\*\*[\s\S]*\n---\n\n\*\*value\*\* \(`wei`, optional/);
    const list = help(`{ "method": "eth_call", "params": [{ "accessList": [{ "storageKeys": ["|"] }] }] }`);
    assert.match(list?.active ?? "", /\n---\n\n\*\*`word`\*\*/);
  });

  it("answers in text that is broken", () => {
    assert.equal(label(`{ "method": "eth_getBalance", "params": [|`), "eth_getBalance(‹address›, block?) → wei");
    assert.equal(label(`{ "method": "eth_getBalance", "params": ["0x" "|`), "eth_getBalance(address, ‹block?›) → wei");
    assert.equal(label(`{ "params": ["0x", |], "method": "eth_getBalance"`), "eth_getBalance(address, ‹block?›) → wei");
  });

  it("knows the requests of a batch apart", () =>
    assert.equal(
      label(`[{ "method": "eth_chainId" }, { "method": "eth_getCode", "params": [|] }]`),
      "eth_getCode(‹address›, block?) → code",
    ));

  it("shows a function's own signature inside of `args`", () => {
    const transfer = "transfer(address to, uint256 value) → (bool success)";
    assert.equal(label(call(`"function": "transfer", "args": [|]`)), transfer.replace("address to", "‹address to›"));
    assert.equal(
      label(call(`"function": "transfer", "args": ["", |`)),
      transfer.replace("uint256 value", "‹uint256 value›"),
    );
    assert.equal(label(call(`"function": "transfer", "args": ["", 1, |]`)), transfer);
    assert.equal(
      label(call(`"function": "f((address who, uint256[] ids) x, bool)", "args": [{ "ids": [1, |] }]`)),
      "f(‹(address,uint256[]) x›, bool)",
    );
    assert.match(
      help(call(`"function": "transfer", "args": [|]`))?.documentation ?? "",
      /^`function transfer\(address to, uint256 value\) returns \(bool success\)` · selector `0xa9059cbb` · \[ERC\\-20\]\(https:\/\/eips\.ethereum\.org\/EIPS\/eip-20\)$/,
    );
  });

  it("takes the function of an ABI, the overload that has room for the argument", () => {
    const header = `{ "abi": ["function f(uint256 one)", "function f(uint256 one, address two)"] }`;
    assert.equal(label(call(`"function": "f", "args": [1|]`), header), "f(‹uint256 one›)");
    assert.equal(label(call(`"function": "f", "args": [1, |]`), header), "f(uint256 one, ‹address two›)");
    assert.match(
      help(call(`"function": "f", "args": [|]`), header)?.documentation ?? "",
      /1 more function has this name; write the whole signature/,
    );
  });

  it("shows the indexed arguments of an event, by name or in order", () => {
    const logs = (args: string): string =>
      `{ "method": "eth_getLogs", "params": [{ "event": "event Memo(address indexed caller, bytes32 indexed memo, uint256 x)", "args": ${args} }] }`;
    assert.equal(label(logs(`{ "memo": "|" }`)), "Memo(address caller, ‹bytes32 memo›)");
    assert.equal(label(logs(`["", |]`)), "Memo(address caller, ‹bytes32 memo›)");
  });

  it("falls back to the method where nothing is called so", () =>
    assert.match(label(call(`"function": "nothing", "args": [|]`)) ?? "", /^eth_call\(‹transaction›/));

  it("is not there outside of parameters, and for unknown methods", () => {
    assert.equal(label(`{ "method": "eth_|call", "params": [] }`), undefined);
    assert.equal(label(`{ "method": "eth_call", "expect": { "|": 1 } }`), undefined);
    assert.equal(label(`{ "method": "foo_bar", "params": [|] }`), undefined);
    assert.equal(label("|"), undefined);
  });
});
