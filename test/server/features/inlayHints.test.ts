import assert from "node:assert/strict";
import { inlayHints } from "../../../server/src/features/inlayHints.ts";
import type { Cell } from "../../../server/src/notebook/cell.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { type Around, scopeOf } from "../../support/cell.ts";

/** The cell with its hints where they stand, as `‹kind label›`. */
function hinted(text: string, around: Around = {}, kind?: "header"): string {
  const cell = readCell(text, kind);
  return inlayHints(cell, scopeOf(cell, around)).reduceRight(
    (shown, { span, label, kind }) => `${shown.slice(0, span.start)}‹${kind} ${label}›${shown.slice(span.start)}`,
    text,
  );
}

/** Only the hints, in order. */
const hints = (text: string, around: Around = {}, kind?: "header"): string =>
  (hinted(text, around, kind).match(/‹[^›]*›/g) ?? []).join(" ");

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const header = `{ "variables": { "token": "${bob}", "n": 7 }, "labels": { "${alice}": "Alice" } }`;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (hex: string): string => hex.slice(2).toLowerCase().padStart(64, "0");

const call = (members: string): string => `{ "method": "eth_call", "params": [{ ${members} }] }`;
const topics = (list: string): string => `{ "method": "eth_getLogs", "params": [{ "topics": [${list}] }] }`;

describe("inlay hints", () => {
  it("stand behind the value", () =>
    assert.equal(
      hinted(`{ "method": "eth_getBalance", "params": ["${alice}", "0x1e8480"] }`, { header }),
      `{ "method": "eth_getBalance", "params": ["${alice}"‹name Alice›, "0x1e8480"‹unit 2,000,000›] }`,
    ));

  it("say units", () => {
    assert.equal(hints(call(`"value": "0x14d1120d7b160000"`)), "‹unit 1.5 ether›");
    assert.equal(hints(call(`"gas": "0xb71b00"`)), "‹unit 12,000,000›");
    assert.equal(hints(call(`"maxFeePerGas": "0x6fc23ac00"`)), "‹unit 30 gwei›");
    assert.equal(hints(call(`"chainId": "0x2105"`)), "‹name Base›");
    assert.equal(hints(`{ "chainId": "0x7a69" }`, {}, "header"), "‹name local chain (anvil, Hardhat)›");
    assert.equal(
      hints(
        `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "time": "0x66a0b6c4" } }] }] }`,
      ),
      "‹unit 2024-07-24 08:09:40 UTC›",
    );
  });

  it("are silent where the text says it already", () => {
    assert.equal(hints(call(`"value": "0x0", "nonce": "0x9", "gas": 21000`)), "");
    assert.equal(hints(call(`"value": "1.5 ether"`)), "");
    assert.equal(hints(`{ "method": "eth_getBalance", "params": ["", "pending"] }`), "");
    assert.equal(hints(`{ "method": "eth_getBlockReceipts", "params": ["0x${"ab".repeat(32)}"] }`), "");
    assert.equal(hints(`{ "method": "eth_chainId", "id": 100, "name": "0x12345" }`), "");
    assert.equal(hints(header, { header }, "header"), "");
  });

  it("name addresses by label, by variable, by what everybody calls them", () => {
    assert.equal(
      hints(call(`"from": "${alice.toLowerCase()}", "to": "${bob}"`), { header }),
      "‹name Alice› ‹name token›",
    );
    assert.equal(hints(call(`"to": "0xcA11bde05977b3631167028862bE2a173976CA11"`)), "‹name Multicall3›");
    assert.equal(
      hints(`{ "method": "eth_call", "params": [{}, "latest", { "${alice}": { "balance": "0xde0b6b3a7640000" } }] }`, {
        header,
      }),
      "‹name Alice› ‹unit 1 ether›",
    );
    assert.equal(
      hints(
        `{ "variables": { "a": "${alice}", "b": "${bob}" }, "labels": { "${alice}": "Alice" } }`,
        { header },
        "header",
      ),
      "‹name Alice›",
    );
  });

  it("name the address in the arguments of a function", () =>
    assert.equal(
      hints(call(`"data": { "function": "f(address)", "args": ["${alice}"] }`), { header }),
      "‹name Alice›",
    ));

  it("name events and their topics", () => {
    assert.equal(
      hints(topics(`"${transferTopic}", "0x${word(alice)}"`), { header }),
      "‹name Transfer› ‹name from: Alice›",
    );
    assert.equal(hints(topics(`["${transferTopic}"], null, "0x${word(bob)}"`)), "‹name Transfer› ‹name to›");
    assert.equal(hints(topics(`"0x${"12".repeat(32)}"`)), "");
  });

  it("name functions and slots", () => {
    assert.equal(hints(call(`"to": "${alice}", "data": "0x70a08231${word(bob)}"`)), "‹name balanceOf›");
    assert.equal(hints(call(`"data": "0x70a08231${word(bob)}"`)), "", "a deployment");
    assert.equal(hints(call(`"to": "${alice}", "data": "0x12345678"`)), "");
    assert.equal(
      hints(
        `{ "method": "eth_getStorageAt", "params": ["", "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"] }`,
      ),
      "‹name eip1967.proxy.implementation›",
    );
  });

  it("name the project's function of a selector where it fits, else the one that does", () => {
    const abi = `{ "abi": ["function collate_propagate_storage(bytes16)"] }`;
    const burn = (amount: string): string => call(`"to": "${alice}", "data": "0x42966c68${word(amount)}"`);
    assert.equal(hints(burn("0x0"), { header: abi }), "‹name collate_propagate_storage›");
    assert.equal(hints(burn("0x1"), { header: abi }), "‹name burn›");
  });

  it("name the function that is given for the contract that is called", () => {
    const bound = `{ "variables": { "bank": "${bob}" }, "abi": ["function collate_propagate_storage(bytes16 x)", { "address": "${bob}", "abi": ["function burn(uint256 id)"] }] }`;
    const data = `"data": "0x42966c68${word("0x0")}"`;
    assert.equal(
      hints(call(`"to": "${bob}", ${data}`), { header: bound })
        .split(" ")
        .at(-1),
      "burn›",
    );
    assert.equal(
      hints(call(`"to": "{{bank}}", ${data}`), { header: bound })
        .split(" ")
        .at(-1),
      "burn›",
    );
  });

  it("resolve a string that is one placeholder, where the value is short", () => {
    const cells = [`{ "name": "head", "method": "eth_blockNumber" }`];
    const lastResult: NonNullable<Around["lastResult"]> = ({ requests }: Cell) =>
      requests[0]?.name === "head"
        ? { values: () => new Map([["head", { result: "0x1e8480", long: "x".repeat(100) }]]) }
        : undefined;
    const balance = (address: string, block: string): string =>
      `{ "method": "eth_getBalance", "params": ["${address}", "${block}"] }`;
    assert.equal(
      hints(balance("{{token}}", "{{head.result}}"), { header, cells, lastResult }),
      "‹value = 0x3C44…93BC› ‹value = 2,000,000›",
    );
    assert.equal(hints(balance("{{head.long}}", "{{head.none}}"), { cells, lastResult }), "");
    assert.equal(hints(balance("a{{n}}", "{{$secret.A}}"), { header }), "");
    assert.equal(hints(balance("{{head.result}}", ""), { cells }), "", "it has not run");
  });

  it("end with the last result", () => {
    const last = (ok: boolean): Around => ({ lastResult: () => ({ ok, summary: `31337\n${"x".repeat(100)}` }) });
    assert.match(hinted(`{ "method": "eth_chainId" }\n`, last(true)), /\}‹result ✓ 31337 x{52,55}…›\n$/);
    assert.match(hinted(`{ "method": "eth_chainId" }`, last(false)), /\}‹result ✗ 31337 /);
    assert.equal(hints("# text", last(true), "header"), "");
  });

  it("show nothing of a name that could mislead", () =>
    assert.equal(
      hints(call(`"to": "${alice}"`), { header: `{ "labels": { "${alice}": "a\u202eb\\n${"c".repeat(80)}" } }` }).slice(
        0,
        20,
      ),
      "‹name a\\u202eb ccccc",
    ));
});
