import assert from "node:assert/strict";
import { failedCall } from "../../../server/src/evaluate/failedPayments.ts";
import { paymentFacts, questionsAbout } from "../../../server/src/evaluate/paymentQuestions.ts";

const word = (digits: string): string => digits.padStart(64, "0");
const [token, owner] = [`0x${"a1".repeat(20)}`, "b2".repeat(20)];

describe("the facts about a payment in a transaction that failed", () => {
  it("do not take the nonce of a permit for the end of an authorization", () => {
    const permit = `0xd505accf${word(owner)}${word("c3")}${word("5")}${word("ffffffff")}${word("1b")}${word("11")}${word("22")}`;
    const [failed] = failedCall(
      { to: token, data: permit },
      {
        revertData: "0x",
        message: "",
        time: 5n,
        place: undefined,
        state: { kind: "call", rest: ["0x10"] },
        block: "0x11",
      },
    );
    assert.ok(failed);
    const answers = questionsAbout(failed).map(({ params }) =>
      JSON.stringify(params).includes("0x7ecebe00") ? `0x${word("1")}` : null,
    );
    const { tokenFacts } = paymentFacts(failed, answers);
    assert.equal(tokenFacts.nonce, 1n);
    assert.equal(tokenFacts.isUsedInBlock, false);
  });
});
