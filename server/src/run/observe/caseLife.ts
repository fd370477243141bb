import type { CadenceKind } from "../../catalog/spec.ts";
import type { HeadTag, Stage, StageName } from "../../report/caseFacts.ts";

/** The state of a transaction at one time. */
export interface CaseObservation {
  readonly state: "unknown" | "pending" | "pre-confirmed" | "block";
  /** Identifies the block, so that another one after a reorganisation is noticed. */
  readonly blockHash: string | undefined;
  readonly number: bigint | undefined;
  readonly blockTimeMs: number | undefined;
  readonly heads: Readonly<Record<HeadTag, bigint | undefined>>;
  readonly kind: CadenceKind;
  /** Time of the answers, in milliseconds since 1970. */
  readonly at: number;
}

const later = ["safe", "finalized"] as const;

/** Keeps when each stage of a transaction was reached, over all observations. */
export class CaseLife {
  readonly #reached = new Map<StageName, Stage>();
  #last: CaseObservation | undefined;

  note(observed: CaseObservation): void {
    const isFirst = this.#last === undefined;
    const isMoved = this.#last?.blockHash !== observed.blockHash;
    if (isMoved || observed.state !== "block")
      for (const name of ["block", ...later] as const) this.#reached.delete(name);
    if (observed.state === "pending" || observed.state === "pre-confirmed")
      this.#add(observed.state, "seen", observed.at);
    if (observed.state === "block") {
      this.#add("block", observed.blockTimeMs === undefined ? "before" : "block", observed.blockTimeMs ?? observed.at);
      for (const name of later)
        if (isReached(observed, name)) this.#add(name, isFirst ? "before" : "seen", observed.at);
    }
    this.#last = observed;
  }
  /** Returns the stages in their order, also those to come. */
  stages(): readonly Stage[] {
    const observed = this.#last;
    if (!observed || observed.state === "unknown") return [...this.#seen("pending"), ...this.#seen("pre-confirmed")];
    const isEarly = observed.state === "pending" && observed.kind === "pre-confirmed";
    const to = (name: StageName): Stage => this.#reached.get(name) ?? waiting(name, "waiting");
    return [
      ...this.#seen("pending"),
      ...(isEarly ? [to("pre-confirmed")] : this.#seen("pre-confirmed")),
      to("block"),
      ...later.map((name) => this.#reached.get(name) ?? waiting(name, knows(observed, name) ? "waiting" : "unknown")),
    ];
  }
  /** Nothing that the endpoint shows is still to come. */
  get isOver(): boolean {
    return this.#last?.state === "block" && this.stages().every(({ how }) => how !== "waiting");
  }

  #seen(name: StageName): readonly Stage[] {
    return [...this.#reached.values()].filter((stage) => stage.name === name);
  }
  #add(name: StageName, how: Stage["how"], at: number): void {
    const before = this.#reached.get(name);
    if (!before || (name === "block" && before.how !== how)) this.#reached.set(name, { name, how, at });
  }
}

function waiting(name: StageName, how: Stage["how"]): Stage {
  return { name, how, at: undefined };
}

function knows({ heads }: CaseObservation, name: HeadTag): boolean {
  return heads[name] !== undefined;
}

function isReached({ heads, number }: CaseObservation, name: HeadTag): boolean {
  const head = heads[name];
  return head !== undefined && number !== undefined && head >= number;
}
