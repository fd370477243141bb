import assert from "node:assert/strict";
import { clock } from "../../../../server/src/node/environment.ts";
import { ResultNames } from "../../../../server/src/run/result/resultNames.ts";
import type { WorkspaceData } from "../../../../server/src/workspace/workspaceData.ts";

describe("names of results", () => {
  const uri = "file:///w/a.rpc.json";

  it("are looked up for one run of a document at a time, and once for those that end meanwhile", async () => {
    const places: Pick<WorkspaceData, "routes" | "knownContracts"> = {
      routes: {} as never,
      knownContracts: {} as never,
    }; // not asked
    const names = new ResultNames(() => {}, { clock }, places);
    let asked = 0;
    let others: readonly Promise<void>[] = [];
    const learn = async (): Promise<readonly never[]> => {
      asked++;
      if (asked === 1) others = [1, 2, 3].map(() => names.runEnded(uri));
      return [];
    };
    const missing = new Set([`0x${"ab".repeat(20)}`]);
    names.keep(uri, "1", { cell: { uri }, missing, answerSize: 1, drawnAgain: () => undefined, learn });
    const first = names.runEnded(uri);
    assert.equal(asked, 0, "not before the run has its result");
    await first;
    await Promise.all(others);
    assert.equal(asked, 2);
  });
});
