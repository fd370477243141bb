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

/** Checks the hints of a cell, which are marked in its text. */
function check(marked: string, around: Around = {}, kind?: "header"): void {
  assert.equal(hinted(marked.replace(/‹[^›]*›/g, ""), around, kind), marked);
}

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const bob = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const bank = `0x${"11".repeat(20)}`;
const adminSlot = "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103";
const abi = `["function collate_propagate_storage(bytes16 x)", { "address": "${bank}", "abi": ["function burn(uint256 id)"] }]`;
const header = `{ "variables": { "token": "${bob}", "n": 7, "bank": "${bank}" }, "labels": { "${alice}": "Alice" }, "abi": ${abi} }`;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (hex: string): string => hex.slice(2).toLowerCase().padStart(64, "0");

const call = (members: string): string => `{ "method": "eth_call", "params": [{ ${members} }] }`;
const topics = (list: string): string => `{ "method": "eth_getLogs", "params": [{ "topics": [${list}] }] }`;

describe("inlay hints", () => {
  for (const marked of [
    `{ "method": "eth_getBalance", "params": ["${alice}"‹name Alice›, "0x1e8480"‹unit 2,000,000›] }`,
    call(`"value": "0x14d1120d7b160000"‹unit 1.5 ether›`),
    call(`"gas": "0xb71b00"‹unit 12,000,000›`),
    call(`"maxFeePerGas": "0x6fc23ac00"‹unit 30 gwei›`),
    call(`"chainId": "0x2105"‹name Base›`),
    `{ "method": "eth_simulateV1", "params": [{ "blockStateCalls": [{ "blockOverrides": { "time": "0x66a0b6c4"‹unit 2024-07-24 08:09:40 UTC› } }] }] }`,
    call(`"value": "0x0", "nonce": "0x9", "gas": 21000`),
    call(`"value": "1.5 ether"`),
    `{ "method": "eth_getBalance", "params": ["", "pending"] }`,
    `{ "method": "eth_getBlockReceipts", "params": ["0x${"ab".repeat(32)}"] }`,
    `{ "method": "eth_chainId", "id": 100, "name": "0x12345" }`,
    call(`"from": "${alice.toLowerCase()}"‹name Alice›, "to": "${bob}"‹name token›`),
    call(`"to": "0xcA11bde05977b3631167028862bE2a173976CA11"‹name Multicall3›`),
    `{ "method": "eth_call", "params": [{}, "latest", { "${alice}"‹name Alice›: { "balance": "0xde0b6b3a7640000"‹unit 1 ether› } }] }`,
    call(`"data": { "function": "f(address)", "args": ["${alice}"‹name Alice›] }`),
    topics(`"${transferTopic}"‹name Transfer›, "0x${word(alice)}"‹name from: Alice›`),
    topics(`["${transferTopic}"‹name Transfer›], null, "0x${word(bob)}"‹name to: token›`),
    topics(`["${transferTopic}"‹name Transfer›], null, "0x${"0".repeat(24)}${"22".repeat(20)}"‹name to›`),
    topics(`"0x${"12".repeat(32)}"`),
    call(`"to": "${alice}"‹name Alice›, "data": "0x70a08231${word(bob)}"‹name balanceOf›`),
    call(`"data": "0x70a08231${word(bob)}"`), // a deployment
    call(`"to": "0x", "data": "0x12345678"`),
    `{ "method": "eth_getStorageAt", "params": ["", "${adminSlot}"‹name eip1967.proxy.admin›] }`,
    // the function that is given for the contract that is called
    call(`"to": "${bank}"‹name bank›, "data": "0x42966c68${word("0x0")}"‹name burn›`),
    call(`"to": "{{bank}}"‹value = 0x1111…1111›, "data": "0x42966c68${word("0x0")}"‹name burn›`),
  ])
    it(`are in ${marked}`, () => check(marked, { header }));

  for (const marked of [
    `{ "chainId": "0x7a69"‹name local chain (anvil, Hardhat)› }`,
    `{ "variables": { "a": "${alice}"‹name Alice›, "b": "${bob}" }, "labels": { "${alice}": "Alice" } }`,
  ])
    it(`are in the header ${marked}`, () => check(marked, { header }, "header"));

  it("name the project's function of a selector where it fits, else the one that does", () => {
    const own = { header: `{ "abi": ["function collate_propagate_storage(bytes16)"] }` };
    check(call(`"to": "0x", "data": "0x42966c68${word("0x0")}"‹name collate_propagate_storage›`), own);
    check(call(`"to": "0x", "data": "0x42966c68${word("0x1")}"‹name burn›`), own);
  });

  it("resolve a string that is one placeholder, where the value is short", () => {
    const cells = [`{ "name": "head", "method": "eth_blockNumber" }`];
    const lastResult: NonNullable<Around["lastResult"]> = ({ requests }: Cell) =>
      requests[0]?.name === "head"
        ? { values: () => new Map([["head", { result: "0x1e8480", long: "x".repeat(100) }]]) }
        : undefined;
    const balance = (address: string, block: string): string =>
      `{ "method": "eth_getBalance", "params": [${address}, ${block}] }`;
    const around = { header, cells, lastResult };
    check(balance(`"{{token}}"‹value = 0x3C44…93BC›`, `"{{head.result}}"‹value = 2,000,000›`), around);
    check(balance(`"{{head.long}}"`, `"{{head.none}}"`), around);
    check(balance(`"a{{n}}"`, `"{{$secret.A}}"`), around);
    check(balance(`"{{head.result}}"`, `""`), { cells }); // it has not run
  });

  it("end with the last result", () => {
    const last = (ok: boolean): Around => ({ lastResult: () => ({ ok, summary: `31337\n${"x".repeat(100)}` }) });
    assert.match(hinted(`{ "method": "eth_chainId" }\n`, last(true)), /\}‹result ✓ 31337 x{52,55}…›\n$/);
    assert.match(hinted(`{ "method": "eth_chainId" }`, last(false)), /\}‹result ✗ 31337 /);
    assert.equal(hinted("# text", last(true), "header"), "# text");
  });

  it("show nothing of a name that could mislead", () => {
    const label = `a\u202eb\\n${"c".repeat(80)}`;
    const text = hinted(call(`"to": "${alice}"`), { header: `{ "labels": { "${alice}": "${label}" } }` });
    assert.match(text, /‹name a\\u202eb ccccc/);
  });
});
