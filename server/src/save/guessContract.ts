import { checksummed } from "../abi/address.ts";
import { type GuessedFile, guessedAbi, guessedFileText, type NamedContract, type ReadCode } from "../abi/guessedAbi.ts";
import type { Explanation } from "../base/error.ts";
import { isHex } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import { listed, plural } from "../base/text.ts";
import type { QuestionClient } from "../gate/backgroundClient.ts";
import { resultOf } from "../rpc/outcome.ts";
import type { RunSupport } from "../run/documentRun.ts";
import { contractOnChain, maxImplementations } from "../workspace/contractOnChain.ts";
import type { NewContractFile } from "./addContract.ts";

/** A contract whose functions were guessed. */
export interface GuessedContract {
  readonly file: NewContractFile;
  readonly text: string;
  readonly notes: readonly string[];
}

/**
 * Guesses the functions and the events of a contract from its code, and from that of the contracts to which it passes calls on.
 *
 * @returns The contract, or why nothing was guessed.
 */
export async function guessContract(
  address: string,
  client: QuestionClient,
  signal: AbortSignal,
  { clock, signatures }: RunSupport,
  readCode: ReadCode | undefined,
): Promise<GuessedContract | Explanation> {
  if (!readCode) return { what: "Code cannot be read here.", todo: "Use the command line." };
  const seen = await contractOnChain({ address }, client, signal);
  if ("what" in seen) return seen;
  const { chainId, code, passesTo, form } = seen;
  const others = passesTo.slice(0, maxImplementations);
  const questions = others.map((one) => ({ method: "eth_getCode", params: [one, "latest"] }));
  const answers = others.length > 0 ? (await client.ask(questions, signal)).map(resultOf) : [];
  await signatures.loadIf(() => true);
  const own = address.toLowerCase();
  const notes = form === undefined ? [] : [`${address} is ${form}.`];
  const [readAt, abi]: [string[], JsonObject[]] = [[], []];
  for (const [at, one] of [code, ...answers].entries()) {
    const place = [own, ...others][at] ?? own;
    const found = isHex(one) && one !== "0x" ? await readCode(one.toLowerCase(), signal) : "it has no code";
    if (typeof found === "string") notes.push(`The functions of ${checksummed(place)} were not found: ${found}.`);
    else if (found.length > 0) {
      readAt.push(place);
      abi.push(...guessedAbi(one as string, found, signatures.bundled())); // only text is read
    }
  }
  if (abi.length === 0)
    return {
      what: [`No functions were found in the code of ${address}.`, ...notes].join(" "),
      todo: "Name its ABI in the notebook.",
    };
  const date = new Date(clock.date()).toISOString().slice(0, 10);
  const name = `Guessed_${own.slice(2, 10)}`;
  const file = { name, address: own, chainId };
  const text = guessedFileText({ ...file, readAt, abi, date });
  return { file: { ...file, text }, text: guessText(file, abi), notes };
}

function guessText({ name, address, chainId }: NamedContract, abi: GuessedFile["abi"]): string {
  const functions = abi.filter(({ type }) => type === "function");
  const named = functions.filter(({ selector }) => selector === undefined).length;
  const counts = [
    `${plural(functions.length, "function")} (${named} with a known name)`,
    ...(functions.length < abi.length ? [plural(abi.length - functions.length, "event")] : []),
  ];
  return `${name} at ${checksummed(address)} on chain ${chainId}, guessed from its code, so that any of it can be wrong: ${listed(counts)}.`;
}
