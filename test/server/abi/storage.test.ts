import assert from "node:assert/strict";
import { encodeAbiParameters, encodePacked, keccak256, parseAbiParameters } from "viem";
import { storageSlot } from "../../../server/src/abi/storage.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";

const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const named = (name: string): bigint | undefined => (name === "seven" ? 7n : undefined);

function slotOf(place: JsonValue): string {
  const placed = storageSlot(place, named, (text) => text === "?");
  if (placed.kind === "slot") return `0x${placed.slot.toString(16).padStart(64, "0")}`;
  return placed.kind === "open"
    ? "open"
    : placed.faults.map(({ path, what }) => `${path.join(".")}: ${what}`).join("; ");
}

const mapping = (type: string, key: unknown, slot: bigint | string): `0x${string}` =>
  keccak256(encodeAbiParameters(parseAbiParameters(`${type}, uint256`), [key, BigInt(slot)]));

describe("a place in storage", () => {
  for (const [place, want] of [
    [9, `0x${"9".padStart(64, "0")}`],
    ["0x9", `0x${"9".padStart(64, "0")}`],
    ["seven", `0x${"7".padStart(64, "0")}`],
    [{ slot: 9, key: alice }, mapping("address", alice, 9n)],
    [{ slot: "0x09", key: 5 }, mapping("uint256", 5n, 9n)],
    [{ slot: 9, key: "5" }, mapping("uint256", 5n, 9n)],
    [{ slot: 9, key: -5 }, mapping("int256", -5n, 9n)],
    [{ slot: 9, key: true }, mapping("bool", true, 9n)],
    [{ slot: 9, key: `0x${"ab".repeat(32)}` }, mapping("bytes32", `0x${"ab".repeat(32)}`, 9n)],
    [{ slot: 9, key: "0x12345678", keyType: "bytes4" }, mapping("bytes4", "0x12345678", 9n)],
    [{ slot: 9, key: "name" }, keccak256(encodePacked(["string", "uint256"], ["name", 9n]))],
    [{ slot: 9, key: "5", keyType: "string" }, keccak256(encodePacked(["string", "uint256"], ["5", 9n]))],
    [{ slot: 9, key: "0x1234", keyType: "bytes" }, keccak256(encodePacked(["bytes", "uint256"], ["0x1234", 9n]))],
    [{ slot: 10, key: [alice, 3] }, mapping("uint256", 3n, mapping("address", alice, 10n))],
    [
      { slot: 10, key: [alice, "3"], keyType: ["address", "string"] },
      keccak256(encodePacked(["string", "uint256"], ["3", BigInt(mapping("address", alice, 10n))])),
    ],
    [{ slot: { slot: 10, key: alice }, key: 3 }, mapping("uint256", 3n, mapping("address", alice, 10n))],
    [{ slot: 3, index: 5 }, `0x${(BigInt(keccak256(`0x${"3".padStart(64, "0")}`)) + 5n).toString(16)}`],
    [
      { slot: 3, index: 5, size: 2, offset: 1 },
      `0x${(BigInt(keccak256(`0x${"3".padStart(64, "0")}`)) + 11n).toString(16)}`,
    ],
    [
      { slot: 9, key: alice, offset: 1 },
      `0x${(BigInt(mapping("address", alice, 9n)) + 1n).toString(16).padStart(64, "0")}`,
    ],
    [{ slot: "?", key: alice }, "open"],
    [{ slot: 1, key: ["?", 1] }, "open"],
    [{ slot: 1, index: "?" }, "open"],
    [
      { key: alice },
      "slot: expected a slot: a number, `0x` and up to 64 hexadecimal digits, or a name such as `eip1967.proxy.admin`",
    ],
    [
      { slot: -1 },
      "slot: expected a slot: a number, `0x` and up to 64 hexadecimal digits, or a name such as `eip1967.proxy.admin`",
    ],
    [{ slot: 1, key: "0x12" }, "key: its type is not clear: write it as `keyType`"],
    [{ slot: 1, key: [1, null] }, "key.1: its type is not clear: write it as `keyType`"],
    [{ slot: 1, key: 300, keyType: "uint8" }, "key: it does not fit into uint8"],
    [{ slot: 1, key: 1, keyType: "MyEnum" }, "keyType: expected a type such as `address` or `uint256`"],
    [{ slot: 1, key: [1, 2], keyType: ["uint8"] }, "keyType: it must have as many types as there are keys"],
    [{ slot: 1, index: -1 }, "index: expected a whole number, zero or more"],
    [{ slot: 1, size: 2 }, "size: expected an `index`: it is for the items of an array"],
    [{ slot: 1, kee: 2 }, "kee: a place in storage has slot, key, keyType, index, size, offset"],
  ] as const satisfies readonly (readonly [JsonValue, string])[]) {
    it(`${JSON.stringify(place)} is ${want.slice(0, 40)}`, () => assert.equal(slotOf(place), want));
  }
});
