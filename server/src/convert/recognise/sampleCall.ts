import { parseItem } from "../../abi/item.ts";
import type { AbiType } from "../../abi/type.ts";
import { zeroAddress } from "../../base/hex.ts";
import type { JsonValue } from "../../base/json.ts";

/** A call of a function with the plainest arguments, in readable form. @param selector - Used if the signature has odd types. */
export function sampleCall(signature: string, selector: string): JsonValue {
  const item = parseItem(`function ${signature}`, "");
  if (!item) return selector;
  return { function: signature, args: item.inputs.map(({ type }) => sample(type)) };
}

function sample(type: AbiType): JsonValue {
  switch (type.kind) {
    case "array":
      return Array.from({ length: Math.min(type.length ?? 0, 16) }, () => sample(type.of));
    case "tuple":
      return type.members.map(({ type: member }) => sample(member));
    case "bool":
      return false;
    case "address":
      return zeroAddress;
    case "bytes":
      return "0x";
    case "string":
      return "";
    case "fixedBytes":
      return `0x${"00".repeat(type.size)}`;
    default:
      return "0";
  }
}
