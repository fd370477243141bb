import { isArray, isObject, type JsonValue } from "../base/json.ts";
import { visible } from "../base/text.ts";
import { type Hole, pieces } from "./exported.ts";

/** What stands in the holes of a request. */
export interface Holes {
  readonly all: readonly Hole[];
  expression(hole: Hole): string;
  /** The value, where it is known when the code is written. */
  value(hole: Hole): JsonValue | undefined;
}

/** A value as an expression of TypeScript. */
export function tsValue(value: JsonValue, holes: Holes | undefined): string {
  if (typeof value === "string") return tsText(value, holes);
  if (isArray(value)) return `[${value.map((item) => tsValue(item, holes)).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([key, item]) => `${tsKey(key, holes)}: ${tsValue(item, holes)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** A text; one hole that is all of it keeps its own type. */
export function tsText(text: string, holes: Holes | undefined): string {
  const parts = holes ? pieces(text, holes.all) : [text];
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== "string") return holes?.expression(only) ?? "";
  if (parts.every((part) => typeof part === "string")) return quotedText(text);
  const inside = parts.map((part) =>
    typeof part === "string"
      ? quotedText(part)
          .slice(1, -1)
          .replace(/\\"/g, '"')
          .replace(/`|\$\{/g, "\\$&")
      : `\${${holes?.expression(part)}}`,
  );
  return `\`${inside.join("")}\``;
}

function tsKey(key: string, holes: Holes | undefined): string {
  const text = tsText(key, holes);
  return text.startsWith('"') ? property(key) : `[${text}]`;
}

/** A key of an object; `__proto__` would set the prototype. */
export function property(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quotedText(key);
}

/** Characters that end a line, or turn its direction, stand as escapes. */
function quotedText(text: string): string {
  return visible(JSON.stringify(text));
}

/** What a value will be: itself, or what the variable holds that is all of it. */
export function knownValue(value: JsonValue | undefined, holes: Holes): JsonValue | undefined {
  if (typeof value !== "string") return value;
  const parts = pieces(value, holes.all);
  if (parts.every((part) => typeof part === "string")) return value;
  const [only] = parts;
  return parts.length === 1 && only !== undefined && typeof only !== "string" ? holes.value(only) : undefined;
}
