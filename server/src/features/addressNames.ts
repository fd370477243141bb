import { checksummed } from "../abi/address.ts";
import { labels, variablesByAddress } from "../analysis/labels.ts";
import type { Scope } from "../analysis/scope.ts";
import type { JsonValue } from "../base/json.ts";
import { code, escaped, joined, link, type Markdown, markdown, prose } from "../base/markdown.ts";
import { memoByObject, memoByPair } from "../base/memo.ts";
import { contracts, wellKnownContract } from "../catalog/contracts.ts";
import type { Cell } from "../notebook/cell.ts";
import { type Explored, explorerPage } from "./explorerPage.ts";

interface Naming {
  /** Variables whose value is an address, by that address in lower case. */
  readonly variables: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
}

/** The parts of a scope that name addresses. */
export type NamingScope = Pick<Scope, "variables" | "labels" | "header">;

function namingOf({ variables, labels, header }: NamingScope): Naming {
  return namingBy(variables)(labels, header);
}

const namingBy = memoByObject((values: Scope["variables"]) =>
  memoByPair((labels: Scope["labels"], header: Cell | undefined) => namingFrom(values, labels, header)),
);

function namingFrom(
  values: ReadonlyMap<string, JsonValue>,
  fromFiles: Scope["labels"],
  header: Cell | undefined,
): Naming {
  const variables = variablesByAddress(values);
  const everywhere = contracts.map(({ address, name }) => [address.toLowerCase(), name] as const);
  return { variables, names: new Map([...everywhere, ...variables, ...labels({ header, labels: fromFiles })]) };
}

/** Names by address, in lower case: the label, else the variable, else the well-known name. */
export function addressNames(scope: NamingScope): ReadonlyMap<string, string> {
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
  const contract = scope.abis.names?.get(key);
  const verified = scope.abis.contracts.find((item) => item.isLookedUp && item.address === key);
  return joined(
    [
      code(checksummed(address)),
      label === undefined || label === contract ? undefined : markdown`Label: ${escaped(label)}`,
      contract === undefined ? undefined : markdown`Contract: ${escaped(contract)}`,
      verified && markdown`Verified sources: ${escaped(verified.source)}`,
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
