import assert from "node:assert/strict";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { decodeParams } from "../../../server/src/abi/decode.ts";
import { decodeCall } from "../../../server/src/abi/decodeCall.ts";
import { type DecodedEvent, decodeLog, decodeLogWith } from "../../../server/src/abi/decodeLog.ts";
import { decodeRevert } from "../../../server/src/abi/decodeRevert.ts";
import { encodeTopic } from "../../../server/src/abi/encode.ts";
import { decodeReturns } from "../../../server/src/abi/innerReturns.ts";
import { type AbiItem, isEvent, itemFromJson, paramsFromJson, parseItem } from "../../../server/src/abi/item.ts";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import { isArray, isObject, parseJson } from "../../../server/src/base/json.ts";
import { corpusLines } from "../../support/corpus.ts";

const rows = corpusLines("vectors").map(rowOf);

function rowOf(line: string): JsonObject {
  const row = parseJson(line);
  assert.ok(isObject(row));
  return row;
}

const abiOf = (row: JsonObject): readonly AbiItem[] =>
  isArray(row.abi) ? row.abi.flatMap((item) => itemFromJson(item, "vector") ?? []) : [];

/** Vectors write addresses with checksums, and leave the form of tuples open. */
function same(actual: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  if (typeof expected === "string")
    return (
      typeof actual === "string" && (actual === expected || (/^0x/.test(expected) && actual === expected.toLowerCase()))
    );
  if (isArray(expected)) {
    const items = isArray(actual) ? actual : isObject(actual) ? Object.values(actual) : [];
    return items.length === expected.length && expected.every((item, i) => same(items[i], item));
  }
  if (isObject(expected))
    return isObject(actual) && Object.keys(expected).every((key) => same(actual[key], expected[key]));
  return actual === expected;
}

function argsMatch(found: DecodedEvent | undefined, expected: JsonValue | undefined): void {
  const args = found?.args ?? [];
  if (isArray(expected)) {
    for (const [i, wanted] of expected.entries()) {
      const detailed = isObject(wanted) && "hashed" in wanted;
      assert.ok(same(args[i]?.value, detailed ? wanted.value : wanted), `argument ${i}: ${JSON.stringify(args[i])}`);
      if (detailed) assert.equal(args[i]?.hashed, wanted.hashed);
    }
  } else if (isObject(expected)) {
    for (const [name, wanted] of Object.entries(expected)) {
      assert.ok(same(args.find((arg) => arg.name === name)?.value, wanted), `${name}: ${JSON.stringify(args)}`);
    }
  }
}

const checks: Readonly<Record<string, (row: JsonObject, expect: JsonObject) => void>> = {
  event(row, expect) {
    const abi = abiOf(row);
    const log = { address: row.address ?? null, topics: row.topics ?? null, data: row.data ?? "0x" };
    const found = decodeLog(log, scopeOf(abi)) ?? abi.filter(isEvent).map((event) => decodeLogWith(event, log))[0];
    if (expect.throws !== undefined) {
      assert.ok(found === undefined || found.faults.length > 0 || found.source !== "vector", JSON.stringify(found));
      return;
    }
    assert.ok(found);
    assert.equal(found.name, expect.name);
    argsMatch(found, expect.args);
    // other ways of indexing are no fault of the vector
    assert.deepEqual(
      found.faults.filter((fault) => !/fewer topics|declared with|data ends|bytes more/.test(fault)),
      [],
    );
  },
  params(row, expect) {
    const types = isArray(row.types) ? row.types : [];
    const params = types.flatMap((type) =>
      typeof type === "string" ? (parseItem(`f(${type})`, "")?.inputs ?? []) : (paramsFromJson([type]) ?? []),
    );
    if (params.length < types.length) {
      assert.ok(expect.throws !== undefined, "a type was not understood");
      return;
    }
    const { values, faults } = decodeParams(params, String(row.data).toLowerCase(), 2);
    if (expect.throws === undefined)
      assert.ok(
        same(
          values.map((one) => one ?? null),
          expect.args ?? expect.value,
        ),
        JSON.stringify({ values, faults }),
      );
    else assert.notDeepEqual(faults, []);
  },
  call(row, expect) {
    const found = decodeCall(row.data, scopeOf(abiOf(row)));
    if (expect.throws !== undefined) return assert.equal(found, undefined);
    assert.equal(found?.name, expect.name);
    const values = found?.args.map(({ value }) => value ?? null);
    assert.ok(same(values, expect.args ?? []), JSON.stringify(found));
    assert.deepEqual(found?.faults, []);
  },
  result(row, expect) {
    const named = abiOf(row).filter(({ name }) => row.functionName === undefined || name === row.functionName);
    const [found] = decodeReturns(named, row.data);
    if (expect.throws !== undefined) return assert.notDeepEqual(found?.faults, []);
    assert.ok(found);
    const values = found.values.map((value) => value ?? null);
    assert.ok(same(values.length === 1 ? values[0] : values, expect.value ?? expect.args), JSON.stringify(found));
    assert.deepEqual(found.faults, []);
  },
  "topic-encode"(row, expect) {
    const event = parseItem(`event ${row.event}`, "vector");
    const [input] = event?.inputs ?? [];
    assert.ok(event && input);
    const topic = encodeTopic(input.type, row.indexed_value ?? null, () => false);
    assert.deepEqual([event.hash, topic.kind === "encoded" && topic.hex], expect.topics);
  },
  error(row, expect) {
    const revert = decodeRevert(row.data, scopeOf(abiOf(row)));
    if (expect.throws !== undefined) return assert.ok(revert.kind === "unknown" || revert.kind === "none");
    if (revert.kind === "reason") return assert.deepEqual([revert.reason], expect.args);
    if (revert.kind === "panic") return assert.deepEqual([revert.code], expect.args);
    assert.equal(revert.kind === "custom" && revert.name, expect.name);
    assert.ok(
      revert.kind === "custom" &&
        same(
          revert.args.map(({ value }) => value ?? null),
          expect.args,
        ),
    );
  },
  revert(row, expect) {
    const revert = decodeRevert(row.data);
    if (expect.unknown === true) assert.equal(revert.kind, "text");
    else assert.deepEqual(revert.kind === "reason" && [revert.reason], expect.args);
  },
  "pseudo-transfer-log"(row, expect) {
    const found = decodeLog({ address: row.address ?? null, topics: row.topics ?? null, data: row.data ?? null });
    assert.equal(found?.native, true);
    argsMatch(found, { from: expect.from ?? null, to: expect.to ?? null, value: expect.value ?? null });
  },
  "raw-log"(row) {
    assert.equal(
      decodeLog({ address: row.address ?? null, topics: row.topics ?? null, data: row.data ?? null }),
      undefined,
    );
  },
};

describe("vectors of other projects", () => {
  for (const kind of new Set(rows.map(({ kind }) => String(kind)))) {
    const own = rows.filter((row) => row.kind === kind);
    it(`${kind}: ${own.length}`, () => {
      const check = checks[kind];
      assert.ok(check, "a kind without a check");
      const failures = own.flatMap((row) => {
        try {
          assert.ok(isObject(row.expect));
          check(row, row.expect);
          return [];
        } catch (error) {
          return `${row.id} ${row.source}: ${error instanceof Error ? error.message : error}`;
        }
      });
      assert.deepEqual(failures, []);
    });
  }
});
