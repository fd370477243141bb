import assert from "node:assert/strict";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { printOf } from "../../../server/src/abi/artifact.ts";
import { bytesSlots, mappingSlot } from "../../../server/src/abi/slots.ts";
import type { StorageLayout, StorageType, StoredMapping } from "../../../server/src/abi/storageLayout.ts";
import { toWord } from "../../../server/src/base/hex.ts";
import { contextOf } from "../../../server/src/report/reportOf.ts";
import type { ComputedCalls, StorageChange } from "../../../server/src/report/tracedCall.ts";
import { storageSections } from "../../../server/src/report/tracedStorage.ts";

const address = `0x${"ab".repeat(20)}`;
const mapping = (value: string): StoredMapping => ({
  kind: "mapping",
  label: "mapping",
  slots: 1n,
  key: "t_key",
  value,
});
const word = { kind: "fixedBytes", text: "bytes32", size: 32, words: 1, dynamic: false } as const;
const types = new Map<string, StorageType>([
  ["t_string", { kind: "string", label: "string", slots: 1n }],
  ["t_key", { kind: "value", label: "bytes32", slots: 1n, bytes: 32, abi: word, guess: false }],
  ["t_deep", mapping("t_inner")],
  ["t_inner", mapping("t_pair")],
  ["t_pair", { kind: "array", label: "bytes32[2]", slots: 2n, item: "t_key", length: 2n }],
]);
const layout: StorageLayout = {
  ...{ contract: "Edge", qualified: undefined, source: "Edge.json", transient: [], types },
  variables: [
    { name: "note", slot: 0n, offset: 0, type: "t_string" },
    { name: "deep", slot: 1n, offset: 0, type: "t_deep" },
  ],
};
const scope = scopeOf([], [], undefined, [{ layout, address }]);

const zero = toWord(0n);
const changed = (slot: bigint, after: string, before = zero): StorageChange => ({
  ...{ address, slot: toWord(slot), before, after },
});

/** Place, value before and value after of each row. */
function rows(changes: readonly StorageChange[], hashed?: readonly string[]): readonly (readonly string[])[] {
  return storageSections(callsOf(changes, hashed), contextOf({ params: [], scope })).flatMap((section) =>
    section.kind === "table" ? section.rows.map((row) => row.slice(1).map(({ text }) => text)) : [],
  );
}

function callsOf(changes: readonly StorageChange[], hashed: readonly string[] = []): ComputedCalls {
  return {
    calls: [],
    block: 1n,
    fork: "osaka",
    changes,
    reads: [],
    hashed,
    codes: new Map(),
    rounds: 1,
    requests: 1,
  };
}

describe("storage of a traced call", () => {
  const text = "a note that is longer than thirty-one bytes";
  const head = toWord(BigInt(text.length * 2 + 1));
  const words = Buffer.from(text).toString("hex").padEnd(128, "0").match(/.{64}/g) ?? [];
  const slots = bytesSlots(0n, text.length);
  const data = slots.map((slot, at) => changed(slot, `0x${words[at]}`));

  it("shows a long text in one row, if all its words are known", () => {
    assert.deepEqual(rows([changed(0n, head), ...data]), [["Edge.note", '""', `"${text}"`]]);
    const cleared = data.map(({ after, before, ...one }) => ({ ...one, before: after, after: before }));
    assert.deepEqual(rows([changed(0n, zero, head), ...cleared]), [["Edge.note", `"${text}"`, '""']]);
  });
  it("shows the words of a long text of which one is not known", () => {
    assert.equal(rows([changed(0n, head), ...data.slice(1)]).length, 2);
    assert.equal(rows(data).length, 2);
  });
  it("says how a project gets names, if its contracts have no layouts", () => {
    const creatable = { name: "Edge", print: printOf("0x6000"), inputs: [], source: "Edge.json" };
    const notes = (layouts: typeof scope.layouts, creatables = [creatable]) =>
      storageSections(
        callsOf([changed(0n, head)]),
        contextOf({ params: [], scope: { ...scope, layouts, creatables } }),
      ).filter(({ kind }) => kind === "note").length;
    assert.deepEqual([notes([]), notes(scope.layouts), notes([], [])], [1, 0, 0]);
  });
  it("has no value for what is hidden", () => assert.equal(rows([changed(0n, "hidden"), ...data]).length, 3));
  it("keeps the end of a name with long keys", () => {
    const keys = [`0x${"a1".repeat(32)}`, `0x${"b2".repeat(32)}`] as const;
    const slot = keys.reduce<bigint>(mappingSlot, 1n);
    const found = rows([changed(slot, head), changed(slot + 1n, head)], keys).map(([place]) => place);
    assert.deepEqual(
      found,
      [0, 1].map((at) => `Edge.deep[0xa1a1…a1a1][0xb2b2…b2b2][${at}]`),
    );
  });
});
