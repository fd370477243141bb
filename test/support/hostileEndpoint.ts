import type { JsonValue } from "../../server/src/base/json.ts";
import { type HostileServer, hostileServer } from "./hostileServer.ts";
import { hostileAnswer, plainWorkspace, type Workspace } from "./hostileWorkspace.ts";

/**
 * Starts an endpoint that puts a text into every field of its answers, and makes a workspace that uses it.
 *
 * @param text - Called for each request.
 */
export async function hostileEndpoint(text: () => string): Promise<{ server: HostileServer; plain: Workspace }> {
  const server = await hostileServer(({ body }, response) => {
    if (body === "") return void response.destroy(); // a handshake, or a client that has given up
    const asked: { readonly id: number; readonly method: string; readonly params: JsonValue } = JSON.parse(body);
    const answers = [asked].flat().map(({ id, method, params }) => {
      const answer = hostileAnswer(method, params, text(), plain.openrpc);
      return { jsonrpc: "2.0", id, ...Object(answer) };
    });
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  const plain = plainWorkspace(server.url);
  return { server, plain };
}
