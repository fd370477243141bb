import { checksummed } from "../abi/address.ts";
import { code, escaped, figure, joined, link, type Markdown, markdown } from "../base/markdown.ts";
import { plural } from "../base/text.ts";
import { formatWei } from "../base/units.ts";
import { quoted } from "../report/shown.ts";
import { symbolText } from "../report/tokens.ts";
import type { Cadence } from "../rpc/cadence.ts";
import { explain } from "../rpc/explain.ts";
import type { AddressFacts, TokenFacts, What } from "./addressFacts.ts";

/** Where and when facts were read. */
export interface ReadAt {
  readonly endpoint: string;
  readonly cadence: Cadence;
  /** What addresses are called, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** What this one is called, where nothing beside it says so. */
  readonly name?: string | undefined;
  /** Of a block explorer. */
  readonly page?: { readonly url: string; readonly host: string } | undefined;
}

/** Facts about an address: the balance first, and last where all of it comes from. */
export function addressMarkdown(facts: AddressFacts, { endpoint, cadence, names, name, page }: ReadAt): Markdown {
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
      joined([nonce(facts), facts.what && whatIs(facts.what, names)], " · "),
      facts.token && token(facts.token),
      failure && escaped(explain(failure.outcome, failure.method).what),
      joined(source, " · "),
    ],
    "\n\n",
  );
}

function balance({ pending, latest }: AddressFacts): Markdown | undefined {
  const shown = pending ?? latest;
  if (shown === undefined) return undefined;
  const amount = markdown`**${figure(formatWei(shown))}**`;
  if (pending === undefined) return markdown`${amount} at latest`;
  if (latest === undefined || latest === pending) return markdown`${amount} pending, the same at latest`;
  const difference = pending - latest;
  const change = `${difference > 0n ? "+" : "−"}${formatWei(difference > 0n ? difference : -difference)}`;
  return markdown`${amount} pending, ${figure(change)} to latest (${figure(formatWei(latest))})`;
}

function nonce({ pendingNonce, latestNonce }: AddressFacts): Markdown | undefined {
  const shown = pendingNonce ?? latestNonce;
  if (shown === undefined) return undefined;
  const ahead = pendingNonce !== undefined && latestNonce !== undefined ? pendingNonce - latestNonce : 0n;
  return ahead > 0n ? markdown`nonce ${shown} (${ahead} pending)` : markdown`nonce ${shown}`;
}

function whatIs(what: What, names: ReadonlyMap<string, string>): Markdown {
  const called = (address: string): Markdown => {
    const name = names.get(address.toLowerCase());
    return joined([name === undefined ? undefined : escaped(name), code(checksummed(address))], " ");
  };
  switch (what.kind) {
    case "account":
      return markdown`account`;
    case "delegated":
      return markdown`account that runs the code of ${called(what.to)} (EIP-7702)`;
    case "proxy":
      return what.form.includes("beacon")
        ? markdown`proxy by the beacon ${called(what.to)}`
        : markdown`proxy of ${called(what.to)} (${escaped(what.form)})`;
    case "contract":
      return markdown`contract, ${figure(plural(what.bytes, "byte"))}`;
  }
}

function token({ name, symbol, decimals }: TokenFacts): Markdown {
  const plain = name === undefined || /^[\p{L}\p{N} .'-]*$/u.test(name);
  const called = [plain ? name : quoted(name, 60), symbol && `(${symbolText(symbol)})`]
    .filter((part) => part)
    .join(" ");
  const places = decimals === undefined ? undefined : figure(plural(decimals, "decimal"));
  return joined([markdown`token ${escaped(called, 120)}`, places], ", ");
}
