import assert from "node:assert/strict";
import type { Memento } from "vscode";
import { picks } from "../../client/src/picks.ts";

/** As the editor's own: values go through JSON. */
function memory(): Memento {
  const stored = new Map<string, string>();
  return {
    keys: () => [...stored.keys()],
    get: <T>(key: string, fallback?: T) => (stored.has(key) ? JSON.parse(stored.get(key) ?? "") : fallback) as T,
    update: async (key, value) => void stored.set(key, JSON.stringify(value)),
  };
}

describe("the endpoint picked for a notebook", () => {
  it("is remembered by the next session", () => {
    const workspace = memory();
    picks(workspace).set("file:///a.rpc.json", "test", true);
    assert.deepEqual(picks(workspace).all(), { "file:///a.rpc.json": "test" });
  });
  it("can be taken back", () => {
    const workspace = memory();
    picks(workspace).set("file:///a.rpc.json", "test", true);
    picks(workspace).set("file:///a.rpc.json", null, true);
    assert.deepEqual(picks(workspace).all(), {});
  });
  it("is kept only for the session if it does not last", () => {
    const workspace = memory();
    const session = picks(workspace);
    session.set("file:///a.rpc.json", "https://rpc.example/v2/aB3dE5gH7jK9mN1pQ3sT5vW7", false);
    assert.deepEqual(Object.keys(session.all()), ["file:///a.rpc.json"]);
    assert.equal(session.lasts("file:///a.rpc.json"), false);
    assert.deepEqual(picks(workspace).all(), {});
  });
  it("is forgotten for the oldest of very many notebooks", () => {
    const workspace = memory();
    const session = picks(workspace);
    for (let i = 0; i <= 200; i++) session.set(`file:///${i}.rpc.json`, "test", true);
    const next = Object.keys(picks(workspace).all());
    assert.equal(next.length, 200);
    assert.equal(next.includes("file:///0.rpc.json"), false);
  });
});
