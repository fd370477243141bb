import type { JsonValue } from "../base/json.ts";
import type { Files } from "../base/ports.ts";
import { foldersAbove } from "../base/uri.ts";
import { foundryReferences } from "./foundry.ts";
import { type HostReference, referencesWithin, type ValueOf } from "./hostValue.ts";
import { builtIn, type EndpointProblem, type KnownEndpoint, namedEndpoints } from "./named.ts";
import { endpointsFile, privateEndpointsFile, readEndpointsFile, readFoundryFile } from "./readFiles.ts";

export interface KnownEndpoints {
  /** Each name once, in the order of look-up. */
  readonly endpoints: readonly KnownEndpoint[];
  readonly problems: readonly EndpointProblem[];
  /** Values that endpoints, and `also`, name. */
  readonly hostValue: ValueOf;
}

/** Everything that {@link knownEndpoints} needs beside files. */
export interface Beside {
  /** The user's `rpcNotebook.endpoints`. */
  readonly setting?: Readonly<Record<string, unknown>> | undefined;
  /** The workspace's `rpcNotebook.endpoints`, which the repository controls. */
  readonly workspaceSetting?: Readonly<Record<string, unknown>> | undefined;
  readonly read?: (wanted: readonly HostReference[]) => Promise<ValueOf>;
  /** Texts that may name more values: addresses that are used without a name. */
  readonly also?: readonly string[];
}

const foundryFile = "foundry.toml";

/**
 * Reads the endpoints that a document can name: the files from its folder up to its workspace folder (the
 * nearest wins, and in a folder the private one), the setting, `foundry.toml`, and built-in ones.
 *
 * @param uri - Of the notebook.
 * @param roots - URIs of the workspace folders. A document outside them uses only the files beside it.
 */
export async function knownEndpoints(
  files: Files,
  uri: string,
  roots: readonly string[],
  { setting = {}, workspaceSetting = {}, read = async () => () => undefined, also = [] }: Beside = {},
): Promise<KnownEndpoints> {
  const found = await Promise.all(
    foldersAbove(uri, roots, files).flatMap((folder, level) =>
      [privateEndpointsFile, endpointsFile, foundryFile].map(async (name): Promise<FoundFile> => {
        const place = { uri: `${folder}/${name}`, origin: `${"../".repeat(level)}${name}` };
        return { ...place, isFoundry: name === foundryFile, bytes: await files.read(place.uri) };
      }),
    ),
  );
  const wanted = [...also, JSON.stringify([setting, workspaceSetting])].flatMap(referencesWithin);
  const hostValue = await read([...wanted, ...found.flatMap(referencesIn)]);
  const readAll = (isFoundry: boolean) =>
    found.flatMap((file) => {
      if (!file.bytes || file.isFoundry !== isFoundry) return [];
      const reader = isFoundry ? readFoundryFile : readEndpointsFile;
      return reader(file.bytes, file.uri, file.origin, hostValue);
    });
  const settingName = "setting rpcNotebook.endpoints";
  const set = namedEndpoints(fromClient(setting), `your ${settingName}`, "settings", hostValue);
  const setHere = namedEndpoints(
    fromClient(workspaceSetting),
    `the workspace's ${settingName}`,
    "repository",
    hostValue,
  );
  const [own, foundry] = [readAll(false), readAll(true)];
  const all = [...own, setHere, set, ...foundry, { endpoints: builtInEndpoints }].flatMap(({ endpoints }) => endpoints);
  const first = new Map(all.toReversed().map((each) => [each.name, each]));
  return {
    endpoints: all.filter((each) => first.get(each.name) === each),
    problems: [...own, ...foundry].flatMap(({ problems }) => problems),
    hostValue,
  };
}

/** Reads a setting, which comes from the client as JSON. */
function fromClient(setting: Readonly<Record<string, unknown>>): Readonly<Record<string, JsonValue>> {
  return setting as Readonly<Record<string, JsonValue>>;
}

interface FoundFile {
  readonly uri: string;
  readonly origin: string;
  readonly isFoundry: boolean;
  readonly bytes: Uint8Array | undefined;
}

function referencesIn({ bytes, isFoundry }: FoundFile): readonly HostReference[] {
  if (!bytes) return [];
  const text = new TextDecoder().decode(bytes);
  return isFoundry ? [...foundryReferences(text), ...referencesWithin(text)] : referencesWithin(text);
}

const local = { local: "http://127.0.0.1:8545" };

/** Returns whether an endpoint of this name is built in. Files and settings can change its address. */
export function isBuiltIn(name: string): boolean {
  return Object.hasOwn(local, name);
}

const builtInEndpoints = namedEndpoints(local, builtIn, "repository", () => undefined).endpoints;
