import { isAddress, passesForAddress } from "../base/hex.ts";
import { brief, nearest } from "../base/text.ts";
import { isDecimals, maxDecimals } from "../base/units.ts";
import { headerKeys } from "../notebook/header.ts";
import { items, type JsonNode, spanOf, textsIn } from "../notebook/json.ts";
import { duplicates, membersOf } from "./object.ts";
import type { Problem } from "./problem.ts";
import { isSample } from "./samplePlaceholder.ts";
import { checkValue, kindOfNode } from "./value.ts";

/** The members that a header may have, each with its purpose. */
export const headerMembers: Readonly<Record<string, string>> = {
  $schema: "The JSON Schema, for editors without this extension.",
  endpoint: "The endpoint of all cells that do not name another.",
  chainId: "The chain that the endpoint must be on; a run refuses any other.",
  variables: "Values by name, for placeholders such as `{{alice}}`.",
  abi: "Files and signatures that name functions, events and errors.",
  labels: "Names of addresses, as people know them.",
  tokens: "The symbol and the decimals of tokens, by the address of the contract.",
  openrpc: "OpenRPC documents that describe more methods: paths from the notebook's folder.",
  descriptors:
    "ERC-7730 descriptors, which describe calls in words: files or folders, as paths from the notebook's folder.",
  recording:
    "A recording that answers all requests in place of the network: a path from the notebook's folder, or `included` for the one in this file.",
};

/** Checks the header of a notebook. */
export function checkHeader(text: string, root: JsonNode | undefined): readonly Problem[] {
  if (root?.type !== "object") return [];
  const members = membersOf(root);
  return [
    ...duplicates(members),
    ...members.flatMap(({ name, key, value }) => {
      if (headerKeys.includes(name)) return value ? checkMember(text, name, value) : [];
      const possible = value?.type === "array" ? [...headerKeys, "cells"] : headerKeys;
      return [{ code: "unknown-member" as const, span: spanOf(key), name, nearest: nearest(name, possible, 1) }];
    }),
  ];
}

function checkMember(text: string, name: string, value: JsonNode): readonly Problem[] {
  switch (name) {
    case "variables":
      if (value.type !== "object") return [wrong(value, "an object of names and values")];
      return [...duplicates(membersOf(value)), ...samples(value)];
    case "labels":
      return value.type === "object" ? checkLabels(value) : [wrong(value, "an object of addresses and names")];
    case "tokens":
      return value.type === "object" ? checkTokens(value) : [wrong(value, "an object of addresses and tokens")];
    case "chainId":
      return value.type === "number" ? [] : checkValue(text, value, "uint256");
    case "abi":
      return ["string", "array", "object"].includes(value.type) ? [] : [wrong(value, "a list of signatures and files")];
    case "openrpc":
    case "descriptors":
      return listed(value).flatMap((path) => (path.type === "string" ? [] : [wrong(path, "the path of a file")]));
    default:
      return value.type === "string" ? [] : [wrong(value, "a string")];
  }
}

/** One as well as many. */
function listed(value: JsonNode): readonly JsonNode[] {
  return value.type === "array" ? items(value) : [value];
}

/** Text with dots in it may be meant; an address with dots in it is not. */
function samples(variables: JsonNode): readonly Problem[] {
  return [...textsIn(variables)].flatMap(({ node, isKey }): readonly Problem[] => {
    const text = String(node.value);
    if (isKey || !/^(?:0x|<|https?:|YOUR)/.test(text) || !isSample(text)) return [];
    return [{ code: "sample-placeholder", span: spanOf(node), text: brief(text, 60) }];
  });
}

function checkLabels(labels: JsonNode): readonly Problem[] {
  return checkByAddress(labels, (name) => {
    if (name.type !== "string") return [wrong(name, "a string")];
    if (!passesForAddress(String(name.value))) return [];
    return [{ code: "wrong-type", span: spanOf(name), expected: "a name", found: "an address" }];
  });
}

function checkByAddress(node: JsonNode, check: (value: JsonNode) => readonly Problem[]): readonly Problem[] {
  const members = membersOf(node);
  return [
    ...duplicates(members),
    ...members.flatMap(({ name, key, value }): readonly Problem[] => {
      const length = {
        code: "bad-hex",
        why: "length",
        expected: "an address of 20 bytes",
        expectedDigits: 40,
      } as const;
      const bad = isAddress(name) ? [] : [{ ...length, span: spanOf(key), digits: name.replace(/^0x/i, "").length }];
      return value ? [...bad, ...check(value)] : bad;
    }),
  ];
}

/** The members that a token must have, each with its form. */
const tokenMembers: Readonly<Record<string, { readonly expected: string; fits(value: JsonNode): boolean }>> = {
  symbol: { expected: "a string", fits: ({ type }) => type === "string" },
  decimals: {
    expected: `a whole number from 0 to ${maxDecimals}`,
    fits: ({ type, value }) => type === "number" && isDecimals(value),
  },
};

function checkTokens(tokens: JsonNode): readonly Problem[] {
  return checkByAddress(tokens, (token) => {
    if (token.type !== "object") return [wrong(token, "an object with `symbol` and `decimals`")];
    const members = membersOf(token);
    const names = Object.keys(tokenMembers);
    return [
      ...duplicates(members),
      ...members.flatMap(({ name, key, value }): readonly Problem[] => {
        const form = Object.hasOwn(tokenMembers, name) ? tokenMembers[name] : undefined;
        if (!form) return [{ code: "unknown-member", span: spanOf(key), name, nearest: nearest(name, names, 1) }];
        return value && !form.fits(value) ? [wrong(value, form.expected)] : [];
      }),
      ...names
        .filter((name) => !members.some((one) => one.name === name))
        .map((name): Problem => {
          const why = "An amount needs both `symbol` and `decimals`.";
          return { code: "missing-field", span: spanOf(token), names: [name], why, advice: false };
        }),
    ];
  });
}

function wrong(value: JsonNode, expected: string): Problem {
  return { code: "wrong-type", span: spanOf(value), expected, found: kindOfNode(value) };
}
