import assert from "node:assert/strict";
import { type Hex, hashTypedData, pad, toHex } from "viem";
import { accounts } from "../../../devchain/accounts.ts";
import {
  type PaymentCall,
  type PaymentFacts,
  paymentCall,
  type SigningDomain,
  type TokenFacts,
} from "../../../server/src/abi/paymentCall.ts";
import { digestOf, expectedMessage, ownDomain, separatorOf } from "../../../server/src/abi/paymentMessage.ts";
import { accountsOf, searchSignature } from "../../../server/src/abi/paymentSearch.ts";
import { readSignature, recovered } from "../../../server/src/abi/paymentSignature.ts";
import { paymentCauses } from "../../../server/src/report/paymentCauses.ts";
import { contextOf } from "../../../server/src/report/reportOf.ts";
import { rounds } from "../../support/depth.ts";
import { authorization, type Domain, freshNonce, parts, sign } from "../../support/payments.ts";

const { alice, bob } = accounts;
const token: Hex = "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359";
const word = (value: bigint | Hex): string => pad(typeof value === "bigint" ? toHex(value) : value).slice(2);

async function signed(domain: Domain): Promise<PaymentCall> {
  const message = {
    from: alice.address,
    to: bob.address,
    value: 1n,
    validAfter: 0n,
    validBefore: 9n,
    nonce: freshNonce(),
  };
  const [v, r, s] = parts(await sign("alice", domain, "TransferWithAuthorization", message));
  const words = [...Object.values(message), BigInt(v), r, s].map(word);
  const call = paymentCall(`0xe3ee160e${words.join("")}`);
  assert.ok(call);
  return call;
}

const silent: TokenFacts = {
  name: undefined,
  symbol: undefined,
  version: undefined,
  decimals: undefined,
  domain: undefined,
  separator: undefined,
  implementation: undefined,
  isUsed: false,
  isUsedInBlock: false,
  isSilent: false,
  nonce: undefined,
  balance: undefined,
  isPaused: false,
  blocked: [],
};
const factsOf = (payment: PaymentCall, tokenFacts: Partial<TokenFacts>): PaymentFacts => {
  const place = { token, caller: undefined, time: 5n, block: 1n, chainId: 137n, code: "0x" as const };
  return { payment, ...place, tokenFacts: { ...silent, ...tokenFacts } };
};
async function causesOf(facts: PaymentFacts): Promise<readonly string[]> {
  const own = ownDomain(facts, [1n, 137n]);
  const signature = readSignature(facts.payment.signature);
  const scope = { chainIds: [1n, 137n], accounts: accountsOf(facts, []), pause: async () => false };
  const searched = await searchSignature(facts, own, signature, scope);
  const nothing = { place: undefined, acceptance: undefined, ending: undefined, revertData: undefined, message: "" };
  return paymentCauses({ facts, own, signature, searched, ...nothing }, contextOf({ params: [] } as never)).map(
    ({ what }) => what,
  );
}

describe("payments by signature", () => {
  it("hashes a domain and a message as wallets do", async () => {
    const domain = { name: "USD Coin", version: "2", chainId: 137, verifyingContract: token };
    const call = await signed(domain);
    const message = expectedMessage(call, undefined);
    assert.ok(message);
    const values = Object.fromEntries(
      Object.entries(call.words).map(([name, value]) => [name, /from|to/.test(name) ? `0x${value.slice(26)}` : value]),
    );
    const digest = digestOf(separatorOf({ ...domain, chainId: 137n }), message);
    const types = { TransferWithAuthorization: authorization };
    assert.equal(
      digest,
      hashTypedData({ domain, types, primaryType: "TransferWithAuthorization", message: values as never }),
    ); // words are values too
    const [reading] = readSignature(call.signature).readings;
    assert.equal(reading && (await recovered(digest, reading)), alice.address.toLowerCase());
  });
  it("finds the domain of a bridged token, which has the chain as its salt", async () => {
    const own: SigningDomain = {
      name: "USD Coin (PoS)",
      version: "1",
      verifyingContract: token,
      salt: `0x${word(137n)}`,
    };
    const facts = factsOf(await signed({ name: "USDC", version: "1", chainId: 137, verifyingContract: token }), {
      name: "USD Coin (PoS)",
      separator: separatorOf(own),
    });
    assert.deepEqual(ownDomain(facts, [])?.members, own);
  });
  it("says what was signed if the token's domain fits nothing that is known", async () => {
    const facts = factsOf(await signed({ name: "Coin", version: "1", chainId: 137, verifyingContract: token }), {
      name: "Coin",
      separator: `0x${"12".repeat(32)}`,
    });
    assert.deepEqual(await causesOf(facts), [
      `Signed for name "Coin", version "1", chain id 137, verifying contract ${token}; the token's \`DOMAIN_SEPARATOR\` is for another domain.`,
    ]);
  });
  it("shows the text of a token in quotes, on one line", async () => {
    const name = "Coin\n\u202e\u001b[31m`\"; the token's is ";
    const facts = factsOf(await signed({ name: "X", version: "1", chainId: 137, verifyingContract: token }), {
      name,
      symbol: "X",
      separator: separatorOf({ name, version: "1", chainId: 137n, verifyingContract: token }),
    });
    const [what = ""] = await causesOf(facts);
    assert.match(what, /^Signed for the domain name "X"; the token's is "Coin\\n.*"\.$/);
    assert.doesNotMatch(what, /[\n\u202e\u001b]/);
  });
  it("reads any data without an error", () => {
    let seed = 1;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed;
    };
    const selectors = "e3ee160e cf092995 ef55bec6 88b7ab63 5a049a70 b7b72899 d505accf 9fd5a6cf 8fcbaf0c".split(" ");
    for (const round of rounds(5000, 500)) {
      const length = random() % 700;
      const bytes = Array.from({ length }, () => (random() % 3 === 0 ? 0 : random() % 256));
      const body = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
      const call = paymentCall(`0x${selectors[round % selectors.length]}${body}`);
      if (call) readSignature(call.signature);
      readSignature(`0x${body}${round % 2 === 0 ? "6492".repeat(16) : ""}`);
    }
  });
});
