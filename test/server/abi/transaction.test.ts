import assert from "node:assert/strict";
import { privateKeyToAccount } from "viem/accounts";
import { signedTransaction } from "../../../server/src/abi/transaction.ts";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

describe("a signed transaction", () => {
  for (const [type, fees] of [
    ["legacy", { gasPrice: 7n }],
    ["eip2930", { gasPrice: 7n, accessList: [] }],
    ["eip1559", { maxFeePerGas: 7n, maxPriorityFeePerGas: 1n }],
  ] as const) {
    it(`of type ${type} tells who sends what to whom`, async () => {
      const raw = await account.signTransaction({
        type,
        chainId: 31337,
        nonce: 3,
        to,
        value: 10n ** 18n,
        gas: 21000n,
        data: "0x1234",
        ...fees,
      } as Parameters<typeof account.signTransaction>[0]); // the fees belong to the type
      const told = await signedTransaction(raw);
      assert.deepEqual(
        { ...told, to: String(told?.to).toLowerCase() },
        { from: account.address, to: to.toLowerCase(), value: "0xde0b6b3a7640000", gas: "0x5208", data: "0x1234" },
      );
    });
  }

  it("is none where it is something else", async () => {
    for (const other of [undefined, 7, "0x", "0x02", `0x02${"f".repeat(200)}`, "nonsense", `0x${"00".repeat(500)}`])
      assert.equal(await signedTransaction(other), undefined);
  });
});
