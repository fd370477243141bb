import { access } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Transport } from "../base/ports.ts";
import type { HostOptions } from "../cli/commandLineHost.ts";
import type { Terminal } from "../cli/terminal.ts";
import { siteOf, sitesNamed, staysHere } from "../endpoints/site.ts";
import { everythingTo, lookupGrant, methodGrant } from "../gate/verdict.ts";
import type { Host } from "../workspace/host.ts";
import { clock, environment } from "./environment.ts";
import { cache, commandFiles, openTracer, readCode, signatures } from "./files.ts";
import { createSockets } from "./socket.ts";
import { createDownloads, createTransport } from "./transport.ts";

/** Lends a command its ports. Asks no questions: the options say what is allowed. */
export async function cliHost(
  { files, out, record, speedscope, reportFile, save = [], ...options }: HostOptions,
  terminal: Terminal,
): Promise<Host> {
  const outFolder = out === undefined ? [] : [files.length > 1 ? resolve(out) : dirname(resolve(out))];
  const written = save.map(({ path }) => path);
  const others = [...files, record, speedscope, reportFile, ...written].filter((file) => file !== undefined);
  const places = [...others.map((file) => dirname(resolve(file))), ...outFolder];
  const folders = await Promise.all(places.map(projectFolder));
  hintAtPorts(options.allowHosts ?? [], terminal);
  const { replay } = options;
  return {
    ...(replay === undefined
      ? {
          transport: createTransport(() => ({})),
          sockets: createSockets(() => ({})),
          downloads: createDownloads(() => ({})),
        }
      : { transport: noTransport }),
    files: commandFiles(replay === undefined ? [] : [replay]),
    signatures,
    openTracer,
    readCode,
    cache,
    traceKeys: replay === undefined && record === undefined ? cache : undefined,
    clock,
    consent: {
      byOptions: true,
      allowHost: async () => false,
      allowWrites: async () => options.allowWrites ?? false,
      allowCost: async () => options.yes ?? false,
      allowMethods: async () => (options.allowWrites ? "once" : "no"),
    },
    log: {
      info: (message) => terminal.note(message),
      warn: (message) => terminal.note(message),
      error: (message) => terminal.complain(message),
    },
    trusted: true,
    settings: {
      rpcNotebook: {
        ...(options.timeout !== undefined && { timeout: options.timeout }),
        ...(options.lookup !== undefined && { lookupHost: options.lookup }),
      },
    },
    environment,
    approvedHosts: [
      ...(options.allowHosts ?? []).flatMap(sitesNamed).map(everythingTo),
      ...(options.lookup === undefined ? [] : [lookupGrant(siteOf(options.lookup), "always")]),
      ...(options.allowMethods ?? []).map((method) => methodGrant("*", method)),
    ],
    roots: folders.map((folder) => pathToFileURL(folder).href),
    changed: () => {},
  };
}

/** Sends nothing. */
const noTransport: Transport = {
  post: async () => ({ kind: "fault", reason: "refused", detail: "only the recording answers", sent: false }),
};

/** Notes hosts of this machine without a port, since nodes seldom listen on the ports of the web. */
function hintAtPorts(allowHosts: readonly string[], terminal: Terminal): void {
  for (const host of allowHosts.filter((text) => !/:\d+\/?$/.test(text) && sitesNamed(text).some(staysHere)))
    terminal.note(`--allow-host ${host} has no port, so it means port 80 or 443. For a node, write one: ${host}:8545.`);
}

/** Finds the nearest folder upwards that is under version control, else the working folder, else the folder itself. */
async function projectFolder(from: string): Promise<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    const isTop = await access(join(folder, ".git")).then(
      () => true,
      () => false,
    );
    if (isTop) return folder;
    if (folder === dirname(folder)) break;
  }
  const here = resolve();
  return from.startsWith(here + sep) ? here : from;
}
