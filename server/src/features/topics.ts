import type { AbiItem } from "../abi/item.ts";
import { itemsCalled } from "../abi/wellKnownAbis.ts";
import { abiItems } from "../analysis/abi.ts";
import type { ValueContext } from "../analysis/cursorContext.ts";
import type { Scope } from "../analysis/scope.ts";
import { pathFrom } from "../analysis/typedTokens.ts";
import { isHex } from "../base/hex.ts";
import { brief, shortHex } from "../base/text.ts";
import type { Cell } from "../notebook/cell.ts";
import { eventsAt } from "./abiLookup.ts";
import { knownAddresses } from "./addresses.ts";
import { itemsAt, TopicSuggestion } from "./contractCalls.ts";
import { string } from "./snippet.ts";
import type { Suggestion } from "./suggestion.ts";

/**
 * Suggests topics: events by name at the first position, and at the others what the event has there, or addresses
 * if the event is unknown.
 */
export function topics(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  const at = place.path.findLastIndex(({ key }) => key === "topics");
  const position = pathFrom(place.path, at + 1)[0];
  if (at < 0 || position === 0) return eventTopics(cell, place, scope);
  const first = place.path[at + 1]?.container.slots[0]?.value;
  const event = first?.kind === "scalar" ? eventNamed(first.text, cell, scope) : undefined;
  const param = event?.inputs.filter(({ indexed }) => indexed)[Number(position) - 1];
  const detail = param && `${param.type.text} ${param.name}`;
  return param === undefined || param.type.kind === "address" ? words(scope, detail) : [];
}

function eventNamed(text: string, cell: Cell, scope: Scope): AbiItem | undefined {
  return isHex(text) ? eventsAt(text, cell, scope)[0] : itemsCalled("event", text, abiItems(cell, scope))[0];
}

function eventTopics(cell: Cell, place: ValueContext, scope: Scope): readonly Suggestion[] {
  return itemsAt(place, cell, "event", scope)
    .filter(({ anonymous }) => !anonymous)
    .map((item) => new TopicSuggestion(item, scope));
}

/** Addresses as topics hold them: 32 bytes, zeros in front. */
function words(scope: Scope, detail: string | undefined): readonly Suggestion[] {
  return knownAddresses(scope).map(({ address, name }) => {
    const word = `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
    const label = name === undefined ? shortHex(address) : brief(name, 40);
    return {
      label,
      kind: "address",
      detail: detail ?? address,
      insert: string(word),
      typed: `${label} ${address} ${word}`,
    };
  });
}
