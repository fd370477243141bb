import { checksummed } from "../abi/address.ts";
import { code, escaped, link } from "../base/markdown.ts";
import { formatWei, grouped } from "../base/units.ts";
import { explain } from "../rpc/explain.ts";
import type { AddressFacts, TokenFacts, What } from "./addressFacts.ts";

/** Where and when facts were read. */
export interface ReadAt {
  readonly endpoint: string;
  readonly preconfirmed: boolean;
  /** What addresses are called, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  /** What this one is called, where nothing beside it says so. */
  readonly name?: string | undefined;
  /** Of a block explorer. */
  readonly page?: { readonly url: string; readonly host: string } | undefined;
}

/** Facts about an address as Markdown, untrusted: the balance first, and last where all of it comes from. */
export function addressMarkdown(facts: AddressFacts, { endpoint, preconfirmed, names, name, page }: ReadAt): string {
  const { failure } = facts;
  const lines = [
    [name === undefined ? "" : `**${escaped(name)}**`, balance(facts)].filter((part) => part).join(" · "),
    [nonce(facts), facts.what && whatIs(facts.what, names)].filter((part) => part).join(" · "),
    facts.token && token(facts.token),
    failure && escaped(explain(failure, "eth_getBalance").what),
    [
      escaped(endpoint),
      facts.head === undefined ? "" : `block ${grouped(facts.head)}`,
      preconfirmed ? "`pending` is pre-confirmed" : "",
      (page && link(page.host, page.url)) ?? "",
    ]
      .filter((part) => part)
      .join(" · "),
  ];
  return lines.filter((line) => line).join("\n\n");
}

function balance({ pending, latest }: AddressFacts): string | undefined {
  const shown = pending ?? latest;
  if (shown === undefined) return undefined;
  const amount = `**${escaped(formatWei(shown))}**`;
  if (pending === undefined) return `${amount} at latest`;
  if (latest === undefined || latest === pending) return `${amount} pending, the same at latest`;
  const difference = pending - latest;
  return `${amount} pending, ${escaped(`${difference > 0n ? "+" : "−"}${formatWei(difference > 0n ? difference : -difference)}`)} to latest (${escaped(formatWei(latest))})`;
}

function nonce({ pendingNonce, latestNonce }: AddressFacts): string {
  const shown = pendingNonce ?? latestNonce;
  if (shown === undefined) return "";
  const ahead = pendingNonce !== undefined && latestNonce !== undefined ? pendingNonce - latestNonce : 0n;
  return `nonce ${grouped(shown)}${ahead > 0n ? ` (${grouped(ahead)} pending)` : ""}`;
}

function whatIs(what: What, names: ReadonlyMap<string, string>): string {
  const called = (address: string): string => {
    const name = names.get(address.toLowerCase());
    return `${name === undefined ? "" : `${escaped(name)} `}${code(checksummed(address))}`;
  };
  switch (what.kind) {
    case "account":
      return "account";
    case "delegated":
      return `account that runs the code of ${called(what.to)} (EIP-7702)`;
    case "proxy":
      return what.form.includes("beacon")
        ? `proxy by the beacon ${called(what.to)}`
        : `proxy of ${called(what.to)} (${escaped(what.form)})`;
    case "contract":
      return `contract, ${grouped(what.bytes)} bytes`;
  }
}

function token({ name, symbol, decimals }: TokenFacts): string {
  const called = [name, symbol && `(${symbol})`].filter((part) => part).join(" ");
  return `token ${escaped(called, 80)}${decimals === undefined ? "" : `, ${decimals} decimals`}`;
}
