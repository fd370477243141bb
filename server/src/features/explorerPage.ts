/** The kinds of pages that a block explorer has. */
export type Explored = "address" | "transaction" | "block";

const paths: Readonly<Record<Explored, string>> = { address: "address", transaction: "tx", block: "block" };

/**
 * The page of a block explorer; none without TLS.
 *
 * @param explorer - As an endpoint's entry or the catalogue has it.
 */
export function explorerPage(
  explorer: string | undefined,
  what: Explored,
  id: string,
): { readonly url: string; readonly host: string } | undefined {
  if (explorer === undefined || !URL.canParse(explorer)) return undefined;
  const { protocol, origin, pathname, host } = new URL(explorer);
  const url = `${origin}${pathname.replace(/\/+$/, "")}/${paths[what]}/${encodeURIComponent(id)}`;
  return protocol === "https:" ? { url, host } : undefined;
}
