import { type AbiScope, bundledIn } from "../abi/abiScope.ts";
import { type Code, type Creation, codeHash, decodeCreation, dispatchedSelectors, readCode } from "../abi/code.ts";
import type { CallArg } from "../abi/decodeCall.ts";
import { byteLength, isAddress } from "../base/hex.ts";
import { isArray, type JsonValue } from "../base/json.ts";
import { capitalized, oneLine, plural } from "../base/text.ts";
import type { Field, Section, Shown } from "./report.ts";
import {
  abiShown,
  addressShown,
  badShown,
  briefText,
  faultFields,
  inlineText,
  type Labels,
  nameAt,
  rawOf,
} from "./shown.ts";
import { table } from "./table.ts";
import { type View, type ViewContext, valueView } from "./view.ts";

/** Characters of bytecode that a report shows. */
const maxCode = 4000;

/** The result of `eth_getCode`: none, a contract, or code that only runs that of another account. */
export function codeView(value: JsonValue, { labels, scope, params }: ViewContext): View {
  const code = readCode(value);
  if (code === undefined || typeof value !== "string") return valueView(badShown(value, "not bytes"));
  if (code.kind === "none")
    return {
      summary: "no code",
      sections: [{ kind: "note", text: isOfEvm(isArray(params) ? params[0] : undefined) ? ofEvm : noContract }],
    };
  if (code.kind === "contract") return contractView(value, code, scope);
  const target = addressShown(code.to, labels);
  const [who, name] =
    code.kind === "delegation" ? ["delegated account", "delegates to"] : [`proxy (${code.form})`, "implementation"];
  return {
    summary: `${who}, runs the code of ${target.text}`,
    headline: [
      { text: capitalized(who) },
      { text: `runs the code of ${briefText(target)}`, exact: target.raw ?? target.text, role: "plain" },
    ],
    sections: [
      { kind: "fields", fields: [{ name, value: target }] },
      { kind: "exact", forms: [value] },
    ],
  };
}

const noContract = "There is no contract at that address in that block.";
const ofEvm = "Contracts that are part of the EVM have such an address, and no code.";

/** Whether an address is one of those that chains give to precompiled contracts. */
function isOfEvm(address: JsonValue | undefined): boolean {
  return isAddress(address) && BigInt(address) > 0n && BigInt(address) < 0x10000n;
}

/** A contract: its size and hash, the functions that it knows, and the bytes. */
function contractView(
  value: string,
  { bytes, compiler }: Extract<Code, { readonly kind: "contract" }>,
  scope: AbiScope | undefined,
): View {
  const selectors = dispatchedSelectors(value.toLowerCase());
  const known = selectors.flatMap((selector) => namedFunction(selector, scope));
  const hash = codeHash(value);
  const fields: readonly Field[] = [
    ...(compiler ? [{ name: "compiler", value: { text: compiler } }] : []),
    ...(hash === undefined ? [] : [{ name: "code hash", value: { text: hash, role: "hash" as const } }]),
  ];
  const functions: Section = {
    ...table(
      known,
      [
        { name: "Selector", of: ({ selector }) => ({ text: selector, role: "bytes" }) },
        {
          name: "Function",
          of: ({ signature, source }) => ({ text: signature, also: [`from ${source}`], role: "name" }),
        },
      ],
      "Functions",
    ),
    folded: true,
  };
  const size = `${plural(bytes, "byte")} of code`;
  const count = selectors.length === 0 ? [] : [plural(selectors.length, "function")];
  return {
    summary: ["contract", size, ...count].join(", "),
    headline: [{ text: "Contract" }, { text: [size, ...count].join(" · "), role: "quiet" }],
    sections: [
      { kind: "fields", fields },
      ...(known.length > 0 ? [functions] : []),
      { kind: "text", title: "Bytecode", text: value.slice(0, maxCode), length: value.length, folded: true },
    ],
  };
}

interface NamedFunction {
  readonly selector: string;
  readonly signature: string;
  readonly source: string;
}

/** A selector with the likeliest function; empty if none is known. */
function namedFunction(selector: string, scope: AbiScope | undefined): readonly NamedFunction[] {
  const [item] = scope?.functions(selector) ?? [];
  const [best] = item ? [item] : bundledIn(scope).functions(selector);
  return best ? [{ selector, signature: oneLine(best.signature, 200), source: oneLine(best.source, 80) }] : [];
}

export function codeShown(value: JsonValue, labels: Labels): Shown {
  const code = readCode(value);
  if (code === undefined || typeof value !== "string") return badShown(value, "not bytes");
  if (code.kind === "none") return { text: "no code", raw: "0x", role: "bytes" };
  return { text: codeText(code, labels), ...rawOf(value), role: "bytes" };
}

function codeText(code: Exclude<Code, { readonly kind: "none" }>, labels: Labels): string {
  if (code.kind === "contract") return `${plural(code.bytes, "byte")} of code`;
  return `${code.kind === "proxy" ? "proxy for" : "delegates to"} ${inlineText(addressShown(code.to, labels))}`;
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
    ...faultFields(faults),
  ];
  return [{ kind: "fields", title: `Creation of ${oneLine(contract.name, 60)}`, fields }];
}

function argumentFields(args: readonly CallArg[], labels: Labels): readonly Field[] {
  return args.map(({ name, type, value }, at) => ({ name: nameAt(name, at), value: abiShown(value, type, labels) }));
}
