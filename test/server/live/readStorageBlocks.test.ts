import assert from "node:assert/strict";
import { noKeys } from "../../../server/src/abi/storageKey.ts";
import { storageLayouts } from "../../../server/src/abi/storageLayout.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { Endpoint } from "../../../server/src/endpoints/endpoint.ts";
import { readStorage } from "../../../server/src/live/readStorage.ts";
import type { Outcome } from "../../../server/src/rpc/outcome.ts";

const types = {
  t_address: { encoding: "inplace", label: "address", numberOfBytes: "20" },
  t_mapping: {
    encoding: "mapping",
    label: "mapping(address => address)",
    numberOfBytes: "32",
    key: "t_address",
    value: "t_address",
  },
};
const storage = [{ label: "owners", slot: "0", offset: 0, type: "t_mapping" }];
const answered = (value: JsonValue): Outcome => ({ kind: "answered", result: { value, text: "" } }) as Outcome; // as far as it is read

describe("reading the storage of a contract", () => {
  it("survives numbers of blocks that are none", async () => {
    const [layout = assert.fail()] = storageLayouts({ storageLayout: { storage, types } }, "a");
    for (const number of ["0x", "", "x", 7, null, `0x${"f".repeat(2000)}`]) {
      const ask = async (questions: readonly { readonly method: string }[]) =>
        questions.map(({ method }) => answered(method === "eth_getCode" ? "0x60" : { number }));
      const endpoint = { name: "a", host: "a" } as Endpoint; // as far as it is read
      const at = { address: `0x${"11".repeat(20)}`, blocks: ["latest"] };
      const { failure } = await readStorage({ ask, endpoint }, layout, at, noKeys, new AbortController().signal);
      assert.equal(failure, undefined);
    }
  });
});
