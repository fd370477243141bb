import { type AbiItem, parseItem } from "../abi/item.ts";
import type { AbiType } from "../abi/type.ts";
import type { Scope } from "../analysis/scope.ts";
import { isAddress, isHex, quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { follow } from "../evaluate/path.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { exactValue, items, member } from "../notebook/json.ts";
import { partsOf } from "../notebook/placeholder.ts";
import type { Holes } from "./typescriptValue.ts";
import { blockOf, type ViemCall } from "./viemAction.ts";

/**
 * `readContract` for a call that is written as a function with its arguments.
 *
 * @param params - As they are sent.
 * @returns `undefined` where it says more than that, or what the function returns is not declared.
 */
export function viemRead(
  cell: Cell,
  { method, members }: RequestNode,
  params: JsonValue | undefined,
  holes: Holes,
  scope: Scope,
): ViemCall | undefined {
  const [call, , ...more] = items(members.get("params")?.value);
  const sent = isArray(params) ? params : [];
  if (method !== "eth_call" || more.length > 0 || !call || !isObject(sent[0])) return undefined;
  const data = member(call, "data") ?? member(call, "input");
  const written = data && exactValue(cell.text, data);
  const { to, ...others } = sent[0];
  if (!isObject(written) || typeof written.function !== "string" || Object.keys(others).length > 1) return undefined;
  const item = parseItem(written.function, "");
  const contract = resolvedValue(exactText(cell, call), scope);
  const block = blockOf(sent[1], holes);
  const args = item && argumentsOf(item, written.args ?? [], scope);
  if (!item || item.outputs.length === 0 || !args || !block || !isAddress(contract) || to === undefined)
    return undefined;
  const abi = `parseAbi([${JSON.stringify(declared(item))}])`;
  const parts = [
    `address: ${JSON.stringify(contract)}`,
    `abi: ${abi}`,
    `functionName: ${JSON.stringify(item.name)}`,
    ...(args.length > 0 ? [`args: [${args.join(", ")}]`] : []),
    ...block,
  ];
  return { call: `readContract({ ${parts.join(", ")} })`, imports: ["parseAbi"] };
}

function exactText(cell: Cell, call: NonNullable<Parameters<typeof member>[0]>): JsonValue | undefined {
  const to = member(call, "to");
  return to && exactValue(cell.text, to);
}

/** A value, or what the variable holds that it names. */
function resolvedValue(value: JsonValue | undefined, scope: Scope): JsonValue | undefined {
  if (typeof value !== "string" || !value.includes("{{")) return value;
  const [part, ...more] = partsOf(JSON.stringify(value));
  if (part?.kind !== "reference" || more.length > 0) return undefined;
  const name = String(part.path[0]);
  const variable = scope.variables.get(name);
  const found = variable === undefined ? undefined : follow({ [name]: variable }, part.path);
  return found && "value" in found ? found.value : undefined;
}

/** As viem reads it. */
function declared({ name, inputs, outputs }: AbiItem): string {
  const list = (params: AbiItem["inputs"]): string =>
    params.map(({ type, name: own }) => [type.text, own].filter(Boolean).join(" ")).join(", ");
  return `function ${name}(${list(inputs)}) view returns (${list(outputs)})`;
}

function argumentsOf({ inputs }: AbiItem, args: JsonValue, scope: Scope): readonly string[] | undefined {
  const list = isArray(args) ? args : isObject(args) ? inputs.map(({ name }) => args[name] ?? null) : [];
  if (list.length !== inputs.length) return undefined;
  const made = inputs.map(({ type }, at) => argument(type, list[at], scope));
  return made.every((one) => one !== undefined) ? made : undefined;
}

function argument(type: AbiType, written: JsonValue | undefined, scope: Scope): string | undefined {
  const value = resolvedValue(written, scope);
  switch (type.kind) {
    case "address":
      return isAddress(value) ? JSON.stringify(value) : undefined;
    case "bool":
      return typeof value === "boolean" ? String(value) : undefined;
    case "uint":
    case "int": {
      const number = typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : quantity(value);
      if (number === undefined) return undefined;
      return type.size <= 6 ? String(number) : `${number}n`; // viem has numbers up to 48 bits
    }
    case "bytes":
    case "fixedBytes":
      return isHex(value) && value.length % 2 === 0 ? JSON.stringify(value) : undefined;
    case "string":
      return typeof value === "string" ? JSON.stringify(value) : undefined;
    case "array": {
      const members = isArray(value) ? value.map((item) => argument(type.of, item, scope)) : [undefined];
      return members.every((one) => one !== undefined) ? `[${members.join(", ")}]` : undefined;
    }
    case "tuple":
    case "ufixed": // viem has no such types
    case "fixed":
      return undefined;
  }
}
