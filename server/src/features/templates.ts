import { type Scope, servesAhead } from "../analysis/scope.ts";
import { markdown, prose } from "../base/markdown.ts";
import { countIn, durationOf, type RequestDefaults, requestDefaults } from "./requestDefaults.ts";
import { literal, type Snippet, snippet, stop } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/** A request for a common question, ready to run. */
interface Template {
  readonly label: string;
  readonly detail: string;
  /** Words that find it, the likeliest first. */
  readonly words: readonly string[];
  readonly insert: Snippet;
}

/**
 * Suggests a request for each common question.
 *
 * @param typed - Words typed so far, such as `last 500 blocks`.
 */
export function templates(scope: Scope, typed = ""): readonly (Suggestion & Template)[] {
  return all(requestDefaults(scope, countIn(typed)), scope).map((template) => ({
    ...template,
    kind: "request",
    documentation: () => markdown`${prose(template.detail)}.`,
  }));
}

function all(defaults: RequestDefaults, scope: Scope): readonly Template[] {
  const range = rangeOf(defaults, scope);
  return [
    {
      label: "Balance and nonce",
      detail: "What an account has, and how many transactions it has sent",
      words: ["account balance and nonce"],
      insert: balanceAndNonce(defaults),
    },
    {
      label: "Token",
      detail: "Symbol, decimals, supply and a balance of a token",
      words: ["token", "token symbol, decimals, supply and balance"],
      insert: token(defaults),
    },
    {
      label: `Logs of ${range.blocks}`,
      detail: `Transfers of a token${range.time}`,
      words: [
        `last ${defaults.blocks} blocks`,
        "last minutes",
        `${defaults.blocks} blocks of logs, events and transfers`,
      ],
      insert: logs(defaults),
    },
    {
      label: "Why did it revert?",
      detail: "A call that fails, with its decoded reason",
      words: ["revert reason", "why did it revert", "why does it fail", "failed"],
      insert: revert(defaults),
    },
    {
      label: "What if an account had tokens?",
      detail: "A transfer, as if the sender had 1,000 tokens",
      words: ["what if", "assume", "as if an account had tokens"],
      insert: whatIf(defaults),
    },
    {
      label: "Values over blocks",
      detail: "What an account had, as a table and a chart",
      words: ["values over blocks", "chart", "each"],
      insert: overBlocks(defaults),
    },
    {
      label: "Simulate two calls",
      detail: "The second call sees what the first one changed",
      words: ["simulate two calls"],
      insert: simulation(defaults),
    },
    streamTemplate(defaults, servesAhead(scope)),
    {
      label: "Check a deployment",
      detail: "The code of a contract, and the implementation behind a proxy",
      words: ["check deployment", "deployment", "proxy", "contract", "implementation of a proxy"],
      insert: deployment(defaults),
    },
  ];
}

function streamTemplate(defaults: RequestDefaults, isAhead: boolean): Template {
  const label = isAhead ? "Stream pending logs" : "Stream logs";
  return {
    label,
    detail: isAhead ? "Logs of a contract before they are in a block" : "Logs of a contract in each new block",
    words: ["stream", label.toLowerCase(), "live logs", "watch logs"],
    insert: stream(defaults, isAhead ? "pendingLogs" : "logs"),
  };
}

/** The blocks that a range of logs has, in words. */
function rangeOf(
  { blocks, fromBlock }: RequestDefaults,
  scope: Scope,
): { readonly blocks: string; readonly time: string } {
  if (fromBlock === "earliest") return { blocks: "all blocks", time: "" };
  const time = durationOf(blocks, scope);
  return { blocks: `the last ${blocks} blocks`, time: time === undefined ? "" : `; about ${time}` };
}

function balanceAndNonce({ account, tag }: RequestDefaults): Snippet {
  const [who, when] = [stop(1, account), stop(2, tag)];
  return snippet`{
  "batch": [
    { "method": "eth_getBalance", "params": ["${who}", "${when}"] },
    { "method": "eth_getTransactionCount", "params": ["${who}", "${when}"] }
  ]
}`;
}

function overBlocks({ account }: RequestDefaults): Snippet {
  return snippet`{
  "method": "eth_getBalance",
  "params": ["${stop(1, account)}", "{{block}}"],
  "each": { "block": ["${stop(2, "latest - 1000")}", "${stop(3, "latest")}", "+${stop(4, "10")}"] }
}`;
}

function token({ account, contract, tag }: RequestDefaults): Snippet {
  const [to, who, when] = [stop(1, contract), stop(2, account), stop(3, tag)];
  const line = (name: string, args: Snippet): Snippet =>
    snippet`    { "method": "eth_call", "params": [{ "to": "${to}", "data": { "function": "${literal(name)}", "args": [${args}] } }, "${when}"] }`;
  const lines = [
    line("symbol() returns (string)", ""),
    line("decimals() returns (uint8)", ""),
    line("totalSupply() returns (uint256)", ""),
    line("balanceOf(address) returns (uint256)", `"${who}"`),
  ];
  return snippet`{
  "batch": [
${lines.join(",\n")}
  ]
}`;
}

const transferEvent = "Transfer(address indexed from, address indexed to, uint256 value)";

function logs({ contract, tag, fromBlock }: RequestDefaults): Snippet {
  return snippet`{
  "method": "eth_getLogs",
  "params": [
    {
      "address": "${stop(1, contract)}",
      "event": "${stop(2, transferEvent)}",
      "fromBlock": "${stop(3, fromBlock)}",
      "toBlock": "${stop(4, tag)}"
    }
  ]
}`;
}

function revert({ account, recipient, contract, tag }: RequestDefaults): Snippet {
  return snippet`{
  "method": "eth_call",
  "params": [
    {
      "from": "${stop(1, account)}",
      "to": "${stop(2, contract)}",
      "data": {
        "function": "${stop(3, "transfer(address,uint256) returns (bool)")}",
        "args": [${stop(4, `"${recipient}", "1000000 ether"`)}]
      }
    },
    "${stop(5, tag)}"
  ]
}`;
}

function whatIf({ account, recipient, contract, tag }: RequestDefaults): Snippet {
  const [from, to] = [stop(1, account), stop(2, contract)];
  const named = (value: string): string => value.replace(/^\{\{(.*)\}\}$/, "$1");
  return snippet`{
  "method": "eth_call",
  "params": [
    {
      "from": "${from}",
      "to": "${to}",
      "data": { "function": "transfer(address,uint256) returns (bool)", "args": ["${stop(3, recipient)}", ${stop(4, "1")}] }
    },
    "${stop(5, tag)}"
  ],
  "assume": { "token": { "${stop(6, named(contract))}": { "${stop(7, named(account))}": "${stop(8, "1000")}" } } }
}`;
}

function simulation({ account, recipient, contract, tag }: RequestDefaults): Snippet {
  const [from, to, who] = [stop(1, account), stop(2, contract), stop(3, recipient)];
  return snippet`{
  "method": "eth_simulateV1",
  "params": [
    {
      "blockStateCalls": [
        {
          "calls": [
            {
              "from": "${from}",
              "to": "${to}",
              "data": { "function": "transfer(address,uint256) returns (bool)", "args": ["${who}", ${stop(4, "1")}] }
            },
            {
              "from": "${from}",
              "to": "${to}",
              "data": { "function": "balanceOf(address) returns (uint256)", "args": ["${who}"] }
            }
          ]
        }
      ],
      "traceTransfers": true
    },
    "${stop(5, tag)}"
  ]
}`;
}

function stream({ contract }: RequestDefaults, kind: string): Snippet {
  return snippet`{
  "method": "eth_subscribe",
  "params": [
    "${stop(1, kind)}",
    { "address": "${stop(2, contract)}" }
  ]
}`;
}

function deployment({ contract, tag }: RequestDefaults): Snippet {
  const [at, when] = [stop(1, contract), stop(2, tag)];
  return snippet`{
  "batch": [
    { "method": "eth_getCode", "params": ["${at}", "${when}"], "expect": { "result": { "!=": "0x" } } },
    { "method": "eth_getStorageAt", "params": ["${at}", "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc", "${when}"] }
  ]
}`;
}
