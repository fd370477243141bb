import type {
  DescriptorResolver,
  DisplayField,
  DisplayModel,
  ExternalDataProvider,
  FormatOptions,
  RegistryIndex,
} from "@ethereum-sourcify/clear-signing";
import { isAddress } from "../base/hex.ts";
import { formatUnits } from "../base/units.ts";
import { decodeParams, surplus, utf8Text } from "./decode.ts";
import type { Descriptors, FoundDescriptor } from "./descriptors.ts";
import { parseItem, selectorOf } from "./item.ts";
import { type Format, fieldSpecs, isDelegating, type MovedValue, movedValue } from "./movedValue.ts";
import type { PlainTypedData } from "./typedData.ts";

/** A call or typed data in the words of its descriptor. Untrusted text: a descriptor is what its author claims. */
export interface InWords {
  /** `Approve` */
  readonly intent: string;
  /** `Approve 100 USDC for Treasury`; absent if the descriptor has no such sentence, or one of its values is unknown. */
  readonly sentence?: string;
  /** The owner of the contract, as the descriptor names it. */
  readonly owner?: string;
  /** Who says so: `ERC-20, by RPC Notebook`, or a file or a registry, not verified. */
  readonly origin: string;
  readonly fields: readonly WordsField[];
}

export interface WordsField {
  readonly label: string;
  readonly value: string;
  /** The list or the item of a list that the field belongs to. */
  readonly group?: string;
  /** The token of an amount in its smallest unit, if the token is not known. */
  readonly unitOf?: string;
  /** A call in the field. */
  readonly call?: InWords;
}

/** A call that may have a descriptor. */
export interface DescribedCall {
  readonly chainId: bigint;
  readonly to: string;
  /** Hex of whole bytes, with a selector. */
  readonly data: string;
  /** Wei; without it, nothing is sent. */
  readonly value?: bigint;
  readonly from?: string;
}

/** What is known of addresses and chains. Nothing is asked. */
export interface KnownNames {
  /** @param chainId - The chain of the token, which need not be that of the call. */
  token(chainId: bigint, address: string): { readonly symbol: string; readonly decimals: number } | undefined;
  label(address: string): string | undefined;
  collection?(chainId: bigint, address: string): string | undefined;
  chain(chainId: bigint): { readonly name: string; readonly symbol: string } | undefined;
}

/** Bytes of a call. Longer ones are not put into words. */
const maxBytes = 100_000;
/** Calls inside calls. */
const maxDepth = 8;
/**
 * Bytes that the library may read for one call, calls inside it included. It reads a call once per field, so fields in fields
 * multiply.
 */
const maxWork = 2_000_000;
/** The fixed cost of a field, in the same bytes. */
const workOfField = 1_000;
/** Characters of a sentence: a longer one would be cut, and an amount with it. */
export const maxSentence = 300;

/**
 * Puts a call into words, by the descriptor of its contract.
 *
 * @returns `undefined` if no descriptor has that contract and function, or if the call does not fit it. Never rejects.
 */
export function callInWords(
  call: DescribedCall,
  descriptors: Descriptors,
  names: KnownNames,
): Promise<InWords | undefined> {
  return textual(new DescriptorReader(descriptors, names).call(call));
}

/** Like {@link callInWords}, for EIP-712 data. */
export function typedDataInWords(
  data: PlainTypedData,
  descriptors: Descriptors,
  names: KnownNames,
): Promise<InWords | undefined> {
  return textual(new DescriptorReader(descriptors, names).typedData(data));
}

/** The library takes a descriptor as it is: it fails for one of another form, or returns what is not text. */
async function textual(reading: Promise<InWords | undefined>): Promise<InWords | undefined> {
  const words = await reading.catch(() => undefined);
  return words && areTexts(words) ? words : undefined;
}

/** What is said consists of texts and calls, which have texts in them. */
function areTexts(words: InWords): boolean {
  const { fields, ...own } = words;
  const isText = (one: unknown): boolean => typeof one === "string";
  return (
    Object.values(own).every(isText) &&
    fields.every(({ call, ...field }) => Object.values(field).every(isText) && (!call || areTexts(call)))
  );
}

/**
 * Asks the library about one call. The library reads lists of any length that data promises, so it only gets calls that
 * our decoder has read, and calls inside of them only after that.
 */
class DescriptorReader {
  readonly #descriptors: Descriptors;
  readonly #names: KnownNames;
  readonly #externalDataProvider: ExternalDataProvider;
  /** The descriptors of the calls that can be read, by chain and contract. */
  readonly #found = new Map<string, FoundDescriptor>();
  #workLeft = maxWork;

  constructor(descriptors: Descriptors, names: KnownNames) {
    this.#descriptors = descriptors;
    this.#names = names;
    this.#externalDataProvider = providerOf(names);
  }

  async call(call: DescribedCall): Promise<InWords | undefined> {
    if (!(await this.#isReadable(call, 0))) return undefined;
    return this.#callWords(await this.#display(call), call);
  }

  async typedData(data: PlainTypedData): Promise<InWords | undefined> {
    const { chainId, verifyingContract: address } = data.domain;
    const chain = BigInt(chainId);
    const found = this.#descriptors.find("typed", chain, address, data.typeHash, this.#isToken(chain, address));
    const format = found && formatsOf(found).find(([key]) => key.startsWith(`${data.primaryType}(`))?.[1];
    if (!found || !format || !this.#takeWork(format, JSON.stringify(data.message).length)) return undefined;
    const entry = { path: "typed", encodeTypeHashes: [data.typeHash] };
    const typedDataIndex = { [placeKey(chain, address)]: { [data.primaryType]: [entry] } };
    const { formatTypedData } = await import("@ethereum-sourcify/clear-signing");
    const display = () =>
      formatTypedData(
        data,
        this.#options(async (key) => this.#found.get(key)?.read() ?? found.read(), typedDataIndex),
      );
    const delegating = isDelegating(data.message) ? found.entity : undefined;
    const isReadable = await this.#isReadableInside(await display(), chain, 0, delegating);
    const moved = movedValue(format, data.message, 0n);
    return isReadable && moved ? this.#words(await display(), found, moved, chain) : undefined;
  }

  #callWords(display: DisplayModel, { chainId, to, data, value = 0n }: DescribedCall): InWords | undefined {
    const found = this.#find(chainId, to, data);
    const fitting = found && fittingFormat(found, data.toLowerCase());
    const moved = fitting && movedValue(fitting.format, fitting.args, value);
    return moved && this.#words(display, found, moved, chainId);
  }

  #find(chainId: bigint, to: string, data: string): FoundDescriptor | undefined {
    return this.#descriptors.find("call", chainId, to, data.slice(0, 10), this.#isToken(chainId, to));
  }

  #isToken(chainId: bigint, address: string): boolean {
    return this.#names.token(chainId, address.toLowerCase()) !== undefined;
  }

  /** @returns `undefined` if the library refused the call, or if something that it moves would be missing. */
  #words(display: DisplayModel, { origin }: FoundDescriptor, moved: MovedValue, chainId: bigint): InWords | undefined {
    const { intent, interpolatedIntent, fields = [], metadata, rawCalldataFallback } = display;
    if (intent === undefined || rawCalldataFallback) return undefined;
    const inside = new Map([...moved.inside].map(([label, amounts]) => [label, [...amounts]]));
    const shown = fields.flatMap((field) =>
      "fields" in field
        ? field.fields.map((one) => ({
            ...(field.label && { group: field.label }),
            ...this.#field(one, inside, chainId),
          }))
        : [this.#field(field, inside, chainId)],
    );
    if ([...inside.values()].some((amounts) => amounts.length > 0)) return undefined;
    const isShort = interpolatedIntent !== undefined && interpolatedIntent.length <= maxSentence;
    const isSaid = isShort && fieldsIn({ fields }).every((field) => isSaidBy(field, interpolatedIntent, this.#names));
    const { unshown } = moved;
    const sent = unshown === 0n ? [] : [{ label: "value", value: this.#native(unshown, chainId) }];
    return {
      intent: typeof intent === "string" ? intent : Object.values(intent).join(" "),
      ...(isSaid && unshown === 0n && { sentence: interpolatedIntent }),
      ...(metadata?.owner !== undefined && { owner: metadata.owner }),
      origin,
      fields: [...shown, ...sent],
    };
  }

  /** @param inside - What goes with the calls inside. A field takes its own out of it. */
  #field(field: DisplayField, inside: ReadonlyMap<string, bigint[]>, chain: bigint): WordsField {
    const { label, separator } = field;
    const unit = unitOf(field);
    return {
      label,
      ...this.#said(field, inside.get(label)?.shift() ?? 0n, chain),
      ...(separator !== undefined && { group: separator }),
      ...(unit !== undefined && { unitOf: unit }),
    };
  }

  #said(field: DisplayField, sent: bigint, chain: bigint): Pick<WordsField, "value" | "call"> {
    const { value, embeddedCalldata } = field;
    const { display, callee, chainId = chain } = embeddedCalldata ?? {};
    if (!display || callee === undefined) return { value: textOf(field, this.#names) };
    const call = this.#callWords(display, { chainId: BigInt(chainId), to: callee, data: value, value: sent });
    if (call) return { value, call };
    if (value === "0x" && sent === 0n) return { value };
    const amount = sent === 0n ? "" : `${this.#native(sent, BigInt(chainId))} `;
    return { value: `${amount}to ${this.#names.label(callee) ?? callee}${value === "0x" ? "" : `: ${value}`}` };
  }

  #native(wei: bigint, chainId: bigint): string {
    return `${formatUnits(wei, 18)} ${this.#names.chain(chainId)?.symbol ?? "of the native currency"}`;
  }

  async #isReadable(call: DescribedCall, depth: number): Promise<boolean> {
    const { chainId, to, data } = call;
    if (data.length > maxBytes * 2 || !/^0x([\da-f]{2}){4,}$/i.test(data) || depth > maxDepth) return false;
    const found = this.#find(chainId, to, data);
    const fitting = found && fittingFormat(found, data.toLowerCase());
    if (!fitting || !this.#takeWork(fitting.format, data.length / 2)) return false;
    this.#found.set(placeKey(chainId, to), found);
    const delegating = isDelegating(fitting.args, data.slice(0, 10).toLowerCase()) ? found.entity : undefined;
    return this.#isReadableInside(await this.#display(call, 1), chainId, depth, delegating);
  }

  /**
   * Takes the work of a format from what is left.
   *
   * @param bytes - Of the call or the message.
   * @returns Whether there was enough.
   */
  #takeWork({ fields = [] }: Format, bytes: number): boolean {
    this.#workLeft -= fields.flatMap(fieldSpecs).length * (bytes + workOfField);
    return this.#workLeft >= 0;
  }

  /** @param delegating - The entity whose contract runs the calls inside as its own code: only its own contracts may be called. */
  async #isReadableInside(
    outer: DisplayModel,
    chainId: bigint,
    depth: number,
    delegating: string | undefined,
  ): Promise<boolean> {
    for (const { value, embeddedCalldata } of fieldsIn(outer)) {
      if (!embeddedCalldata?.callee) continue;
      const inner = { chainId: BigInt(embeddedCalldata.chainId ?? chainId), to: embeddedCalldata.callee, data: value };
      const found = this.#find(inner.chainId, inner.to, value);
      const isForeign = delegating !== undefined && found?.entity !== delegating && BigInt(inner.to) !== 0n;
      if (isForeign || (found && !(await this.#isReadable(inner, depth + 1)))) return false;
    }
    return true;
  }
  /** @param reads - How often a descriptor is read: the calls inside come after the first. */
  async #display({ chainId, ...call }: DescribedCall, reads = Number.POSITIVE_INFINITY): Promise<DisplayModel> {
    const { format } = await import("@ethereum-sourcify/clear-signing");
    let left = reads;
    const read = async (key: string) => (left-- > 0 ? (this.#found.get(key)?.read() ?? {}) : {});
    return format({ value: 0n, ...call, chainId: Number(chainId) }, this.#options(read));
  }
  #options(
    fetchDescriptor: DescriptorResolver["fetchDescriptor"],
    typedDataIndex: RegistryIndex["typedDataIndex"] = {},
  ): FormatOptions {
    const calldataIndex = Object.fromEntries([...this.#found.keys()].map((key) => [key, key]));
    const resolver = { index: { calldataIndex, typedDataIndex }, fetchDescriptor };
    return {
      descriptorResolverOptions: { type: "custom", resolver },
      externalDataProvider: this.#externalDataProvider,
    };
  }
}

function formatsOf(found: FoundDescriptor) {
  return Object.entries(found.read().display?.formats ?? {});
}

/** Returns the format whose function an encoder has written the data for, with the arguments. More bytes may follow. */
function fittingFormat(found: FoundDescriptor, data: string) {
  for (const [key, format] of formatsOf(found)) {
    const item = parseItem(key, "");
    if (!item || selectorOf(item) !== data.slice(0, 10)) continue;
    const { values, faults } = decodeParams(item.inputs, data, 10);
    const args = Object.fromEntries(item.inputs.map(({ name }, at) => [name, values[at] ?? null]));
    return faults.every((fault) => fault.endsWith(surplus)) ? { format, args } : undefined;
  }
  return undefined;
}

function placeKey(chainId: bigint, address: string): string {
  return `eip155:${chainId}:${address.toLowerCase()}`;
}

function providerOf(names: KnownNames): ExternalDataProvider {
  return {
    async resolveLocalName(address) {
      const name = names.label(address);
      return name === undefined ? null : { name, typeMatch: true };
    },
    async resolveToken(chainId, address) {
      const token = names.token(BigInt(chainId), address.toLowerCase());
      return token ? { ...token, name: token.symbol } : null;
    },
    async resolveNftCollectionName(chainId, address) {
      const name = names.collection?.(BigInt(chainId), address.toLowerCase());
      return name === undefined ? null : { name };
    },
    async resolveChainInfo(chainId) {
      const known = names.chain(BigInt(chainId));
      return known
        ? { name: known.name, nativeCurrency: { name: known.symbol, symbol: known.symbol, decimals: 18 } }
        : null;
    },
  };
}

/** Whether a sentence has a value as it is shown, and all that is moved. */
function isSaidBy(field: DisplayField, sentence: string, names: KnownNames): boolean {
  const isExact = textOf(field, names) === field.value && unitOf(field) === undefined;
  return moving.has(field.format)
    ? isExact && sentence.includes(field.value)
    : isExact || !sentence.includes(field.value);
}

/** Formats of what a call moves. */
const moving: ReadonlySet<string> = new Set(["amount", "tokenAmount", "nftName", "calldata"]);

/**
 * Returns the text of a value. The library reads text as if each byte was a character, has no date after the year 275760,
 * and asks for the name of an address only if the descriptor wants one.
 */
function textOf({ value, fieldType, format }: DisplayField, names: KnownNames): string {
  if (isAddress(value)) return names.label(value) ?? value;
  if (format === "date" && value.startsWith("NaN")) return "never: no calendar has that date";
  if (fieldType !== "string" || !/[^\0-\x7f]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  const hex = Array.from(value, (character) => character.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return utf8Text(`0x${hex}`) ?? value;
}

function unitOf({ warning, tokenAddress }: DisplayField): string | undefined {
  return warning?.code === "UNKNOWN_TOKEN" ? tokenAddress : undefined;
}

function fieldsIn({ fields = [] }: DisplayModel): readonly DisplayField[] {
  return fields.flatMap((field) => ("fields" in field ? field.fields : [field]));
}
