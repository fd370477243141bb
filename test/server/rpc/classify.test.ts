import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { Refusal } from "../../../server/src/rpc/classify.ts";
import { classify, codeName } from "../../../server/src/rpc/classify.ts";
import type { RefusalReason } from "../../../server/src/rpc/outcome.ts";
import { expectLinear } from "../../support/growth.ts";

function said(message: string, more: Partial<Refusal> = {}): ReturnType<typeof classify> {
  return classify({ method: "eth_getLogs", code: undefined, data: undefined, status: undefined, message, ...more });
}

function asking(from: string, to: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"${from}","toBlock":"${to}"}]}`;
}

/** Sentences as endpoints write them, with the reason, and the number of blocks where one is stated. */
const sentences: readonly (readonly [RefusalReason, string, number?])[] = [
  ["range-limit", "Block range is too large"],
  ["range-limit", "Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits"],
  ["range-limit", "maximum [from, to] blocks distance: 2000", 2000],
  ["range-limit", "eth_getLogs is limited to 0 - 50 blocks range", 50],
  ["range-limit", "block range greater than 10000 max", 10000],
  ["range-limit", "query exceeds range, retry smaller (max block range 5000, got 16777216)", 5000],
  ["range-limit", "Requested range exceeds maximum RPC range limit"],
  ["range-limit", "ranges over 10000 blocks are not supported on free plan", 10000],
  ["range-limit", "Maximum allowed number of requested blocks is 1000", 1000],
  ["range-limit", "exceed maximum block range: 50000", 50000],
  ["range-limit", "block range is too wide (maximum 1024)", 1024],
  ["range-limit", "query must be smaller than size 1024", 1024],
  ["range-limit", "block range exceeds 1000", 1000],
  ["range-limit", "eth_getLogs range is too large, max is 10k blocks", 10000],
  [
    "range-limit",
    "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x10, 0x19]. Upgrade to PAYG for expanded block range.",
    10,
  ],
  ["range-limit", "You can make eth_getLogs requests with up to a 2K block range", 2000],
  ["range-limit", "exceeds block range limit: requested 20000, limit 5000", 5000],
  ["range-limit", "the block range is 20000 but the maximum is 1,024", 1024],
  ["range-limit", "fromBlock-toBlock difference must be at most 500 blocks", 500],
  ["range-limit", "range too large: 100001 > 100000 blocks", 100000],
  ["result-limit", "Response size is larger than 150MB limit"],
  ["result-limit", "response size should not greater than 10000000 bytes"],
  ["result-limit", "query returns too many logs, narrow your filter: 20000"],
  ["result-limit", "query exceeds max results 20000"],
  ["rate-limit", "requests limited to 50/sec"],
  ["rate-limit", "error code: 1015"],
  ["range-limit", "exceeded max block range: block range = 5120, max block range = 5000", 5000],
  ["range-limit", "block range = 5120, max block range = 5000", 5000],
  ["range-limit", "exceeds the range allowed: 5120 blocks requested, up to 5000 allowed", 5000],
  ["quota", "Exceeded the quota usage"],
  ["quota", "Monthly quota exceeded"],
  ["quota", "You have used up your monthly credits"],
  ["quota", "Monthly capacity limit exceeded. Visit the dashboard to upgrade your scaling policy."],
  ["rate-limit", "Request rate limited. Try again in 12 seconds"],
  ["plan-limit", "Archive requests require a personal token"],
  ["plan-limit", "Archive, Debug and Trace requests are not available on your current plan"],
  ["plan-limit", "eth_getBlockReceipts is not included in your current plan"],
  ["missing-state", "state at block #12 is pruned"],
  ["missing-state", "World state unavailable"],
  ["missing-state", "old data not available due to pruning"],
  ["missing-state", "historical state 0xabcd is not available"],
  ["unknown-block", "header not found"],
  ["unknown-block", "block range extends beyond current head block"],
  ["unknown-block", "Unknown block"],
  ["unknown-method", "the method eth_nope does not exist/is not available"],
  ["unknown-method", "the method is not available"],
  ["unknown-method", "Method eth_simulateV1 not found"],
  ["unknown-method", "Unsupported method: eth_simulateV1. See available methods at …"],
  ["not-allowed", "rpc method is not whitelisted"],
  ["range-limit", "range 5000 > 1000", 1000],
  ["batch-limit", "too many requests in batch"],
  ["batch-limit", "Too many requests in a single batch"],
  ["rate-limit", "Too Many Requests"],
  ["batch-limit", "batch too large"],
  ["batch-limit", "Batch requests are not supported"],
  ["batch-limit", "Batched requests are not supported by this server"],
  [
    "batch-limit",
    "Batch of more than 3 requests are not allowed on free tier, to use this feature register paid account at drpc.org",
  ],
  ["batch-limit", "The batch request was too large: Exceeded max limit of 10"],
  ["plan-limit", "Method eth_getLogs is not available on freetier"],
  ["plan-limit", "debug_traceCall not available on freetier, please upgrade"],
  ["not-allowed", "Method disabled"],
  ["not-allowed", "the method eth_getLogs is disabled"],
  ["unknown-block", "cannot query unfinalized data"],
  ["internal", "backend returned an invalid response"],
  ["vm-error", "Transaction processing could not be completed due to an exception"],
  ["timeout", "execution aborted (timeout = 5s)"],
  ["timeout", "query timeout exceeded"],
  ["unauthorized", "must be authenticated!"],
  ["unauthorized", "invalid project id"],
  ["unauthorized", "API key is missing"],
  ["tx-rejected", "nonce too low: next nonce 5, tx nonce 4"],
  ["tx-rejected", "replacement transaction underpriced"],
  ["tx-rejected", "already known"],
  ["vm-error", "gas required exceeds allowance (50000000)"],
  ["vm-error", "EVM error: InvalidJump"],
  ["vm-error", "stack underflow (0 <=> 1)"],
  ["bad-params", "pending logs are not supported"],
  ["bad-params", "cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other"],
  ["bad-params", "invalid block range params"],
  [
    "bad-params",
    "invalid argument 0: json: cannot unmarshal hex number with leading zero digits into Go value of type hexutil.Big",
  ],
  ["bad-params", "fromBlock not allowed with blockHash at line 1 column 5"],
  ["bad-params", "Specify less number of addresses"],
  ["too-large", "request entity too large"],
];

describe("why an endpoint refuses", () => {
  for (const [reason, message, blocks] of sentences) {
    it(`${reason}: ${message}`, () => {
      const found = said(message);
      assert.equal(found.reason, reason);
      assert.equal(found.rangeLimit, blocks === undefined ? undefined : BigInt(blocks) - 1n);
    });
  }

  it("goes by message, then data, then HTTP status, then code", () => {
    assert.equal(said("over rate limit", { code: 3, status: 403, data: "execution reverted" }).reason, "rate-limit");
    assert.equal(
      said("Invalid params", { code: -32602, status: 429, data: "block range is too wide" }).reason,
      "range-limit",
    );
    assert.equal(said("Invalid params", { code: -32602, status: 429 }).reason, "rate-limit");
    assert.equal(said("nope", { code: -32602, status: 403 }).reason, "not-allowed");
    assert.equal(said("nope", { code: -32602, status: 400 }).reason, "bad-params");
    assert.equal(said("nope", { status: 400 }).reason, "bad-request");
    assert.equal(said("nope", { code: -31999 }).reason, "other");
  });

  it("tells the meanings of one code apart", () => {
    for (const [message, reason] of [
      ["query returned more than 10000 results", "result-limit"],
      ["daily request count exceeded, request rate limited", "rate-limit"],
      ["Batch requests are disabled", "batch-limit"],
      ["Requested range exceeds maximum RPC range limit", "range-limit"],
      ["limit exceeded", "rate-limit"],
    ] as const) {
      assert.equal(said(message, { code: -32005 }).reason, reason, message);
    }
  });

  it("does not mistake a revert for the text that its reason quotes", () => {
    for (const quoted of [
      "over rate limit",
      "block range is too wide",
      "nonce too low",
      "header not found",
      "out of gas",
    ]) {
      assert.equal(said(`execution reverted: ${quoted}`, { code: -32000, method: "eth_call" }).reason, "revert");
    }
  });

  it("reads a failed simulation as one, and the same words elsewhere as a rejected transaction", () => {
    const message = "err: insufficient funds for gas * price + value: address 0xC0 have 0 want 1000";
    assert.equal(said(message, { method: "eth_simulateV1", code: -38014 }).reason, "simulation");
    assert.equal(said(message, { method: "eth_sendRawTransaction", code: -32000 }).reason, "tx-rejected");
    assert.equal(said("whatever", { method: "eth_simulateV1", code: -38020 }).reason, "simulation");
  });

  it("never throws, and is fast, on any text", async () => {
    const word = fc.constantFrom(
      "block ",
      "range ",
      "limit ",
      "max ",
      "method ",
      "not ",
      "1,000 ",
      "[0x1, ",
      "retry ",
      "batch ",
      "0x",
      "more than ",
      "state ",
    );
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(word, { maxLength: 600 }).map((words) => words.join("")),
          fc.string(),
        ),
        (message) =>
          expectLinear(message.length, (size) => {
            const nested = message.slice(0, size);
            said(nested, { data: { nested } });
          }),
      ),
    );
  });
});

describe("the range that would work", () => {
  const range = (from: bigint, to: bigint): { from: bigint; to: bigint } => ({ from, to });
  const infura = "query returned more than 10000 results. Try with this block range [0x10, 0x20].";

  for (const [what, message, asked, want, data] of [
    ["takes a suggestion inside of what was asked", infura, ["0x10", "0x40"], range(16n, 32n)],
    [
      "takes decimals without brackets",
      "query exceeds max results 20000, retry with the range 100-120",
      ["0x64", "latest"],
      range(100n, 120n),
    ],
    [
      "drops a suggestion that is inverted",
      "more than 10 results. Try with this block range [0x20, 0x10].",
      undefined,
      undefined,
    ],
    ["drops a suggestion that is equal to the request", infura, ["0x10", "0x20"], undefined],
    ["drops a suggestion outside of the request", infura, ["0x11", "0x40"], undefined],
    ["takes it from a text in data alone", "invalid params", ["0x10", "0x40"], range(16n, 32n), infura],
    [
      "takes it from an object in data",
      "query returned more than 10000 results",
      ["0x10", "0x40"],
      range(16n, 32n),
      { From: "0x10", To: "0x20", limit: 10000 },
    ],
  ] satisfies readonly (readonly [
    string,
    string,
    [string, string] | undefined,
    ReturnType<typeof range> | undefined,
    JsonValue?,
  ])[])
    it(what, () => {
      const request = asked && asking(...asked);
      assert.deepEqual(said(message, { ...(request && { request }), data }).range, want);
    });
  it("takes data that echoes the request for no suggestion", () => {
    const data = { fromBlock: "0x10", toBlock: "0x40" };
    assert.equal(said("block range is too wide", { data, request: asking("0x10", "0x40") }).range, undefined);
  });
  it("reads both caps of one text", () => {
    const message =
      "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x10, 0x20]";
    const found = said(message, { code: -32602, request: asking("0x10", "0x4000") });
    assert.deepEqual(found, {
      reason: "result-limit",
      revertData: undefined,
      range: range(16n, 32n),
      rangeLimit: 1999n,
    });
  });
  it("does not take the refused range for the cap", () => {
    const message = "requested too many blocks from 50331648 to 51380224, maximum is set to 2048";
    assert.equal(said(message, { request: asking("0x3000000", "0x3100000") }).rangeLimit, 2047n);
  });
  it("drops a cap that the request had kept", () =>
    assert.equal(
      said("eth_getLogs is limited to a 10,000 range", { request: asking("0x10", "0x20") }).rangeLimit,
      undefined,
    ));
});

describe("revert data", () => {
  const error = `0x08c379a0${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6869".padEnd(64, "0")}`;
  const cases: readonly (readonly [string, string, JsonValue | undefined, string | undefined])[] = [
    ["data itself", "execution reverted: hi", error, error],
    ["parity's prefix", "VM execution error.", `Reverted ${error}`, error],
    ["parity without data", "VM execution error.", "Reverted 0x", "0x"],
    ["openethereum", "The execution failed due to an exception.", "Reverted", "0x"],
    ["a wallet's wrap", "Internal JSON-RPC error.", { code: 3, message: "execution reverted: hi", data: error }, error],
    ["an original error", "execution reverted: hi", { originalError: { code: 3, data: error } }, error],
    [
      "ganache",
      "VM Exception while processing transaction: revert hi",
      { "0xabc1": { error: "revert", return: error } },
      error,
    ],
    ["JSON in the message", `execution reverted {"error":{"data":"${error}"}}`, undefined, error],
    ["JSON in a string of data", "execution reverted", `{"code":3,"data":"${error}"}`, error],
    [
      "hardhat",
      `VM Exception while processing transaction: reverted with an unrecognized custom error (return data: ${error})`,
      undefined,
      error,
    ],
    ["a bare selector in hardhat's words", "execution reverted (return data: 0x7a933234)", undefined, "0x7a933234"],
    ["hex in the message", `execution reverted: ${error}`, undefined, error],
    ["no data", "execution reverted", undefined, undefined],
    ["data null", "execution reverted", null, undefined],
    [
      "an address is no data",
      "execution reverted: caller 0x70997970c51812dc3a010c7d01b50e0d17dc79c8 is not the owner",
      undefined,
      undefined,
    ],
    ["half a byte is no data", "execution reverted", "0x123", undefined],
  ];
  for (const [name, message, data, want] of cases) {
    it(name, () => {
      const found = said(message, { method: "eth_call", code: -32000, data });
      assert.deepEqual([found.reason, found.revertData], ["revert", want]);
    });
  }
  it("stops at a depth", () => {
    let data: JsonValue = error;
    for (let i = 0; i < 400; i++) data = { data };
    assert.equal(said("execution reverted", { data }).revertData, undefined);
  });
});

describe("an error code", () => {
  const cases: readonly (readonly [code: number, message: string, reason: RefusalReason, name: string | undefined])[] =
    [
      [1, "nonce too low: next nonce 5, tx nonce 3", "tx-rejected", "nonce too low"],
      [1, "insufficient funds for gas", "tx-rejected", undefined],
      [1, "no agreement between the nodes", "other", undefined],
      [4, "unexpected state of the sequencer", "other", undefined],
      [4, "invalid opcode: opcode 0xfe", "vm-error", "invalid opcode"],
      [6, "some other client's sentence", "other", undefined],
      [800, "some other client's sentence", "other", undefined],
      [3, "some other client's sentence", "other", undefined],
      [3, "", "revert", "execution reverted"],
      [3, "Unknown block", "unknown-block", undefined],
      [429, "some other client's sentence", "rate-limit", undefined],
      [-32003, "EVM error: OutOfGas", "vm-error", undefined],
      [-32003, "transaction underpriced", "tx-rejected", "transaction rejected"],
      [-32602, "the range of blocks is too large", "range-limit", "invalid params"],
    ];
  for (const [code, message, reason, name] of cases)
    it(`${code} means what its message agrees with: ${message}`, () => {
      const found = said(message, { code });
      assert.deepEqual([found.reason, codeName({ ...found, code, message })], [reason, name]);
    });
  it("3 is a revert if data comes with it, whatever the message", () => {
    assert.equal(said("some other client's sentence", { code: 3, data: "0x" }).reason, "revert");
  });
});
