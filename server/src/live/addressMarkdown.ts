import { checksummed } from "../abi/address.ts";
import { code, escaped, figure, joined, link, type Markdown, markdown } from "../base/markdown.ts";
import { plural } from "../base/text.ts";
import { formatWei } from "../base/units.ts";
import { quoted } from "../report/shown.ts";
import { symbolText } from "../report/tokens.ts";
import type { Cadence } from "../rpc/cadence.ts";
import { explain } from "../rpc/explain.ts";
import type { AddressFacts, AddressKind, TokenFacts } from "./addressFacts.ts";

/** Where facts were read, and names for addresses. */
export interface AddressSource {
  readonly endpoint: string;
  readonly cadence: Cadence;
  /** Names of addresses, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** Name of this address; absent if the text beside the hover has it. */
  readonly name?: string | undefined;
  /** Page of a block explorer. */
  readonly page?: { readonly url: string; readonly host: string } | undefined;
}

/** Shows the facts about an address, the balance first and the source last. */
export function addressMarkdown(
  facts: AddressFacts,
  { endpoint, cadence, names, name, page }: AddressSource,
): Markdown {
  const { failure } = facts;
  const source = [
    escaped(endpoint),
    facts.head === undefined ? undefined : markdown`block ${facts.head}`,
    cadence.kind === "pre-confirmed" ? markdown`\`pending\` is pre-confirmed` : undefined,
    page && link(page.host, page.url),
  ];
  return joined(
    [
      joined([name === undefined ? undefined : markdown`**${escaped(name)}**`, balance(facts)], " · "),
      joined([nonce(facts), facts.what && kindText(facts.what, names)], " · "),
      facts.token && token(facts.token),
      failure && failureText(failure),
      joined(source, " · "),
    ],
    "\n\n",
  );
}

function failureText({ method, outcome }: NonNullable<AddressFacts["failure"]>): Markdown {
  if (outcome.reason === "not-recorded") return markdown`The rest is not in the recording.`;
  return escaped(explain(outcome, method).what);
}

function balance({ pending, latest }: AddressFacts): Markdown | undefined {
  const shown = pending ?? latest;
  if (shown === undefined) return undefined;
  const amount = markdown`**${figure(formatWei(shown))}**`;
  if (pending === undefined) return markdown`${amount} at latest`;
  if (latest === undefined) return markdown`${amount} pending`;
  if (latest === pending) return markdown`${amount} pending, the same at latest`;
  const difference = pending - latest;
  const change = `${difference > 0n ? "+" : "−"}${formatWei(difference > 0n ? difference : -difference)}`;
  return markdown`${amount} pending, ${figure(change)} since latest (${figure(formatWei(latest))})`;
}

function nonce({ pendingNonce, latestNonce }: AddressFacts): Markdown | undefined {
  const shown = pendingNonce ?? latestNonce;
  if (shown === undefined) return undefined;
  const ahead = pendingNonce !== undefined && latestNonce !== undefined ? pendingNonce - latestNonce : 0n;
  return ahead > 0n ? markdown`nonce ${shown} (${ahead} pending)` : markdown`nonce ${shown}`;
}

function kindText(kind: AddressKind, names: ReadonlyMap<string, string>): Markdown {
  const nameOf = (address: string): Markdown => {
    const name = names.get(address.toLowerCase());
    return joined([name === undefined ? undefined : escaped(name), code(checksummed(address))], " ");
  };
  switch (kind.kind) {
    case "account":
      return markdown`account`;
    case "delegated":
      return markdown`account that runs the code of ${nameOf(kind.to)} (EIP-7702)`;
    case "proxy":
      return kind.form.includes("beacon")
        ? markdown`proxy with the beacon ${nameOf(kind.to)}`
        : markdown`proxy of ${nameOf(kind.to)} (${escaped(kind.form)})`;
    case "contract":
      return markdown`contract, ${figure(plural(kind.bytes, "byte"))}`;
  }
}

function token({ name, symbol, decimals }: TokenFacts): Markdown {
  const isPlain = name === undefined || /^[\p{L}\p{N} .'-]*$/u.test(name);
  const title = [isPlain ? name : quoted(name, 60), symbol && `(${symbolText(symbol)})`]
    .filter((part) => part)
    .join(" ");
  const places = decimals === undefined ? undefined : figure(plural(decimals, "decimal"));
  return joined([markdown`token ${escaped(title, 120)}`, places], ", ");
}
