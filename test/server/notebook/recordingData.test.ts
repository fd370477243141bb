import assert from "node:assert/strict";
import type { NotebookData } from "../../../server/src/notebook/data.ts";
import { openNotebook } from "../../../server/src/notebook/open.ts";
import { readFile, recordingDataOf } from "../../../server/src/notebook/readFile.ts";
import { saveNotebook } from "../../../server/src/notebook/save.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: NotebookData): string => new TextDecoder().decode(saveNotebook(data));

describe("a recording in a notebook", () => {
  const file = `{
  "endpoint": "local",
  "recording": "included",
  "cells": [
    { "method": "eth_chainId" }
  ],
  "recordingData": "deflate:abc"
}
`;
  const opened = openNotebook(bytes(file));

  it("is not part of the header that people read", () => {
    assert.equal(opened.cells[0]?.text, '{\n  "endpoint": "local",\n  "recording": "included"\n}');
    assert.equal(readFile(file).header?.cell.text.includes("deflate"), false);
    assert.deepEqual(opened.cells[0]?.metadata, { header: true, recordingData: "deflate:abc" });
    assert.equal(recordingDataOf(readFile(file)), "deflate:abc");
  });

  it("stays when the notebook is saved, also with another header or without one", () => {
    assert.equal(text(opened), file);
    const [header, ...cells] = opened.cells;
    assert.ok(header, "there is a header");
    const changed = text({ ...opened, cells: [{ ...header, text: '{\n  "endpoint": "main"\n}' }, ...cells] });
    assert.equal(changed, file.replace('"local",\n  "recording": "included"', '"main"'));
    assert.equal(recordingDataOf(readFile(text({ ...opened, cells }))), "deflate:abc");
  });

  for (const other of [
    `{ "cells": [], "recordingData": "deflate:abc", "endpoint": "local" }`,
    `{ "cells": [], "recordingData": "deflate:abc" }`,
    `{"endpoint":"x","cells":[],"recordingData":"deflate:abc"}`,
  ])
    it(`stays byte for byte: ${other}`, () => {
      assert.equal(text(openNotebook(bytes(other))), other);
      assert.equal(recordingDataOf(readFile(other)), "deflate:abc");
    });

  it("is an ordinary member elsewhere", () => {
    const elsewhere = `{ "recordingData": "deflate:abc", "cells": [] }`;
    assert.equal(recordingDataOf(readFile(elsewhere)), undefined);
    assert.match(openNotebook(bytes(elsewhere)).cells[0]?.text ?? "", /recordingData/);
  });
});
