import { decodeParams } from "../abi/decode.ts";
import { parseItem } from "../abi/item.ts";
import {
  addressOf,
  type PaymentCall,
  type PaymentFacts,
  type SigningDomain,
  type TokenFacts,
} from "../abi/paymentCall.ts";
import { balanceCall, decimalsCall, nameCall, symbolCall, tokenDecimals, tokenSymbol } from "../abi/token.ts";
import { type Hex, isHex, toQuantity, toWord } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";
import { slots } from "../catalog/slots.ts";
import type { BlockQuestion } from "../rpc/head.ts";
import type { CallState, FailedPayment } from "./failedPayments.ts";

/** Answers to questions, in order; `null` for a call that failed, `undefined` for a question that was not answered. */
export type Answers = readonly (JsonValue | undefined)[];

/** Selectors of what tokens with payments by signature tell. */
const selectors = {
  version: "0x54fd4d50",
  eip712Domain: "0x84b0196e",
  separator: "0x3644e515",
  authorizationState: "0xe94a0102",
  nonces: "0x7ecebe00",
  paused: "0x5c975abb",
  isBlacklisted: "0xfe575a87",
  isValidSignature: "0x1626ba7e",
} as const;

/** Creation code that returns the chain id, the time and the number of the block: no contract is needed to read them. */
const environmentCode = "0x46600052426020524360405260606000f3";

const implementationSlot = slots.find(({ name }) => name === "eip1967.proxy.implementation")?.slot ?? "";

/** The calls that tell about a token and its payment, by name. */
function callsFor({ payment, token }: FailedPayment): Readonly<Record<string, JsonObject>> {
  const { words, signer } = payment;
  const asked = (data: string): JsonObject => ({ to: token, data });
  const blocked = accountsFor(payment).map(([name, address]) => [
    `blocked ${name}`,
    asked(`${selectors.isBlacklisted}${toWord(BigInt(address)).slice(2)}`),
  ]);
  const owner = toWord(BigInt(signer)).slice(2);
  const isPermit = payment.kind === "permit" || payment.kind === "dai-permit";
  return {
    name: asked(nameCall),
    symbol: asked(symbolCall),
    version: asked(selectors.version),
    decimals: asked(decimalsCall),
    domain: asked(selectors.eip712Domain),
    separator: asked(selectors.separator),
    paused: asked(selectors.paused),
    ...(isPermit
      ? { nonce: asked(`${selectors.nonces}${owner}`) }
      : { state: asked(`${selectors.authorizationState}${owner}${words.nonce?.slice(2)}`) }),
    ...(moves(payment) && { balance: asked(balanceCall(signer)) }),
    ...Object.fromEntries(blocked),
  };
}

function moves({ kind }: PaymentCall): boolean {
  return kind === "transfer" || kind === "receive";
}

function accountsFor(payment: PaymentCall): readonly (readonly [string, Hex])[] {
  return moves(payment)
    ? ["from", "to"].flatMap((name) => {
        const value = payment.words[name];
        return value === undefined ? [] : [[name, addressOf(value)] as const];
      })
    : [];
}

/** Returns all questions about a failed payment: those that are calls see the state of the failed one. */
export function questionsAbout(failed: FailedPayment): readonly BlockQuestion[] {
  const { state, payment, token } = failed;
  const block = blockOf(state);
  return [
    { method: "eth_getCode", params: [payment.signer, block] },
    { method: "eth_getStorageAt", params: [token, implementationSlot, block] },
    // nodes do not agree on creations in a simulation, whose time is in its answer
    { method: "eth_call", params: [{ data: environmentCode }, ...(state.kind === "call" ? state.rest : [block])] },
    ...askedAt(state, Object.values(callsFor(failed))),
    ...endOfBlock(failed),
  ];
}

/** Asks for the state of an authorization after the block of its transaction too: another of the block may have used it. */
function endOfBlock(failed: FailedPayment): readonly BlockQuestion[] {
  const { state } = callsFor(failed);
  return state === undefined || failed.block === undefined
    ? []
    : [{ method: "eth_call", params: [state, failed.block] }];
}

export function paymentFacts(failed: FailedPayment, answers: Answers): PaymentFacts {
  const { payment, token, caller, state } = failed;
  const [code, implementation, environment, ...rest] = answers;
  const names = Object.keys(callsFor(failed));
  const values = answersAt(state, rest);
  const of = (name: string): JsonValue | undefined => values[names.indexOf(name)];
  const [chainId, time, number] = isHex(environment) && environment.length === 194 ? wordsOf(environment) : [];
  const tokenFacts: TokenFacts = {
    name: tokenSymbol(of("name")),
    symbol: tokenSymbol(of("symbol")),
    version: tokenSymbol(of("version")),
    decimals: tokenDecimals(of("decimals")),
    domain: domainFrom(of("domain")),
    separator: wordHex(of("separator")),
    implementation: implementationFrom(implementation),
    isUsed: flag(of("state")),
    isUsedInBlock: endOfBlock(failed).length > 0 && flag(answers.at(-1)) === true,
    isSilent: [of("separator"), of(names.includes("state") ? "state" : "nonce")].every(
      (one) => one === null || one === "0x",
    ),
    nonce: wordValue(of("nonce")),
    balance: wordValue(of("balance")),
    isPaused: flag(of("paused")) === true,
    blocked: accountsFor(payment).flatMap(([name]) => (flag(of(`blocked ${name}`)) === true ? [name] : [])),
  };
  const own = overridden(state, payment.signer) ?? (isHex(code) ? code : undefined);
  return { payment, token, caller, time: failed.time ?? time, block: number, chainId, tokenFacts, code: own };
}

/** Returns the question whether a contract accepts a signature. @see https://eips.ethereum.org/EIPS/eip-1271 */
export function acceptanceCall({ payment, token }: FailedPayment, digest: Hex, signature: Hex): JsonObject {
  const length = (signature.length - 2) / 2;
  const padded = signature.slice(2).padEnd(Math.ceil(length / 32) * 64, "0");
  const data = `${selectors.isValidSignature}${digest.slice(2)}${toWord(64n).slice(2)}${toWord(BigInt(length)).slice(2)}${padded}`;
  return { from: token, to: payment.signer, data };
}

export function accepts(answer: JsonValue | undefined): boolean {
  return isHex(answer) && answer.length >= 66 && answer.slice(0, 10) === selectors.isValidSignature;
}

/** Events of an authorization that ended, with the first topic of each. */
const endings = {
  used: "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
  cancelled: "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81",
} as const;

/**
 * Returns the question how an authorization ended.
 *
 * @param range - Blocks that are searched.
 */
export function endingQuestion({ payment, token }: FailedPayment, block: bigint, range: bigint): BlockQuestion {
  const topics = [[endings.used, endings.cancelled], toWord(BigInt(payment.signer)), payment.words.nonce ?? null];
  const fromBlock = toQuantity(block > range ? block - range : 0n);
  return { method: "eth_getLogs", params: [{ address: token, topics, fromBlock, toBlock: "latest" }] };
}

export function endingFrom(answer: JsonValue | undefined): "used" | "cancelled" | undefined {
  const [log] = isArray(answer) ? answer : [];
  const [topic] = isObject(log) && isArray(log.topics) ? log.topics : [];
  return topic === endings.used ? "used" : topic === endings.cancelled ? "cancelled" : undefined;
}

/** Returns questions for calls that see the state of a failed one. */
export function askedAt(state: CallState, calls: readonly JsonObject[]): readonly BlockQuestion[] {
  if (calls.length === 0) return [];
  if (state.kind === "call") return calls.map((call) => ({ method: "eth_call", params: [call, ...state.rest] }));
  const entries = state.entries.map((entry, at) => {
    const own = isArray(entry.calls) ? entry.calls : [];
    return at < state.entries.length - 1 ? entry : { ...entry, calls: [...own, ...calls] };
  });
  return [{ method: "eth_simulateV1", params: [{ blockStateCalls: entries }, state.block] }];
}

/** Returns what the calls of {@link askedAt} returned. */
export function answersAt(state: CallState, answers: Answers): Answers {
  if (state.kind === "call") return answers;
  const [result] = answers;
  const block = isArray(result) ? result.at(-1) : undefined;
  const calls = isObject(block) && isArray(block.calls) ? block.calls : [];
  const own = state.entries.at(-1)?.calls;
  return calls
    .slice(isArray(own) ? own.length : 0)
    .map((call) => (isObject(call) && call.status === "0x1" ? call.returnData : null));
}

function blockOf(state: CallState): JsonValue {
  return state.kind === "call" ? (state.rest[0] ?? "latest") : state.block;
}

/** The code that the request's state overrides give an account. */
function overridden(state: CallState, account: Hex): Hex | undefined {
  const overrides = state.kind === "call" ? [state.rest[1]] : state.entries.map(({ stateOverrides }) => stateOverrides);
  for (const one of overrides.toReversed()) {
    if (!isObject(one)) continue;
    const key = Object.keys(one).find((address) => address.toLowerCase() === account);
    const given = key === undefined ? undefined : one[key];
    if (isObject(given) && isHex(given.code)) return given.code;
  }
  return undefined;
}

const domainOutputs = parseItem("f(bytes1,string,string,uint256,address,bytes32,uint256[])", "")?.inputs ?? [];

/** @see https://eips.ethereum.org/EIPS/eip-5267 */
function domainFrom(data: JsonValue | undefined): SigningDomain | undefined {
  if (!isHex(data) || data.length < 66 || data.length > 8192) return undefined;
  const [fields, name, version, chainId, contract, salt] = decodeParams(domainOutputs, data.toLowerCase(), 2).values;
  if (typeof fields !== "string" || !isHex(fields)) return undefined;
  const has = (bit: bigint): boolean => (BigInt(fields) & bit) !== 0n;
  return {
    ...(has(1n) && typeof name === "string" && { name }),
    ...(has(2n) && typeof version === "string" && { version }),
    ...(has(4n) && typeof chainId === "string" && { chainId: BigInt(chainId) }),
    ...(has(8n) && isHex(contract) && { verifyingContract: contract }),
    ...(has(16n) && isHex(salt) && { salt }),
  };
}

function wordHex(data: JsonValue | undefined): Hex | undefined {
  return isHex(data) && data.length === 66 ? (data.toLowerCase() as Hex) : undefined; // the letters are all that changes
}

function wordValue(data: JsonValue | undefined): bigint | undefined {
  const hex = wordHex(data);
  return hex === undefined ? undefined : BigInt(hex);
}

function flag(data: JsonValue | undefined): boolean | undefined {
  const value = wordValue(data);
  return value === undefined ? undefined : value === 1n;
}

function wordsOf(data: Hex): readonly bigint[] {
  return (data.slice(2).match(/.{64}/g) ?? []).map((one) => BigInt(`0x${one}`));
}

function implementationFrom(data: JsonValue | undefined): Hex | undefined {
  const hex = wordHex(data);
  return hex === undefined || /^0x0{24}0{40}$/.test(hex) || !/^0x0{24}/.test(hex) ? undefined : addressOf(hex);
}
