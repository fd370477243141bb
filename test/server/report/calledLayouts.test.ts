import assert from "node:assert/strict";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { parseItem, selectorOf } from "../../../server/src/abi/item.ts";
import type { StorageLayout } from "../../../server/src/abi/storageLayout.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { calledLayouts } from "../../../server/src/report/calledLayouts.ts";
import { callFrames } from "../../../server/src/report/callFrames.ts";
import { frame } from "./traces.ts";

const [proxy, code] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
const variable = { name: "x", slot: 0n, offset: 0, type: "t_uint256" };
const layoutOf = (contract: string): StorageLayout => ({
  ...{ contract, qualified: undefined, source: `${contract}.json`, variables: [variable], transient: [] },
  types: new Map(),
});
const declared = (source: string, text: string) => {
  const item = parseItem(text, source);
  assert.ok(item);
  return item;
};
const items = [
  declared("Vault.json", "function pay(uint256 amount)"),
  declared("Vault.json", "function close()"),
  declared("Other.json", "function pay(uint256 amount)"),
  declared("IVault.json", "function close()"),
];
const layouts = [layoutOf("Vault"), layoutOf("Other"), { ...layoutOf("IVault"), variables: [] }].map((layout) => ({
  layout,
  address: undefined,
}));
const [pay = "", close = ""] = items.map(selectorOf);

function found(calls: readonly JsonValue[], labels = new Map<string, string>()): readonly string[] {
  const scope = scopeOf(items, [], undefined, layouts);
  return calledLayouts(scope, callFrames(calls).frames, labels).map(
    ({ layout, address }) => `${layout.contract} ${address}`,
  );
}

describe("the layouts of contracts that are called", () => {
  it("are found if one contract with storage declares all that is called", () =>
    assert.deepEqual(found([frame({ to: proxy, input: pay }), frame({ to: proxy, input: close })]), [
      `Vault ${proxy}`,
    ]));
  it("are not found if two do", () => assert.deepEqual(found([frame({ to: proxy, input: pay })]), []));
  it("are of the contract that borrows the code", () => {
    const inner = frame({ type: "DELEGATECALL", from: proxy, to: code, input: close });
    assert.deepEqual(found([frame({ to: proxy, input: "0x12345678", calls: [inner] })]), [`Vault ${proxy}`]);
  });
  it("are not looked for if a label names one", () =>
    assert.deepEqual(found([frame({ to: proxy, input: close })], new Map([[proxy, "Other"]])), []));
});
