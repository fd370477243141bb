import type { AbiScope } from "../abi/abiScope.ts";
import type { AbiParam } from "../abi/type.ts";
import type { JsonValue } from "../base/json.ts";
import type { Section, Shown } from "./report.ts";
import type { Labels } from "./shown.ts";
import type { Tokens } from "./tokens.ts";

/** The part of a report that the type of the result decides. */
export interface View {
  /** One line. */
  readonly summary: string;
  readonly sections: readonly Section[];
}

/** The context of a view beside the value. */
export interface ViewContext {
  readonly labels: Labels;
  /** The parameters that were sent. */
  readonly params: JsonValue;
  /** The declared return types of the function that was called; `undefined` if unknown. */
  readonly returns: readonly AbiParam[] | undefined;
  readonly scope: AbiScope | undefined;
  /** Tokens whose decimals are known. */
  readonly tokens: Tokens;
}

/** A value of one line: the summary is its text, the other forms are below it. */
export function valueView({ text, also = [], raw, role }: Shown): View {
  const fields = [
    ...(also.length > 0 ? [{ name: "also", value: { text: also.join(" · ") } }] : []),
    ...(raw === undefined ? [] : [{ name: "on the wire", value: { text: raw } }]),
  ];
  return {
    summary: role === "bad" ? `unexpected: ${text}` : text,
    sections: fields.length > 0 ? [{ kind: "fields", fields }] : [],
  };
}
