import assert from "node:assert/strict";
import { scopeOf } from "../../../server/src/abi/abiScope.ts";
import { artifact } from "../../../server/src/abi/artifact.ts";
import { selectorOf } from "../../../server/src/abi/item.ts";
import { storageLayouts } from "../../../server/src/abi/storageLayout.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import { calledLayouts, namedByCode } from "../../../server/src/report/calledLayouts.ts";
import { callFrames } from "../../../server/src/report/callFrames.ts";
import type { TracedCallFacts } from "../../../server/src/report/tracedCall.ts";
import type { ViewContext } from "../../../server/src/report/view.ts";
import { frame } from "./traces.ts";

const [proxy, code] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`];
const artifactOf = (contract: string, functions: readonly string[], variables: readonly string[], object: string) => ({
  contractName: contract,
  abi: functions.map((name) => ({ type: "function", name, inputs: [], outputs: [], stateMutability: "nonpayable" })),
  storageLayout: {
    storage: variables.map((label, at) => ({
      label,
      slot: String(at),
      offset: 0,
      type: "t_uint256",
      contract: `${contract}.sol:${contract}`,
    })),
    types: { t_uint256: { encoding: "inplace", label: "uint256", numberOfBytes: "32" } },
  },
  deployedBytecode: { object, immutableReferences: { "3": [{ start: 1, length: 2 }] }, linkReferences: {} },
});
const computed: TracedCallFacts = {
  ...{
    kind: "computed",
    host: "a.test",
    calls: [],
    block: 1n,
    isPending: false,
    fork: "prague",
    changes: [],
    hashed: [],
  },
  ...{ codes: new Map(), reads: [], equal: [], rounds: 1, requests: 1 },
};
const plain: ViewContext = { labels: new Map(), scope: undefined, tokens: new Map(), params: [], returns: undefined };
const metadata = (byte: string): string => `${byte.repeat(4)}0004`;
const artifacts = [
  artifactOf("Vault", ["pay", "close"], ["x"], `0x60000001${metadata("a1")}`),
  artifactOf("Other", ["pay"], ["y"], `0x60000002${metadata("a2")}`),
  artifactOf("IVault", ["close"], [], "0x"),
  artifactOf("Copy", ["pay", "close", "stop"], ["z"], `0x60000003${metadata("a3")}`),
  artifactOf("NoCode", ["pay", "close"], ["w"], "0x"),
];
const read = artifacts.map((json) => ({
  items: artifact(json, `${json.contractName}.json`)?.items ?? [],
  layouts: storageLayouts(json, `${json.contractName}.json`),
}));
const selectorsOf = new Map(read.flatMap(({ items }) => items.map((item) => [item.name, selectorOf(item)])));
const [pay = "", close = "", stop = ""] = ["pay", "close", "stop"].map((name) => selectorsOf.get(name));

/** @param files - Numbers of the artifacts that the project has. A function that several declare is known from the first, as in a project. */
function found(
  calls: readonly JsonValue[],
  {
    labels = new Map(),
    codes = {},
    files = [0, 1, 2],
  }: { labels?: Map<string, string>; codes?: object; files?: readonly number[] } = {},
): readonly string[] {
  const some = files.flatMap((at) => read[at] ?? []);
  const items = new Map(
    some
      .flatMap((file) => file.items)
      .toReversed()
      .map((item) => [item.name, item]),
  );
  const layouts = some.flatMap((file) => file.layouts).map((layout) => ({ layout: { ...layout }, address: undefined }));
  const scope = scopeOf([...items.values()], [], undefined, layouts);
  return calledLayouts(scope, callFrames(calls).frames, labels, new Map(Object.entries(codes))).map(
    ({ layout, address }) => `${layout.contract} ${address}`,
  );
}

describe("the names of contracts whose code ran", () => {
  const named = (labels = new Map<string, string>(), text = `0x60abcd01${metadata("ee")}`) => {
    const layouts = read.flatMap((file) => file.layouts).map((layout) => ({ layout, address: undefined }));
    const traced = { ...computed, codes: new Map([[proxy, text]]) };
    return namedByCode(traced, { ...plain, labels, scope: scopeOf([], [], undefined, layouts) }).labels.get(proxy);
  };
  it("are known with their address", () => assert.equal(named(), "Vault (0xaAaA…aaAa)"));
  it("are not those of labels", () => assert.equal(named(new Map([[proxy, "mine"]])), "mine"));
  it("are not known for other code", () => assert.equal(named(new Map(), "0x6000"), undefined));
  it("are known without storage layouts, unless several contracts have the code", () => {
    const nameOf = (...contracts: readonly string[]) => {
      const creatables = contracts.flatMap((name) => {
        const { storageLayout: _, ...json } = artifactOf(name, ["pay"], [], `0x60000001${metadata("a1")}`);
        return artifact({ ...json, bytecode: { object: "0x60" } }, `out/${name}.sol/${name}.json`)?.creatables ?? [];
      });
      const traced = { ...computed, codes: new Map([[proxy, `0x60abcd01${metadata("ee")}`]]) };
      return namedByCode(traced, { ...plain, scope: scopeOf([], creatables) }).labels.get(proxy);
    };
    assert.equal(nameOf("Vault"), "Vault (0xaAaA…aaAa)");
    assert.equal(nameOf("Vault", "Vault"), "Vault (0xaAaA…aaAa)");
    assert.equal(nameOf("Vault", "Copy"), undefined);
  });
  it("are known from artifacts of Hardhat", () => {
    const nameOf = (more: object) => {
      const json = { ...{ contractName: "Vault", abi: [], bytecode: "0x60" }, ...more };
      const creatables = artifact(json, "artifacts/Vault.json")?.creatables ?? [];
      const traced = { ...computed, codes: new Map([[proxy, `0x60abcd01${metadata("ee")}`]]) };
      return namedByCode(traced, { ...plain, scope: scopeOf([], creatables) }).labels.get(proxy);
    };
    const [deployedBytecode, holes] = [`0x60000001${metadata("a1")}`, [{ start: 1, length: 2 }]];
    assert.equal(nameOf({ deployedBytecode }), undefined);
    assert.equal(nameOf({ deployedBytecode, immutableReferences: { 3: holes } }), "Vault (0xaAaA…aaAa)");
    const linked = {
      deployedBytecode: `0x60__$_01${metadata("a1")}`,
      deployedLinkReferences: { "A.sol": { A: holes } },
    };
    assert.equal(nameOf(linked), "Vault (0xaAaA…aaAa)");
  });
});

describe("the layouts of contracts that are called", () => {
  const both = [frame({ to: proxy, input: pay }), frame({ to: proxy, input: close })];
  it("are found if one contract with storage declares all that is called", () =>
    assert.deepEqual(found(both), [`Vault ${proxy}`]));
  it("are not found if two do", () => {
    assert.deepEqual(found([frame({ to: proxy, input: pay })]), []);
    assert.deepEqual(found(both, { files: [0, 1, 2, 3] }), []);
    assert.deepEqual(found([...both, frame({ to: proxy, input: stop })], { files: [0, 1, 2, 3] }), [`Copy ${proxy}`]);
  });
  it("are those of the code, whatever else declares the same functions", () => {
    const files = [0, 1, 2, 3];
    assert.deepEqual(found(both, { files, codes: { [proxy]: `0x60abcd01${metadata("ee")}` } }), [`Vault ${proxy}`]);
    assert.deepEqual(found(both, { files, codes: { [proxy]: `0x60abcd03${metadata("ee")}` } }), [`Copy ${proxy}`]);
    assert.deepEqual(found(both, { files, codes: { [proxy]: `0x60abcd04${metadata("ee")}` } }), []);
    const empty = frame({ to: proxy, input: "0x" });
    assert.deepEqual(found([empty], { files, codes: { [proxy]: `0x60abcd03${metadata("ee")}` } }), [`Copy ${proxy}`]);
  });
  it("are those of a file that is read twice", () => {
    const codes = { [proxy]: `0x60abcd01${metadata("ee")}` };
    assert.deepEqual(found(both, { files: [0, 0, 1], codes }), [`Vault ${proxy}`]);
  });
  it("are not those of a contract that has other code", () => {
    const codes = { [proxy]: `0x60abcd09${metadata("ee")}` };
    assert.deepEqual(found(both, { files: [0], codes }), []);
    assert.deepEqual(found(both, { files: [4], codes }), [`NoCode ${proxy}`]);
  });
  it("are those of the name that the code has in another file, as Hardhat writes them", () => {
    const { storageLayout, deployedBytecode, ...json } = artifactOf(
      "Vault",
      ["pay"],
      ["x"],
      `0x60000001${metadata("a1")}`,
    );
    const own = { ...json, bytecode: "0x60", deployedBytecode: "0x60abcd01a1a1a1a10004" };
    const creatables = artifact(own, "artifacts/Vault.json")?.creatables ?? [];
    const layoutsOf = (...layouts: readonly JsonValue[]) =>
      calledLayouts(
        scopeOf(
          [],
          creatables,
          undefined,
          layouts
            .flatMap((one) => storageLayouts(one, "build-info/1.json"))
            .map((layout) => ({ layout, address: undefined })),
        ),
        callFrames([frame({ to: proxy, input: "0x" })]).frames,
        new Map(),
        new Map([[proxy, `0x60abcd01${metadata("ee")}`]]),
      ).map(({ layout }) => layout.qualified);
    const other = artifactOf("Other", [], ["y"], "0x").storageLayout;
    assert.deepEqual(layoutsOf({ storageLayout }, { storageLayout: other }), ["Vault.sol:Vault"]);
    assert.deepEqual(layoutsOf({ storageLayout: other }), []);
    const twin = JSON.parse(JSON.stringify(storageLayout).replaceAll("Vault.sol", "old/Vault.sol"));
    assert.deepEqual(layoutsOf({ storageLayout }, { storageLayout: twin }), []);
  });
  it("are of the contract that borrows the code", () => {
    const inner = frame({ type: "DELEGATECALL", from: proxy, to: code, input: close });
    const outer = [frame({ to: proxy, input: "0x12345678", calls: [inner] })];
    assert.deepEqual(found(outer), [`Vault ${proxy}`]);
    const codes = { [proxy]: "0x6000", [code]: `0x60abcd03${metadata("ee")}` };
    assert.deepEqual(found(outer, { files: [0, 3], codes }), [`Copy ${proxy}`]);
  });
  it("are not looked for if a label names one", () =>
    assert.deepEqual(found([frame({ to: proxy, input: close })], { labels: new Map([[proxy, "Other"]]) }), []));
});
