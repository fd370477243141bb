import { checksummed } from "../abi/address.ts";
import { readCode } from "../abi/code.ts";
import type { SigningDomain } from "../abi/paymentCall.ts";
import type { SignedChange } from "../abi/paymentSearch.ts";
import type { SignatureFault } from "../abi/paymentSignature.ts";
import type { Explanation } from "../base/error.ts";
import { isAddress, toQuantity } from "../base/hex.ts";
import { formatTime, grouped } from "../base/units.ts";
import { chain } from "../catalog/catalog.ts";
import { causeAt, type ExplainedPayment, type PaymentCause, permitNonceCause } from "./explainedPayment.ts";
import { addressShown, briefText, quoted } from "./shown.ts";
import type { ViewContext } from "./view.ts";

/** Returns what is wrong with the signature of a payment: its form, what it was signed for, or its signer. */
export function signatureCauses(explained: ExplainedPayment, context: ViewContext): readonly PaymentCause[] {
  const code = readCode(explained.facts.code);
  switch (code?.kind) {
    case "proxy":
    case "contract":
      return contractCauses(explained, context);
    case "delegation":
      return delegatedCauses(explained, code.to, context);
    default:
      return accountCauses(explained, context);
  }
}

/** Causes for an account with a key. */
function accountCauses(explained: ExplainedPayment, context: ViewContext): readonly PaymentCause[] {
  const { signature, searched, own } = explained;
  const [formFault] = signature.faults;
  if (signature.readings.length === 0 || formFault === "undeployed")
    return signature.faults.slice(0, 1).map((fault) => faultCause(fault, explained, context));
  const { match } = searched;
  if (!match) return own ? [mismatchCause(explained, context)] : [];
  return [
    ...match.faults.map((fault) => faultCause(fault, explained, context)),
    ...match.changes.map((change) => changeCause(change, explained, context)),
  ];
}

/** A cause whose field is the signature. */
function ofSignature(explained: ExplainedPayment, code: string, what: string, todo: string): PaymentCause {
  const args = signatureArgs(explained);
  return { topic: "signature", code, what, todo, field: args.join(", "), args };
}

function signatureArgs({ facts }: ExplainedPayment): readonly string[] {
  return facts.payment.isBytes ? ["signature"] : ["v", "r", "s"];
}

/** Causes for a contract, which decides itself what its signature is (ERC-1271). */
function contractCauses(explained: ExplainedPayment, context: ViewContext): readonly PaymentCause[] {
  const { facts, acceptance, signature } = explained;
  const { payment } = facts;
  const signer = briefText(addressShown(payment.signer, context.labels));
  if (signature.faults[0] === "undeployed") {
    const what = `The signature is wrapped for a wallet that is not deployed (ERC-6492), but ${signer} is deployed.`;
    return [ofSignature(explained, "deployed signer", what, "Send the signature inside the wrapping.")];
  }
  if (acceptance?.isAccepted) {
    const what = `${signer} is a contract and accepts the signature (ERC-1271), but a token may read \`v\`, \`r\`, \`s\` as an account's.`;
    const todo = "Call the function that takes the signature as bytes.";
    return payment.isBytes ? [] : [{ ...ofSignature(explained, "contract signer", what, todo), isUnsure: true }];
  }
  if (acceptance?.changes) return acceptance.changes.map((change) => changeCause(change, explained, context));
  const what = `${signer} is a contract, and its \`isValidSignature\` (ERC-1271) ${answerText(explained)}.`;
  const todo = "Sign as the contract's owner does, or pay from an account with a key.";
  return [ofSignature(explained, "contract signer", what, todo)];
}

function answerText({ acceptance }: ExplainedPayment): string {
  return acceptance?.isAccepted === false ? "does not accept the signature" : "does not answer";
}

/** Causes for an account that runs a contract's code (EIP-7702): some tokens ask that code, others read its key. */
function delegatedCauses(explained: ExplainedPayment, to: string, context: ViewContext): readonly PaymentCause[] {
  const { acceptance, searched, facts } = explained;
  const ofKey = accountCauses(explained, context);
  if (acceptance?.isAccepted) return [];
  if (ofKey.length > 0 && searched.match) return ofKey;
  const [signer, code] = [facts.payment.signer, to].map((one) => briefText(addressShown(one, context.labels)));
  const what = `${signer} is delegated to ${code} (EIP-7702), and the \`isValidSignature\` of that code ${answerText(explained)}.`;
  const todo = "Delegate to code that accepts the account's signature, or end the delegation.";
  const args = facts.payment.args.slice(0, 1);
  const delegated = causeAt(args[0] ?? "from", "signature", "delegated signer", what, todo);
  return [{ ...delegated, args, isUnsure: true }, ...ofKey];
}

/** Signed by another account, or for other values. */
function mismatchCause(explained: ExplainedPayment, { labels }: ViewContext): PaymentCause {
  const { facts, searched } = explained;
  const { payment, caller } = facts;
  const arg = payment.args[0] ?? "from";
  const by = searched.recovered;
  const shown = (account: string): string => briefText(addressShown(account, labels));
  const payer = shown(payment.signer);
  const role = Object.entries(payment.words).find(
    ([name, value]) => name !== arg && (name === "to" || name === "spender") && `0x${value.slice(-40)}` === by,
  )?.[0];
  const known = by !== undefined && (role !== undefined || by === caller || labels.has(by));
  if (known && by !== undefined)
    return {
      ...causeAt(
        arg,
        "signature",
        "other signer",
        `Signed by ${shown(by)}${role === undefined ? "" : `, which is \`${role}\``}; \`${arg}\` is ${payer}.`,
        `Sign as \`${arg}\`, or change it.`,
      ),
      fix: { label: `Use the Signer as ${arg}`, json: JSON.stringify(by) },
    };
  const signed = payment.args.filter((name) => name in payment.words && name !== arg);
  const values = [...signed, ...(payment.kind === "permit" ? ["nonce"] : [])].map((name) => `\`${name}\``).join(", ");
  const what = `Not signed by ${payer} for these values, under any domain that was tried.`;
  const todo = `Compare what was signed with the arguments: ${values}, and the account that signed.`;
  return ofSignature(explained, "signature", what, todo);
}

const faultTexts: Readonly<Record<SignatureFault, readonly [code: string, what: string, todo: string]>> = {
  empty: ["no signature", "The signature is empty.", "Send the signature of 65 bytes."],
  zero: ["zero signature", "The signature is all zeros.", "Send the signature that the account made."],
  length: ["signature length", "The signature is not 65 bytes long.", "Send `r`, `s` and `v` as 32, 32 and 1 bytes."],
  compact: [
    "compact signature",
    "The signature is in the compact form of 64 bytes (EIP-2098), which tokens rarely take.",
    "Send it as 65 bytes: `r`, `s`, `v`.",
  ],
  undeployed: [
    "undeployed signer",
    "The signature is for a wallet that is not deployed yet (ERC-6492), which the token does not read.",
    "Deploy the wallet first, then send the signature inside the wrapping.",
  ],
  range: [
    "signature range",
    "`r` or `s` is zero, or too large for a signature.",
    "Send the signature that the account made.",
  ],
  "low v": ["low v", "`v` is 0 or 1; tokens expect 27 or 28.", "Add 27 to `v`."],
  "other v": ["other v", "`v` is neither 27 nor 28.", "Use 27 or 28."],
  "high s": [
    "high s",
    "`s` is in the upper half, which tokens refuse (EIP-2).",
    "Sign with a library that makes a low `s`.",
  ],
  "swapped r and s": ["swapped r and s", "`r` and `s` are swapped.", "Swap them."],
  "flipped v": ["flipped v", "`v` has the wrong parity.", "Use 28 instead of 27, or 27 instead of 28."],
  "v first": ["v first", "The signature begins with `v`; tokens expect it at the end.", "Send `r`, `s`, `v`."],
};

const faultArgs: Partial<Readonly<Record<SignatureFault, readonly string[]>>> = {
  "low v": ["v"],
  "other v": ["v"],
  "flipped v": ["v"],
  "high s": ["s"],
  "swapped r and s": ["r", "s"],
  range: ["r", "s"],
};

function faultCause(fault: SignatureFault, explained: ExplainedPayment, { labels }: ViewContext): PaymentCause {
  const { facts, signature, searched } = explained;
  const [code, what, todo] = faultTexts[fault];
  const { isBytes } = facts.payment;
  const args = isBytes ? ["signature"] : (faultArgs[fault] ?? ["v", "r", "s"]);
  const isOfV = fault === "low v" || fault === "other v" || fault === "flipped v";
  const v = isOfV && !isBytes && searched.match ? rightV(explained) : undefined;
  const factory =
    signature.factory === undefined ? "" : ` Its factory is ${briefText(addressShown(signature.factory, labels))}.`;
  const length = fault === "length" ? ` It has ${grouped((facts.payment.signature.length - 2) / 2)}.` : "";
  return {
    topic: "signature",
    code,
    what: `${what}${length}${fault === "undeployed" ? factory : ""}`,
    todo: v === undefined ? todo : `Use ${v}.`,
    field: isBytes ? "signature" : args.join(", "),
    args,
    ...(v !== undefined && { fix: { label: `Use ${v}`, json: String(v) } }),
  };
}

/** The `v` with which the signature is by its signer. */
function rightV({ signature, searched }: ExplainedPayment): number | undefined {
  const [plain] = signature.readings;
  if (!plain || !searched.match) return undefined;
  const isFlipped = searched.match.faults.includes("flipped v");
  return 27 + (isFlipped ? 1 - plain.yParity : plain.yParity);
}

const times: ReadonlySet<string> = new Set(["validAfter", "validBefore", "deadline", "expiry"]);
const accounts: ReadonlySet<string> = new Set(["to", "spender", "from", "owner", "holder", "authorizer"]);

/** A part of what was signed that is not what the token expects. */
function changeCause(change: SignedChange, explained: ExplainedPayment, { labels }: ViewContext): PaymentCause {
  const of = (code: string, what: string, todo: string, field?: string): PaymentCause => {
    const cause = ofSignature(explained, code, what, todo);
    return field === undefined ? cause : { ...cause, field };
  };
  switch (change.part) {
    case "personal": {
      const what = "Signed by `personal_sign` (EIP-191), not as typed data.";
      return of("personal sign", what, "Sign with `eth_signTypedData_v4`.");
    }
    case "type": {
      const what = `Signed as \`${change.signed}\`; the call needs \`${change.expected}\`.`;
      const todo = `Sign again with \`primaryType\` \`${change.expected}\`, or call the other function.`;
      return of("primaryType", what, todo, "primaryType");
    }
    case "unknown domain": {
      const what = `Signed for ${domainText(change.signed)}; the token's \`DOMAIN_SEPARATOR\` is for another domain.`;
      return of("domain", what, "Ask the token's authors for its domain.", "domain");
    }
    case "domain": {
      const { what, todo } = domainWords(change, explained, labels);
      return of(`domain.${change.member}`, what, todo, `domain.${change.member}`);
    }
    case "argument": {
      const { name, signed, expected } = change;
      const { kind } = explained.facts.payment;
      if (name === "nonce" && (kind === "permit" || kind === "dai-permit"))
        return permitNonceCause(
          signed,
          expected,
          explained.facts.payment.words.nonce ? ["nonce"] : signatureArgs(explained),
        );
      const text = (value: bigint): string => argumentText(name, value, labels);
      const what = `Signed with \`${name}\` ${text(signed)}; the call has ${text(expected)}.`;
      const json = JSON.stringify(
        accounts.has(name) ? addressText(signed) : name === "allowed" ? signed === 1n : String(signed),
      );
      const fix = { label: `Use the Signed ${name}`, json };
      return { ...causeAt(name, "signature", name, what, `Use the signed \`${name}\`, or sign again.`), fix };
    }
  }
}

function argumentText(name: string, value: bigint, labels: ViewContext["labels"]): string {
  if (accounts.has(name)) return addressShown(addressText(value), labels).text;
  if (name === "allowed") return String(value === 1n);
  if (times.has(name) && value > 0n && value < 10_000_000_000n) return `${value} (${formatTime(value)})`;
  return value === 2n ** 256n - 1n ? "unlimited" : grouped(value);
}

function addressText(value: bigint): string {
  return `0x${toQuantity(value).slice(2).padStart(40, "0")}`;
}

const memberNames: Readonly<Record<keyof SigningDomain, string>> = {
  name: "name",
  version: "version",
  chainId: "chain id",
  verifyingContract: "verifying contract",
  salt: "salt",
};

function domainWords(
  { member, signed, expected }: Extract<SignedChange, { readonly part: "domain" }>,
  { facts }: ExplainedPayment,
  labels: ViewContext["labels"],
): Explanation {
  const text = (value: string | bigint | undefined): string => memberText(member, value, labels);
  const noun = memberNames[member];
  const behind =
    member === "verifyingContract" && signed === facts.tokenFacts.implementation ? ", the code behind the token" : "";
  const article = member === "name" ? "the domain " : member === "verifyingContract" ? "the " : "";
  const given = signed === undefined ? `without a domain ${noun}` : `for ${article}${noun} ${text(signed)}${behind}`;
  const needed = expected === undefined ? `the token's domain has none` : `the token's is ${text(expected)}`;
  const todo =
    expected === undefined
      ? `without \`domain.${member}\``
      : `with \`domain.${member}\` ${valueText(member, expected, text(expected))}`;
  return { what: `Signed ${given}; ${needed}.`, todo: `Sign again ${todo}.` };
}

/** A value as it is to be signed: an address beside its label. */
function valueText(member: keyof SigningDomain, value: string | bigint, shown: string): string {
  if (member !== "verifyingContract" || !isAddress(value)) return shown;
  const address = checksummed(value);
  return shown === address ? address : `${address} (${shown})`;
}

function memberText(
  member: keyof SigningDomain,
  value: string | bigint | undefined,
  labels: ViewContext["labels"],
): string {
  if (typeof value === "bigint") {
    const named = chain(value)?.name;
    return named === undefined ? String(value) : `${value} (${named})`;
  }
  if (value === undefined) return "none";
  return member === "verifyingContract" ? addressShown(value, labels).text : quoted(value, 60);
}

function domainText({ name, version, chainId, verifyingContract }: SigningDomain): string {
  return [
    ...(name === undefined ? [] : [`name ${quoted(name, 60)}`]),
    ...(version === undefined ? [] : [`version ${quoted(version, 60)}`]),
    ...(chainId === undefined ? [] : [`chain id ${chainId}`]),
    ...(verifyingContract === undefined ? [] : [`verifying contract ${verifyingContract}`]),
  ].join(", ");
}
