import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpResponse, Transport } from "../server/src/base/ports.ts";
import { clock } from "../server/src/node/environment.ts";
import { files } from "../server/src/node/files.ts";
import { createTransport } from "../server/src/node/transport.ts";
import type { Host } from "../server/src/workspace/host.ts";

/** A host with a real transport, to which everything is allowed. */
export function benchHost(): Host & { close(): Promise<void> } {
  const transport = createTransport(() => ({}));
  return {
    transport,
    files,
    clock,
    consent: {
      allowHost: async () => true,
      allowWrites: async () => false,
      allowMethods: async () => "no",
      allowCost: async () => true,
    },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    roots: [],
    trusted: true,
    settings: {},
    approvedHosts: [],
    changed: () => {},
    close: () => transport.close(),
  };
}

/** An endpoint that answers every request with the same balance, after a delay in milliseconds. */
export async function balanceServer(delay: number): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const asked = JSON.parse(body) as { id: unknown } | readonly { id: unknown }[]; // only this benchmark asks
      const answer = (one: { id: unknown }) => ({ jsonrpc: "2.0", id: one.id, result: "0x8ac7230489e80000" });
      const text = JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked as { id: unknown }));
      setTimeout(() => {
        response.setHeader("content-type", "application/json");
        response.end(text);
      }, delay);
    });
  });
  return listening(server);
}

/** Starts a server on a port of loopback that is free. */
export async function listening(server: Server): Promise<{ readonly url: string; close(): void }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A transport, and when its last large answer arrived. */
export interface TimedTransport {
  readonly transport: Transport;
  /** Milliseconds of `performance.now()`. */
  arrivedAt(): number;
}

/** Measures when answers arrive that are larger than so many bytes. */
export function timedTransport({ post }: Transport, minBytes: number): TimedTransport {
  let arrived = 0;
  return {
    arrivedAt: () => arrived,
    transport: {
      async post(...given) {
        const answer = await post(...given);
        if ("bytes" in answer && (answer as HttpResponse).bytes > minBytes) arrived = performance.now();
        return answer;
      },
    },
  };
}
