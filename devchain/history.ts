import { privateKeyToAccount } from "viem/accounts";
import { accounts } from "./accounts.ts";
import type { Anvil } from "./anvil.ts";
import { ask } from "./anvil.ts";
import type { Chain } from "./chain.ts";
import { contracts, deployments, type Transaction } from "./contracts.ts";
import { activity, chainId, cycle, endowments } from "./traffic.ts";

/** Enough for every transaction here; a given limit saves anvil the estimate. */
const gas = "0x2dc6c0";

/** Seconds between two blocks of the history. */
const step = 2;

/** How many blocks there are before the first one of the traffic: deployments, endowments, a few rounds of everything. */
export const historyBlocks = 2 + 3 * cycle;

/** @returns How many steps of the traffic have been taken. */
export async function seedHistory(anvil: Anvil, genesisTime: number): Promise<number> {
  let time = genesisTime;
  const seal = async (transactions: readonly Transaction[]): Promise<void> => {
    for (const transaction of transactions) await send(anvil, transaction);
    time += step;
    await ask(anvil, "evm_mine", [time]);
  };
  await seal(deployments());
  await seal(endowments());
  await delegate(anvil);
  let steps = 0;
  for (; steps < 2 * (historyBlocks - 2); steps += 2) await seal([await activity(steps), await activity(steps + 1)]);
  return steps;
}

function send(anvil: Anvil, transaction: Transaction): Promise<string> {
  return ask(anvil, "eth_sendTransaction", [{ ...transaction, gas }]);
}

/** Lets ivan's account run the code of `payments` (EIP-7702), as accounts of smart wallets do. Grace pays the gas. */
async function delegate(anvil: Anvil): Promise<void> {
  const { ivan, grace } = accounts;
  const authorization = await privateKeyToAccount(ivan.privateKey).signAuthorization({
    address: contracts.payments.address,
    chainId,
    nonce: 0,
  });
  const transaction = await privateKeyToAccount(grace.privateKey).signTransaction({
    type: "eip7702",
    chainId,
    nonce: 0,
    to: grace.address,
    gas: BigInt(gas),
    maxFeePerGas: 10_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    authorizationList: [authorization],
  });
  await ask(anvil, "eth_sendRawTransaction", [transaction]);
}

/** Sends the next step of the traffic every so often, until it is stopped. */
export function startTraffic(chain: Chain, from: number, everyMs: number): () => void {
  let next = from;
  let busy = false;
  const act = async (): Promise<void> => {
    const transaction = await activity(next++);
    await chain.preconfirmation.change(() => send(chain.anvil, transaction));
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    // a step that the node refuses, as one without funds would be, is left out
    act()
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  return () => clearInterval(timer);
}
