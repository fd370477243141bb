import assert from "node:assert/strict";
import { headerWithRecording } from "../../client/src/headerWithRecording.ts";

describe("the header of a notebook that replays a recording", () => {
  for (const [before, after] of [
    ['{ "endpoint": "main" }', '{ "recording": "a.json", "endpoint": "main" }'],
    ['{\n  "endpoint": "main"\n}', '{\n  "recording": "a.json",\n  "endpoint": "main"\n}'],
    ['{ "recording": "old", "endpoint": "main" }', '{ "recording": "a.json", "endpoint": "main" }'],
    ["{}", '{ "recording": "a.json" }'],
    ["[]", undefined],
    ['{ "endpoint": ', undefined],
  ] as const)
    it(before, () => {
      const edit = headerWithRecording(before, "a.json");
      assert.equal(edit && before.slice(0, edit.start) + edit.text + before.slice(edit.end), after);
    });
});
