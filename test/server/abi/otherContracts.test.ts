import assert from "node:assert/strict";
import { scopeOf, withContracts } from "../../../server/src/abi/abiScope.ts";
import { artifact } from "../../../server/src/abi/artifact.ts";
import { fittingData } from "../../../server/src/abi/candidates.ts";
import { decodeLog } from "../../../server/src/abi/decodeLog.ts";
import { decodeRevert } from "../../../server/src/abi/decodeRevert.ts";
import { selectorOf } from "../../../server/src/abi/item.ts";
import type { ScopedLayout } from "../../../server/src/abi/storageScope.ts";
import { parseJson } from "../../../server/src/base/json.ts";

const address = `0x${"ab".repeat(20)}`;
const other = `0x${"cd".repeat(20)}`;
const word = "7".padStart(64, "0");

/** Declarations of one argument as a file has them: by themselves, or of a contract that was looked up. */
function itemsOf(declarations: readonly string[], more: object = {}) {
  const abi = declarations.map((text) => {
    const [, type, name, argument] = /^(\w+) (\w+)\(uint256 (\w+)\)$/.exec(text) ?? [];
    return { type, name, inputs: [{ type: "uint256", name: argument }] };
  });
  return artifact(parseJson(JSON.stringify({ abi, ...more })) ?? null, "a.json")?.items ?? [];
}
const lookedUp = { address, lookedUp: { host: "lookup.example" }, match: "exact match" };

describe("contracts beside those of the project", () => {
  const theirs = scopeOf(
    itemsOf(["function f(uint256 theirs)", "event E(uint256 theirs)", "error Bad(uint256 theirs)"], lookedUp),
  );
  const [declared = assert.fail()] = itemsOf(["function f(uint256 x)"]);
  const [event = assert.fail()] = itemsOf(["event E(uint256 x)"]);
  const [error = assert.fail()] = itemsOf(["error Bad(uint256 x)"]);
  const call = `${selectorOf(declared)}${word}`;
  const revert = `${selectorOf(error)}${word}`;
  const topics = "hash" in event ? [String(event.hash)] : assert.fail();

  const scopes = (own: readonly string[]) => {
    const missed: string[] = [];
    const contracts = {
      of: (at: string) => (at === address ? theirs : undefined),
      missed: (at: string) => void missed.push(at),
      layoutsWith: (layouts: readonly ScopedLayout[]) => layouts,
      readAlike: (scope: object) => scope,
    };
    return { scope: withContracts(scopeOf(itemsOf(own)), contracts), missed };
  };
  const named = (data: string, own: readonly string[], to: string) =>
    fittingData("function", data, scopes(own).scope, to).map(({ item }) => item.inputs[0]?.name);

  it("are missed by each scope that reads, also what another one has read", () => {
    const own = scopeOf([]);
    const missedBy = () => {
      const missed = new Set<string>();
      const contracts = {
        of: () => undefined,
        missed: (at: string) => void missed.add(at),
        layoutsWith: (layouts: readonly ScopedLayout[]) => layouts,
        readAlike: (scope: object) => scope,
      };
      fittingData("function", call, withContracts(own, contracts), other);
      return [...missed];
    };
    assert.deepEqual([missedBy(), missedBy()], [[other], [other]]);
  });
  it("are known at their own address only, written in any case", () => {
    assert.deepEqual(named(call, [], address), ["theirs"]);
    assert.deepEqual(named(call, [], address.toUpperCase().replace("0X", "0x")), ["theirs"]);
    const { scope, missed } = scopes([]);
    assert.deepEqual(fittingData("function", call, scope, other), []);
    for (const [at, isKnown] of [
      [address, true],
      [other, false],
    ] as const) {
      assert.equal(decodeLog({ address: at, topics, data: `0x${word}` }, scope)?.name === "E", isKnown);
      assert.equal(decodeRevert(revert, scope, at).kind === "custom", isKnown);
    }
    assert.deepEqual([...new Set(missed)], [other]);
  });

  it("come after what the project declares, also in a file about a contract that was looked up", () => {
    assert.deepEqual(named(call, ["function f(uint256 ours)"], address), ["ours"]);
    const file = itemsOf(["function f(uint256 theirs)"], lookedUp);
    const both = scopeOf([...itemsOf(["function f(uint256 ours)"]), ...file]);
    assert.equal(fittingData("function", call, both, address)[0]?.item.inputs[0]?.name, "ours");
  });

  it("are not missed for what the compiler itself declares, and for precompiled contracts", () => {
    const { scope, missed } = scopes([]);
    assert.equal(
      decodeRevert(`0x08c379a0${"20".padStart(64, "0")}${"2".padStart(64, "0")}${"6869".padEnd(64, "0")}`, scope, other)
        .kind,
      "reason",
    );
    fittingData("function", call, scope, `0x${"5".padStart(40, "0")}`);
    assert.deepEqual(missed, []);
  });
});
