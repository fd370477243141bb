import type { Code } from "../abi/code.ts";
import { decodeCreation, readCode } from "../abi/code.ts";
import { byteLength } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import type { Field, Section, Shown } from "./report.ts";
import type { Labels } from "./shown.ts";
import { addressShown, badShown, inlineText } from "./shown.ts";
import type { View, ViewContext } from "./view.ts";
import { valueView } from "./view.ts";

/** Characters of bytecode that a report shows. */
const maxCode = 4000;

/** The result of `eth_getCode`: none, a contract, or code that only runs that of another account. */
export function codeView(value: JsonValue, { labels }: ViewContext): View {
  const code = readCode(value);
  if (code === undefined || typeof value !== "string") return valueView(badShown(value, "not bytes"));
  if (code.kind === "none")
    return {
      summary: "no code",
      sections: [{ kind: "note", text: "There is no contract at that address in that block." }],
    };
  const wire: Field = { name: "on the wire", value: { text: value, role: "bytes" } };
  const bytecode: Section = { kind: "text", title: "Bytecode", text: value.slice(0, maxCode), length: value.length };
  if (code.kind === "contract") {
    const { bytes, compiler } = code;
    const fields: readonly Field[] = compiler ? [{ name: "compiler", value: { text: compiler } }] : [];
    return {
      summary: `contract, ${plural(bytes, "byte")} of code`,
      sections: [...(fields.length > 0 ? [{ kind: "fields" as const, fields }] : []), bytecode],
    };
  }
  const target = addressShown(code.to, labels);
  const [who, name] =
    code.kind === "delegation" ? ["delegated account", "delegates to"] : [`proxy (${code.form})`, "stands for"];
  return {
    summary: `${who}, runs the code of ${target.text}`,
    sections: [{ kind: "fields", fields: [{ name, value: target }, wire] }],
  };
}

/**
 * Code on one line.
 *
 * @param creates - It is the code that creates a contract, with the arguments of the constructor behind it.
 */
export function codeShown(value: JsonValue, labels: Labels, creates = false): Shown {
  const code = readCode(value);
  if (code === undefined || typeof value !== "string") return badShown(value, "not bytes");
  if (code.kind === "none") return { text: "no code", raw: "0x", role: "bytes" };
  return {
    text: creates ? creationText(value, labels) : codeText(code, labels),
    ...(value.length <= 4096 && { raw: value }),
    role: "bytes",
  };
}

function codeText(code: Exclude<Code, { readonly kind: "none" }>, labels: Labels): string {
  if (code.kind === "contract") return `${plural(code.bytes, "byte")} of code`;
  return `${code.kind === "proxy" ? "stands for" : "delegates to"} ${inlineText(addressShown(code.to, labels))}`;
}

function creationText(value: string, labels: Labels): string {
  const creation = decodeCreation(value);
  if (creation?.proxyTo) return `creates a proxy for ${inlineText(addressShown(creation.proxyTo, labels))}`;
  const { bytes = 0, rest = "0x", compiler } = creation ?? {};
  const given = rest === "0x" ? "" : `, ${plural(byteLength(rest), "byte")} of arguments`;
  return `creates a contract: ${plural(bytes, "byte")}${compiler ? ` of ${compiler}` : ""}${given}`;
}
