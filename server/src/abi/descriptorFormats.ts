import type { Descriptor, DescriptorFieldFormat, DescriptorFieldGroup } from "@ethereum-sourcify/clear-signing";
import { brief } from "../base/text.ts";
import { badDeployment, type DescriptorFault, type DescriptorKind, deploymentsOf } from "./descriptors.ts";
import { parseItem } from "./item.ts";
import type { Format } from "./movedValue.ts";
import type { AbiParam, AbiType } from "./type.ts";

/** A parameter of a function or a member of a type, or what is inside of one. */
export interface Part {
  /** `[]` for the items of a list. */
  readonly name: string;
  readonly type: string;
  /** Empty for a single value. */
  inside(): readonly Part[];
}

/** Returns the parameters of a function, or the members of a type, by the key of `display.formats`. */
export function partsOf(kind: DescriptorKind, key: string): readonly Part[] {
  return kind === "typed" ? typedParts(key) : (parseItem(key, "")?.inputs.map(partOf) ?? []);
}

function partOf({ name, type }: AbiParam): Part {
  return { name, type: type.text, inside: () => membersIn(type).map(partOf) };
}

function membersIn(type: AbiType): readonly AbiParam[] {
  if (type.kind === "tuple") return type.members;
  return type.kind === "array" ? [{ name: "[]", type: type.of, indexed: false }] : [];
}

/** @param key - `Order(address maker,Item[] items)Item(address token,uint256 amount)` */
function typedParts(key: string): readonly Part[] {
  const types = new Map(key.split(")").map((one) => [one.slice(0, one.indexOf("(")), one.slice(one.indexOf("(") + 1)]));
  const part = (name: string, type: string): Part => ({ name, type, inside: () => inside(type) });
  const inside = (type: string): readonly Part[] => {
    if (type.endsWith("]")) return [part("[]", type.slice(0, type.lastIndexOf("[")))];
    const members = types.get(type)?.split(",") ?? [];
    return members.flatMap((one) => {
      const [of, name] = one.trim().split(/\s+/);
      return of !== undefined && name !== undefined ? [part(name, of)] : [];
    });
  };
  return inside([...types.keys()][0] ?? "");
}

/** Formats of values. @see https://eips.ethereum.org/EIPS/eip-7730#field-formats */
const formats: ReadonlySet<string> = new Set(
  "raw amount tokenAmount nftName date duration unit enum chainId calldata addressName tokenTicker interoperableAddressName".split(
    " ",
  ),
);
const container: ReadonlySet<string> = new Set(["@.from", "@.to", "@.value", "@.chainId"]);

/** Finds what is wrong with the formats of a descriptor: a call with such a format would have no words, without a reason. */
export function* formatFaults(kind: DescriptorKind, descriptor: Descriptor): Generator<DescriptorFault> {
  const { all, places } = deploymentsOf(descriptor);
  if (places.length < all.length) yield badDeployment;
  for (const [key, format] of Object.entries(descriptor.display?.formats ?? {})) {
    const parts = partsOf(kind, key);
    const inside = (what: string, at = key): DescriptorFault => ({ what, key: at, after: key });
    if (!format.intent) yield inside(`\`${brief(key)}\` has no \`intent\``);
    if (parts.some(({ name }) => name === "")) {
      yield inside(`\`${brief(key)}\` does not name its parameters, so that no path leads to them`);
      continue;
    }
    const shown = new Set<string>();
    for (const fault of fieldFaults(format.fields ?? [], { descriptor, parts, shown }, ""))
      yield inside(fault.what, fault.key);
    for (const [, path = ""] of textOf(format.interpolatedIntent)
      .replaceAll("{{", "")
      .matchAll(/\{([^{}]*)\}/g))
      if (!shown.has(plain(path.trim())))
        yield inside(`\`{${brief(path)}}\` is not the path of a field`, "interpolatedIntent");
  }
}

interface Place {
  readonly descriptor: Descriptor;
  readonly parts: readonly Part[];
  /** Paths of fields, which a sentence may have. */
  readonly shown: Set<string>;
}

/** @param base - The path of the groups around the fields. */
function* fieldFaults(fields: NonNullable<Format["fields"]>, place: Place, base: string): Generator<DescriptorFault> {
  for (const field of fields) {
    if (isGroup(field)) {
      yield* fieldFaults(field.fields ?? [], place, joined(base, field.path));
      continue;
    }
    const reference = textOf(field.$ref);
    const defined = Object(reference === "" ? {} : valueAt(place.descriptor, reference));
    if (reference !== "" && Object.keys(defined).length === 0)
      yield { what: `\`${brief(reference)}\` does not exist`, key: reference };
    else yield* oneFaults({ ...defined, ...field, params: { ...defined.params, ...field.params } }, place, base);
  }
}

function isGroup(spec: DescriptorFieldFormat | DescriptorFieldGroup): spec is DescriptorFieldGroup {
  return "fields" in spec;
}

/** @param field - Its members are of any type: a definition may have them. */
function* oneFaults(field: Readonly<Record<string, unknown>>, place: Place, base: string): Generator<DescriptorFault> {
  if (field.visible === "never") return;
  const [path, label, format] = [textOf(field.path), textOf(field.label), textOf(field.format)];
  const at = path || label;
  for (const [name, value] of Object.entries({ label, format }))
    if (value === "") yield { what: `the field \`${brief(at)}\` has no \`${name}\``, key: at };
  if (format !== "" && !formats.has(format)) yield { what: `\`${brief(format)}\` is not a format`, key: format };
  if (path === "" && field.value === undefined)
    yield { what: `the field \`${brief(at)}\` has neither \`path\` nor \`value\``, key: at };
  const params = Object.entries(Object(field.params)).filter(([name]) => name.endsWith("Path"));
  for (const one of [path, ...params.map(([, value]) => textOf(value))]) {
    const what = one === "" ? undefined : pathFault(one, place, base);
    if (what) yield { what: `\`${brief(one)}\` ${what}`, key: one };
  }
  for (const one of [plain(path), plain(path).replace(/\.\[\]$/, "")]) place.shown.add(one);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** @returns What is wrong, behind the path. */
function pathFault(path: string, { descriptor, parts }: Place, base: string): string | undefined {
  if (path.startsWith("@.")) return container.has(path) ? undefined : "is not a value of a call or a message";
  if (path.startsWith("$.")) return valueAt(descriptor, path) === undefined ? "does not exist" : undefined;
  const names = joined(base, path).split(".");
  if (/^\[-?\d*:-?\d*\]$/.test(names.at(-1) ?? "")) names.pop(); // a part of its bytes
  let inside = parts;
  for (const name of names) {
    const part = inside.find((one) => one.name === (/^\[-?\d*\]$/.test(name) ? "[]" : name));
    if (!part) return "is not a parameter of the function or a member of the type";
    inside = part.inside();
  }
  return inside.length === 0 ? undefined : "has several values: one of them, or all with `.[]`, can be shown";
}

function plain(path: string): string {
  return path.replace(/^#\./, "");
}

function joined(base: string, path: string | undefined): string {
  return [base, plain(path ?? "")].filter((part) => part !== "").join(".");
}

/** Follows `$.metadata.constants.native`. */
function valueAt(descriptor: Descriptor, path: string): unknown {
  let value: unknown = descriptor;
  for (const name of path.replace(/^\$\./, "").split("."))
    value = typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Object(value)[name] : undefined;
  return value;
}
