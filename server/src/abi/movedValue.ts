import type { Descriptor } from "@ethereum-sourcify/clear-signing";
import { quantity } from "../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../base/json.ts";

export type Format = NonNullable<NonNullable<Descriptor["display"]>["formats"]>[string];
type Spec = NonNullable<Format["fields"]>[number];
type FieldSpec = Exclude<Spec, { readonly fields?: unknown }>;

/** The native currency that a described call moves, in wei. */
export interface MovedValue {
  /** Sent with the call itself, and not shown by its descriptor. */
  readonly unshown: bigint;
  /** Sent with the calls inside and not shown beside them: by the label of their field, in their order. */
  readonly inside: ReadonlyMap<string, readonly bigint[]>;
}

/**
 * Finds the native currency that a call and the calls inside of it send.
 *
 * @param args - The arguments or the members of typed data, by their names.
 * @param value - Wei that is sent with the call.
 * @returns `undefined` if the arguments do not have what the descriptor names, or if the call pays someone on the side.
 */
export function movedValue(format: Format, args: JsonObject, value: bigint): MovedValue | undefined {
  const specs = (format.fields ?? []).flatMap(fieldSpecs).filter(isShown);
  const isShownAlone = (path: string): boolean =>
    specs.some((spec) => spec.path === path && spec.format !== "calldata" && spec.format !== undefined);
  const isHidden = ([amount, payee]: readonly [string, string]): boolean =>
    args[payee] !== undefined && amountOf(args[amount]) !== 0n && ![amount, `#.${amount}`].some(isShownAlone);
  if (paidOnTheSide.some(isHidden)) return undefined;
  const inside = new Map<string, readonly bigint[]>();
  for (const { format, params = {}, label = "" } of specs) {
    const path = params.amountPath ?? params.amount;
    if (format !== "calldata" || path === undefined || isShownAlone(path)) continue;
    const amounts = path === "@.value" ? [value] : valuesAt(path, args).map(amountOf);
    if (amounts.includes(undefined)) return undefined;
    inside.set(label, [...(inside.get(label) ?? []), ...amounts.flatMap((one) => one ?? [])]);
  }
  const isPassedOn = specs.some(({ params = {}, format }) => format === "calldata" && params.amountPath === "@.value");
  return { unshown: isPassedOn || isShownAlone("@.value") ? 0n : value, inside };
}

/** Arguments of a Safe with which it pays the sender of its transaction or of its set-up, and whom. */
const paidOnTheSide = [
  ["gasPrice", "refundReceiver"],
  ["payment", "paymentReceiver"],
] as const;

/** Returns the fields of a group, or the field itself. */
export function fieldSpecs(spec: Spec): readonly FieldSpec[] {
  return "fields" in spec ? (spec.fields ?? []).flatMap(fieldSpecs) : [spec];
}

/** Whether a field is always shown. */
function isShown({ visible }: FieldSpec): boolean {
  return visible !== "never" && typeof visible !== "object";
}

/** @param path - `#.calls.[].value` */
function valuesAt(path: string, args: JsonObject): readonly (JsonValue | undefined)[] {
  let values: readonly (JsonValue | undefined)[] = [args];
  for (const name of path.replace(/^#\./, "").split("."))
    values = values.flatMap((value): readonly (JsonValue | undefined)[] => {
      if (name === "[]") return isArray(value) ? value : [undefined];
      return [isObject(value) ? value[name] : undefined];
    });
  return values;
}

function amountOf(value: JsonValue | undefined): bigint | undefined {
  return typeof value === "string" && /^\d+$/.test(value) ? BigInt(value) : quantity(value);
}

/** The selector of `setup` of a Safe, which runs the code of another contract. */
const setup = "0xb63e800d";

/**
 * Whether a call of a Safe runs the code of the call inside as its own: what the other contract would do with its own
 * tokens, it does not.
 *
 * @see https://github.com/safe-global/safe-smart-account/blob/v1.4.1/contracts/Safe.sol
 */
export function isDelegating(args: JsonObject, selector?: string): boolean {
  return selector === setup || (args.operation !== undefined && amountOf(args.operation) !== 0n);
}
