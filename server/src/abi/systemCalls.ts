import { decodeParams } from "./decode.ts";
import { type AbiItem, parseItem, selectorOf } from "./item.ts";
import type { AbiParam } from "./type.ts";

/** Calls that the protocol of OP Stack chains makes, and their data. */
export interface SystemCall {
  readonly item: AbiItem;
  readonly values: ReturnType<typeof decodeParams>["values"];
  readonly faults: readonly string[];
}

const l1Block = "0x4200000000000000000000000000000000000015";
const baseTime = "0x4200000000000000000000000000000000000030";

/** In calls of {@link l1Block} arguments follow each other without padding. */
const ecotone =
  "uint32 baseFeeScalar, uint32 blobBaseFeeScalar, uint64 sequenceNumber, uint64 timestamp, uint64 number, uint256 basefee, uint256 blobBaseFee, bytes32 hash, bytes32 batcherHash";
const isthmus = `${ecotone}, uint32 operatorFeeScalar, uint64 operatorFeeConstant`;

interface Form {
  readonly to: string;
  readonly item: AbiItem;
  /** The parameters of a packed call; otherwise it is read as any other call. */
  readonly packed: readonly AbiParam[] | undefined;
}

/**
 * The calls of the deposits that the protocol itself puts in front of a block.
 * @see https://specs.optimism.io/protocol/isthmus/l1-attributes.html
 * @see https://specs.optimism.io/protocol/jovian/l1-attributes.html
 * @see https://docs.base.org/base-chain/network-information/200ms-blocks (BaseTime)
 */
const forms: readonly Form[] = [
  packed("setL1BlockValuesEcotone", ecotone),
  packed("setL1BlockValuesIsthmus", isthmus),
  packed("setL1BlockValuesJovian", `${isthmus}, uint16 daFootprintGasScalar`),
  ...formOf(baseTime, "setTimestampMillisPart(uint16 millisPart)"),
].flat();

function formOf(to: string, declaration: string): readonly Form[] {
  const item = parseItem(declaration, "the OP Stack");
  return item ? [{ to, item, packed: undefined }] : [];
}

function packed(name: string, inputs: string): readonly Form[] {
  const params = parseItem(`${name}(${inputs})`, "")?.inputs ?? [];
  return formOf(l1Block, `${name}()`).map((form) => ({ ...form, packed: params }));
}

/**
 * Reads the call of a system contract of OP Stack chains.
 *
 * @param data - Lower-case hex.
 * @param to - The contract, in lower case.
 */
export function systemCall(data: string, to: string | undefined): SystemCall | undefined {
  const form = forms.find((one) => one.to === to && data.startsWith(selectorOf(one.item)));
  if (!form) return undefined;
  const { item, packed } = form;
  if (!packed) return { item, ...decodeParams(item.inputs, data, 10) };
  const words: string[] = [];
  let at = 10;
  for (const { type } of packed) {
    const digits = ("size" in type ? type.size : 32) * 2;
    words.push(data.slice(at, at + digits).padStart(64, "0"));
    at += digits;
  }
  const faults = data.length === at ? [] : [`there are ${(data.length - 10) / 2} bytes in place of ${(at - 10) / 2}`];
  return { item: { ...item, inputs: packed }, values: decodeParams(packed, words.join(""), 0).values, faults };
}
