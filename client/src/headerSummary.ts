import { plural } from "../../server/src/base/text.ts";
import { headerValues } from "../../server/src/notebook/header.ts";
import { readCell } from "../../server/src/notebook/readCell.ts";
import { labelText } from "./plainText.ts";

/** Returns what a header sets: endpoint, recording, chain, and how many of the rest. */
export function headerSummary(text: string): readonly string[] {
  const { endpoint, chainId, variables, labels, tokens, abi, recording } = headerValues(readCell(text));
  return [
    ...(endpoint === undefined ? [] : [hostOf(endpoint)]),
    ...(recording === undefined ? [] : ["recorded"]), // early, since the end of a long line is cut off
    ...(chainId === undefined ? [] : [`chain ${chainId}`]),
    ...count(variables.size, "variable"),
    ...count(labels.size, "label"),
    ...count(tokens.size, "token"),
    ...count(abi.length, "ABI"),
  ];
}

/** Returns the host of an address, whose path may contain a key, or the name of an endpoint. */
function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).host || "endpoint" : labelText(endpoint, 60);
}

function count(size: number, noun: string): readonly string[] {
  return size === 0 ? [] : [plural(size, noun)];
}
