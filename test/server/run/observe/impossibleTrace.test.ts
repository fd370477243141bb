import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../../server/src/base/json.ts";
import { runText } from "../../../support/host.ts";
import { answering, type HostileServer, hostileServer } from "../../../support/hostileServer.ts";

const [from, to] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`];
const call = (more: JsonObject = {}): JsonObject => ({
  ...{ type: "CALL", from, to, value: "0x0", input: "0x", gas: "0x100", gasUsed: "0x10" },
  ...more,
});
const tracer = { tracer: "callTracer" };

describe("a trace that a cell asks for", () => {
  let server: HostileServer;
  let answer: JsonValue = null;
  before(async () => {
    server = await hostileServer(answering(() => answer));
  });

  /** Whether the result says that its answer is not a trace. */
  const isImpossible = async (method: string, params: readonly JsonValue[], result: JsonValue): Promise<boolean> => {
    answer = result;
    const { cells } = await runText(JSON.stringify({ cells: [{ method, params }] }), { endpoint: server.url });
    const text = cells[0]?.output.text ?? "";
    assert.match(text, /debug_trace/);
    return /cannot be the trace of a call: \S/.test(text);
  };

  for (const [method, params] of [
    ["debug_traceCall", [{ from, to }, "latest", tracer]],
    ["debug_traceTransaction", [`0x${"ab".repeat(32)}`, tracer]],
  ] as const)
    it(`is shown as it is, and says so if it cannot be one: ${method}`, async () => {
      assert.equal(await isImpossible(method, params, call({ calls: [call()] })), false);
      assert.equal(await isImpossible(method, params, call({ calls: [call({ gas: "0x101" })] })), true);
      assert.equal(await isImpossible(method, params, call({ gasUsed: "-0x5" })), true);
      assert.equal(await isImpossible(method, params, "0x"), true);
    });
  it("is not judged if another tracer has made it", async () => {
    const other = { pre: {}, post: {} };
    assert.equal(
      await isImpossible("debug_traceCall", [{ from, to }, "latest", { tracer: "prestateTracer" }], other),
      false,
    );
    assert.equal(await isImpossible("debug_traceCall", [{ from, to }, "latest"], other), false);
  });
});
