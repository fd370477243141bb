import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { closeAfterTest } from "../../scripts/lib/processEnd.mjs";

/** A proxy in front of an endpoint that records every request body. It is closed after the test that opened it. */
export interface CountingProxy {
  readonly url: string;
  /** Bodies in the order in which they arrived. */
  readonly bodies: readonly string[];
  /** The methods of each body. */
  methods(): readonly (readonly string[])[];
  /** Resolves when a body that names this method has arrived. */
  arrived(method: string): Promise<void>;
  close(): Promise<void>;
}

interface Asked {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Passes bodies on to an endpoint, and replaces the answers to some requests: by `{ result }` or `{ error }`. */
export function replacing(
  target: string,
  replace: (request: Asked) => object | undefined,
): (body: string) => Promise<string | false> {
  return async (body) => {
    if (body === "") return false; // a handshake
    const asked = [JSON.parse(body)].flat() as readonly Asked[];
    const headers = { "content-type": "application/json" };
    const answers: { readonly id: number } | readonly { readonly id: number }[] = await (
      await fetch(target, { method: "POST", headers, body })
    ).json();
    const told = [answers].flat().map((one) => {
      const request = asked.find(({ id }) => id === one.id);
      const other = request && replace(request);
      return other ? { jsonrpc: "2.0", id: one.id, ...other } : one;
    });
    return JSON.stringify(Array.isArray(answers) ? told : told[0]);
  };
}

/** The answer of an endpoint that does not serve a method. */
export function unserved(method: string): object {
  return { error: { code: -32601, message: `the method ${method} does not exist/is not available` } };
}

/**
 * @param target - URL of the endpoint.
 * @param holds - Bodies that are not passed on and get no answer; a text is the answer to give instead.
 */
export async function countingProxy(
  target: string,
  holds: (body: string) => boolean | string | Promise<boolean | string> = () => false,
): Promise<CountingProxy> {
  const bodies: string[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    for (const look of waiting) look();
    const headers = { "content-type": "application/json" };
    const held = await holds(body);
    if (typeof held === "string") response.writeHead(200, headers).end(held);
    if (held !== false) return;
    try {
      const answer = await fetch(target, { method: "POST", headers, body });
      response.writeHead(answer.status, headers).end(await answer.text());
    } catch {
      response.destroy(); // the endpoint is gone
    }
  });
  server.keepAliveTimeout = 60_000; // on a busy machine, a client may be silent for longer than the 5 s of Node
  await once(server.listen(0, "127.0.0.1"), "listening");
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    bodies,
    methods: () => bodies.map((body) => [JSON.parse(body)].flat().map(({ method }) => method)),
    arrived: (method) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!bodies.some((body) => body.includes(`"${method}"`))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  closeAfterTest(proxy.close);
  return proxy;
}
