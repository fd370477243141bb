import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { closeAfterTest } from "../../scripts/lib/processEnd.mjs";
import { checksummed } from "../../server/src/abi/address.ts";

/** A verified contract, as `GET /v2/contract/{chainId}/{address}` answers it. */
export interface Verified {
  readonly chainId?: string;
  readonly address: string;
  readonly name: string;
  readonly abi: readonly unknown[];
  readonly storageLayout?: unknown;
  readonly match?: "exact_match" | "match" | null;
  readonly implementations?: readonly string[];
  /** Texts of source files by name. */
  readonly sources?: Readonly<Record<string, string>>;
  /** The file that declares it. */
  readonly main?: string;
}

/** What a server answers in place of the API: an HTTP status, a body, a page that it does not have, or nothing. */
export type Instead = number | string | Buffer | MissingPage | null;

interface MissingPage {
  /** The body of its HTTP 404. */
  readonly missing: string;
}

/** A server that plays Sourcify's API v2, from its documentation. It is closed after the test that opened it. */
export async function lookupServer(contracts: readonly Verified[], instead?: (path: string) => Instead | undefined) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    paths.push(path);
    const other = instead?.(path);
    if (other === null) return;
    const [, chain = "", address = ""] = /^\/v2\/contract\/(\d+)\/(0x[0-9a-fA-F]{40})(?:\?|$)/.exec(path) ?? [];
    const found = contracts.find(
      (one) => one.address.toLowerCase() === address.toLowerCase() && (one.chainId ?? "8453") === chain,
    );
    const [status, body] = played(other, path, { chainId: chain, address, found });
    response.writeHead(status, {
      "content-type": "application/json",
      ...(status >= 300 && status < 400 && { location: "http://127.0.0.1:9/" }),
    });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  closeAfterTest(close);
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, paths, close };
}

interface Asked {
  readonly chainId: string;
  readonly address: string;
  readonly found: Verified | undefined;
}

function played(
  other: Exclude<Instead, null> | undefined,
  path: string,
  asked: Asked,
): readonly [number, string | Buffer] {
  if (other === 404 || (other === undefined && !asked.found))
    return [404, answerOf(path, { ...asked, found: undefined })];
  if (typeof other === "number" || other === undefined) return [other ?? 200, answerOf(path, asked)];
  return typeof other === "object" && "missing" in other ? [404, other.missing] : [200, other];
}

function answerOf(path: string, { chainId, address, found }: Asked): string {
  if (!found) return JSON.stringify({ match: null, creationMatch: null, runtimeMatch: null, chainId, address });
  const { name, abi, storageLayout = null, match = "exact_match", implementations = [] } = found;
  if (/[?&]fields=[^&]*\bsources\b/.test(path)) {
    const { sources = {}, main = Object.keys(sources)[0] } = found;
    const files = Object.entries(sources).map(([file, content]) => [file, { content }]);
    return JSON.stringify({
      ...{ match, creationMatch: match, runtimeMatch: match, chainId, address: checksummed(address) },
      ...{ sources: Object.fromEntries(files), compilation: { fullyQualifiedName: `${main}:${name}` } },
    });
  }
  return JSON.stringify({
    ...{ match, creationMatch: match, runtimeMatch: match, chainId, address: checksummed(address) },
    ...{ verifiedAt: "2026-01-02T03:04:05Z", matchId: "1" },
    ...{ abi, storageLayout, compilation: { name } },
    proxyResolution: {
      isProxy: implementations.length > 0,
      proxyType: implementations.length > 0 ? "EIP1967Proxy" : null,
      implementations: implementations.map((one) => ({ address: one })),
    },
  });
}
