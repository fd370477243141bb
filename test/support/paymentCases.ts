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

export interface Failure {
  readonly call: () => Promise<Call>;
  readonly code: string;
  readonly field: string;
  readonly says: RegExp;
}
/** Calls that fail, and why. */
export const failures: Readonly<Record<string, Failure>> = {
  "wrong domain name: the symbol": {
    call: () => transfer({}, { over: { name: "USDC" } }),
    code: "domain.name",
    field: "domain.name",
    says: /^Signed for the domain name "USDC"; the token's is "USD Coin"\.$/,
  },
  "wrong domain name of another chain": {
    call: () => transfer({}, { over: { name: "USD Coin (PoS)" } }),
    code: "domain.name",
    field: "domain.name",
    says: /"USD Coin \(PoS\)"; the token's is "USD Coin"/,
  },
  "wrong domain version": {
    call: () => transfer({}, { over: { version: "1" } }),
    code: "domain.version",
    field: "domain.version",
    says: /^Signed for version "1"; the token's is "2"\.$/,
  },
  "no domain version": {
    call: async () => {
      const all = fine();
      const { version: _version, ...rest } = domain();
      const signature = await sign("alice", rest, "TransferWithAuthorization", { ...all });
      return cellOf("transfer", [...values(all), ...parts(signature)]);
    },
    code: "domain.version",
    field: "domain.version",
    says: /^Signed without a domain version; the token's is "2"\.$/,
  },
  "wrong chain: the main network": {
    call: () => transfer({}, { over: { chainId: 1 } }),
    code: "domain.chainId",
    field: "domain.chainId",
    says: /^Signed for chain id 1 \(Ethereum\); the token's is \d+/,
  },
  "wrong chain: a test network": {
    call: () => transfer({}, { over: { chainId: 84532 } }),
    code: "domain.chainId",
    field: "domain.chainId",
    says: /chain id 84532 \(Base Sepolia\)/,
  },
  "wrong verifying contract: the payee": {
    call: () => transfer({}, { over: { verifyingContract: bob.address } }),
    code: "domain.verifyingContract",
    field: "domain.verifyingContract",
    says: /verifying contract bob; the token's is usdc/,
  },
  "wrong verifying contract: another token of the notebook": {
    call: () => transfer({}, { over: { verifyingContract: other } }),
    code: "domain.verifyingContract",
    field: "domain.verifyingContract",
    says: /verifying contract other; the token's is usdc/,
  },
  "nonce used": {
    call: async () => cellOf("transfer", usedBefore),
    code: "nonce used",
    field: "nonce",
    says: /^The authorization with this `nonce` was used\.$/,
  },
  "nonce cancelled": {
    call: () => transfer({ nonce: cancelled }),
    code: "nonce cancelled",
    field: "nonce",
    says: /was cancelled/,
  },
  "cancelled twice": { call: () => cancel(cancelled), code: "nonce cancelled", field: "nonce", says: /was cancelled/ },
  "not yet valid": {
    call: () => transfer({ validAfter: now + 7200n }),
    code: "not yet valid",
    field: "validAfter",
    says: /^Valid only after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, .*(?:h|min) after the block's time \(\d{4}-/,
  },
  "not yet valid, in milliseconds": {
    call: () => transfer({ validAfter: now * 1000n, validBefore: now * 2000n }),
    code: "not yet valid",
    field: "validAfter",
    says: /more than 1,000 years/,
  },
  expired: {
    call: () => transfer({ validBefore: now - 3600n }),
    code: "expired",
    field: "validBefore",
    says: /^Expired: valid until .* UTC, .* before the block's time/,
  },
  "expired, a duration": {
    call: () => transfer({ validBefore: 600n }),
    code: "expired",
    field: "validBefore",
    says: /1970/,
  },
  "contract signer that refuses": {
    call: () => asBytes({ from: wallet }, (signature) => signature, "carol"),
    code: "contract signer",
    field: "signature",
    says: /^wallet is a contract, and its `isValidSignature` \(ERC-1271\) does not accept the signature\.$/,
  },
  "contract signer, wrong domain name": {
    call: () => asBytes({ from: wallet }, (signature) => signature, "frank", { name: "USDC" }),
    code: "domain.name",
    field: "domain.name",
    says: /"USDC"; the token's is "USD Coin"/,
  },
  "contract signer without ERC-1271": {
    call: async () => asBytes({ from: other }, (signature) => signature, "alice"),
    code: "contract signer",
    field: "signature",
    says: /does not answer/,
  },
  "delegated signer": {
    call: () => transfer({ from: erin.address }, { who: "erin" }),
    code: "delegated signer",
    field: "from",
    says: /^erin is delegated to wallet \(EIP-7702\), and the `isValidSignature` of that code does not accept/,
  },
  "undeployed wallet": {
    call: () => asBytes({ from: undeployed }, (one) => wrapped(factory, deployment(frank.address), one), "frank"),
    code: "undeployed signer",
    field: "signature",
    says: /not deployed yet \(ERC-6492\).* Its factory is factory\.$/,
  },
  "wrapped for a wallet that is deployed": {
    call: () => asBytes({ from: wallet }, (one) => wrapped(factory, deployment(frank.address), one), "frank"),
    code: "deployed signer",
    field: "signature",
    says: /but wallet is deployed/,
  },
  "short balance": {
    call: () => transfer({ value: 12_500_000n }),
    code: "balance",
    field: "value",
    says: /^alice has 10 USDC; `value` is 12\.5 USDC: 2\.5 USDC short\.$/,
  },
  "no balance": {
    call: () => transfer({ from: carol.address, value: 1n }, { who: "carol" }),
    code: "balance",
    field: "value",
    says: /^carol has 0 USDC; `value` is 0\.000001 USDC/,
  },
  "swapped r and s": {
    call: () => tampered((one) => [parts(one)[0], parts(one)[2], parts(one)[1]]),
    code: "swapped r and s",
    field: "r, s",
    says: /swapped/,
  },
  "wrong v": {
    call: () => tampered((one) => [55 - parts(one)[0], parts(one)[1], parts(one)[2]]),
    code: "flipped v",
    field: "v",
    says: /parity/,
  },
  "v 0 or 1": {
    call: () => tampered((one) => [parts(one)[0] - 27, parts(one)[1], parts(one)[2]]),
    code: "low v",
    field: "v",
    says: /expect 27 or 28/,
  },
  "v of EIP-155": {
    call: () => tampered((one) => [parts(one)[0] + 10, parts(one)[1], parts(one)[2]]),
    code: "other v",
    field: "v",
    says: /neither 27 nor 28/,
  },
  "high s": { call: () => tampered(malleated), code: "high s", field: "s", says: /upper half/ },
  "v first": {
    call: () => asBytes({}, (one) => `0x${one.slice(-2)}${one.slice(2, -2)}`),
    code: "v first",
    field: "signature",
    says: /begins with `v`/,
  },
  "compact signature": {
    call: () => asBytes({}, (one) => compact(one)),
    code: "compact signature",
    field: "signature",
    says: /64 bytes \(EIP-2098\)/,
  },
  "wrong length": {
    call: () => asBytes({}, (one) => `${one}00`),
    code: "signature length",
    field: "signature",
    says: /not 65 bytes long\. It has 66\./,
  },
  "empty signature": { call: () => asBytes({}, () => "0x"), code: "no signature", field: "signature", says: /empty/ },
  "zero signature": {
    call: () => tampered(() => [0, pad("0x"), pad("0x")]),
    code: "zero signature",
    field: "v, r, s",
    says: /zeros/,
  },
  "r of zero": {
    call: () => tampered((one) => [parts(one)[0], pad("0x"), parts(one)[2]]),
    code: "signature range",
    field: "r, s",
    says: /`r` or `s` is zero/,
  },
  "wrong value: another unit": {
    call: () => transfer({ value: 3n }, { message: { value: 3_000_000n } }),
    code: "value",
    field: "value",
    says: /^Signed with `value` 3,000,000; the call has 3\.$/,
  },
  "wrong value": {
    call: () => transfer({ value: 3n }, { message: { value: 77n } }),
    code: "signature",
    field: "v, r, s",
    says: /^Not signed by alice for these values/,
  },
  "wrong payee": {
    call: () => transfer({}, { message: { to: carol.address } }),
    code: "to",
    field: "to",
    says: /^Signed with `to` carol; the call has bob\.$/,
  },
  "wrong time": {
    call: () => transfer({}, { message: { validBefore: 2n ** 256n - 1n } }),
    code: "validBefore",
    field: "validBefore",
    says: /Signed with `validBefore` unlimited; the call has 4000000000 \(2096-/,
  },
  "another signer": {
    call: () => transfer({}, { who: "carol" }),
    code: "other signer",
    field: "from",
    says: /^Signed by carol; `from` is alice\.$/,
  },
  "signed by the payee": {
    call: () => transfer({}, { who: "bob" }),
    code: "other signer",
    field: "from",
    says: /^Signed by bob, which is `to`; `from` is alice\.$/,
  },
  "signed as the other function": {
    call: () => transfer({}, { type: "ReceiveWithAuthorization" }),
    code: "primaryType",
    field: "primaryType",
    says: /Signed as `ReceiveWithAuthorization`; the call needs `TransferWithAuthorization`/,
  },
  "signed as a message": {
    call: async () => {
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
    code: "personal sign",
    field: "v, r, s",
    says: /personal_sign/,
  },
  "caller is not the payee": {
    call: () => receive(dave.address),
    code: "caller",
    field: "the call's `from`",
    says: /^The caller is dave; only the payee bob may call/,
  },
  "no caller": {
    call: () => receive(undefined),
    code: "caller",
    field: "the call's `from`",
    says: /zero address, since the call has no `from`/,
  },
  "zero payee": {
    call: () => transfer({ to: "0x0000000000000000000000000000000000000000" }),
    code: "zero payee",
    field: "to",
    says: /zero address/,
  },
  "paused token": {
    call: () => transfer({}, { over: { verifyingContract: pausedToken } }, { to: pausedToken }),
    code: "paused",
    field: "the call's `to`",
    says: /paused/,
  },
  "blocked payee": {
    call: () => transfer({ to: frank.address }),
    code: "blocked",
    field: "to",
    says: /has blocked `to`, frank/,
  },
  "cancel, wrong domain": {
    call: () => cancel(freshNonce(), { name: "USDC" }),
    code: "domain.name",
    field: "domain.name",
    says: /"USDC"/,
  },
  "permit, wrong domain name": {
    call: () => permit({ over: { name: "USDC" } }),
    code: "domain.name",
    field: "domain.name",
    says: /"USDC"; the token's is "USD Coin"/,
  },
  "permit, name and version": {
    call: () => permit({ over: { name: "USDC", version: "1" } }),
    code: "domain.name",
    field: "domain.name",
    says: /"USDC"/,
  },
  "permit, nonce too high": {
    call: () => permit({ nonce: 1n }),
    code: "nonce too high",
    field: "nonce",
    says: /^Signed with nonce 1; the owner's next is 0, so the nonce is too high\.$/,
  },
  "permit, expired": {
    call: () => permit({ deadline: now - 60n }),
    code: "expired",
    field: "deadline",
    says: /^Expired/,
  },
  "permit, other spender": {
    call: () => permit({ spender: carol.address }),
    code: "spender",
    field: "spender",
    says: /Signed with `spender` carol; the call has bob/,
  },
  "permit by the spender": {
    call: () => permit({ who: "bob" }),
    code: "other signer",
    field: "owner",
    says: /Signed by bob, which is `spender`; `owner` is alice/,
  },
  "permit of EIP-5267, wrong version": {
    call: () => ozPermit(1n, forever, { version: "1" }),
    code: "domain.version",
    field: "domain.version",
    says: /version "1"; the token's is "3"/,
  },
  "permit of EIP-5267, nonce too low": {
    call: () => ozPermit(0n, forever),
    code: "nonce too low",
    field: "nonce",
    says: /Signed with nonce 0; the owner's next is 1/,
  },
  "permit of EIP-5267, expired": { call: () => ozPermit(1n, 1_000n), code: "expired", field: "deadline", says: /1970/ },
  "DAI's permit, nonce too high": {
    call: () => dai(5n, 0n),
    code: "nonce too high",
    field: "nonce",
    says: /nonce 5; the owner's next is 1/,
  },
  "DAI's permit, expired": { call: () => dai(1n, now - 10n), code: "expired", field: "expiry", says: /^Expired/ },
  "DAI's permit, wrong name": {
    call: () => dai(1n, 0n, { name: "PMT" }),
    code: "domain.name",
    field: "domain.name",
    says: /"PMT"; the token's is "Permit Coin"/,
  },
  "DAI's permit, other switch": {
    call: () => dai(1n, 0n, {}, false),
    code: "allowed",
    field: "allowed",
    says: /Signed with `allowed` false; the call has true/,
  },
};
