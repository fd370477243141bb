import { nearest } from "../base/text.ts";
import type { FieldRule, FieldSpec, ObjectType, TypeRef } from "../catalog/spec.ts";
import { shapesOf } from "../catalog/types.ts";
import { memberRead } from "../evaluate/path.ts";
import { type JsonNode, spanOf } from "../notebook/json.ts";
import type { Problem } from "./problem.ts";
import { hasPlaceholder } from "./references.ts";
import { mapAt, wireObjectsOf } from "./types.ts";
import { isTypo } from "./typo.ts";

/** Checks a value against a type; handed in, since objects hold values and values are objects. */
export type CheckValue = (text: string, node: JsonNode, ref: TypeRef) => readonly Problem[];

interface Member {
  readonly name: string;
  readonly key: JsonNode;
  readonly value: JsonNode | undefined;
}

/**
 * Checks an object against the object or map that the type allows.
 *
 * @returns `undefined` where the type allows no object at all.
 */
export function checkObject(
  text: string,
  node: JsonNode,
  ref: TypeRef,
  checkValue: CheckValue,
): readonly Problem[] | undefined {
  const members = membersOf(node);
  const repeated = duplicates(members, () => true, memberRead);
  const map = mapAt(ref);
  if (map) {
    const checked = members.flatMap(({ key, value }) => [
      ...checkValue(text, key, map.keys),
      ...(value ? checkValue(text, value, map.values) : []),
    ]);
    return [...repeated, ...checked];
  }
  const type = wireObjectsOf(ref)[0];
  if (!type) return undefined;
  const known = members.filter(({ key }) => !hasPlaceholder(text, key));
  const fields = known.flatMap((member) => checkMember(text, member, type, checkValue));
  // with a placeholder among the keys any field may turn out to be there
  const rules = known.length < members.length ? [] : checkRules(text, node, known, type, ref);
  return [...repeated, ...fields, ...rules];
}

export function membersOf(node: JsonNode): readonly Member[] {
  return (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? [];
    return key ? [{ name: String(key.value), key, value }] : [];
  });
}

/**
 * @param isSent - Whether a member is sent: nodes disagree on which of two duplicates counts.
 * @param read - What a name is taken for.
 */
export function duplicates(
  members: readonly Member[],
  isSent: (name: string) => boolean = () => false,
  read: (name: string) => string = (name) => name,
): readonly Problem[] {
  const seen = new Set<string>();
  return members.flatMap(({ name, key }) => {
    if (!seen.has(read(name))) {
      seen.add(read(name));
      return [];
    }
    return [{ code: "duplicate-key", span: spanOf(key), name, sent: isSent(name) }];
  });
}

/** Finds duplicates at any depth of a value of unknown type. */
export function duplicatesWithin(node: JsonNode): readonly Problem[] {
  const own = node.type === "object" ? duplicates(membersOf(node), () => true) : [];
  return [...own, ...(node.children ?? []).flatMap(duplicatesWithin)];
}

function fieldNamed(type: ObjectType, name: string): FieldSpec | undefined {
  return type.fields.find((field) => field.name === name || field.aliases?.includes(name));
}

function checkMember(
  text: string,
  { name, key, value }: Member,
  type: ObjectType,
  checkValue: CheckValue,
): readonly Problem[] {
  const field = fieldNamed(type, name) ?? type.readable?.find((one) => one.name === name);
  if (!field) return unknownField(key, name, type);
  if (!value || (value.type === "null" && (field.nullable || !field.required))) return [];
  const found = value.type === "array" ? (value.children?.length ?? 0) : 0;
  const tooMany: readonly Problem[] =
    field.maxItems !== undefined && found > field.maxItems
      ? [{ code: "too-many-items", span: spanOf(key), name, most: field.maxItems, found }]
      : [];
  return [...tooMany, ...checkValue(text, value, field.type)];
}

function unknownField(key: JsonNode, name: string, type: ObjectType): readonly Problem[] {
  const mistaken = type.mistaken?.find((one) => one.name === name)?.field;
  const names = [...type.fields, ...(type.readable ?? [])].map((field) => field.name);
  const near = mistaken === undefined ? nearest(name, names, 1) : [mistaken];
  const meant = mistaken !== undefined || near.some((one) => isTypo(name, one));
  return type.open && !meant ? [] : [{ code: "unknown-field", span: spanOf(key), name, nearest: near }];
}

function checkRules(
  text: string,
  node: JsonNode,
  members: readonly Member[],
  type: ObjectType,
  ref: TypeRef,
): readonly Problem[] {
  const present = new Map<string, Member>();
  for (const member of members) {
    if (member.value?.type !== "null") present.set(fieldNamed(type, member.name)?.name ?? member.name, member);
  }
  return [
    ...missing(node, present, members, type),
    ...(type.exclusive ?? []).flatMap((rule) => (isEncoded(rule, type) ? [] : exclusive(text, present, rule))),
    ...bothNames(text, members, type),
    ...(type.oneOfRequired ?? []).flatMap((rule) => noneOf(node, present, rule, ref)),
  ];
}

function missing(
  node: JsonNode,
  present: ReadonlyMap<string, Member>,
  members: readonly Member[],
  type: ObjectType,
): readonly Problem[] {
  return type.fields.flatMap(({ name, type: ref, required, advised }) => {
    if ((!required && advised === undefined) || present.has(name)) return [];
    if (takesNull(ref) && members.some((member) => member.name === name)) return [];
    return [{ code: "missing-field", span: openingOf(node), names: [name], why: advised, advice: !required }];
  });
}

function takesNull(ref: TypeRef): boolean {
  return shapesOf(ref).some((shape) => shape.kind === "one" && ["null", "any"].includes(shape.type.kind));
}

function exclusive(text: string, present: ReadonlyMap<string, Member>, rule: FieldRule): readonly Problem[] {
  const found = rule.fields.flatMap((name) => present.get(name) ?? []);
  const last = found.toSorted((a, b) => a.key.offset - b.key.offset).at(-1);
  if (found.length < 2 || !last || (isOneThing(rule) && sameText(text, found))) return [];
  const names = found.map(({ name }) => name);
  return [{ code: "exclusive-fields", span: spanOf(last.key), names, why: rule.why, advice: rule.advice === true }];
}

/** Readable fields are looked at where they are encoded. */
function isEncoded({ fields }: FieldRule, { readable }: ObjectType): boolean {
  return readable?.some(({ name }) => fields.includes(name)) ?? false;
}

/** Whether a rule's fields are two names of one thing: `data` and `input` with the same call data do no harm. */
function isOneThing({ fields }: FieldRule): boolean {
  return fields.length === 2 && fields.includes("data") && fields.includes("input");
}

/** A field and another name of it, with two values. */
function bothNames(text: string, members: readonly Member[], type: ObjectType): readonly Problem[] {
  return type.fields.flatMap(({ name, aliases = [] }) => {
    const found = members.filter((member) => member.name === name || aliases.includes(member.name));
    const names = [...new Set(found.map((member) => member.name))];
    const last = found.at(-1);
    if (names.length < 2 || !last || sameText(text, found)) return [];
    const why = "They are names of one field, and nodes differ in which one they read.";
    return [{ code: "exclusive-fields", span: spanOf(last.key), names, why, advice: false }];
  });
}

function sameText(text: string, members: readonly Member[]): boolean {
  const texts = members.map(({ value }) => value && text.slice(value.offset, value.offset + value.length));
  return texts.every((one) => one !== undefined && one === texts[0]);
}

function noneOf(
  node: JsonNode,
  present: ReadonlyMap<string, Member>,
  rule: FieldRule,
  ref: TypeRef,
): readonly Problem[] {
  if (rule.fields.some((name) => !isEmptyList(present.get(name)?.value, ref))) return [];
  const at = openingOf(node);
  if (ref === "filter") return [{ code: "filter-without-criterion", span: at, why: rule.why }];
  return [{ code: "missing-field", span: at, names: rule.fields, why: rule.why, advice: rule.advice === true }];
}

/** No field at all, or, in a filter, a list that anything matches. */
function isEmptyList(value: JsonNode | undefined, ref: TypeRef): boolean {
  if (!value) return true;
  return ref === "filter" && value.type === "array" && (value.children ?? []).every(({ type }) => type === "null");
}

/** Returns the opening bracket, which marks what is missing in an object. */
function openingOf(node: JsonNode): { readonly start: number; readonly end: number } {
  return { start: node.offset, end: node.offset + 1 };
}
