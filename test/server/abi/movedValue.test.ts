import assert from "node:assert/strict";
import { type Format, movedValue } from "../../../server/src/abi/movedValue.ts";

describe("the native currency that a described call moves", () => {
  for (const [what, visible, unshown] of [
    ["is shown by a field that is always there", undefined, 0n],
    ["is not shown by a field that is never there", "never", 5n],
    ["is not shown by a field that some values hide", { ifNotIn: ["0"] }, 5n],
  ] as const)
    it(what, () => {
      const field = { path: "@.value", label: "Amount", format: "amount", ...(visible && { visible }) };
      assert.equal(movedValue({ fields: [field] } as unknown as Format, {}, 5n)?.unshown, unshown); // no more of it is read
    });
});
