import type { AbiItem } from "../abi/item.ts";
import type { Scope } from "../analysis/scope.ts";
import type { Cell } from "../notebook/cell.ts";
import { argsSnippet, declarationOf, ItemSuggestion, itemsInScope } from "./contractCalls.ts";
import { requestDefaults } from "./requestDefaults.ts";
import { type Snippet, snippet, stop, string } from "./snippet.ts";
import { remembering } from "./snippetBuilder.ts";
import type { Suggestion } from "./suggestion.ts";

/** Suggests a whole request for each function and event: a call of the function, or the logs of the event. */
export function intents(cell: Cell, scope: Scope): readonly Suggestion[] {
  return (["function", "event"] as const).flatMap((kind) =>
    itemsInScope(cell, kind, scope).map((item) => new ItemSuggestion(item, scope, (one) => requestOf(one, scope))),
  );
}

const requestOf = remembering((item: AbiItem, scope) => (item.kind === "event" ? logsOf : callOf)(item, scope));

function callOf(item: AbiItem, scope: Scope): Snippet {
  const { account, contract, tag } = requestDefaults(scope);
  const to = stop(1, item.address ?? contract);
  const { text: args, next } = argsSnippet(item, scope, 2);
  const from = changes(item) ? [snippet`"from": "${stop(next, account)}"`] : [];
  const members = [
    ...from,
    snippet`"to": "${to}"`,
    snippet`"data": { "function": ${string(declarationOf(item))}, "args": ${args} }`,
  ];
  return snippet`{
  "method": "eth_call",
  "params": [
    {
      ${members.join(",\n      ")}
    },
    "${stop(next + from.length, tag)}"
  ]
}`;
}

/** Returns whether a function probably changes something: then the sender matters. */
function changes({ isView, inputs, outputs }: AbiItem): boolean {
  if (isView !== undefined) return !isView;
  const [output] = outputs;
  return output === undefined || (outputs.length === 1 && output.type.kind === "bool" && inputs.length > 0);
}

function logsOf(item: AbiItem, scope: Scope): Snippet {
  const { contract, tag, fromBlock } = requestDefaults(scope);
  const { text: args, next } = argsSnippet(item, scope, 2);
  return snippet`{
  "method": "eth_getLogs",
  "params": [
    {
      "address": "${stop(1, item.address ?? contract)}",
      "event": ${string(declarationOf(item))},
      "args": ${args},
      "fromBlock": "${stop(next, fromBlock)}",
      "toBlock": "${stop(next + 1, tag)}"
    }
  ]
}`;
}
