import assert from "node:assert/strict";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { reportText } from "../../../server/src/report/text.ts";
import { answered } from "./outcomes.ts";

const history = {
  oldestBlock: "0x10",
  baseFeePerGas: ["0x3b9aca00", "0x77359400", "0x3b9aca00", "0x5f5e100"],
  gasUsedRatio: [0.5, 0.9, 0.1],
};

function sectionsOf(method: string, value: Parameters<typeof answered>[0]) {
  return reportOf({ title: "a", method, params: [], outcome: answered(value) }).sections;
}

describe("a series", () => {
  it("of base fees is a chart with a text that says the same; its table is folded", () => {
    const [chart, table] = sectionsOf("eth_feeHistory", history);
    assert.equal(chart?.kind, "series");
    assert.equal(
      chart?.kind === "series" ? chart.text : "",
      "Base fee: from 1 gwei at block 16 to 0.1 gwei at block 19; highest 2 gwei at block 17, lowest 0.1 gwei at block 19.",
    );
    assert.deepEqual([table?.kind, table?.folded], ["table", true]);
  });
  it("of gas has a bar for each transaction", () => {
    const receipts = [1, 2, 3].map((gas) => ({ gasUsed: `0x${gas}`, logs: [] }));
    const [chart] = sectionsOf("eth_getBlockReceipts", receipts).filter(({ kind }) => kind === "series");
    assert.deepEqual(chart?.kind === "series" && chart.points.map(({ at, text }) => `${at}: ${text}`), [
      "0: 1 gas",
      "1: 2 gas",
      "2: 3 gas",
    ]);
  });
  it("of two values is no chart", () => {
    const few = { ...history, baseFeePerGas: ["0x1", "0x2"] };
    for (const { kind } of sectionsOf("eth_feeHistory", few)) assert.notEqual(kind, "series");
  });
  it("is a table in a terminal", () => {
    const report = reportOf({ title: "a", method: "eth_feeHistory", params: [], outcome: answered(history) });
    assert.match(reportText(report), /Block +Base fee/);
  });
});
