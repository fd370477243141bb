import { createService, type Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Opens the service for a command, with the terminal to print to from now on: it hides values of the host in everything
 * that is printed. Commands have no other way to a service.
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
