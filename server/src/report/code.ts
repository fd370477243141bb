import type { Code, Creation } from "../abi/code.ts";
import { decodeCreation, readCode } from "../abi/code.ts";
import type { CallArg } from "../abi/decodeCall.ts";
import { byteLength } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import type { Field, Section, Shown } from "./report.ts";
import type { Labels } from "./shown.ts";
import { abiShown, addressShown, badShown, inlineText } from "./shown.ts";
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

/** Code on one line. */
export function codeShown(value: JsonValue, labels: Labels): Shown {
  const code = readCode(value);
  if (code === undefined || typeof value !== "string") return badShown(value, "not bytes");
  if (code.kind === "none") return { text: "no code", raw: "0x", role: "bytes" };
  return { text: codeText(code, labels), ...rawOf(value), role: "bytes" };
}

function rawOf(value: string): Pick<Shown, "raw"> {
  return value.length <= 4096 ? { raw: value } : {};
}

function codeText(code: Exclude<Code, { readonly kind: "none" }>, labels: Labels): string {
  if (code.kind === "contract") return `${plural(code.bytes, "byte")} of code`;
  return `${code.kind === "proxy" ? "stands for" : "delegates to"} ${inlineText(addressShown(code.to, labels))}`;
}

/** The code that creates a contract, with the arguments of its constructor behind it, on one line. */
export function creationShown(value: JsonValue, { labels, scope }: ViewContext): Shown {
  const creation = decodeCreation(value, scope?.creatables);
  if (creation === undefined || typeof value !== "string") return codeShown(value, labels);
  const { contract, faults } = creation;
  const also = contract ? [`from ${oneLine(contract.source, 120)}`, ...faults] : [];
  const role = faults.length > 0 ? "bad" : contract ? "name" : "bytes";
  return { text: creationText(creation, labels), ...rawOf(value), ...(also.length > 0 && { also }), role };
}

function creationText({ contract, args, proxyTo, bytes, rest = "0x", compiler }: Creation, labels: Labels): string {
  if (proxyTo) return `creates a proxy for ${inlineText(addressShown(proxyTo, labels))}`;
  if (contract) {
    const shown = argumentFields(args ?? [], labels).map(({ name, value }) => `${name}: ${inlineText(value)}`);
    return oneLine(`creates ${oneLine(contract.name, 60)}(${shown.join(", ")})`);
  }
  const given = rest === "0x" ? "" : `, ${plural(byteLength(rest), "byte")} of arguments`;
  return `creates a contract: ${plural(bytes, "byte")}${compiler ? ` of ${compiler}` : ""}${given}`;
}

/** The arguments of the constructor one by one; none where the project has no such contract. */
export function creationSections(value: JsonValue, { labels, scope }: ViewContext): readonly Section[] {
  const { contract, args = [], faults = [] } = decodeCreation(value, scope?.creatables) ?? {};
  if (!contract) return [];
  const fields: readonly Field[] = [
    { name: "contract", value: { text: oneLine(contract.name, 60), also: [`from ${oneLine(contract.source, 120)}`] } },
    ...argumentFields(args, labels),
    ...faults.map((fault): Field => ({ name: "fault", value: { text: fault, role: "bad" } })),
  ];
  return [{ kind: "fields", title: `Creation of ${oneLine(contract.name, 60)}`, fields }];
}

function argumentFields(args: readonly CallArg[], labels: Labels): readonly Field[] {
  return args.map(({ name, type, value }, at) => ({
    name: oneLine(name, 60) || `argument ${at + 1}`,
    value: abiShown(value, type, labels),
  }));
}
