import { quantity } from "../base/hex.ts";
import type { Files } from "../base/ports.ts";
import { resolvePath } from "../base/uri.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { KnownEndpoint } from "../endpoints/named.ts";
import { recordingSuffix, replayUrl } from "../endpoints/replayAddress.ts";
import type { Recording } from "../recording/recording.ts";
import { isPacked, type OpenReplay, type Replays, recordedOn } from "../recording/replays.ts";

/** What is read for a document, beside its files. */
export interface EndpointNeeds {
  /** May name values of the host. */
  readonly texts: readonly string[];
  /** The recording that the document's header names. */
  readonly recording?: string | undefined;
}

interface RecordingSupport {
  readonly files: Pick<Files, "read">;
  readonly replays: Replays;
  /** Answers for every document. */
  readonly whole: Recording | undefined;
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
  { recording, texts }: EndpointNeeds,
  support: RecordingSupport,
): Promise<readonly KnownEndpoint[]> {
  const { whole } = support;
  if (whole !== undefined || recording !== undefined) {
    const open = await (whole === undefined ? openOwn(recording ?? "", uri, support) : support.replays.add(whole));
    return replayed(known, texts.filter(isAddress), open, whole !== undefined);
  }
  return Promise.all(known.map((each) => opened(each, known, uri, support)));
}

async function openOwn(own: string, uri: string, support: RecordingSupport): Promise<OpenReplay | string> {
  if (own === "") return "the notebook does not contain the recording that its header names";
  if (isPacked(own)) return support.replays.open(uri, own);
  const file = own.endsWith(recordingSuffix) ? resolvePath(own, uri) : undefined;
  if (file !== undefined) return openFile(file, support);
  return `\`recording\` of the header is not a relative path that ends in ${recordingSuffix}`;
}

async function openFile(uri: string, { files, replays }: RecordingSupport): Promise<OpenReplay | string> {
  const bytes = await files.read(uri);
  return bytes ? replays.open(uri, new TextDecoder().decode(bytes)) : "its recording does not exist or cannot be read";
}

/** Returns whether an endpoint is chosen by its address, without a name. */
function isAddress(text: string): boolean {
  return /^(?:https?|wss?):/i.test(text) && URL.canParse(text);
}

/** Returns the endpoints of a recording, the other known ones and addresses, all answered by it. */
function replayed(
  known: readonly KnownEndpoint[],
  addresses: readonly string[],
  open: OpenReplay | string,
  asRecorded: boolean,
): readonly KnownEndpoint[] {
  if (typeof open === "string") return known.map((each) => ({ ...each, endpoint: { broken: open } }));
  const { endpoints } = open.replay.recording;
  const names = new Set([...Object.keys(endpoints), ...known.map(({ name }) => name), ...addresses]);
  return [...names].map((written): KnownEndpoint => {
    const each = known.find((one) => one.name === written);
    const name = isAddress(written) ? new URL(written).host : written;
    const facts = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
    const site = facts && asRecorded && URL.canParse(facts.site) ? new URL(facts.site).host : undefined;
    const base = each && "url" in each.endpoint ? each.endpoint : blank;
    const chainId = quantity(facts?.chainId) ?? base.chainId;
    return {
      ...(each ?? { name: written, origin: "the recording", namedBy: "settings" }),
      isDefault: written === Object.keys(endpoints)[0],
      endpoint: { ...onlyRecorded(base, open), name, chainId, ...(site !== undefined && { host: site }) },
    };
  });
}

/** Opens the recording that an entry names. */
async function opened(
  each: KnownEndpoint,
  known: readonly KnownEndpoint[],
  uri: string,
  support: RecordingSupport,
): Promise<KnownEndpoint> {
  const { endpoint, place, name } = each;
  if ("broken" in endpoint || !endpoint.recorded) return each;
  const { path, else: otherName } = endpoint.recorded;
  const file = resolvePath(path, place?.uri ?? uri);
  const open = file === undefined ? "its recording has a path that leads nowhere" : await openFile(file, support);
  if (typeof open === "string") return { ...each, endpoint: { broken: open } };
  if (otherName === undefined) return { ...each, endpoint: onlyRecorded(endpoint, open) };
  const other = known.find((one) => one.name === otherName);
  if (!other || "broken" in other.endpoint || other.endpoint.recorded)
    return { ...each, endpoint: { broken: "its `else` names no other endpoint that can be used" } };
  return { ...each, namedBy: other.namedBy, endpoint: { ...other.endpoint, name, replay: open.id } };
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
  carries: [],
};
