import type { AbiItem } from "../abi/item.ts";
import { wellKnownItems } from "../abi/wellKnownAbis.ts";
import type { Scope } from "../analysis/scope.ts";
import { once } from "../base/memo.ts";
import type { Cell } from "../notebook/cell.ts";
import { argsSnippet, declarationOf, ItemSuggestion, itemsInScope } from "./contractCalls.ts";
import { countIn, type RequestDefaults, requestDefaults } from "./requestDefaults.ts";
import { type Snippet, snippet, stop, string } from "./snippet.ts";
import { remembering } from "./snippetBuilder.ts";
import type { Suggestion } from "./suggestion.ts";
import { wordsOf } from "./wordRanking.ts";

/**
 * Suggests a whole request for each function and event: a call of the function, or the logs of the event.
 *
 * @param typed - Words typed so far, such as `transfer last 50`.
 */
export function intents(cell: Cell, scope: Scope, typed?: string): readonly Suggestion[] {
  const defaults = requestDefaults(scope, countIn(typed));
  const logs = (item: AbiItem): Snippet => logsOf(item, defaults, scope);
  return [
    ...itemsInScope(cell, "function", scope).map(
      (item) => new CallSuggestion(item, scope, (one) => callOf(one, scope)),
    ),
    ...itemsInScope(cell, "event", scope).map((item) => new LogsSuggestion(item, scope, logs, defaults.blocks)),
  ];
}

/** A call, found by `balance of token` too if tokens have the function. */
class CallSuggestion extends ItemSuggestion {
  get words(): readonly string[] {
    const { label, item } = this;
    if (!tokenFunctions().has(item.signature)) return [];
    const name = wordsOf(label).join(" ").replace(/ of$/, "");
    return [`${name} of token`, `token ${name}`];
  }
}

const tokenFunctions = once(
  (): ReadonlySet<string> =>
    new Set(wellKnownItems.functions.filter(({ source }) => source === "ERC-20").map(({ signature }) => signature)),
);

/** The logs of an event, found by their number of blocks too. */
class LogsSuggestion extends ItemSuggestion {
  readonly #blocks: number;

  constructor(event: AbiItem, scope: Scope, insert: (item: AbiItem) => Snippet, blocks: number) {
    super(event, scope, insert);
    this.#blocks = blocks;
  }

  get words(): readonly string[] {
    const name = wordsOf(this.label).join(" ");
    return [`${name} events`, `${name} logs of the last ${this.#blocks} blocks`];
  }
}

const callOf = remembering((item: AbiItem, scope): Snippet => {
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
});

/** Returns whether a function probably changes something: then the sender matters. */
function changes({ isView, inputs, outputs }: AbiItem): boolean {
  if (isView !== undefined) return !isView;
  const [output] = outputs;
  return output === undefined || (outputs.length === 1 && output.type.kind === "bool" && inputs.length > 0);
}

function logsOf(item: AbiItem, { contract, tag, fromBlock }: RequestDefaults, scope: Scope): Snippet {
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
