import { hashTypedData, pad } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { accounts } from "../../devchain/accounts.ts";
import {
  asBytes,
  type Call,
  cancel,
  cancelled,
  cellOf,
  dai,
  domain,
  factory,
  fine,
  forever,
  now,
  other,
  ozPermit,
  pausedToken,
  permit,
  receive,
  tampered,
  transfer,
  undeployed,
  usedBefore,
  values,
  wallet,
} from "./paymentCalls.ts";
import { authorization, compact, deployment, freshNonce, malleated, parts, sign, wrapped } from "./payments.ts";

const { alice, bob, carol, dave, erin, frank } = accounts;

/** Calls that fail: a name, the code of the cause, with its field as in `expired at validBefore`, the call, and facts that are said. */
export const failures: readonly (readonly [name: string, cause: string, call: () => Promise<Call>, says?: RegExp])[] = [
  [
    "domain name: the symbol",
    "domain.name",
    () => transfer({}, { over: { name: "USDC" } }),
    /"USDC"; the token's is "USD Coin"/,
  ],
  [
    "domain name of another chain",
    "domain.name",
    () => transfer({}, { over: { name: "USD Coin (PoS)" } }),
    /"USD Coin \(PoS\)"; the token's is "USD Coin"/,
  ],
  ["domain version", "domain.version", () => transfer({}, { over: { version: "1" } }), /"1"; the token's is "2"/],
  [
    "no domain version",
    "domain.version",
    async () => {
      const all = fine();
      const { version: _version, ...rest } = domain();
      const signature = await sign("alice", rest, "TransferWithAuthorization", { ...all });
      return cellOf("transfer", [...values(all), ...parts(signature)]);
    },
    /"2"/,
  ],
  [
    "chain: the main network",
    "domain.chainId",
    () => transfer({}, { over: { chainId: 1 } }),
    /1 \(Ethereum\); the token's is \d+/,
  ],
  [
    "chain: a test network",
    "domain.chainId",
    () => transfer({}, { over: { chainId: 84532 } }),
    /chain id 84532 \(Base Sepolia\)/,
  ],
  [
    "verifying contract: the payee",
    "domain.verifyingContract",
    () => transfer({}, { over: { verifyingContract: bob.address } }),
    /verifying contract bob; the token's is usdc/,
  ],
  [
    "verifying contract: another token of the notebook",
    "domain.verifyingContract",
    () => transfer({}, { over: { verifyingContract: other } }),
    /verifying contract other; the token's is usdc/,
  ],
  ["nonce used", "nonce used at nonce", async () => cellOf("transfer", usedBefore)],
  ["nonce cancelled", "nonce cancelled at nonce", () => transfer({ nonce: cancelled })],
  [
    "nonce of an authorization that counts as a permit's does",
    "nonce",
    () => transfer({ nonce: `0x${"6".padStart(64, "0")}` }, { message: { nonce: `0x${"5".padStart(64, "0")}` } }),
    /Signed with `nonce` 5; the call has 6\./,
  ],
  ["cancelled twice", "nonce cancelled at nonce", () => cancel(cancelled)],
  [
    "not yet valid",
    "not yet valid at validAfter",
    () => transfer({ validAfter: now + 7200n }),
    /^Valid only after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, .*(?:h|min) after the block's time \(\d{4}-/,
  ],
  [
    "not yet valid, in milliseconds",
    "not yet valid at validAfter",
    () => transfer({ validAfter: now * 1000n, validBefore: now * 2000n }),
    /more than 1,000 years/,
  ],
  ["expired", "expired at validBefore", () => transfer({ validBefore: now - 3600n })],
  ["expired, a duration", "expired at validBefore", () => transfer({ validBefore: 600n }), /1970/],
  [
    "contract signer that refuses",
    "contract signer at signature",
    () => asBytes({ from: wallet }, (signature) => signature, "carol"),
    /wallet is a contract, and its `isValidSignature` \(ERC-1271\) does not accept the signature/,
  ],
  [
    "contract signer, wrong domain name",
    "domain.name",
    () => asBytes({ from: wallet }, (signature) => signature, "frank", { name: "USDC" }),
    /"USDC"; the token's is "USD Coin"/,
  ],
  [
    "contract signer without ERC-1271",
    "contract signer at signature",
    async () => asBytes({ from: other }, (signature) => signature, "alice"),
  ],
  [
    "delegated signer",
    "delegated signer at from",
    () => transfer({ from: erin.address }, { who: "erin" }),
    /erin is delegated to wallet \(EIP-7702\), and the `isValidSignature` of that code does not accept/,
  ],
  [
    "undeployed wallet",
    "undeployed signer at signature",
    () => asBytes({ from: undeployed }, (one) => wrapped(factory, deployment(frank.address), one), "frank"),
    /not deployed yet \(ERC-6492\).* Its factory is factory/,
  ],
  [
    "wrapped for a wallet that is deployed",
    "deployed signer at signature",
    () => asBytes({ from: wallet }, (one) => wrapped(factory, deployment(frank.address), one), "frank"),
    /but wallet is deployed/,
  ],
  [
    "short balance",
    "balance at value",
    () => transfer({ value: 12_500_000n }),
    /alice has 10 USDC; `value` is 12\.5 USDC: 2\.5 USDC short/,
  ],
  [
    "no balance",
    "balance at value",
    () => transfer({ from: carol.address, value: 1n }, { who: "carol" }),
    /carol has 0 USDC; `value` is 0\.000001 USDC/,
  ],
  [
    "swapped r and s",
    "swapped r and s at r, s",
    () => tampered((one) => [parts(one)[0], parts(one)[2], parts(one)[1]]),
  ],
  ["v", "flipped v at v", () => tampered((one) => [55 - parts(one)[0], parts(one)[1], parts(one)[2]])],
  [
    "v 0 or 1",
    "low v at v",
    () => tampered((one) => [parts(one)[0] - 27, parts(one)[1], parts(one)[2]]),
    /expect 27 or 28/,
  ],
  [
    "v of EIP-155",
    "other v at v",
    () => tampered((one) => [parts(one)[0] + 10, parts(one)[1], parts(one)[2]]),
    /neither 27 nor 28/,
  ],
  ["high s", "high s at s", () => tampered(malleated)],
  ["v first", "v first at signature", () => asBytes({}, (one) => `0x${one.slice(-2)}${one.slice(2, -2)}`)],
  [
    "compact signature",
    "compact signature at signature",
    () => asBytes({}, (one) => compact(one)),
    /64 bytes \(EIP-2098\)/,
  ],
  [
    "length",
    "signature length at signature",
    () => asBytes({}, (one) => `${one}00`),
    /not 65 bytes long\. It has 66\./,
  ],
  ["empty signature", "no signature at signature", () => asBytes({}, () => "0x")],
  ["zero signature", "zero signature at v, r, s", () => tampered(() => [0, pad("0x"), pad("0x")])],
  ["r of zero", "signature range at r, s", () => tampered((one) => [parts(one)[0], pad("0x"), parts(one)[2]])],
  [
    "value: another unit",
    "value",
    () => transfer({ value: 3n }, { message: { value: 3_000_000n } }),
    /3,000,000; the call has 3/,
  ],
  [
    "value",
    "signature at v, r, s",
    () => transfer({ value: 3n }, { message: { value: 77n } }),
    /alice for these values/,
  ],
  ["payee", "to", () => transfer({}, { message: { to: carol.address } }), /carol; the call has bob/],
  [
    "time",
    "validBefore",
    () => transfer({}, { message: { validBefore: 2n ** 256n - 1n } }),
    /Signed with `validBefore` unlimited; the call has 4000000000 \(2096-/,
  ],
  ["another signer", "other signer at from", () => transfer({}, { who: "carol" }), /Signed by carol; `from` is alice/],
  [
    "signed by the payee",
    "other signer at from",
    () => transfer({}, { who: "bob" }),
    /Signed by bob, which is `to`; `from` is alice/,
  ],
  ["signed as the other function", "primaryType", () => transfer({}, { type: "ReceiveWithAuthorization" })],
  [
    "signed as a message",
    "personal sign at v, r, s",
    async () => {
      const all = fine();
      const raw = hashTypedData({
        domain: domain(),
        types: { TransferWithAuthorization: authorization },
        primaryType: "TransferWithAuthorization",
        message: { ...all },
      });
      const signature = await privateKeyToAccount(alice.privateKey).signMessage({ message: { raw } });
      return cellOf("transfer", [...values(all), ...parts(signature)]);
    },
  ],
  [
    "caller is not the payee",
    "caller at the call's `from`",
    () => receive(dave.address),
    /dave; only the payee bob may call/,
  ],
  ["no caller", "caller at the call's `from`", () => receive(undefined)],
  ["zero payee", "zero payee at to", () => transfer({ to: "0x0000000000000000000000000000000000000000" })],
  [
    "paused token",
    "paused at the call's `to`",
    () => transfer({}, { over: { verifyingContract: pausedToken } }, { to: pausedToken }),
  ],
  ["blocked payee", "blocked at to", () => transfer({ to: frank.address }), /has blocked `to`, frank/],
  ["cancel, wrong domain", "domain.name", () => cancel(freshNonce(), { name: "USDC" }), /"USDC"/],
  [
    "permit, wrong domain name",
    "domain.name",
    () => permit({ over: { name: "USDC" } }),
    /"USDC"; the token's is "USD Coin"/,
  ],
  ["permit, name and version", "domain.name", () => permit({ over: { name: "USDC", version: "1" } }), /"USDC"/],
  [
    "permit, nonce too high",
    "nonce too high at nonce",
    () => permit({ nonce: 1n }),
    /1; the owner's next is 0, so the nonce is too high/,
  ],
  ["permit, expired", "expired at deadline", () => permit({ deadline: now - 60n })],
  [
    "permit, other spender",
    "spender",
    () => permit({ spender: carol.address }),
    /Signed with `spender` carol; the call has bob/,
  ],
  [
    "permit by the spender",
    "other signer at owner",
    () => permit({ who: "bob" }),
    /Signed by bob, which is `spender`; `owner` is alice/,
  ],
  [
    "permit of EIP-5267, wrong version",
    "domain.version",
    () => ozPermit(1n, forever, { version: "1" }),
    /version "1"; the token's is "3"/,
  ],
  [
    "permit of EIP-5267, nonce too low",
    "nonce too low at nonce",
    () => ozPermit(0n, forever),
    /Signed with nonce 0; the owner's next is 1/,
  ],
  ["permit of EIP-5267, expired", "expired at deadline", () => ozPermit(1n, 1_000n), /1970/],
  ["DAI's permit, nonce too high", "nonce too high at nonce", () => dai(5n, 0n), /nonce 5; the owner's next is 1/],
  ["DAI's permit, expired", "expired at expiry", () => dai(1n, now - 10n)],
  [
    "DAI's permit, wrong name",
    "domain.name",
    () => dai(1n, 0n, { name: "PMT" }),
    /"PMT"; the token's is "Permit Coin"/,
  ],
  ["DAI's permit, other switch", "allowed", () => dai(1n, 0n, {}, false)],
];
