import { contentHash, type Descriptors, packDescriptors, unpackDescriptors } from "../abi/descriptors.ts";
import { unzip } from "../base/compression.ts";
import { isObject, parseJson } from "../base/json.ts";
import type { Cache, Downloads } from "../base/ports.ts";
import { formatBytes } from "../base/units.ts";
import type { GetRegistryResult, RegistryResult } from "../protocol/registry.ts";
import { explainFault } from "../rpc/faultMessages.ts";
import { descriptorFilesIn, readDescriptors } from "./descriptorSources.ts";

/** An archive of the ERC-7730 registry, as it was at a commit. */
export interface RegistrySource {
  readonly url: string;
  readonly commit: string;
  /** Of the commit, `2026-08-20`. */
  readonly date: string;
  /** Of the archive, roughly: it is packed anew now and then. More than twice as many are not downloaded. */
  readonly bytes: number;
  /** Of the descriptors in it, see {@link contentHash}. */
  readonly hash: string;
}

const commit = "3b66ba289cd3988ea791346629445f9ab6ae86f3";

/** What this version of RPC Notebook can download. */
export const registrySource: RegistrySource = {
  url: `https://codeload.github.com/ethereum/clear-signing-erc7730-registry/zip/${commit}`,
  commit,
  date: "2026-08-20",
  bytes: 1_500_000,
  hash: "0xe501d9295dd41d38eff47785b22d476041e11bb3848b526017a5a07b45da90e7",
};

export interface RegistryCopy {
  readonly commit: string;
  /** Of the commit. */
  readonly date: string;
}

const cacheName = "erc7730-registry";
/** Bytes of all files of the archive that are read. */
const maxBytes = 50_000_000;
const maxMs = 120_000;
/** The only folder of the archive is this, while it is read. */
const folder = "archive:///registry";

/** Downloads the registry, checks it and keeps its descriptors. Never rejects. */
export async function downloadRegistry(
  source: RegistrySource,
  downloads: Downloads,
  cache: Cache,
  signal: AbortSignal,
): Promise<GetRegistryResult> {
  const { url, hash, commit, date } = source;
  const { host } = new URL(url);
  const most = source.bytes * 2;
  const bytes = await downloads.get({ url, maxBytes: most, timeoutMs: maxMs }, signal);
  if (typeof bytes === "number") return { problem: `${host} answered with HTTP ${bytes}. Nothing was saved.` };
  if (!(bytes instanceof Uint8Array)) {
    if (bytes.reason === "cancelled") return { problem: "Cancelled. Nothing was saved." };
    const { what } = explainFault(bytes.reason, host, bytes.detail, { timeoutMs: maxMs, maxBytes: most });
    return { problem: `${what} Nothing was saved.` };
  }
  const contents = unzip(bytes, maxBytes, (name) => /^[^/]+\/(?:registry|ercs)\/.*\.json$/.test(name));
  if (!contents)
    return {
      problem: `What ${host} sent is not a complete archive, or has more than ${formatBytes(maxBytes)}. Nothing was saved.`,
    };
  const files = new Map([...contents].map(([name, content]) => [name.replace(/^[^/]+/, folder), content]));
  if (contentHash(files) !== hash)
    return { problem: `What ${host} sent is not the registry of commit ${commit.slice(0, 10)}. Nothing was saved.` };
  const found = await descriptorFilesIn(folder, filesIn(files));
  const uris = (found ?? []).map(({ uri }) => uri);
  const { entries } = await readDescriptors(uris, [folder], filesIn(files), "registry");
  const copy: RegistryCopy = { commit, date };
  try {
    await cache.write(cacheName, `${JSON.stringify(copy)}\n${packDescriptors(entries)}`);
    return { descriptors: entries.length };
  } catch (error) {
    return {
      problem: `The registry could not be saved: ${error instanceof Error ? error.message : "no reason given"}.`,
    };
  }
}

/**
 * Returns what a download would be, and the copy that there is.
 *
 * @param now - Milliseconds since 1970.
 */
export async function registryFacts(source: RegistrySource, cache: Cache, now: number): Promise<RegistryResult> {
  const { url, commit, date, bytes } = source;
  const { host } = new URL(url);
  const have = (await readRegistry(cache, String))?.copy;
  const size = (bytes / 1e6).toFixed(1);
  const words = {
    question: have ? questionAbout(have, commit, now) : "Get the registry of descriptors?",
    detail: [
      `This downloads the ERC-7730 registry as it was on ${date} (commit ${commit.slice(0, 10)}), ${size} MB, from ${host}, and keeps it on this machine. Its descriptors describe calls in words. Nothing else is sent.`,
    ],
    yes: [`Download from ${host}`],
    no: "Don't Download",
  };
  return { words, host, ...(have && { have }) };
}

function questionAbout({ date, commit }: RegistryCopy, offered: string, now: number): string {
  const days = Math.floor((now - Date.parse(date)) / 86_400_000);
  const next = commit === offered ? "This version knows no newer one. Download it again?" : "Download a newer one?";
  return `You have the registry of ${date}, ${days} days old. ${next}`;
}

/** Reads the copy that was downloaded. */
export async function readRegistry(
  cache: Cache | undefined,
  originOf: (entity: string) => string,
): Promise<{ readonly copy: RegistryCopy; readonly table: Descriptors } | undefined> {
  const text = (await cache?.read(cacheName).catch(() => undefined)) ?? "";
  const [head = "", ...packed] = text.split("\n");
  const copy = parseJson(head);
  const table = unpackDescriptors(packed.join("\n"), originOf);
  if (!isObject(copy) || !table) return undefined;
  return { copy: { commit: String(copy.commit), date: String(copy.date) }, table };
}

/** The files of an archive, as a host has them. */
function filesIn(contents: ReadonlyMap<string, Uint8Array>) {
  return {
    read: async (uri: string) => contents.get(decodeURIComponent(uri)),
    async list(uri: string) {
      const start = `${decodeURIComponent(uri)}/`;
      const kinds = new Map<string, "file" | "folder">();
      for (const name of contents.keys())
        if (name.startsWith(start)) {
          const [first = "", ...rest] = name.slice(start.length).split("/");
          kinds.set(first, rest.length > 0 ? "folder" : "file");
        }
      return kinds.size === 0 ? undefined : [...kinds].map(([name, kind]) => ({ name, kind }));
    },
  };
}
