import type { AbiScope } from "../abi/abiScope.ts";
import type { AbiParam } from "../abi/type.ts";
import type { JsonValue } from "../base/json.ts";
import type { Section, Shown } from "./report.ts";
import type { Labels } from "./shown.ts";
import type { Tokens } from "./tokens.ts";

/** What a result looks like: the part of a report that its type decides. */
export interface View {
  /** One line. */
  readonly summary: string;
  readonly sections: readonly Section[];
}

/** What a view may know beside the value. */
export interface ViewContext {
  readonly labels: Labels;
  /** As they were sent. */
  readonly params: JsonValue;
  /** What the function that was called is declared to return; `undefined` where that is not known. */
  readonly returns: readonly AbiParam[] | undefined;
  readonly scope: AbiScope | undefined;
  /** Tokens whose decimals are known. */
  readonly tokens: Tokens;
}

/** A value of one line: the summary is its text, the other forms stand below it. */
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
