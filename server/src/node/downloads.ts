import { withDeadline } from "../base/deadline.ts";
import { transportFault } from "../base/httpRequest.ts";
import type { Downloads } from "../base/ports.ts";
import { readBody } from "./body.ts";
import { type NetworkOptions, openConnector, send } from "./connector.ts";
import { clock } from "./environment.ts";
import { causeOf } from "./faults.ts";

/** Downloads through the same proxies as requests. Follows no redirect: what a person agreed to is one host. */
export function createDownloads(options: () => NetworkOptions): Downloads {
  const connector = openConnector(options, process.env);
  return {
    async get({ url, maxBytes, timeoutMs }, signal) {
      const answer = await withDeadline(clock, timeoutMs, signal, async (over) => {
        try {
          const address = new URL(url);
          const outgoing = {
            method: "GET" as const,
            url: address,
            headers: { "user-agent": "rpc-notebook" },
            body: "",
            onSent() {},
          };
          const response = await send(await connector.routeTo(address), outgoing, over);
          const { statusCode = 0, headers } = response;
          if (statusCode !== 200) {
            response.destroy();
            return statusCode;
          }
          const body = await readBody(response, headers["content-encoding"] ?? "", maxBytes);
          if (body.kind === "body") return body.bytes;
          return transportFault(body.kind === "damaged" ? "truncated" : "too-large", "", {});
        } catch (error) {
          const { reason, detail } = causeOf(error, false);
          return transportFault(reason, detail, {});
        }
      });
      return typeof answer === "string" ? transportFault(answer, "", {}) : answer;
    },
  };
}
