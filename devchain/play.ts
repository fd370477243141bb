/** How new state reaches a client of this chain. */
export type Kind = "preconfirmed" | "native" | "ordinary";

const preconfirmedSubscriptions = ["newFlashblocks", "newFlashblockTransactions", "pendingLogs"] as const;
const subscriptions = [...preconfirmedSubscriptions, "newHeads", "logs", "newPendingTransactions"] as const;
export type SubscriptionName = (typeof subscriptions)[number];

/** See `Divergence` for the meaning of each. */
export const sorts = ["missing", "extra", "different", "late"] as const;
export type Sort = (typeof sorts)[number];

/** One of the nodes that a load balancer puts behind one URL. */
export interface NodePlay {
  /** Number of blocks by which this node is behind the chain. */
  readonly behind: number;
  /** Blocks between the node's `latest` and its `finalized`, 2 by default. */
  readonly finalizedBehind?: number;
}

/** The kind of chain to simulate, and faults of real endpoints of this kind. */
export interface Play {
  readonly kind: Kind;
  /** Milliseconds between two blocks; 0: only `evm_mine` and `Devchain.seal` make them. */
  readonly sealEveryMs: number;
  /**
   * `ahead`: pre-confirmed state with logs and receipts. `guess`: anvil's own pending block. `alias`: the same as
   * `latest`. `refused`: an error.
   */
  readonly pending: "ahead" | "guess" | "alias" | "refused";
  /** Fault: blocks by which `pending` is behind `latest`. Above 0, nothing is pre-confirmed. */
  readonly pendingBehind: number;
  /** Fault: every second transaction of the pending block is not delivered until it is sealed. */
  readonly incomplete: boolean;
  /** Subscriptions that are accepted and never send anything, also those made before. */
  readonly silent: readonly SubscriptionName[];
  /** Subscriptions that are refused as unknown. */
  readonly refused: readonly SubscriptionName[];
  /** HTTP requests go to these nodes in turn, WebSockets and `Devchain.rpc` to the first one. */
  readonly nodes: readonly NodePlay[];
  /** Fault: how many divergences of pre-confirmed state are still to be injected. Decreases as they are. */
  readonly diverge: Readonly<Record<Sort, number>>;
}

/** Holds the current play. */
export interface Player {
  play: Play;
}

/** A new kind begins with its own defaults and without faults; otherwise, members that are not named stay as they are. */
export type PlayChange = Partial<Omit<Play, "diverge">> & { readonly diverge?: Partial<Play["diverge"]> };

const noDivergence: Play["diverge"] = { missing: 0, extra: 0, different: 0, late: 0 };
const noFault = { pendingBehind: 0, incomplete: false, nodes: [{ behind: 0 }], diverge: noDivergence };

const defaults: Readonly<Record<Kind, Play>> = {
  preconfirmed: { kind: "preconfirmed", sealEveryMs: 2000, pending: "ahead", silent: [], refused: [], ...noFault },
  native: {
    ...{ kind: "native", sealEveryMs: 200, pending: "alias", ...noFault },
    // Base does this since its upgrade Denim: accepted, never used again
    ...{ silent: preconfirmedSubscriptions, refused: [] },
  },
  ordinary: {
    ...{ kind: "ordinary", sealEveryMs: 2000, pending: "guess", ...noFault },
    ...{ silent: [], refused: preconfirmedSubscriptions },
  },
};

export function isKind(value: unknown): value is Kind {
  return typeof value === "string" && Object.hasOwn(defaults, value);
}

/** @param sealEveryMs - The kind's own by default. */
export function initialPlay(kind: Kind, sealEveryMs: number | undefined): Play {
  return { ...defaults[kind], ...(sealEveryMs === undefined ? {} : { sealEveryMs }) };
}

/** Where blocks are made by hand, they stay so in another kind. */
export function changedPlay(play: Play, change: PlayChange): Play {
  const { kind = play.kind, diverge, ...rest } = change;
  const byHand = play.sealEveryMs === 0 ? { sealEveryMs: 0 } : {};
  const base = kind === play.kind ? play : { ...defaults[kind], ...byHand };
  return { ...base, ...rest, diverge: { ...base.diverge, ...diverge } };
}

/** Whether `pending` contains more than `latest`, with logs and receipts. */
export function isAhead({ pending, pendingBehind }: Play): boolean {
  return pending === "ahead" && pendingBehind === 0;
}

/** @returns The mistake in a change from a client, or `undefined`. */
export function faultOf(change: unknown): string | undefined {
  if (!isRecord(change)) return "Expected an object.";
  for (const [name, value] of Object.entries(change)) {
    const expected = Object.hasOwn(members, name) ? members[name as keyof Play] : undefined;
    if (!expected) return `Unknown member \`${name}\`. Known: ${Object.keys(members).join(", ")}.`;
    if (!expected.fits(value)) return `Expected \`${name}\` to be ${expected.name}.`;
  }
  return undefined;
}

interface Expected {
  /** Reads on from "Expected … to be". */
  readonly name: string;
  fits(value: unknown): boolean;
}

const count: Expected = {
  name: "a whole number from 0",
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const names: Expected = listOf(oneOf(subscriptions));

const members: Readonly<Record<keyof Play, Expected>> = {
  kind: oneOf(Object.keys(defaults)),
  sealEveryMs: count,
  pending: oneOf(["ahead", "guess", "alias", "refused"]),
  pendingBehind: count,
  incomplete: { name: "true or false", fits: (value) => typeof value === "boolean" },
  silent: names,
  refused: names,
  nodes: {
    name: "a list of at least one { behind, finalizedBehind }, in blocks",
    fits: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((one) => "behind" in Object(one) && isCounts(one, ["behind", "finalizedBehind"])),
  },
  diverge: { name: `an object of counts: ${sorts.join(", ")}`, fits: (value) => isCounts(value, sorts) },
};

function oneOf(values: readonly string[]): Expected {
  return {
    name: `one of ${values.join(", ")}`,
    fits: (value) => values.includes(String(value)) && typeof value === "string",
  };
}

function listOf(element: Expected): Expected {
  return { name: `a list, each ${element.name}`, fits: (value) => Array.isArray(value) && value.every(element.fits) };
}

function isCounts(value: unknown, known: readonly string[]): boolean {
  return isRecord(value) && Object.entries(value).every(([name, one]) => known.includes(name) && count.fits(one));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
