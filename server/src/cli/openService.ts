import { createService, type Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import type { Terminal } from "./terminal.ts";

/** Waits until everything for an open document has been read, the contracts of the project too if it needs them. */
export async function readNeeded(uri: string, service: Service): Promise<void> {
  await service.settled(uri);
  service.diagnostics(uri); // looks for unknown names in the contracts of the project
  await service.settled(uri);
}

/**
 * Opens the service for a command, with a terminal that hides secrets and environment values in everything that is
 * printed. Commands print to that terminal from now on.
 */
export function openService(host: Host, screen: Terminal): { readonly service: Service; readonly terminal: Terminal } {
  const service = createService(host);
  const hide = service.hidden;
  const terminal: Terminal = {
    ...screen,
    get width() {
      return screen.width;
    },
    print: (text) => screen.print(hide(text)),
    complain: (what, todo) => screen.complain(hide(what), todo && hide(todo)),
    note: (text) => screen.note(hide(text)),
    progress: (text) => screen.progress(hide(text)),
  };
  return { service, terminal };
}
