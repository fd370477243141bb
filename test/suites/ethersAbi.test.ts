import assert from "node:assert/strict";
import { inspect, isDeepStrictEqual } from "node:util";
import { checksummed } from "../../server/src/abi/address.ts";
import { decodeParams } from "../../server/src/abi/decode.ts";
import { type DecodedArg, decodeLogWith } from "../../server/src/abi/decodeLog.ts";
import { encodeParams } from "../../server/src/abi/encode.ts";
import { type AbiItem, isEvent, itemFromJson, parseItem, selectorOf } from "../../server/src/abi/item.ts";
import { signedTransaction, transactionHash } from "../../server/src/abi/transaction.ts";
import type { AbiParam, AbiType } from "../../server/src/abi/type.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../server/src/base/json.ts";
import { amountInWei } from "../../server/src/base/units.ts";
import { some } from "../support/depth.ts";
import { ethersCases } from "./packaged.ts";

/** The test cases of ethers.js: contracts compiled by solc and run, with the meaning of their return values and logs. */
describe("ethers.js test cases", () => {
  for (const [name, count] of [
    ["contract-interface", 2045],
    ["contract-interface-abi2", 1880],
  ] as const) {
    it(`${name}: ${count} results are decoded correctly, and encoded again byte for byte`, () => {
      const cases = rows(name);
      assert.equal(cases.length, count);
      failing(some(cases, 300), (row) => {
        const [item] = items(row.interface);
        assert.ok(item);
        const data = text(row.result);
        const meant = listIn(row.normalizedValues ?? row.values).map(plain);
        const { values, faults } = decodeParams(item.outputs, data, 2);
        assert.deepEqual({ values: values.map(unnamed), faults }, { values: meant, faults: [] });
        const encoded = encodeParams(item.outputs, meant, () => false);
        assert.deepEqual(encoded, { kind: "encoded", hex: data });
      });
    });
  }

  it("contract-events: logs are decoded correctly", () => {
    const cases = rows("contract-events");
    assert.equal(cases.length, 2016);
    failing(some(cases, 300), (row) => {
      const event = items(row.interface).find(({ name }) => name === "testEvent");
      assert.ok(event && isEvent(event));
      const log = { address: `0x${"11".repeat(20)}`, topics: row.topics ?? null, data: row.data ?? null };
      const found = decodeLogWith(event, log);
      const hashed = listIn(row.hashed);
      assert.deepEqual(found?.faults, []);
      for (const [at, meant] of listIn(row.normalizedValues).entries()) {
        const input: AbiParam | undefined = event.inputs[at];
        const arg: DecodedArg | undefined = found?.args[at];
        assert.equal(arg?.hashed, hashed[at] === true);
        if (input && !arg?.hashed) assert.deepEqual(unnamed(arg?.value), ours(input.type, meant));
      }
    });
  });

  it("contract-signatures: selectors of JSON ABIs and of declarations as people write them", () => {
    const cases = rows("contract-signatures");
    assert.equal(cases.length, 1880);
    failing(some(cases, 300), (row) => {
      const item = items(row.abi).find(({ name }) => name === "testSig");
      assert.deepEqual([item?.signature, item && selectorOf(item)], [row.signature, row.sigHash]);
      const parsed = parseItem(text(row.signature), "");
      assert.equal(parsed && selectorOf(parsed), row.sigHash);
    });
  });

  it("units: amounts are read to the wei, and those below zero are refused", () => {
    const cases = rows("units");
    assert.equal(cases.length, 20);
    for (const row of cases) {
      const wei = BigInt(text(row.wei));
      for (const unit of ["ether", "gwei", "wei"] as const) {
        const amount = row[unit];
        if (typeof amount !== "string" || amount.startsWith(".")) continue; // `.1 ether` is not an amount here
        assert.equal(amountInWei(`${amount} ${unit}`), wei < 0n ? "negative" : wei, `${row.name}: ${amount} ${unit}`);
      }
    }
  });

  it("accounts: checksums of addresses", () => {
    const cases = rows("accounts");
    assert.equal(cases.length, 1038);
    failing(some(cases, 300), (row) => assert.equal(checksummed(text(row.address).toLowerCase()), row.checksumAddress));
  });

  for (const [name, raw, sender] of [
    ["transactions", "signedTransaction", "accountAddress"],
    ["transactions", "signedTransactionChainId5", "accountAddress"],
    ["typed-transactions", "signed", "address"],
  ] as const) {
    it(`${name}: the transaction in \`${raw}\`, and its signer`, async () => {
      // recovering a sender takes a millisecond or more: every twentieth is enough
      const cases = some(
        rows(name).filter((row, at) => at % 20 === 0 && onChain(row)),
        12,
      );
      const failures: string[] = [];
      for (const row of cases) {
        const { to, value, data, gasLimit } = isObject(row.tx) ? row.tx : row;
        const told = await signedTransaction(row[raw]);
        const found = told && {
          from: String(told.from).toLowerCase(),
          to: String(told.to ?? "0x").toLowerCase(),
          data: told.data ?? "0x",
          value: BigInt(text(told.value ?? "0x0")),
          gas: BigInt(text(told.gas ?? "0x0")),
        };
        const meant = {
          from: text(row[sender]).toLowerCase(),
          to: String(to ?? "0x").toLowerCase(),
          data: data ?? "0x",
          value: quantity(value),
          gas: quantity(gasLimit),
        };
        if (!isDeepStrictEqual(found, meant)) failures.push(`${row.name}: ${inspect(found)}, not ${inspect(meant)}`);
        else assert.match(transactionHash(row[raw]) ?? "", /^0x[0-9a-f]{64}$/);
      }
      assert.equal(failures.length, 0, `${failures.length} of ${cases.length}: ${failures.slice(0, 3).join("\n")}`);
    });
  }
});

/** A typed transaction names its chain, and no chain has the id 0. */
function onChain({ tx }: JsonObject): boolean {
  return !isObject(tx) || (tx.chainId !== undefined && tx.chainId !== 0);
}

/** Some are left out, and `0x` is nothing. */
function quantity(value: JsonValue | undefined): bigint {
  return value === undefined || value === null || value === "0x" ? 0n : BigInt(String(value));
}

function rows(name: string): readonly JsonObject[] {
  return ethersCases(name) as readonly JsonObject[]; // every file is a list of objects
}

/** Runs every case and names the ones that fail. */
function failing(cases: readonly JsonObject[], check: (row: JsonObject) => void): void {
  const failures = cases.flatMap((row) => {
    try {
      check(row);
      return [];
    } catch (error) {
      return [`${row.name}: ${error instanceof Error ? error.message : error}`];
    }
  });
  assert.equal(failures.length, 0, `${failures.length} fail, such as ${failures.slice(0, 3).join("\n")}`);
}

function text(value: JsonValue | undefined): string {
  assert.ok(typeof value === "string");
  return value;
}

function items(abi: JsonValue | undefined): readonly AbiItem[] {
  const list = parseJson(text(abi));
  return isArray(list) ? list.flatMap((one) => itemFromJson(one, "suite") ?? []) : [];
}

/** A list, or the JSON of one: files differ. */
function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  const list = typeof value === "string" ? parseJson(value) : value;
  assert.ok(isArray(list));
  return list;
}

/** A value of the suite, `{ type, value }` or a list of them, as ours. */
function plain(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(plain);
  assert.ok(isObject(value));
  const { type, value: inner = null } = value;
  if (type === "tuple") return plain(inner);
  return type === "string" && typeof inner === "string" && /^0x[0-9a-fA-F]{40}$/.test(inner)
    ? inner.toLowerCase()
    : inner;
}

/** Tuples as lists: the suite has no names. */
function unnamed(value: JsonValue | undefined): JsonValue {
  if (isArray(value)) return value.map(unnamed);
  return isObject(value) ? Object.values(value).map(unnamed) : (value ?? null);
}

/** A bare value of the suite as ours: its numbers are decimal, hexadecimal or JSON, its addresses have checksums. */
function ours(type: AbiType, value: JsonValue): JsonValue {
  if (type.kind === "array") return listIn(value).map((item) => ours(type.of, item));
  if (type.kind === "tuple") return listIn(value).map((item, at) => ours(type.members[at]?.type ?? type, item));
  if (type.kind === "uint" || type.kind === "int") return integer(String(value)).toString();
  return type.kind === "address" ? text(value).toLowerCase() : value;
}

function integer(written: string): bigint {
  return written.startsWith("-") ? -BigInt(written.slice(1)) : BigInt(written);
}
