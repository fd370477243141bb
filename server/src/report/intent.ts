import { checksummed } from "../abi/address.ts";
import type { InWords } from "../abi/clearSigning.ts";
import { signedTransaction } from "../abi/transaction.ts";
import { type PlainTypedData, typedDataOf } from "../abi/typedData.ts";
import { byteLength, isAddress, isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, parseJson, printJson } from "../base/json.ts";
import { brief, plural, unicodeEscape } from "../base/text.ts";
import { formatWei } from "../base/units.ts";
import { callShown } from "./call.ts";
import { addressShown, bytesShown, type Labels } from "./shown.ts";
import { symbolText } from "./tokens.ts";
import type { Names } from "./view.ts";
import { wordsOrigin, wordsText } from "./words.ts";

/** The effect of a request that may change something, for a question to a person. */
export interface Intent {
  /** Begins with a verb: "Send 1 ether from alice to bob". On one line, cut, without hidden characters. */
  readonly what: string;
  /** The addresses behind the names in it, "alice is 0x…", the decimals of its amounts, and what a descriptor says. */
  readonly names: readonly string[];
}

interface Given extends Names {
  /** Returns what a descriptor says of a transaction, or of data that an account signs. */
  inWords?(signed: Signed, labels: Labels): Promise<InWords | undefined>;
}

export type Signed = { readonly transaction: JsonObject } | PlainTypedData;

interface Naming extends Given {
  /** Sentences about the names in an effect, by what is named. */
  readonly named: Map<string, string>;
}

/** Characters of an effect. Its end may be missing: arguments can be long. */
const maxIntent = 300;

/**
 * Describes a request before it is sent. A request that nodes may read in another way than these words say is shown as
 * it is.
 *
 * @param method - As it is sent: it may be any text.
 */
export async function intentOf(method: string, params: JsonValue | undefined, given: Given): Promise<Intent> {
  const named = new Map<string, string>();
  const naming = { ...given, labels: plainNames(given.labels), named };
  const who = (address: JsonValue | undefined): string => {
    if (!isAddress(address)) return "an account of the node";
    const shown = addressShown(address, naming.labels);
    if (shown.raw !== undefined) named.set(address.toLowerCase(), `${shown.text} is ${checksummed(address)}`);
    return shown.text;
  };
  const what =
    (await describe(method, isArray(params) ? params : [], who, naming)) ??
    `Run ${methodShown(method)}${isEmpty(params) ? "" : ` with ${shortJson(params)}`}`;
  const signed = typedDataOf(method, params) ?? (await signedTransactionOf(method, isArray(params) ? params : []));
  const words = signed && (await given.inWords?.(signed, naming.labels));
  const described = words ? [`A descriptor says "${unquoted(wordsText(words))}" (${wordsOrigin(words)})`] : [];
  return { what: brief(what, maxIntent), names: [...named.values(), ...described] };
}

/** Cut, and without a mark that would end a quotation. */
function unquoted(text: string): string {
  return brief(text, 200).replace(/["\u201c-\u201f\u00ab\u00bb\uff02]/g, "'");
}

async function signedTransactionOf(method: string, [first]: readonly JsonValue[]): Promise<Signed | undefined> {
  const isRaw = method === "eth_sendRawTransaction" || method === "eth_sendRawTransactionSync";
  const isPlain = method === "eth_sendTransaction" || method === "eth_signTransaction";
  const transaction = isRaw ? await signedTransaction(first) : isPlain && isUnambiguous(first) ? first : undefined;
  return transaction && { transaction };
}

function isEmpty(params: JsonValue | undefined): params is undefined | readonly [] {
  return params === undefined || (isArray(params) && params.length === 0);
}

type Who = (address: JsonValue | undefined) => string;

/** @returns `undefined` for a request that is not exactly as its method wants it. */
async function describe(
  method: string,
  params: readonly JsonValue[],
  who: Who,
  naming: Naming,
): Promise<string | undefined> {
  const [first, second] = params;
  switch (method) {
    case "eth_sendTransaction":
      return isUnambiguous(first) && params.length === 1 ? transactionIntent(first, who, naming) : undefined;
    case "eth_signTransaction": {
      const signs = isUnambiguous(first) && params.length === 1;
      return signs ? `Sign without sending: ${transactionIntent(first, who, naming)}` : undefined;
    }
    case "eth_sendRawTransaction":
    case "eth_sendRawTransactionSync": {
      const transaction = await signedTransaction(first, true);
      if (transaction) return transactionIntent(transaction, who, naming);
      return isHex(first)
        ? `Send ${plural(byteLength(first), "byte")} that cannot be read as a transaction`
        : undefined;
    }
    case "eth_sign":
      return isAddress(first) ? `Sign ${textOf(second)} with the key of ${who(first)}` : undefined;
    case "personal_sign":
      return isAddress(second) ? `Sign ${textOf(first)} with the key of ${who(second)}` : undefined;
    case "eth_signTypedData_v4":
      return isAddress(first) ? `Sign typed data with the key of ${who(first)}: ${typedDataShown(second)}` : undefined;
  }
  return undefined;
}

const isNumber = (value: JsonValue): boolean => quantity(value) !== undefined;

/** The members of a transaction, and the values that all nodes read alike. */
const members: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  from: isAddress,
  to: isAddress,
  value: isNumber,
  data: isHex,
  input: isHex,
  gas: isNumber,
  gasPrice: isNumber,
  maxFeePerGas: isNumber,
  maxPriorityFeePerGas: isNumber,
  nonce: isNumber,
  chainId: isNumber,
  type: isNumber,
  accessList: isArray,
  authorizationList: isArray,
};

/**
 * Whether all nodes read a transaction alike. Some take `Value` for `value`, `0X` for `0x`, or digits without either, and
 * they differ in which of `data` and `input` they use.
 */
function isUnambiguous(transaction: JsonValue | undefined): transaction is JsonObject {
  if (!isObject(transaction)) return false;
  const { data, input } = transaction;
  const isSame = !isHex(data) || !isHex(input) || data.toLowerCase() === input.toLowerCase();
  const isRead = ([name, value]: readonly [string, JsonValue]): boolean =>
    Object.hasOwn(members, name) && (value === null || members[name]?.(value) === true);
  return isSame && Object.entries(transaction).every(isRead);
}

function transactionIntent(transaction: JsonObject, who: Who, naming: Naming): string {
  const { from, to, value, authorizationList } = transaction;
  const data = transaction.input ?? transaction.data;
  const wei = quantity(value) ?? 0n;
  const sender = who(from);
  const delegates = isArray(authorizationList) ? authorizationList.map((one) => delegateOf(one, who)) : [];
  const delegation = delegates.length === 0 ? "" : `, and delegate ${delegates.join(", ")}`;
  const fee = feeOf(transaction);
  const paid = `${wei === 0n ? "" : `, with ${formatWei(wei)}`}${fee}`;
  if (!isAddress(to)) return `Deploy a contract from ${sender}${paid}${delegation}`;
  if (!isHex(data) || data === "0x") {
    const sent = wei === 0n ? "an empty transaction" : formatWei(wei);
    return `Send ${sent} from ${sender} to ${who(to)}${fee}${delegation}`;
  }
  const call = callShown(data, { ...naming, params: null, returns: undefined }, to);
  const token = naming.tokens.get(to.toLowerCase());
  if (token) {
    const decimals = `${symbolText(token.symbol)} has ${plural(token.decimals, "decimal")}, as ${token.source} says`;
    naming.named.set(`token ${to}`, decimals);
  }
  // the target comes before the arguments, which may be cut
  return `Call ${who(to)} from ${sender}${paid}${delegation}: ${call.text}`;
}

/**
 * The fee for gas and blobs that a transaction names: all of it if it has a limit of gas, else what a unit of gas costs.
 * A chain on top of another one may take more, for its data.
 */
function feeOf({ gas, gasPrice, maxFeePerGas, maxFeePerBlobGas, blobVersionedHashes }: JsonObject): string {
  const price = quantity(gasPrice) ?? quantity(maxFeePerGas);
  if (price === undefined) return "";
  const limit = quantity(gas);
  if (limit === undefined) return `, at up to ${formatWei(price)} per gas`;
  const blobs = isArray(blobVersionedHashes) ? BigInt(blobVersionedHashes.length) : 0n;
  const blobFee = (quantity(maxFeePerBlobGas) ?? 0n) * blobs * gasOfBlob;
  const what = blobFee > 0n ? "gas and blobs" : "gas";
  return `, paying up to ${formatWei(price * limit + blobFee)} for ${what}`;
}

/** @see https://eips.ethereum.org/EIPS/eip-4844 */
const gasOfBlob = 131_072n;

/** Returns what is signed, as text if people can read it. */
function textOf(bytes: JsonValue = null): string {
  if (!isHex(bytes)) return shortJson(bytes);
  const { text, also = [] } = bytesShown(bytes);
  return also[0] ?? text;
}

/** Shows what typed data says before the types that it declares, which can be long. */
function typedDataShown(value: JsonValue | undefined): string {
  const data = typeof value === "string" ? parseJson(value) : value;
  if (!isObject(data)) return shortJson(value ?? null);
  const { primaryType = null, message = null, domain = null, ...more } = data;
  return shortJson({ primaryType, message, domain, ...more });
}

/** Characters of a string in a value. */
const maxString = 100;

/** JSON whose long strings lack their middle, so that none hides what follows. */
function shortJson(value: JsonValue): string {
  return printJson(value).replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.length <= maxString ? string : `${string.slice(0, 60)}…${string.slice(-20)}`,
  );
}

/** Returns the code that an account takes over. */
function delegateOf(authorization: JsonValue, who: Who): string {
  return `an account to ${who(isObject(authorization) ? authorization.address : undefined)}`;
}

/** Characters of a name. */
const maxName = 60;

/**
 * Returns the names that cannot be mistaken for another part of a sentence or for another account: those of several words
 * in quotes, and none that contains hex or that several addresses have.
 */
function plainNames(labels: Labels): Labels {
  const counts = new Map<string, number>();
  for (const label of labels.values()) counts.set(comparable(label), (counts.get(comparable(label)) ?? 0) + 1);
  const plain = new Map<string, string>();
  for (const [address, label] of labels) {
    if (/0x[\da-f]/i.test(label.normalize("NFKC")) || counts.get(comparable(label)) !== 1) continue;
    const name = unquoted(brief(label, maxName));
    plain.set(address, /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name) ? name : `"${name}"`);
  }
  return plain;
}

function comparable(label: string): string {
  return brief(label, maxName).normalize("NFKC").toLowerCase();
}

/** Quotes a name that does not look like a method or a value, in ASCII, so that it cannot imitate a sentence or another method. */
export function methodShown(name: string): string {
  if (/^[\w.:$/-]+$/.test(name)) return name;
  return JSON.stringify(name).replace(/[^ -~]/g, unicodeEscape);
}
