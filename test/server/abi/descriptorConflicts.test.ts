import assert from "node:assert/strict";
import { descriptorConflicts } from "../../../server/src/abi/descriptorConflicts.ts";
import { descriptorsOf } from "../../../server/src/abi/descriptors.ts";

describe("descriptors that disagree", () => {
  const place = (digit: string): string => `1:0x${digit.repeat(40)}`;
  const entry = (name: string, hashes: readonly string[], places: readonly string[]) => {
    return { entity: name, uri: name, kind: "call", hashes, places } as const;
  };

  it("are looked for only among those of one function of one contract: a registry has thousands of others", () => {
    let bodies = 0;
    const entries = [
      entry("a", ["095ea7b3", "a9059cbb"], [place("1"), place("2")]),
      entry("b", ["095ea7b3"], [place("3")]),
      entry("c", ["d0e30db0"], [place("1")]),
    ];
    const read = (at: number) => {
      bodies++;
      return { display: { formats: { "approve(address,uint256)": { intent: String(at), fields: [] } } } };
    };
    assert.deepEqual(descriptorConflicts([descriptorsOf(entries, read, String)]), []);
    assert.equal(bodies, 0);
    const again = descriptorsOf([entry("d", ["095ea7b3"], [place("3"), place("2")])], (at) => read(at + 9), String);
    const found = descriptorConflicts([descriptorsOf(entries, read, String), again]);
    assert.deepEqual(
      found.map(({ first, second }) => [first.uri, second.uri]),
      [
        ["b", "d"],
        ["a", "d"],
      ],
    );
  });
});
