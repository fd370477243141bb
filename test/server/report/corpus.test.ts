import assert from "node:assert/strict";
import type { Devchain, DevchainRpcError } from "../../../devchain/devchain.ts";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import { isArray, isObject, parseJson } from "../../../server/src/base/json.ts";
import { methodNamed } from "../../../server/src/catalog/catalog.ts";
import type { TypeRef } from "../../../server/src/catalog/spec.ts";
import { itemsOf, typeNamed } from "../../../server/src/catalog/types.ts";
import type { Report, Section, Shown } from "../../../server/src/report/report.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { quantityShown } from "../../../server/src/report/shown.ts";
import { corpusLines } from "../../support/corpus.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { answered, refused } from "./outcomes.ts";

/** Exchanges of ethereum/execution-apis, where they are beside the project. */
const published = corpusLines("apis").map(parseJson).filter(isObject);

/** Members that tables leave to the JSON of the answer: they are equal in all rows, or people do not read them. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  eth_getLogs: ["transactionIndex", "blockTimestamp"],
  eth_getBlockReceipts: ["cumulativeGasUsed", "blockNumber", "blobGasPrice", "blockTimestamp", "type", "logIndex"],
  eth_simulateV1: [
    "maxUsedGas",
    "blobGasUsed",
    "excessBlobGas",
    "difficulty",
    "size",
    "transactionIndex",
    "blockNumber",
    "blockTimestamp",
    "logIndex",
    ...["index", "validatorIndex", "amount"], // withdrawals
    ...["chainId", "gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce", "type"], // full transactions
    ...["v", "r", "s", "yParity", "value"],
  ],
};

/** The methods whose quantities are all shown. */
const nine: ReadonlySet<string> = new Set([
  ...["eth_getLogs", "eth_call", "eth_simulateV1", "eth_getBlockReceipts", "eth_estimateGas", "eth_getStorageAt"],
  ...["eth_getTransactionCount", "eth_getCode", "eth_getBalance"],
]);

describe("answers become reports in which nothing of a known type is raw", () => {
  for (const method of new Set(published.map((one) => String(one.method)))) {
    if (!methodNamed(method)) continue;
    const own = published.filter((one) => one.method === method);
    it(`${method}: ${own.length} of other projects`, () => {
      for (const one of own) check(method, one);
    });
  }

  const chain = sharedChain();
  it("of our own chain", async () => {
    for (const [method, ...params] of asked(chain)) {
      const answer: unknown = await chain.rpc(method, params).then(
        (result) => ({ result }),
        ({ code, message, data }: DevchainRpcError) => ({ error: { code, message, data } }),
      );
      const one = parseJson(JSON.stringify({ file: method, method, params, ...Object(answer) }));
      assert.ok(isObject(one));
      check(method, one);
    }
  });
});

/** A request for each method that has answers of several kinds. */
function asked({ accounts, contracts }: Devchain): readonly (readonly [method: string, ...params: unknown[]])[] {
  const [from, to] = [accounts.alice.address, contracts.token.address];
  const failing = { from, to: contracts.reverter.address, data: "0x12345678" };
  const calls = [{ from, to, data: "0x18160ddd" }, { from, to: accounts.bob.address, value: "0x1" }, failing];
  return [
    ...["latest", "0x2", "pending"].flatMap((tag) => [
      ["eth_getBalance", from, tag] as const,
      ["eth_getTransactionCount", from, tag] as const,
      ["eth_getCode", to, tag] as const,
      ["eth_getStorageAt", to, "0x0", tag] as const,
      ["eth_getBlockReceipts", tag] as const,
      ["eth_getBlockByNumber", tag, true] as const,
      ["eth_call", { from, to, data: "0x18160ddd" }, tag] as const,
      ["eth_estimateGas", { from, to: accounts.bob.address, value: "0x1" }, tag] as const,
    ]),
    ["eth_call", failing, "latest"],
    ["eth_estimateGas", failing],
    ["eth_getLogs", { fromBlock: "0x0", toBlock: "latest" }],
    ["eth_simulateV1", { blockStateCalls: [{ calls }], traceTransfers: true }, "latest"],
    ["eth_simulateV1", { blockStateCalls: [{ calls }, { calls }], returnFullTransactions: true }, "latest"],
    ["eth_feeHistory", "0x4", "latest", [50]],
    ["debug_traceCall", { from, to, data: "0x18160ddd" }, "latest", { tracer: "callTracer" }],
  ];
}

function check(method: string, one: JsonObject): void {
  const report = reportOf({ title: method, method, params: one.params ?? null, outcome: outcomeOf(one) });
  const where = String(one.file);
  const shown = [...valuesOf(report)];
  for (const { text, role, also } of shown) {
    if (role !== "bytes")
      assert.doesNotMatch(text, nine.has(method) ? /^0x[0-9a-f]{0,16}$/ : /^0x[0-9a-f]{1,16}$/, where);
    if (role === "bad") assert.doesNotMatch(String(also), /^not /, where);
  }
  if (one.error !== undefined) {
    assert.equal(report.status, "failed", where);
    const { summary } = report;
    assert.match(summary, isObject(one.error) && one.error.code === 3 ? explained : /^refused: \S/, where);
    return;
  }
  assert.equal(report.status, "ok", `${where}: ${report.summary}`);
  if (!nine.has(method)) return;
  const texts = new Set([...shown.map(({ text }) => text), ...report.summary.split(/, | gas/)]);
  for (const { name, expected } of quantitiesOf(methodNamed(method)?.result ?? "any", listed(one.result ?? null))) {
    if (!leftOut[method]?.includes(name)) assert.ok(texts.has(expected), `${where}: ${name} ${expected}`);
  }
  for (const call of failedCalls(method, one.result ?? null)) {
    assert.ok(
      shown.some(({ text, role }) => role === "bad" && text !== "failed"),
      `${where}: ${JSON.stringify(call)}`,
    );
  }
}

/** Leaves out simulated blocks without calls if there are many: a note counts them. */
function listed(result: JsonValue): JsonValue {
  const busy = (block: JsonValue): boolean => !isObject(block) || !isArray(block.calls) || block.calls.length > 0;
  return isArray(result) && result.length > 20 ? result.filter(busy) : result;
}

const explained = /^reverted: (user error|wrong-calldatasize|Always reverting contract|panic 0x\w+: .+)$/;

function outcomeOf(one: JsonObject) {
  if (!isObject(one.error)) return answered(one.result ?? null);
  const { code, message, data } = one.error;
  return refused({
    reason: code === 3 ? "revert" : "bad-params",
    code: Number(code),
    message: String(message),
    ...(typeof data === "string" && { data, revertData: data }),
  });
}

interface Quantity {
  readonly name: string;
  /** The text that a person reads. */
  readonly expected: string;
}

/** Every quantity of a known unit in a value, found by the types of the catalogue. */
function* quantitiesOf(ref: TypeRef, value: JsonValue, name = "result"): Generator<Quantity> {
  if (value === null) return;
  const items = itemsOf(ref);
  if (items !== undefined) {
    for (const item of isArray(value) ? value : []) yield* quantitiesOf(items, item, name);
    return;
  }
  const type = typeNamed(ref);
  if (type?.kind === "quantity") {
    yield { name, expected: quantityShown(value, type.unit).text };
  } else if (type?.kind === "object" && isObject(value)) {
    for (const field of type.fields) yield* quantitiesOf(field.type, value[field.name] ?? null, field.name);
  } else if (type?.kind === "union") {
    const fitting = type.of.find((one) => isObject(value) === (typeNamed(one)?.kind === "object"));
    if (fitting !== undefined) yield* quantitiesOf(fitting, value, name);
  }
}

/** Calls of a simulation that failed. */
function* failedCalls(method: string, result: JsonValue): Generator<JsonValue> {
  for (const block of method === "eth_simulateV1" && isArray(result) ? result : []) {
    const calls = isObject(block) && isArray(block.calls) ? block.calls : [];
    for (const call of calls) if (isObject(call) && call.status === "0x0") yield call;
  }
}

/** Returns the values that a person reads, without the wire forms beside them. */
function* valuesOf({ sections }: Report): Generator<Shown> {
  for (const section of sections) {
    yield* section.kind === "table" ? section.rows.flat() : fieldsOf(section);
  }
}

function fieldsOf(section: Section): readonly Shown[] {
  const fields = section.kind === "fields" || section.kind === "failure" ? section.fields : [];
  return fields.filter(({ name }) => name !== "on the wire" && name !== "data").map(({ value }) => value);
}
