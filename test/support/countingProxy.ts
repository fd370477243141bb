import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy in front of an endpoint that records every request body. */
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
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
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
}
