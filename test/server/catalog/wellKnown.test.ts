import assert from "node:assert/strict";
import { getAddress, hexToBigInt, keccak256, toHex } from "viem";
import { contracts, wellKnownContract } from "../../../server/src/catalog/contracts.ts";
import { slots, wellKnownSlot } from "../../../server/src/catalog/slots.ts";

describe("well-known contracts", () => {
  it("are written with their checksums, each once", () => {
    const written = contracts.map(({ address }) => address).filter((address) => !/^0x0{36}/.test(address));
    assert.deepEqual(
      written,
      written.map((address) => getAddress(address)),
    );
    assert.equal(new Set(contracts.map(({ address }) => address)).size, contracts.length);
  });

  it("have a sentence and a source", () => {
    for (const { summary, source } of contracts) {
      assert.match(summary, /^[A-Z].*\.$/);
      assert.match(source, /^https:\/\//);
    }
  });

  it("are found in any case", () => {
    assert.equal(wellKnownContract("0xCA11BDE05977B3631167028862BE2A173976CA11")?.name, "Multicall3");
    assert.equal(wellKnownContract(`0x${"0".repeat(38)}0a`)?.name, "pointEvaluation");
    assert.equal(wellKnownContract("0x70997970C51812dc3A010C7d01b50e0d17dc79C8"), undefined);
  });
});

describe("well-known slots", () => {
  it("are what their names give", () =>
    assert.deepEqual(
      slots.map(({ name, slot }) => [name, slot]),
      slots.map(({ name }) => [name, derived(name)]),
    ));

  it("are found without the zeros in front", () => {
    const accessControl = slots.find(({ name }) => name === "openzeppelin.storage.AccessControl");
    assert.equal(wellKnownSlot(`0x${accessControl?.slot.slice(3).toUpperCase()}`), accessControl);
    assert.equal(wellKnownSlot("0x0"), undefined);
  });
});

/** ERC-1967 takes one from the hash, so that nobody knows what hashes to it; ERC-7201 hashes that again. */
function derived(name: string): string {
  const hash = keccak256(toHex(name));
  const before = toHex(hexToBigInt(hash) - 1n, { size: 32 });
  if (name.startsWith("eip1967.")) return before;
  return name.startsWith("openzeppelin.") ? toHex(hexToBigInt(keccak256(before)) & ~0xffn, { size: 32 }) : hash;
}
