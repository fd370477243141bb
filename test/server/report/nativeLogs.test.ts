import assert from "node:assert/strict";
import { transferTopic } from "../../../server/src/abi/token.ts";
import { movements } from "../../../server/src/live/simulationMarkdown.ts";
import { tableSource } from "../../../server/src/report/table.ts";
import { alice, bob, reportFor, textOf } from "./outcomes.ts";

const word = (hex: string) => `0x${hex.slice(2).toLowerCase().padStart(64, "0")}`;
const ether = 10n ** 18n;
const transfer = (address: string) => ({
  ...{ address, topics: [transferTopic, word(alice), word(bob)], data: word(`0x${ether.toString(16)}`) },
  ...{ blockNumber: "0x1", logIndex: "0x0", transactionHash: `0x${"5c".repeat(32)}` },
});
const simulated = transfer(`0x${"e".repeat(40)}`);
const logged = transfer("0xffffFFFfFFffffffffffffffFfFFFfffFFFfFFfE");

describe("a transfer of the native currency that is logged", () => {
  for (const [who, logs] of [
    ["by a simulation", [simulated]],
    ["by the chain", [logged]],
    ["by both", [simulated, logged]],
  ] as const)
    it(`${who} is counted once, and no token`, () => {
      const call = { status: "0x1", returnData: "0x", gasUsed: "0x5208", logs };
      const answer = [{ number: "0x1", calls: [call] }];
      assert.deepEqual(movements(answer), [
        { address: alice.toLowerCase(), token: undefined, change: -ether },
        { address: bob.toLowerCase(), token: undefined, change: ether },
      ]);
      const asked = { blockStateCalls: [{ calls: [{ from: alice, to: bob, value: "0xde0b6b3a7640000" }] }] };
      const text = textOf("eth_simulateV1", [asked, "latest"], answer, { width: 200 });
      assert.match(text, /gives 0x3C44…93BC 1 ether\n/);
      assert.doesNotMatch(text, /2 ether|1,000,000,000,000,000,000/);
    });

  const token = { ...transfer(`0x${"ab".repeat(20)}`), logIndex: "0x1" };
  it("is told from a token in a list of logs", () => {
    const text = textOf("eth_getLogs", [{}], [logged, token], { width: 200 });
    assert.match(text, /2 logs: 1 Transfer and 1 native transfer\n/);
    assert.match(text, /native transfer .* 1 ether /);
  });
  it("is the only row of its kind, and no row of the token's", () => {
    const { sections } = reportFor("eth_getLogs", [{}], [logged, token]);
    const table = sections.find((section) => section.kind === "table");
    const kinds = (table && tableSource(table)?.kinds) ?? [];
    assert.deepEqual(Object.fromEntries(kinds.map((kind) => [kind.name, kind.table().rows.length])), {
      Transfer: 1,
      "native transfer": 1,
    });
  });
  it("is not said to be missing, and not a call inside, in a simulation", () => {
    const asked = { blockStateCalls: [{ calls: [{ from: alice, to: bob, data: "0x12345678" }] }] };
    const simulation = (logs: readonly (typeof logged)[]) => {
      const call = { status: "0x1", returnData: "0x", gasUsed: "0x5208", logs: [...logs] };
      return reportFor("eth_simulateV1", [asked, "latest"], [{ number: "0x1", calls: [call] }]).sections;
    };
    const said = (...logs: readonly (typeof logged)[]) => {
      const text = JSON.stringify(simulation(logs));
      return [/is not shown: the request lacks/.test(text), /called inside/.test(text)];
    };
    assert.deepEqual(
      [said(token), said(logged)],
      [
        [true, true],
        [false, false],
      ],
    );
  });
});
