import assert from "node:assert/strict";
import { encodeAbiParameters, toHex } from "viem";
import { tokenSymbol } from "../../../server/src/abi/token.ts";
import { headerValues } from "../../../server/src/notebook/header.ts";
import { readCell } from "../../../server/src/notebook/readCell.ts";
import { abiShown } from "../../../server/src/report/shown.ts";
import { expectLinear } from "../../support/growth.ts";

describe("the symbol of a token", () => {
  it("has no zeros at its end, whether it is a string or 32 bytes", () => {
    const filled = `TKN${"\0".repeat(29)}`;
    assert.equal(tokenSymbol(encodeAbiParameters([{ type: "string" }], [filled])), "TKN");
    assert.equal(tokenSymbol(toHex(filled)), "TKN");
  });

  it("is shown without them, and they are counted", () => {
    assert.deepEqual(abiShown("TKN\0\0", "string", new Map()), { text: `"TKN"`, also: ["and 2 zero bytes"] });
    assert.deepEqual(abiShown("T\0KN", "string", new Map()), { text: String.raw`"T\u0000KN"` });
  });

  it("is shown in time in proportion to its zeros", () =>
    expectLinear(80_000, (zeros) => abiShown(`${"\0".repeat(zeros)}a`, "string", new Map())));
});

describe("a label", () => {
  it("without text names nothing", () => {
    const [alice, bob] = [`0x${"a".repeat(40)}`, `0x${"b".repeat(40)}`];
    const header = readCell(JSON.stringify({ labels: { [alice]: " ", [bob]: "bob" } }), "header");
    assert.deepEqual([...headerValues(header).labels.values()], ["bob"]);
  });
});
