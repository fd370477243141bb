import { toQuantity } from "../../base/hex.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../../base/json.ts";
import { caseMethods } from "../../report/caseFacts.ts";
import { type BlockQuestion, blockFacts, findBlock } from "../../rpc/head.ts";
import { type Outcome, resultOf, seemsUnserved } from "../../rpc/outcome.ts";
import { blockReceipts } from "./receiptsOneByOne.ts";

/** Blocks before the newest one, by the messages in which they are asked for. */
const rounds = [3, 4, 8];
const searched = rounds.reduce((sum, count) => sum + count, 1);

type Ask = (questions: readonly BlockQuestion[]) => Promise<readonly Outcome[]>;

/**
 * Looks for the receipt of a transaction among those of the pending block and of the newest ones, for an endpoint that
 * serves no single receipts.
 *
 * @param block - The block that it is in, if that is known.
 * @returns `undefined` if the receipts of a block could not be read.
 */
export async function findReceipt(
  hash: string,
  ask: Ask,
  block?: JsonValue,
): Promise<JsonObject | "not there" | undefined> {
  const inBlocks = async (blocks: readonly JsonValue[]) => {
    const outcomes = await ask(blocks.map((one) => ({ method: blockReceipts, params: [one] })));
    const lists = outcomes.map(resultOf);
    return { lists, found: lists.map((list) => receiptIn(list, hash)).find((one) => one !== undefined) };
  };
  const { lists, found } = await inBlocks(["pending", block ?? "latest"]);
  if (found || block !== undefined || !isArray(lists[1])) return found;
  // an empty block does not tell its number
  let next =
    blockFacts(lists[1])?.number ?? (await findBlock(ask, { headBy: "eth_simulateV1" }, "latest")).facts?.number;
  if (next === undefined) return undefined;
  for (const count of rounds) {
    const blocks: string[] = [];
    for (let at = 0; at < count && next > 0n; at++) blocks.push(toQuantity(--next));
    const round = await inBlocks(blocks);
    if (round.found) return round.found;
    if (!round.lists.every(isArray)) return undefined;
  }
  return "not there";
}

function receiptIn(list: JsonValue | undefined, hash: string): JsonObject | undefined {
  const isOwn = ({ transactionHash: own }: JsonObject): boolean =>
    typeof own === "string" && own.toLowerCase() === hash.toLowerCase();
  return isArray(list) ? list.filter(isObject).find(isOwn) : undefined;
}

/** Members that a transaction has in common with its receipt. */
const common = ["blockHash", "blockNumber", "transactionIndex", "from", "to", "type"] as const;

/**
 * Answers a request for a transaction or its receipt, which the endpoint does not serve, from the receipts of blocks.
 *
 * @param sent - The refusal. It is returned if the transaction is not found.
 */
export async function fromBlockReceipts(method: string, hash: string, ask: Ask, sent: Outcome): Promise<Outcome> {
  if (!seemsUnserved(sent)) return sent;
  const receipt = await findReceipt(hash, ask);
  if (!receipt) return sent;
  const isFound = receipt !== "not there";
  const note = isFound
    ? `${method} is not served here: this is from the receipts of its block.`
    : `It is not among the receipts of the newest ${searched} blocks either.`;
  const exchange = { ...sent.exchange, parts: { requests: 1, notes: [note] } };
  if (!isFound) return { ...sent, exchange };
  const isReceipt = method === caseMethods.receipt;
  const members = common.flatMap((name) => (receipt[name] === undefined ? [] : [[name, receipt[name]] as const]));
  const value = isReceipt ? receipt : { hash: receipt.transactionHash ?? hash, ...Object.fromEntries(members) };
  return { kind: "answered", result: { value, text: printJson(value) }, exchange };
}
