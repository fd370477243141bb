import { isAddress } from "../base/hex.ts";
import { brief, nearest } from "../base/text.ts";
import { headerKeys } from "../notebook/header.ts";
import { items, type JsonNode, spanOf } from "../notebook/json.ts";
import { duplicates, membersOf } from "./object.ts";
import type { Problem } from "./problem.ts";
import { isSample } from "./sample.ts";
import { textsIn } from "./texts.ts";
import { checkValue, kindOfNode } from "./value.ts";

/** What a header may hold, with what each is for. */
export const headerMembers: Readonly<Record<string, string>> = {
  $schema: "The JSON Schema, for editors without this extension.",
  endpoint: "The endpoint of all cells that name no other.",
  chainId: "The chain that the endpoint must be on; a run refuses any other.",
  variables: "Values by name, for placeholders such as `{{alice}}`.",
  abi: "Files and signatures that name functions, events and errors.",
  labels: "Names of addresses, as people know them.",
  openrpc: "OpenRPC documents that describe more methods: paths from the notebook's folder.",
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
    case "chainId":
      return value.type === "number" ? [] : checkValue(text, value, "uint256");
    case "abi":
      return value.type === "string" || value.type === "array" ? [] : [wrong(value, "a list of signatures and files")];
    case "openrpc":
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
  const members = membersOf(labels);
  return [
    ...duplicates(members),
    ...members.flatMap(({ name, key, value }): readonly Problem[] => {
      const due = { code: "bad-hex", why: "length", expected: "an address of 20 bytes", due: 40 } as const;
      const bad = isAddress(name) ? [] : [{ ...due, span: spanOf(key), digits: name.replace(/^0x/i, "").length }];
      return value && value.type !== "string" ? [...bad, wrong(value, "a string")] : bad;
    }),
  ];
}

function wrong(value: JsonNode, expected: string): Problem {
  return { code: "wrong-type", span: spanOf(value), expected, found: kindOfNode(value) };
}
