import type { Descriptor, DescriptorFieldFormat } from "@ethereum-sourcify/clear-signing";
import { type DescriptorKind, type Descriptors, descriptorHash, hashDigits } from "./descriptors.ts";
import { type StandardCall, type StandardPlaces, standardCalls } from "./standardCalls.ts";

/** The descriptors of standards and of contracts that many chains have. Each is built when a call has it. */
export const standardDescriptors: Descriptors = {
  find(kind, chainId, address, hash, isToken) {
    const found = table()
      .get(`${kind} ${hash.slice(2, 2 + hashDigits).toLowerCase()}`)
      ?.find(({ of }) => of === "any" || (of === "tokens" ? isToken : isAt(of, chainId, address.toLowerCase())));
    if (!found) return undefined;
    const { standard } = found;
    return {
      origin: `${standard}, by RPC Notebook`,
      entity: standard,
      read: () => descriptorOf(found, kind, chainId, address),
    };
  },
};

/** By kind and hash, as typed data and calls are looked for. Made at the first question. */
let byHash: ReadonlyMap<string, readonly StandardCall[]> | undefined;

function table(): ReadonlyMap<string, readonly StandardCall[]> {
  if (byHash) return byHash;
  const made = new Map<string, StandardCall[]>();
  for (const call of standardCalls) {
    const kind = kindOf(call);
    const key = `${kind} ${descriptorHash(kind, call.signature) ?? ""}`;
    made.set(key, [...(made.get(key) ?? []), call]);
  }
  byHash = made;
  return made;
}

/** Types begin with a capital letter. */
function kindOf({ signature }: StandardCall): DescriptorKind {
  return /^[A-Z]/.test(signature) ? "typed" : "call";
}

function isAt(places: StandardPlaces, chainId: bigint, address: string): boolean {
  return Array.isArray(places) ? places.includes(address) : Reflect.get(places, String(chainId)) === address;
}

function descriptorOf(call: StandardCall, kind: DescriptorKind, chainId: bigint, address: string): Descriptor {
  const { signature, intent, sentence, fields } = call;
  const bound = { deployments: [{ chainId: Number(chainId), address }] };
  const format = {
    intent,
    ...(sentence !== undefined && { interpolatedIntent: sentence }),
    fields: fields.map(fieldOf),
  };
  return {
    context: kind === "call" ? { contract: bound } : { eip712: bound },
    metadata: {},
    display: { formats: { [signature]: format } },
  };
}

/** @param text - `label: path format@PATH+AMOUNT` */
function fieldOf(text: string): DescriptorFieldFormat {
  const [label = "", rest = ""] = text.split(": ");
  const [path = "", kind = "raw"] = rest.split(" ");
  const [name = "", of = ""] = kind.split("@");
  const common = { path, label, visible: "always" } as const;
  const token = of === "" ? { tokenPath: "@.to" } : { tokenPath: of };
  const [callee = "", amount] = of.split("+");
  switch (name) {
    case "address":
      return { ...common, format: "addressName" };
    case "token":
      return { ...common, format: "tokenAmount", params: token };
    case "limit":
    case "limit160": {
      const threshold = name === "limit" ? unlimited : unlimited160;
      return { ...common, format: "tokenAmount", params: { ...token, threshold, message: "unlimited" } };
    }
    case "amount":
    case "date":
      return { ...common, format: name, ...(name === "date" && { params: { encoding: "timestamp" } }) };
    case "call":
      return {
        ...common,
        format: "calldata",
        params: { calleePath: callee, ...(amount !== undefined && { amountPath: amount }) },
      };
    default:
      return { ...common, format: "raw" };
  }
}

/** From here on, an allowance is called unlimited: no token has as much. */
const unlimited = `0x8${"0".repeat(63)}`;
/** The allowance of Permit2 that transfers do not lower. */
const unlimited160 = `0x${"f".repeat(40)}`;
