import assert from "node:assert/strict";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { callFrames, etherMoves, ownGas, revertPath } from "../../../server/src/report/callFrames.ts";
import { profileOf } from "../../../server/src/report/flame.ts";
import { sectionsMarkdown } from "../../../server/src/report/markdown.ts";
import { contextOf } from "../../../server/src/report/reportOf.ts";
import { traceSections } from "../../../server/src/report/trace.ts";
import { pluck } from "../../support/pluck.ts";
import { alice, bob, topic, transferTopic } from "./outcomes.ts";
import { frame, only, traceReport, treeLines } from "./traces.ts";

const proxy = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const code = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
const payments = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
const labels = new Map([
  [alice, "alice"],
  [bob, "bob"],
  [proxy, "Dollar"],
  [payments, "Payments"],
]);
const word = (value: bigint): string => value.toString(16).padStart(64, "0");
const input = `0xa9059cbb${topic(bob).slice(2)}${word(5n)}`;
/** `Error(string)` with "too small". */
const reason = `0x08c379a0${word(32n)}${word(9n)}${Buffer.from("too small").toString("hex").padEnd(64, "0")}`;
const failed = { error: "execution reverted", output: reason };
const log = { address: proxy, topics: [transferTopic, topic(alice), topic(bob)], data: `0x${word(5n)}` };

/** A call of the proxy, which passes it on to its code. */
function proxied(more: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  const inner = frame({ type: "DELEGATECALL", from: proxy, to: code, input, gasUsed: "0x40", ...more });
  const { logs: _, ...outer } = more;
  return frame({ from: payments, to: proxy, input, gasUsed: "0x50", ...outer, calls: [inner] });
}

const tree = (trace: JsonValue): readonly string[] => treeLines(traceReport(trace, { labels }).sections);

describe("the tree of a trace", () => {
  it("has decoded calls with value, result and gas; a proxy and its code share a row", () => {
    const trace = frame({
      to: payments,
      value: "0xde0b6b3a7640000",
      gasUsed: "0x100",
      calls: [
        proxied({ output: `0x${word(1n)}`, logs: [log] }),
        frame({ type: "STATICCALL", to: bob, gasUsed: "0x20" }),
      ],
    });
    assert.deepEqual(tree(trace), [
      "v alice → Payments 1 ether · 256 gas, 144 own",
      "  v Dollar transfer(bob, 5) by the code of 0xe7f1…0512 → true · 80 gas",
      "      Transfer(alice, bob, 5)",
      "    staticcall bob · 32 gas",
    ]);
  });
  it("opens the call in which the revert began, and not those that passed it on", () => {
    const trace = frame({ to: payments, ...failed, calls: [frame({ to: bob }), proxied(failed)] });
    assert.deepEqual(tree(trace), [
      "v alice → Payments passed the revert on · 100 gas",
      "    bob · 100 gas",
      "  v Dollar transfer(bob, 5) by the code of 0xe7f1…0512 reverted here! · 80 gas",
      "      too small!",
    ]);
    const { summary, headline } = traceReport(trace, { labels });
    assert.equal(summary, "reverted in Dollar.transfer: too small, 4 calls, 100 gas");
    assert.deepEqual(pluck(headline ?? [], "text"), ["Reverted", "in Dollar.transfer: too small", "4 calls · 100 gas"]);
  });
  it("is quiet about calls that failed and were caught", () => {
    const trace = frame({ to: payments, gasUsed: "0x200", calls: [proxied(failed), frame({ to: bob })] });
    assert.deepEqual(tree(trace), [
      "v alice → Payments · 512 gas, 332 own",
      "    Dollar transfer(bob, 5) by the code of 0xe7f1…0512 failed: too small · 80 gas",
      "    bob · 100 gas",
    ]);
  });
  it("has the events where they were emitted, if the node says so", () => {
    const at = (position: string): JsonValue => ({ ...log, position });
    const calls = [frame({ to: bob }), frame({ to: payments })];
    const lines = tree(frame({ to: proxy, calls, logs: [at("0x0"), at("0x1"), at("0x2")] }));
    const event = "Transfer(alice, bob, 5)";
    assert.deepEqual(
      lines.slice(1).map((line) => line.trim().replace(" · 100 gas", "")),
      [event, "bob", event, "Payments", event],
    );
  });
  it("has the logs of all calls in the order of the chain, with the numbers of their calls", () => {
    const at = (position: string, amount: bigint): JsonValue => ({ ...log, data: `0x${word(amount)}`, position });
    const inner = frame({ logs: [at("0x0", 2n)] });
    const calls = [frame({ calls: [inner], logs: [at("0x0", 1n), at("0x1", 3n)] }), frame({ logs: [at("0x0", 5n)] })];
    const logs = [at("0x0", 0n), at("0x1", 4n), at("0x2", 6n)];
    const rows = (...traces: readonly JsonValue[]) =>
      traceSections(traces, contextOf({ params: [], labels })).flatMap((one) =>
        one.kind === "table" && one.title === "Logs" ? one.rows.map((row) => [row[0]?.text, row.at(-2)?.text]) : [],
      );
    const [one, two] = [frame({ calls, logs }), frame({ logs: [log] })];
    const order = ["0", "0.0", "0.0.0", "0.0", "0", "0.1", "0"];
    assert.deepEqual(
      rows(one),
      order.map((number, amount) => [number, String(amount)]),
    );
    assert.deepEqual(pluck(rows(one, two), 0), [...order, "1"]);
    assert.deepEqual(
      treeLines(traceSections([one, two], contextOf({ params: [], labels })))
        .filter((line) => /^\S/.test(line))
        .map((line) => line.slice(2, 5)),
      ["0 ·", "1 ·"],
    );
  });
  it("does not fold a delegate call that does something else than its caller was asked", () => {
    const inner = frame({ type: "DELEGATECALL", from: proxy, to: code, input: "0x12345678" });
    assert.equal(tree(frame({ to: proxy, input, calls: [inner] })).length, 2);
  });
  it("shows creations, destructions and unknown kinds", () => {
    const calls = [
      frame({ type: "CREATE2", to: code, input: "0x00", output: "0x00" }),
      frame({ type: "SELFDESTRUCT", to: bob, value: "0x1", gasUsed: "0x0" }),
      frame({ type: "EXTCALL" }),
    ];
    assert.deepEqual(tree(frame({ gasUsed: "0x200", calls })).slice(1), [
      "    create2 0xe7f1…0512 creates a contract: 1 byte · 100 gas",
      "    selfdestruct bob 1 wei · 0 gas",
      "    extcall bob · 100 gas",
    ]);
  });
});

describe("the call in which a revert began", () => {
  const path = (trace: JsonValue) => revertPath(callFrames([trace]).roots[0]).map(({ index }) => index);
  const bare = { error: "execution reverted", output: "0x" };
  it("is none if the transaction succeeded", () => assert.deepEqual(path(frame({ calls: [frame(failed)] })), []));
  it("is that whose data the others passed on, also inside an error of their own", () => {
    const wrapped = { error: "execution reverted", output: `0x12345678${word(64n)}${reason.slice(2)}` };
    assert.deepEqual(path(frame({ ...wrapped, calls: [frame({ ...failed, calls: [frame(failed)] })] })), [0, 1, 2]);
  });
  it("is the caller if it failed with data of its own", () => {
    const other = { error: "execution reverted", output: "0x12345678" };
    assert.deepEqual(path(frame({ ...other, calls: [frame(failed), frame()] })), [0]);
  });
  it("is the caller if it gives another reason than its last call, which it may have caught", () => {
    const other = { error: "execution reverted", output: `${reason.slice(0, -64)}${"41".repeat(9).padEnd(64, "0")}` };
    const trace = frame({ ...other, calls: [frame(failed)] });
    assert.deepEqual(path(trace), [0]);
    assert.match(tree(trace)[0] ?? "", /reverted here! · 100 gas, 0 own$/);
  });
  it("is the last call if nothing followed it, and no one says more", () => {
    assert.deepEqual(path(frame({ ...bare, calls: [frame({ error: "invalid opcode: INVALID" })] })), [0, 1]);
    assert.deepEqual(path(frame({ ...bare, calls: [frame(bare), frame()] })), [0]);
  });
  it("is the caller if that ran out of gas, and its last call did not", () => {
    const out = { error: "out of gas" };
    assert.deepEqual(path(frame({ ...out, calls: [frame({ error: "insufficient balance", gasUsed: "0x0" })] })), [0]);
    assert.deepEqual(path(frame({ ...out, calls: [frame({ ...out, gasUsed: "0x2710" })] })), [0, 1]);
  });
});

describe("native currency that a trace moves", () => {
  it("is that of calls, creations and destructions that no revert took back", () => {
    const value = "0x1";
    const moves = etherMoves(
      callFrames([
        frame({
          value,
          calls: [
            frame({ value, ...failed, calls: [frame({ value })] }),
            frame({ value, type: "DELEGATECALL" }),
            frame({ value, type: "CALLCODE" }),
            frame({ value, type: "CREATE" }),
            frame({ value, type: "SELFDESTRUCT" }),
            frame(),
          ],
        }),
      ]),
    );
    assert.deepEqual(pluck(pluck(moves, "frame"), "index"), [0, 5, 6]);
    assert.deepEqual(pluck(moves, "amount"), [1n, 1n, 1n]);
  });
});

describe("a flat list of calls", () => {
  const flat = (traceAddress: readonly number[], more: object = {}): JsonValue => ({
    type: "call",
    action: { callType: "call", from: alice, to: bob, value: "0x0", gas: "0x64", input: "0x" },
    result: { gasUsed: "0x32", output: "0x" },
    subtraces: 0,
    traceAddress,
    ...more,
  });
  const shape = (list: readonly JsonValue[]) =>
    callFrames(list).frames.map(({ depth, parent, children }) => [depth, parent?.index, children.length]);
  it("is the same tree", () => {
    assert.deepEqual(shape([flat([]), flat([0]), flat([0, 0]), flat([1])]), [
      [0, undefined, 2],
      [1, 0, 1],
      [2, 1, 0],
      [1, 0, 0],
    ]);
  });
  it("can be of several transactions, and of parts of them", () => {
    const [a, b] = [{ transactionHash: "0xa" }, { transactionHash: "0xb" }];
    assert.deepEqual(shape([flat([], a), flat([0], a), flat([0], b), flat([2, 1], b), flat([2, 1, 0], b)]), [
      [0, undefined, 1],
      [1, 0, 0],
      [1, undefined, 0],
      [2, undefined, 1],
      [3, 3, 0],
    ]);
  });
  it("has names of its own for kinds and values", () => {
    const created = { type: "create", action: { creationMethod: "create2", from: alice, value: "0x1", init: "0x00" } };
    const [creation, end] = callFrames([
      flat([], { ...created, result: { address: bob, code: "0x01", gasUsed: "0x1" } }),
      flat([0], { type: "suicide", action: { address: alice, refundAddress: bob, balance: "0x5" }, result: null }),
    ]).frames;
    const { type, to, input, output } = creation ?? assert.fail();
    assert.deepEqual([type, to, input, output], ["CREATE2", bob, "0x00", "0x01"]);
    assert.deepEqual([end?.type, end?.from, end?.to, end?.value], ["SELFDESTRUCT", alice, bob, "0x5"]);
  });
});

describe("the gas of a trace", () => {
  const trace = frame({
    to: payments,
    gasUsed: "0x100",
    calls: [proxied(), frame({ ...failed, gasUsed: "0x40", calls: [frame({ gasUsed: "0x10" })] })],
  });
  it("is drawn in the order of the calls, each inside its caller", () => {
    const flame = only(traceReport(trace, { labels }).sections, "flame");
    assert.deepEqual(
      flame.frames.map(({ name, depth, start, width, own, failed: why }) => [name, depth, start, width, own, why]),
      [
        ["Payments", 0, 0, 256, "112", undefined],
        ["Dollar.transfer", 1, 0, 80, "16", undefined],
        ["0xe7f1…0512.transfer", 2, 0, 64, undefined, undefined],
        ["bob", 1, 80, 64, "48", "too small"],
        ["bob", 2, 80, 16, undefined, undefined],
      ],
    );
    const text =
      "256 gas in 5 calls. Most gas of their own: Payments 112 (44%), 0xe7f1…0512.transfer 64 (25%), bob 64 (25%)";
    assert.equal(flame.text, text);
    assert.match(sectionsMarkdown([flame]), /256 gas in 5 calls/);
  });
  it("is that of the calls inside, if a refund made the first call cheaper", () => {
    const calls = [frame({ gasUsed: "0x64" }), frame({ gasUsed: "0x64" })];
    const flame = only(traceReport(frame({ gasUsed: "0x96", calls })).sections, "flame");
    assert.deepEqual([flame.total, flame.frames[0]?.gas, flame.frames[0]?.own], [200, "150", undefined]);
    assert.equal(ownGas(callFrames([frame({ gasUsed: "0x96", calls })]).frames[0] ?? assert.fail()), undefined);
  });
  it("is a profile of calls that begin and end", () => {
    const profile = profileOf(only(traceReport(trace, { labels }).sections, "flame"));
    assert.deepEqual(profile?.names, ["Payments", "Dollar.transfer", "0xe7f1…0512.transfer", "bob (failed)", "bob"]);
    const marks = profile?.events.map(({ type, frame: at, at: gas }) => `${type}${at}@${gas}`);
    assert.equal(marks?.join(" "), "O0@0 O1@0 O2@0 C2@64 C1@80 O3@80 O4@80 C4@96 C3@144 C0@256");
  });
  it("is no picture for a single call", () =>
    assert.ok(!pluck(traceReport(frame()).sections, "kind").includes("flame")));
});

describe("a simulation without the calls inside its calls", () => {
  it("is marked as partial, and shows contracts inside by their events", () => {
    const inside = { ...log, address: payments };
    const block = { number: "0x1", calls: [{ status: "0x1", gasUsed: "0x64", logs: [log, inside, inside, log] }] };
    const shown = (data: string) => {
      const params = [{ blockStateCalls: [{ calls: [{ from: alice, to: proxy, data }] }] }, "latest"];
      return traceReport([block], { method: "eth_simulateV1", params, labels }).sections;
    };
    assert.match(only(shown(input), "tree").partial ?? "", /^A simulation does not list calls inside calls\./);
    assert.equal(only(shown("0x"), "tree").partial, undefined);
    const event = "Transfer(alice, bob, 5)";
    assert.deepEqual(treeLines(shown(input)), [
      "> 0 · alice → Dollar transfer(bob, 5) 100 gas",
      `    ${event}`,
      "  v Payments called inside",
      `      ${event}`,
      `      ${event}`,
      `    ${event}`,
    ]);
  });
});
