import type { Descriptor, DescriptorFieldFormat, DescriptorFieldGroup } from "@ethereum-sourcify/clear-signing";
import { isAddress } from "../base/hex.ts";
import { brief } from "../base/text.ts";
import type { DescriptorFault, DescriptorKind } from "./descriptors.ts";
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

/**
 * Values of a call or of a message. A message sends nothing.
 *
 * @see https://eips.ethereum.org/EIPS/eip-7730#container-structure-values
 */
export const containerPaths = {
  call: ["@.from", "@.to", "@.value", "@.chainId"],
  typed: ["@.from", "@.to", "@.chainId"],
} as const satisfies Record<DescriptorKind, readonly string[]>;

/** Parameters of a format in which an address may be written in place of a path. */
const addressPaths: ReadonlySet<string> = new Set(["tokenPath", "calleePath", "collectionPath", "spenderPath"]);
const definitionsPath = "$.display.definitions.";
const metadataPath = "$.metadata.";

/** Finds what is wrong with the formats of a descriptor: a call with such a format would have no words, without a reason. */
export function* formatFaults(kind: DescriptorKind, descriptor: Descriptor): Generator<DescriptorFault> {
  for (const [key, format] of Object.entries(descriptor.display?.formats ?? {})) {
    const parts = partsOf(kind, key);
    const inside = (what: string, at = key): DescriptorFault => ({ what, key: at, after: key });
    if (!format.intent) yield inside(`\`${brief(key)}\` has no \`intent\``);
    const shown = new Set<string>();
    for (const fault of fieldFaults(format.fields ?? [], { kind, descriptor, parts, shown }))
      yield inside(fault.what, fault.key);
    for (const [, path = ""] of textOf(format.interpolatedIntent)
      .replaceAll("{{", "")
      .matchAll(/\{([^{}]*)\}/g))
      if (!shown.has(withoutRoot(path.trim())))
        yield inside(`\`{${brief(path)}}\` is not the path of a field`, "interpolatedIntent");
  }
}

interface Place {
  readonly kind: DescriptorKind;
  readonly descriptor: Descriptor;
  readonly parts: readonly Part[];
  /** Paths of fields, which a sentence may have. */
  readonly shown: Set<string>;
}

/** @param group - The group that the fields are in. */
function* fieldFaults(
  fields: NonNullable<Format["fields"]>,
  place: Place,
  group?: DescriptorFieldGroup,
): Generator<DescriptorFault> {
  for (const field of fields) {
    if (isGroup(field)) {
      const shownName = field.label || field.path || group?.label || group?.path || "fields";
      if (group) yield { what: `the group \`${brief(shownName)}\` is inside another group`, key: shownName };
      else yield* fieldFaults(field.fields ?? [], place, field);
      continue;
    }
    const reference = textOf(field.$ref);
    const isDefinition = reference.startsWith(definitionsPath);
    const defined = isDefinition
      ? place.descriptor.display?.definitions?.[reference.slice(definitionsPath.length)]
      : {};
    if (reference !== "" && !isDefinition)
      yield { what: `\`${brief(reference)}\` does not begin with \`${definitionsPath}\``, key: reference };
    else if (!defined) yield { what: `\`${brief(reference)}\` does not exist`, key: reference };
    else {
      const params = { ...Object(defined).params, ...field.params };
      const base = groupBase(textOf(group?.path), group?.fields?.map(({ path }) => textOf(path)) ?? []);
      yield* faultsOfField({ ...defined, ...field, params }, place, base);
    }
  }
}

/**
 * Returns what the library puts before the paths in a group: the path of the group, but nothing if the group shows a list
 * field by field.
 *
 * @param fields - The paths of its fields.
 */
export function groupBase(path: string, fields: readonly string[]): string {
  const hasLists = !path.endsWith(".[]") && fields.some((one) => one.includes(".[]"));
  return hasLists ? "" : withoutRoot(path);
}

function isGroup(spec: DescriptorFieldFormat | DescriptorFieldGroup): spec is DescriptorFieldGroup {
  return "fields" in spec;
}

/** @param field - Its members are of any type: a definition may have them. */
function* faultsOfField(
  field: Readonly<Record<string, unknown>>,
  place: Place,
  base: string,
): Generator<DescriptorFault> {
  if (field.visible === "never") return;
  const [path, label, format] = [textOf(field.path), textOf(field.label), textOf(field.format)];
  const shownName = path || label;
  for (const [name, value] of Object.entries({ label, format }))
    if (value === "") yield { what: `the field \`${brief(shownName)}\` has no \`${name}\``, key: shownName };
  if (format !== "" && !formats.has(format)) yield { what: `\`${brief(format)}\` is not a format`, key: format };
  if (path === "" && field.value === undefined)
    yield { what: `the field \`${brief(shownName)}\` has neither \`path\` nor \`value\``, key: shownName };
  const value = textOf(field.value);
  const source = field.value === undefined ? path : value.startsWith(metadataPath) ? value : "";
  const params = Object.entries(Object(field.params)).flatMap(([name, value]) => {
    const isPath = name.endsWith("Path") && !(addressPaths.has(name) && isAddress(textOf(value)));
    return isPath ? [textOf(value)] : [];
  });
  for (const one of [source, ...params]) {
    const what = one === "" ? undefined : pathFault(one, place, base);
    if (what) yield { what: `\`${brief(one)}\` ${what}`, key: one };
  }
  for (const one of [withoutRoot(path), withoutRoot(path).replace(/\.\[\]$/, "")]) place.shown.add(one);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** @returns What is wrong, behind the path. */
function pathFault(path: string, { kind, descriptor, parts }: Place, base: string): string | undefined {
  if (path.startsWith("@.")) {
    const isContainer = containerPaths[kind].some((one) => one === path);
    return isContainer ? undefined : `is not a value of a ${kind === "call" ? "call" : "message"}`;
  }
  if (path.startsWith("$.")) {
    if (!path.startsWith(metadataPath)) return `does not begin with \`${metadataPath}\``;
    return metadataAt(descriptor, path) === undefined ? "does not exist" : undefined;
  }
  const names = joined(base, path).split(".");
  if (/^\[-?\d*:-?\d*\]$/.test(names.at(-1) ?? "")) names.pop(); // a part of its bytes
  let inside = parts;
  for (const name of names) {
    const part = inside.find((one) => one.name === (/^\[-?\d*\]$/.test(name) ? "[]" : name));
    if (!part && inside.some(({ name }) => name === ""))
      return "leads nowhere: the function does not name its parameters";
    if (!part) return "is not a parameter of the function or a member of the type";
    inside = part.inside();
  }
  if (names.filter((name) => name === "[]").length > 1) return "is of lists in a list: only one `.[]` can be shown";
  return inside.length === 0 ? undefined : "has several values: one of them, or all with `.[]`, can be shown";
}

function withoutRoot(path: string): string {
  return path.replace(/^#\./, "");
}

/** Returns a path of a group from the root. The library reads it from the group, also after `#`. */
function joined(base: string, path: string): string {
  return [base, withoutRoot(path)].filter((part) => part !== "").join(".");
}

/** Follows `$.metadata.constants.native`. */
function metadataAt({ metadata }: Descriptor, path: string): unknown {
  let value: unknown = metadata;
  for (const name of path.slice(metadataPath.length).split("."))
    value = typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Object(value)[name] : undefined;
  return value;
}
