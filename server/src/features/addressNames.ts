import { checksummed } from "../abi/address.ts";
import type { Scope } from "../analysis/scope.ts";
import { isAddress } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { code, escaped, joined, link, type Markdown, markdown, prose } from "../base/markdown.ts";
import { memoByPair } from "../base/memo.ts";
import { contracts, wellKnownContract } from "../catalog/contracts.ts";
import type { Cell } from "../notebook/cell.ts";
import { type Explored, explorerPage } from "./explorerPage.ts";
import { labels } from "./labels.ts";

interface Naming {
  /** Variables whose value is an address, by that address in lower case. */
  readonly variables: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

function namingOf({ variables, header }: Scope): Naming {
  return namingBy(variables, header);
}

const namingBy = memoByPair((values: ReadonlyMap<string, JsonValue>, header: Cell | undefined): Naming => {
  const variables = new Map<string, string>();
  for (const [name, value] of values) {
    if (isAddress(value) && !variables.has(value.toLowerCase())) variables.set(value.toLowerCase(), name);
  }
  const everywhere = contracts.map(({ address, name }) => [address.toLowerCase(), name] as const);
  return { variables, names: new Map([...everywhere, ...variables, ...labels({ header })]) };
});

/** Names by address, in lower case: the label, else the variable, else the well-known name. */
export function addressNames(scope: Scope): ReadonlyMap<string, string> {
  return namingOf(scope).names;
}

/**
 * Describes an address without asking a chain, as Markdown.
 *
 * @param by - The variable by which it is named already.
 */
export function addressCard(address: string, scope: Scope, by?: string): Markdown {
  const key = address.toLowerCase();
  const label = labels(scope).get(key);
  const variable = namingOf(scope).variables.get(key);
  const known = wellKnownContract(address);
  const source = known && link("Source", known.source);
  return joined(
    [
      code(checksummed(address)),
      label === undefined ? undefined : markdown`Label: ${escaped(label)}`,
      variable === undefined || variable === by ? undefined : markdown`Variable: ${code(variable)}`,
      known && joined([markdown`**${prose(known.name)}** · ${prose(known.summary)}`, source], " "),
      explorerLink("address", checksummed(address), scope),
    ],
    "\n\n",
  );
}

/** Links to the endpoint's block explorer, if it has one. */
export function explorerLink(what: Explored, id: string, { endpoint }: Scope): Markdown | undefined {
  const page = explorerPage(endpoint?.explorer, what, id);
  return page && link(`Open in ${page.host}`, page.url);
}
