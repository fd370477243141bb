import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

describe("the start of a session", () => {
  it("hashes no declaration while its files are loaded", async () => {
    const script = `
      const hashed = [];
      const { encode } = TextEncoder.prototype;
      TextEncoder.prototype.encode = function (text) {
        if (/^\\w+\\(.*\\)$/.test(text)) hashed.push(text);
        return encode.call(this, text);
      };
      await import("./server/src/lsp/startSession.ts");
      const { parseItem } = await import("./server/src/abi/item.ts");
      parseItem("f(bool)", "").hash;
      console.log(JSON.stringify(hashed));
    `;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    assert.deepEqual(JSON.parse(stdout), ["f(bool)"]);
  });
});
