import { capitalized } from "../../base/text.ts";
import { methodNamed } from "../../catalog/catalog.ts";
import { errors } from "../../catalog/errors.ts";

interface Known {
  readonly message: string;
  readonly meaning: string;
}

/** Messages with which nodes refuse a transaction. Those that say nothing alone are left out. */
const known: readonly Known[] = [
  ...(methodNamed("eth_sendRawTransaction")?.errors ?? []).map(({ message, when }) => ({ message, meaning: when })),
  ...errors.filter(({ code }) => code > 0).map(({ name, meaning }) => ({ message: name, meaning })),
].filter(({ message }) => !/^(?:execution reverted|transaction rejected|invalid opcode|nonce gap)$/.test(message));

/** Says what a message means with which a node refused a transaction; `undefined` for any other text. */
export function refusalMeaning(text: string): string | undefined {
  const lower = text.toLowerCase();
  const found = known.find(({ message }) => lower.includes(message));
  return found && `${capitalized(found.message)}: ${found.meaning}`;
}
