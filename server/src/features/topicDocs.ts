import { Reader } from "../abi/decode.ts";
import type { AbiEvent, AbiItem } from "../abi/item.ts";
import { type AbiParam, hashedWhenIndexed } from "../abi/type.ts";
import { abiItems } from "../analysis/abi.ts";
import type { Scope } from "../analysis/scope.ts";
import { memberOf, type TypedToken, textOf } from "../analysis/typedTokens.ts";
import { isWord } from "../base/hex.ts";
import { code, joined, type Markdown, markdown } from "../base/markdown.ts";
import type { Cell } from "../notebook/cell.ts";
import { wordShown } from "../report/word.ts";
import { declared, eventsAt, sourceText } from "./abiLookup.ts";
import { addressNames } from "./addressNames.ts";
import { addressIn } from "./callData.ts";
import { abiValueMarkdown, shownMarkdown } from "./valueMarkdown.ts";

/** Where a topic is in a filter, and which events the filter asks for. */
export interface TopicPlace {
  /** From 0. */
  readonly position: number;
  readonly events: readonly AbiEvent[];
  /** The one contract that the filter asks for. */
  readonly address: string | undefined;
}

/** Alternatives of topic 0 that are looked at; a filter may have a thousand. */
const maxEvents = 20;

/** @returns `undefined` outside of `topics`. */
export function topicPlace(path: TypedToken["path"], cell: Cell, scope: Scope): TopicPlace | undefined {
  const at = path.findLastIndex(({ container, key }) => container.kind === "object" && key === "topics");
  const topics = memberOf(path[at]?.container, "topics");
  const list = path[at + 1];
  if (!list || list.container !== topics) return undefined;
  const first = list.container.slots[0]?.value;
  const values = first?.kind === "array" ? first.slots.slice(0, maxEvents).map(({ value }) => value) : [first];
  const hashes = new Set(values.flatMap((value) => (value?.kind === "scalar" ? value.text : [])));
  const address = addressIn(textOf(memberOf(path[at]?.container, "address")), scope);
  const events = [...hashes].flatMap((hash) => eventsAt(hash, cell, scope, address));
  return { position: list.index, events, address };
}

/** The argument that is at a position, by each of the events; each name and type once. */
export function topicParams({ position, events }: TopicPlace): readonly TopicParam[] {
  const found = new Map<string, TopicParam>();
  for (const event of events) {
    const param = event.inputs.filter(({ indexed }) => indexed)[position - 1];
    const key = `${param?.name} ${param?.type.text}`;
    if (param && !found.has(key)) found.set(key, { param, event });
  }
  return [...found.values()];
}

export interface TopicParam {
  readonly param: AbiParam;
  /** The first of the events that have it. */
  readonly event: AbiEvent;
}

/** A topic as the event, or the argument of an event, that it is. */
export function topicDocs(text: string, path: TypedToken["path"], cell: Cell, scope: Scope): Markdown | undefined {
  if (!isWord(text)) return undefined;
  const place = topicPlace(path, cell, scope);
  if (place === undefined || place.position === 0)
    return eventDocs(text, cell, scope, place?.address) ?? markdown`No known event has this topic 0.`;
  const params = topicParams(place);
  if (params.length === 0) return shownMarkdown(wordShown(text.toLowerCase(), addressNames(scope)));
  return joined(
    params.map(({ param, event }) => {
      const name = param.name === "" ? markdown`topic ${place.position}` : code(param.name, 60);
      return markdown`${name} (${code(param.type.text, 80)}) of ${code(event.name, 60)}: ${topicValue(text, param, scope)}`;
    }),
    "\n\n",
  );
}

/** Every event with that topic 0. */
export function eventDocs(text: string, cell: Cell, scope: Scope, address?: string): Markdown | undefined {
  const events = eventsAt(text, cell, scope, address);
  if (events.length === 0) return undefined;
  const own = new Set<AbiItem>(abiItems(cell, scope));
  const lines = events.map((event) => {
    const guess = own.has(event) ? undefined : markdown`guessed by topic 0`;
    return joined([code(declared(event), 300), sourceText(event.source), guess], " · ");
  });
  return joined(lines, "\n\n");
}

function topicValue(text: string, { type }: AbiParam, scope: Scope): Markdown {
  if (hashedWhenIndexed(type)) return markdown`only the hash of the ${code(type.text, 80)} is logged`;
  return abiValueMarkdown(new Reader("", 0).word(type, text.slice(2).toLowerCase()), type.text, addressNames(scope));
}
