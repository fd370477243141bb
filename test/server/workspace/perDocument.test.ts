import assert from "node:assert/strict";
import { DocumentCache } from "../../../server/src/workspace/documentCache.ts";

describe("values that are read for each document", () => {
  const uri = "file:///a.rpc.json";
  const open = () => {
    const changes: string[] = [];
    const isSame = (one: string, other: string): boolean => one === other;
    return { changes, values: new DocumentCache("", { isSame, changed: (changed) => void changes.push(changed) }) };
  };

  it("are read once for the same sources, and again for others", async () => {
    const { values, changes } = open();
    let reads = 0;
    const read = async (): Promise<string> => `reading ${++reads}`;
    for (const sources of ["one", "one", "two", "two"]) values.follow(uri, sources, read);
    await values.settled(uri);
    assert.equal(values.of(uri), "reading 2");
    assert.deepEqual(changes, [uri], "the first reading was replaced before it ended");
  });

  it("come from the reading that began last, whichever ends last", async () => {
    const { values } = open();
    let endFirst = (): void => {};
    const first = values.refresh(uri, () => new Promise((resolve) => (endFirst = () => resolve("first"))));
    const second = values.refresh(uri, async () => "second");
    assert.equal(await second, "second");
    endFirst();
    assert.equal(await first, "first", "whoever asked for it gets it");
    assert.equal(values.of(uri), "second");
  });

  it("report a change only if there is one", async () => {
    const { values, changes } = open();
    for (const value of ["", "a", "a", "b"]) await values.refresh(uri, async () => value);
    assert.deepEqual(changes, [uri, uri]);
  });

  it("have a first reading until it has ended", async () => {
    const { values } = open();
    assert.equal(values.firstReading(uri), undefined);
    const reading = values.refresh(uri, async () => "a");
    assert.equal(values.firstReading(uri), reading);
    assert.deepEqual(values.firstReadings(), [reading]);
    await reading;
    void values.refresh(uri, async () => "b");
    assert.equal(values.firstReading(uri), undefined);
  });

  it("are forgotten with their document, also those that are still being read", async () => {
    const { values, changes } = open();
    const reading = values.refresh(uri, async () => "a");
    values.forget(uri);
    await reading;
    await values.settled(uri);
    assert.equal(values.of(uri), "");
    assert.deepEqual(changes, []);
    await values.refresh("file:///b", async () => "b");
    await values.refresh("file:///c", async () => "c");
    values.forgetOthers(new Set(["file:///c"]));
    assert.deepEqual([...values.uris()], ["file:///c"]);
  });
});
