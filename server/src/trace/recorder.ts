import type { EVM, EVMResult, Message } from "@ethereumjs/evm";
import { fromBytes, toQuantity, toWord } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { grouped } from "../base/units.ts";
import { callError } from "./callError.ts";
import { TraceEnd } from "./state.ts";
import { type FailedReads, type Limits, type ReadWord, reverted, slotKey } from "./task.ts";

/** What an instruction works with. */
type Machine = Parameters<EVM["_opcodeMap"][number]["opHandler"]>[0];

/** What is heard of a run. */
interface RunListener {
  /** Called with the account that creates a contract by its nonce. */
  creating(address: string): void;
  /** Called now and then with the instructions so far. */
  readonly running?: ((steps: number) => void) | undefined;
}

/** A call while it runs. */
interface OpenCall {
  readonly type: string;
  readonly from: string;
  readonly to: string | undefined;
  readonly value: bigint | undefined;
  readonly gas: bigint;
  readonly input: Uint8Array;
  /** The library notes in it whether it is a precompiled contract. */
  readonly message: Message;
  readonly calls: JsonObject[];
  readonly logs: JsonObject[];
  /** Its place among those of all first calls, in the order in which they began. */
  readonly index: number;
  /** What it and the calls inside it read from storage first, by {@link slotKey}. */
  readonly reads: Map<string, ReadWord>;
}

/**
 * Writes down the calls of a run in the form of `callTracer` with logs.
 *
 * @see https://github.com/ethereum/go-ethereum/blob/master/eth/tracers/native/call.go
 */
export class CallRecorder {
  readonly #limits: Limits;
  readonly #listener: RunListener;
  /** From the first call down to the one that runs. */
  readonly #open: OpenCall[] = [];
  #root: JsonObject | undefined;
  #begun = 0;
  #reads: FailedReads[] = [];
  #steps = 0;
  #items = 0;
  #bytes = 0;
  #readsBlock = false;
  readonly #hashed = new Set<string>();
  /** The instruction that begins the next call. */
  #type = "CALL";

  constructor(limits: Limits, listener: RunListener) {
    this.#limits = limits;
    this.#listener = listener;
  }
  /** The first call, when it has ended. */
  takeRoot(): { readonly root: JsonObject | undefined; readonly reads: readonly FailedReads[] } {
    const [root, reads] = [this.#root, this.#reads];
    [this.#root, this.#reads] = [undefined, []];
    return { root, reads };
  }
  get steps(): number {
    return this.#steps;
  }
  /** Words that were hashed with another one, as keys of mappings are. */
  get hashed(): readonly string[] {
    return [...this.#hashed];
  }
  get readsBlock(): boolean {
    return this.#readsBlock;
  }

  /**
   * Sees every instruction. The library's own event for them copies the memory each time, which is ten times slower.
   *
   * @param evm - Of version 10.1.3: the table of instructions is not part of its interface.
   * @param isTraced - Otherwise, instructions are only counted.
   */
  attach(evm: EVM, isTraced: boolean): void {
    evm.events.on("beforeMessage", (message) => (isTraced ? this.#begin(message) : this.#create(message)));
    if (isTraced) evm.events.on("afterMessage", (result) => this.#end(result));
    for (const entry of new Set(evm["_opcodeMap"])) {
      const run: Handler | undefined = entry.opHandler;
      if (!run) continue; // what is not an instruction has none
      const { code } = entry.opcodeInfo;
      const type = callTypes.get(code);
      const traced = (): Handler => (type !== undefined ? this.#callsBy(type, run) : this.#ownOf(code, run));
      const own = isTraced ? traced() : run;
      entry.opHandler = (machine, common) => {
        if (++this.#steps > this.#limits.steps) throw new TraceEnd(moreThan(this.#limits.steps, "instructions"));
        if (this.#steps % stepsBetween === 0) this.#listener.running?.(this.#steps);
        return own(machine, common);
      };
    }
  }

  #ownOf(code: number, run: Handler): Handler {
    if (code >= 0xa0 && code <= 0xa4)
      return (machine, common) => {
        void run(machine, common); // it waits for nothing
        this.#log(machine);
      };
    if (blockReads.has(code))
      return (machine, common) => {
        this.#readsBlock = true;
        return run(machine, common);
      };
    if (code === 0x54)
      return async (machine, common) => {
        const [slot = 0n] = machine.stack.peek(1);
        await run(machine, common);
        this.#read(machine.env.address.toString(), slot, machine.stack.peek(1)[0] ?? 0n);
      };
    if (code === 0x20)
      return (machine, common) => {
        const [offset = 0n, length = 0n] = machine.stack.peek(2);
        void run(machine, common); // it waits for nothing
        if (length === 64n && this.#hashed.size < maxHashed)
          this.#hashed.add(fromBytes(machine.memory.read(Number(offset), 32)));
      };
    if (code !== 0xff) return run;
    return (machine, common) => {
      const [heir = 0n] = machine.stack.peek(1);
      const { address, contract } = machine.env;
      this.#add({
        type: "SELFDESTRUCT",
        from: address.toString(),
        to: addressOf(heir),
        value: toQuantity(contract.balance),
        gas: "0x0",
        gasUsed: "0x0",
        input: "0x",
      });
      return run(machine, common);
    };
  }
  #callsBy(type: string, run: Handler): Handler {
    return async (machine, common) => {
      const caller = this.#open.at(-1);
      const before = caller?.calls.length;
      const given = givenTo(type, machine);
      this.#type = type;
      await run(machine, common);
      // no call begins if the caller cannot pay its value, or is too deep
      if (caller && caller.calls.length === before) this.#add(unbegun(type, given, machine));
    };
  }

  #create({ caller, to, salt }: Message): void {
    if (!to && !salt) this.#listener.creating(caller.toString());
  }
  #begin(message: Message): void {
    this.#create(message);
    const { caller, to, value, gasLimit, data, depth } = message;
    const type = depth > 0 ? this.#type : to ? "CALL" : "CREATE";
    const isBorrowed = type === "DELEGATECALL" || type === "CALLCODE";
    this.#count(data.length);
    this.#open.push({
      type,
      // the caller of borrowed code is the contract that borrows it
      from: String(isBorrowed ? to : caller),
      to: to && String(isBorrowed ? message.codeAddress : to),
      value: type === "STATICCALL" ? undefined : value,
      gas: gasLimit,
      input: data,
      message,
      calls: [],
      logs: [],
      index: this.#begun++,
      reads: new Map(),
    });
  }
  #end({ execResult, createdAddress }: EVMResult): void {
    const call = this.#open.pop();
    if (!call) return;
    const { executionGasUsed, returnValue } = execResult;
    const error = callError(execResult, call.message);
    const isReverted = error === reverted;
    const to = call.to ?? (error === undefined ? createdAddress?.toString() : undefined);
    const hasOutput = (error === undefined || isReverted) && returnValue.length > 0;
    if (hasOutput) this.#bytesMore(returnValue.length);
    this.#keepReads(call, error !== undefined);
    this.#finish({
      type: call.type,
      from: call.from,
      ...(to !== undefined && { to }),
      ...(call.value !== undefined && { value: toQuantity(call.value) }),
      gas: toQuantity(call.gas),
      gasUsed: toQuantity(executionGasUsed),
      input: fromBytes(call.input),
      ...(hasOutput && { output: fromBytes(returnValue) }),
      ...(error !== undefined && { error }),
      ...(call.calls.length > 0 && { calls: error === undefined ? call.calls : call.calls.map(withoutLogs) }),
      ...(call.logs.length > 0 && error === undefined && { logs: call.logs }),
    });
  }
  #finish(call: JsonObject): void {
    const caller = this.#open.at(-1);
    if (caller) caller.calls.push(call);
    else this.#root = call;
  }
  #add(call: JsonObject): void {
    this.#count(0);
    this.#begun++;
    this.#finish(call);
  }
  #read(address: string, slot: bigint, word: bigint): void {
    const { reads } = this.#open.at(-1) ?? {};
    const one = { address, slot: toWord(slot), word: toWord(word) };
    const key = slotKey(one);
    if (reads && reads.size < maxReads && !reads.has(key)) reads.set(key, one);
  }
  #keepReads({ index, reads }: OpenCall, hasFailed: boolean): void {
    if (hasFailed && reads.size > 0 && this.#reads.length < maxReads)
      this.#reads.push({ frame: index, words: [...reads.values()] });
    const outer = this.#open.at(-1)?.reads;
    for (const [key, one] of reads) if (outer && outer.size < maxReads && !outer.has(key)) outer.set(key, one);
  }
  #log({ interpreter, env }: Machine): void {
    const log = interpreter._result.logs.at(-1);
    const call = this.#open.at(-1);
    if (!log || !call) return;
    const [, topics, data] = log;
    this.#count(data.length);
    call.logs.push({
      address: env.address.toString(),
      topics: topics.map((topic) => fromBytes(topic)),
      data: fromBytes(data),
      position: toQuantity(BigInt(call.calls.length)),
    });
  }
  #count(bytes: number): void {
    if (++this.#items > this.#limits.items) throw new TraceEnd(moreThan(this.#limits.items, "calls and logs"));
    this.#bytesMore(bytes);
  }
  #bytesMore(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.bytes) throw new TraceEnd(moreThan(this.#limits.bytes, "bytes of data"));
  }
}

/** Instructions between two reports of how far a run is. */
const stepsBetween = 250_000;

/** Words that are kept of what a call reads, and failed calls of which they are kept. */
const maxReads = 100;

/** Words that are kept as possible keys of mappings. */
const maxHashed = 500;

type Handler = EVM["_opcodeMap"][number]["opHandler"];
function moreThan(limit: number, what: string): string {
  return `it has more than ${grouped(BigInt(limit))} ${what}`;
}

/** `BLOCKHASH`, `COINBASE`, `TIMESTAMP`, `NUMBER`, `PREVRANDAO`, `GASLIMIT`, `BASEFEE`, `BLOBBASEFEE`. */
const blockReads: ReadonlySet<number> = new Set([0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x48, 0x4a]);

const callTypes: ReadonlyMap<number, string> = new Map([
  [0xf0, "CREATE"],
  [0xf1, "CALL"],
  [0xf2, "CALLCODE"],
  [0xf4, "DELEGATECALL"],
  [0xf5, "CREATE2"],
  [0xfa, "STATICCALL"],
]);

/** What is on the stack for a call that may not begin. */
interface Given {
  readonly gas: bigint;
  readonly to: bigint | undefined;
  readonly value: bigint;
  readonly offset: bigint;
  readonly length: bigint;
}

function givenTo(type: string, { stack, messageGasLimit = 0n }: Machine): Given {
  if (type.startsWith("CREATE")) {
    const [value = 0n, offset = 0n, length = 0n] = stack.peek(3);
    return { gas: messageGasLimit, to: undefined, value, offset, length };
  }
  const [, to = 0n, third = 0n, fourth = 0n, fifth = 0n] = stack.peek(6);
  if (type === "CALL" || type === "CALLCODE") {
    const stipend = third > 0n ? callStipend : 0n;
    return { gas: messageGasLimit + stipend, to, value: third, offset: fourth, length: fifth };
  }
  return { gas: messageGasLimit, to, value: 0n, offset: third, length: fourth };
}

/** Gas that a call with a value has in addition. @see https://github.com/ethereum/execution-specs (G_callstipend) */
const callStipend = 2300n;

/** @throws {@link TraceEnd} for code of EIP-3540, which the library does not run, as if that were active. */
function unbegun(type: string, { gas, to, value, offset, length }: Given, { env, memory }: Machine): JsonObject {
  const isPaid = env.contract.balance >= value;
  const input = length === 0n ? "0x" : fromBytes(memory.read(Number(offset), Number(length), true));
  if (to === undefined && input.startsWith("0xef00")) throw new TraceEnd("it creates a contract with code of EIP-3540");
  return {
    type,
    from: env.address.toString(),
    ...(to !== undefined && { to: addressOf(to) }),
    ...(type !== "STATICCALL" && { value: toQuantity(value) }),
    gas: toQuantity(gas),
    gasUsed: "0x0",
    input,
    error: isPaid ? "max call depth exceeded" : "insufficient balance for transfer",
  };
}

function addressOf(word: bigint): string {
  return `0x${(word & (2n ** 160n - 1n)).toString(16).padStart(40, "0")}`;
}

/** What a failed call logged was taken back, also by the calls inside it. */
function withoutLogs({ logs: _, calls, ...call }: JsonObject): JsonObject {
  return Array.isArray(calls)
    ? { ...call, calls: calls.map((inner: JsonValue) => withoutLogs(inner as JsonObject)) } // calls are objects
    : call;
}
