import type { Keys } from "../abi/storageKey.ts";
import type { StorageLayout } from "../abi/storageLayout.ts";
import { isUnread, type StorageRow, type StorageRows, storageRows } from "../abi/storageRows.ts";
import { quantity, toQuantity, toWord } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import type { EndpointClient, Question } from "../gate/backgroundClient.ts";
import { blockFacts, findBlock, type HeadMemory, questionOf } from "../rpc/head.ts";
import { type Outcome, resultOf, seemsUnserved } from "../rpc/outcome.ts";
import { type LoggedWords, loggedWords } from "./loggedWords.ts";

/** The stored values of a contract at one block or at two. */
export interface StorageReading {
  readonly layout: StorageLayout;
  readonly address: string;
  readonly endpoint: string;
  readonly host: string;
  readonly blocks: readonly BlockReading[];
  /** In the order of the layout: a row of any of the blocks. */
  readonly rows: readonly ComparedRow[];
  /** There is more than is listed. */
  readonly hasMore: boolean;
  /** Slots, of any of the blocks, with something that compilers do not write for this layout. */
  readonly strange: readonly bigint[];
  /** Words that were asked for, and for which no word came. */
  readonly unread: number;
  /** Logs whose words were tried as keys of mappings; `undefined` without mappings. */
  readonly logs: LoggedWords | undefined;
  /** The first answer that was not a word. */
  readonly failure: Exclude<Outcome, { readonly kind: "answered" }> | undefined;
  /** Requests that were sent. */
  readonly requests: number;
}

interface BlockReading {
  /** As it was asked for: `latest`. */
  readonly asked: string;
  /** The number that it had, as a quantity; `undefined` if no block has it. */
  readonly number: string | undefined;
  /** There is a contract at the address. */
  readonly hasCode: boolean;
}

export interface ComparedRow extends Omit<StorageRow, "value" | "note"> {
  /** One for each block; `undefined` if the block does not have the row. */
  readonly values: readonly (StorageRow | undefined)[];
  /** The blocks do not have the same, as far as both were read. */
  readonly differs: boolean;
}

/** Rounds in which what was read says what to read next: lengths, then items, then their texts. */
const maxRounds = 8;
/** Requests in one body. */
const maxBatch = 100;

/** Reads the variables of a contract, in batches. Sends only requests that read. */
export async function readStorage(
  { ask, endpoint, memory }: EndpointClient,
  layout: StorageLayout,
  { address, blocks }: { readonly address: string; readonly blocks: readonly string[] },
  keys: Keys,
  signal: AbortSignal,
): Promise<StorageReading> {
  let requests = 0;
  let failure: StorageReading["failure"];
  const sending = async (questions: readonly Question[]): Promise<readonly Outcome[]> => {
    requests += questions.length;
    return ask(questions, signal);
  };
  const asking = async (questions: readonly Question[]): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < questions.length && !failure && !signal.aborted; at += maxBatch) {
      const some = await sending(questions.slice(at, at + maxBatch));
      for (const outcome of some) if (outcome.kind !== "answered") failure ??= outcome;
      outcomes.push(...some);
    }
    return outcomes;
  };
  const opened = await openBlocks(sending, address, blocks, memory);
  const found = opened.map(({ block }) => block);
  failure = opened.flatMap((one) => one.failure ?? [])[0];
  const last = hasMapping(layout) ? newest(found) : undefined;
  const asked = async (question: Question): Promise<Outcome | undefined> => (await sending([question]))[0];
  const logs = last === undefined || failure ? undefined : await loggedWords(asked, address, last);
  const known = logs ? { ...keys, logged: logs.words } : keys;
  const listed: (StorageRows | undefined)[] = [];
  for (const { asked, number, hasCode } of found) {
    const block = asked === "pending" ? asked : number; // what is pending has no number that is served
    const isThere = block !== undefined && hasCode;
    listed.push(isThere ? await readBlock(asking, layout, address, block, known) : undefined);
  }
  return {
    layout,
    address,
    endpoint: endpoint.name,
    host: endpoint.host,
    blocks: found,
    rows: compared(listed),
    hasMore: listed.some((one) => one?.hasMore),
    strange: [...new Set(listed.flatMap((one) => one?.strange ?? []))],
    unread: listed.reduce((sum, one) => sum + (one?.missing.size ?? 0), 0),
    logs,
    failure,
    requests,
  };
}

type Asking = (questions: readonly Question[]) => Promise<readonly Outcome[]>;

/** Finds the numbers of the blocks, so that all words of one come from the same state. */
async function openBlocks(
  ask: Asking,
  address: string,
  blocks: readonly string[],
  memory: HeadMemory,
): Promise<readonly OpenedBlock[]> {
  const outcomes = await ask(
    blocks.flatMap((block) => [questionOf(block, memory), { method: "eth_getCode", params: [address, block] }]),
  );
  const opened: OpenedBlock[] = [];
  for (const [at, asked] of blocks.entries()) {
    const [header, code] = outcomes.slice(at * 2);
    const found = seemsUnserved(header)
      ? await findBlock(ask, memory, asked)
      : { facts: blockFacts(resultOf(header)), outcome: header };
    const number = found.facts ? toQuantity(found.facts.number) : asked === "pending" ? asked : undefined;
    const failure = [found.facts ? undefined : found.outcome, code].find((one) => one && one.kind !== "answered");
    const block = { asked, number, hasCode: hasCode(code) };
    opened.push({ block, failure: failure?.kind === "answered" ? undefined : failure });
  }
  return opened;
}

interface OpenedBlock {
  readonly block: BlockReading;
  readonly failure: StorageReading["failure"];
}

function hasMapping({ types }: StorageLayout): boolean {
  return [...types.values()].some(({ kind }) => kind === "mapping");
}

/** The newest block that has a number. */
function newest(blocks: readonly BlockReading[]): bigint | undefined {
  const numbers = blocks.flatMap(({ number }) => quantity(number) ?? []);
  return numbers.toSorted((a, b) => Number(b - a))[0];
}

function hasCode(outcome: Outcome | undefined): boolean {
  const code = resultOf(outcome);
  return typeof code === "string" && code.length > 2;
}

async function readBlock(
  ask: Asking,
  layout: StorageLayout,
  address: string,
  block: string,
  keys: Keys,
): Promise<StorageRows> {
  const words = new Map<bigint, string>();
  let listed = storageRows(layout, words, keys);
  for (let round = 0; round < maxRounds && listed.missing.size > 0; round++) {
    const slots = [...listed.missing];
    const outcomes = await ask(
      slots.map((slot) => ({ method: "eth_getStorageAt", params: [address, toWord(slot), block] })),
    );
    const before = words.size;
    for (const [at, slot] of slots.entries()) {
      const word = padded(resultOf(outcomes[at]));
      if (word !== undefined) words.set(slot, word);
    }
    if (words.size === before) break; // it does not answer
    listed = storageRows(layout, words, keys);
  }
  return listed;
}

/** Some nodes leave out leading zeros. */
function padded(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value)
    ? `0x${value.slice(2).padStart(64, "0")}`
    : undefined;
}

function compared(listed: readonly (StorageRows | undefined)[]): readonly ComparedRow[] {
  const rows = new Map<string, { readonly row: StorageRow; readonly values: (StorageRow | undefined)[] }>();
  for (const [at, one] of listed.entries()) {
    for (const row of one?.rows ?? []) {
      const key = `${row.path} ${row.slot} ${row.offset}`;
      const known = rows.get(key) ?? { row, values: listed.map(() => undefined) };
      known.values[at] = row;
      rows.set(key, known);
    }
  }
  return [...rows.values()].map(({ row: { path, slot, offset, type }, values }) => {
    const texts = new Set(values.map((one) => JSON.stringify(one && [one.value, one.note])));
    const isRead = !values.some((one) => one && isUnread(one.type, one.value));
    return { path, slot, offset, type, values, differs: isRead && texts.size > 1 };
  });
}
