import { quantity } from "../base/hex.ts";
import type { Files } from "../base/ports.ts";
import { brief } from "../base/text.ts";
import { isInside, resolvePath } from "../base/uri.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { KnownEndpoint } from "../endpoints/named.ts";
import { recordingSuffix, replayUrl } from "../endpoints/site.ts";
import type { Recording } from "../recording/recording.ts";
import { isPacked, type OpenReplay, type Replays, recordedOn } from "../recording/replays.ts";
import { linkFault, slashHint } from "./projectFiles.ts";

/** The parts of a document that name endpoints and recordings. */
export interface EndpointNeeds {
  /** May name values of the host. */
  readonly texts: readonly string[];
  /** The recording that the document's header names. */
  readonly recording?: string | undefined;
}

interface ReplayContext {
  readonly files: Files;
  readonly replays: Replays;
  /** Answers for every document. */
  readonly whole: Recording | undefined;
  /** URIs of the folders outside of which no recording is read. */
  readonly tops: readonly string[];
  readonly trusted: boolean;
}

interface RecordedEndpoints {
  readonly endpoints: readonly KnownEndpoint[];
  /** Used for every other name and address, if a recording answers for all of them. */
  readonly fallback?: KnownEndpoint;
}

/**
 * Opens the recordings that entries name. If the document has a recording of its own, or all documents have one, that
 * answers for every endpoint.
 *
 * @param needs - Its `recording` is a path from the document's folder, or a packed recording.
 */
export async function withRecordings(
  known: readonly KnownEndpoint[],
  uri: string,
  { recording }: EndpointNeeds,
  context: ReplayContext,
): Promise<RecordedEndpoints> {
  if (context.whole !== undefined) return replayed(known, context.replays.add(context.whole), true);
  if (recording !== undefined) return replayed(known, await openOwn(recording, uri, context), false);
  return { endpoints: await Promise.all(known.map((each) => opened(each, known, uri, context))) };
}

async function openOwn(own: string, uri: string, context: ReplayContext): Promise<OpenReplay | string> {
  if (!context.trusted) return "recordings are opened in trusted workspaces only";
  if (own === "") return "the notebook does not contain the recording that its header names";
  return isPacked(own) ? context.replays.open(uri, own) : openFile(own, uri, context);
}

/** @param base - URI of the file that names the path. */
async function openFile(
  path: string,
  base: string,
  { files, replays, tops }: ReplayContext,
): Promise<OpenReplay | string> {
  const uri = path.endsWith(recordingSuffix) ? resolvePath(path, base) : undefined;
  if (uri === undefined) return `\`${brief(path, 60)}\` is not a relative path that ends in ${recordingSuffix}`;
  if (!isInside(uri, tops, files))
    return `the recording \`${brief(path, 60)}\` is outside the project${slashHint(path)}`;
  if (await files.leadsOut?.(uri, tops)) return `the recording \`${brief(path, 60)}\` cannot be used: ${linkFault}`;
  const bytes = await files.read(uri, "replace"); // it may not answer at all: then a run can record it again
  if (!bytes) return `the recording \`${brief(path, 60)}\` does not exist or cannot be read${slashHint(path)}`;
  return replays.open(uri, new TextDecoder().decode(bytes));
}

/** Returns the endpoints of a recording and the other known ones, all answered by it. */
function replayed(
  known: readonly KnownEndpoint[],
  open: OpenReplay | string,
  asRecorded: boolean,
): Required<RecordedEndpoints> {
  const whole = { name: "", origin: "`recording` of the header", namedBy: "settings" } as const;
  if (typeof open === "string") {
    const broken = { endpoint: { broken: open } };
    return {
      endpoints: known.map((each) => ({ ...each, origin: whole.origin, ...broken })),
      fallback: { ...whole, ...broken },
    };
  }
  const { endpoints } = open.replay.recording;
  const names = new Set([...Object.keys(endpoints), ...known.map(({ name }) => name)]);
  const all = [...names].map((name): KnownEndpoint => {
    const each = known.find((one) => one.name === name);
    const facts = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
    const site = facts && asRecorded && URL.canParse(facts.site) ? new URL(facts.site).host : undefined;
    const base = each && "url" in each.endpoint ? each.endpoint : blank;
    const chainId = quantity(facts?.chainId) ?? base.chainId;
    return {
      ...(each ?? { ...whole, name }),
      isDefault: name === Object.keys(endpoints)[0],
      endpoint: { ...onlyRecorded(base, open), name, chainId, ...(site !== undefined && { host: site }) },
    };
  });
  return { endpoints: all, fallback: { ...whole, endpoint: onlyRecorded(blank, open) } };
}

/** Opens the recording that an entry names. */
async function opened(
  each: KnownEndpoint,
  known: readonly KnownEndpoint[],
  uri: string,
  context: ReplayContext,
): Promise<KnownEndpoint> {
  const { endpoint, place, name } = each;
  if ("broken" in endpoint || !endpoint.recorded) return each;
  const { path, else: otherName } = endpoint.recorded;
  const open = await openFile(path, place?.uri ?? uri, context);
  if (typeof open === "string") return { ...each, endpoint: { broken: open } };
  if (otherName === undefined) return { ...each, endpoint: onlyRecorded(endpoint, open) };
  const other = known.find((one) => one.name === otherName);
  if (!other || "broken" in other.endpoint || other.endpoint.recorded) {
    const what = `\`else\` names \`${brief(otherName, 60)}\`, which is not another usable endpoint with a \`url\``;
    return { ...each, endpoint: { broken: what } };
  }
  return { ...other, name, endpoint: { ...other.endpoint, name, replay: open.id } };
}

function onlyRecorded(base: Endpoint, { id, replay }: OpenReplay): Endpoint {
  const { chainId } = base;
  const [only, ...more] = Object.values(replay.recording.endpoints);
  return {
    ...base,
    url: replayUrl(id),
    host: recordedOn(replay.recording),
    headers: {},
    ws: undefined,
    rate: undefined,
    carries: [],
    chainId: chainId ?? (more.length === 0 ? quantity(only?.chainId) : undefined),
    replay: id,
  };
}

const blank: Endpoint = {
  name: "",
  url: "",
  host: "",
  headers: {},
  ws: undefined,
  chainId: undefined,
  preconfirmed: undefined,
  logRange: undefined,
  batch: undefined,
  rate: undefined,
  refuses: [],
  explorer: undefined,
  contracts: undefined,
  carries: [],
};
