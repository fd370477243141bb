import { isAddress, isHex, toQuantity, toWord } from "../../base/hex.ts";
import { brief, nearest } from "../../base/text.ts";
import { firstMilliseconds, formatTime, formatUnits, formatWei } from "../../base/units.ts";
import { type JsonNode, spanOf } from "../../notebook/json.ts";
import { assumedTime, tokenUnits, wei } from "./amounts.ts";
import type { AssumeContext, Assuming, Assumption, AssumptionProblem, Assumptions, Override } from "./assumption.ts";
import { maskOf } from "./assumption.ts";
import { readingCall } from "./findSlot.ts";
import { fieldNamed, fieldValue } from "./namedSlot.ts";
import type { SlotQuestion, StateAnswer, StateQuestion, TokenSlot } from "./stateQuestion.ts";

export const assumingMethods: readonly string[] = ["eth_call", "eth_estimateGas", "eth_simulateV1"];

export function readAssumptions(node: JsonNode, request: Assuming, context: AssumeContext): Assumptions {
  const reader = new Reader(request, context);
  reader.read(node);
  return reader;
}

/** Problems with a similar name: to find one takes time. */
const maxSuggestions = 50;

const sections = ["balance", "token", "allowance", "code", "storage", "time"];

/** An entry of an object: its key, and its value if there is one. */
interface Entry {
  readonly key: JsonNode;
  readonly value: JsonNode;
}

interface Account {
  readonly name: string;
  readonly address: string;
}

/** The use of an address. */
type AccountKind = "account" | "token";

class Reader implements Assumptions {
  readonly list: Assumption[] = [];
  readonly problems: AssumptionProblem[] = [];
  /** The bits that are assumed, by account and member: of slots those of the word, of others all. */
  readonly #taken = new Map<string, bigint>();
  readonly #request: Assuming;
  readonly #context: AssumeContext;

  constructor(request: Assuming, context: AssumeContext) {
    this.#request = request;
    this.#context = context;
  }

  read(node: JsonNode): undefined {
    if (node.type !== "object") return this.#bad(node, "Expected an object of what is assumed.");
    for (const { key, value } of entriesOf(node)) this.#section(key, value);
    const [first] = this.list;
    const { method } = this.#request;
    const by = method === "eth_estimateGas" || method === "eth_simulateV1" ? method : "eth_call";
    if (!first) return;
    if (this.list.some(({ override }) => override.kind !== "time"))
      this.#ask(node, { kind: "overrides", of: "state", by });
    const time = this.list.findIndex(({ override }) => override.kind === "time");
    const assumed = this.list[time];
    const takes = assumed && this.#ask(node, { kind: "overrides", of: "block", by });
    if (assumed?.override.kind === "time" && takes?.kind === "yes" && takes.timeAs)
      this.list[time] = { ...assumed, override: { ...assumed.override, timeAs: takes.timeAs } };
  }

  #section(key: JsonNode, value: JsonNode): undefined {
    switch (key.value) {
      case "balance":
        return this.#each(value, (account, one) => this.#balance(account, one));
      case "token":
        return this.#each(
          value,
          (token, holders) => this.#each(holders, (holder, amount) => this.#token("balance", token, [holder], amount)),
          "token",
        );
      case "allowance":
        return this.#each(
          value,
          (token, owners) =>
            this.#each(owners, (owner, spenders) =>
              this.#each(spenders, (spender, amount) => this.#token("allowance", token, [owner, spender], amount)),
            ),
          "token",
        );
      case "code":
        return this.#each(value, (account, one) => this.#code(account, one));
      case "storage":
        return this.#each(value, (account, slots) => {
          for (const entry of this.#entries(slots)) this.#slot(account, entry);
        });
      case "time":
        return this.#time(value);
      default:
        return this.#unknownMember(key);
    }
  }

  #unknownMember(key: JsonNode): undefined {
    const name = String(key.value);
    const [near] = nearest(name.slice(0, 100), sections, 1);
    const todo = near === undefined ? "" : ` Did you mean \`${near}\`?`;
    this.#bad(key, `\`assume\` has no member \`${brief(name, 60)}\`.${todo}`, near);
  }

  #balance({ name, address }: Account, node: JsonNode): undefined {
    if (this.#isOpen(node)) return;
    const amount = wei(this.#request.text, node);
    if (typeof amount === "string") return this.#bad(node, `This amount cannot be assumed: ${amount}.`);
    const override: Override = { kind: "balance", address, value: toQuantity(amount) };
    this.#add(node, `${name} has ${formatWei(amount)}`, override);
  }

  #code({ name, address }: Account, node: JsonNode): undefined {
    if (this.#isOpen(node)) return;
    const value = node.value;
    if (!isHex(value) || value.length % 2 === 1) return this.#bad(node, "Expected bytecode: `0x` and whole bytes.");
    this.#add(node, `${name} has ${value.length / 2 - 1} bytes of code`, { kind: "code", address, value });
  }

  #slot({ name, address }: Account, { key, value: node }: Entry): undefined {
    if (this.#isOpen(key) || this.#isOpen(node)) return;
    const written = String(key.value);
    const field = fieldNamed(written, address, this.#request.storage);
    if (!field) return;
    if (typeof field === "string") return this.#bad(key, `\`${brief(written, 60)}\` cannot be assumed: ${field}.`);
    const value = fieldValue(this.#request.text, node, field);
    if (typeof value === "string") return this.#bad(node, `This value cannot be assumed: ${value}.`);
    const { slot, shift, bits } = field;
    const stored = bits === 256 ? 0n : this.#wordAt(node, address, slot);
    if (stored === undefined) return;
    const label = field.type ? `${written} of ${name} is` : `slot ${written} of ${name} holds`;
    this.#add(
      node,
      `${label} ${brief(String(node.value), 80)}`,
      slotOverride({ address, slot, shift, bits, word: stored }, value),
    );
  }

  #wordAt(node: JsonNode, address: string, slot: bigint): bigint | undefined {
    const answer = this.#ask(node, { kind: "word", address, slot: toWord(slot), block: this.#request.block });
    return answer?.kind === "word" ? answer.word : undefined;
  }

  #time(node: JsonNode): undefined {
    if (this.#isOpen(node)) return;
    const time = assumedTime(String(node.value ?? ""));
    if (!time) return this.#bad(node, "Expected a time, such as `+1 day` or `2026-12-01T12:00Z`.");
    if (this.#request.method === "eth_estimateGas")
      return this.#bad(
        node,
        "`eth_estimateGas` does not accept block overrides. Use `eth_simulateV1` to assume a time.",
      );
    const base = "at" in time ? undefined : this.#ask(node, { kind: "time", block: this.#request.block });
    if ("after" in time && base?.kind !== "seconds") return;
    const seconds = "at" in time ? time.at : (base?.kind === "seconds" ? base.seconds : 0n) + time.after;
    if (seconds < 0n || seconds >> 64n > 0n) return this.#bad(node, "This time is out of range.");
    if ("at" in time && time.at >= firstMilliseconds)
      return this.#bad(
        node,
        `A time is in seconds since 1970, and this looks like milliseconds. Write ${time.at / 1000n}.`,
      );
    this.#add(node, `the time is ${formatTime(seconds)}`, { kind: "time", value: toQuantity(seconds) });
  }

  #token(kind: SlotQuestion["kind"], token: Account, accounts: readonly Account[], node: JsonNode): undefined {
    if (this.#isOpen(node)) return;
    const [first, second] = accounts;
    if (!first) return;
    const question: SlotQuestion = {
      kind,
      token: token.address,
      accounts: second ? [first.address, second.address] : [first.address],
      block: this.#request.block,
    };
    const stated = this.#context.decimalsOf(token.address);
    const amount = this.#amountOf(node, kind, stated);
    if (amount === undefined) return;
    const answer = this.#ask(node, question, token.name);
    if (answer?.kind !== "slot") return;
    const places = stated ?? answer.decimals;
    if (places === "unclear")
      return this.#bad(
        node,
        `${amountOf(kind, token.name)}: its \`decimals\` returns no number from 0 to 255. ${stateDecimals}`,
      );
    const units = this.#amountOf(node, kind, places, answer.slot.bits, token.name);
    if (typeof units !== "bigint") return;
    const isLimit = node.value === "unlimited";
    const name = isAddress(token.name) ? `of ${token.name}` : token.name;
    const shown = isLimit ? `any amount of ${token.name}` : `${formatUnits(units, places ?? 0)} ${name}`;
    const text = second ? `${first.name} lets ${second.name} spend ${shown}` : `${first.name} has ${shown}`;
    const reading = { to: token.address, data: readingCall(question), value: units };
    this.#add(node, text, slotOverride(answer.slot, units), reading);
  }

  /**
   * Reads an amount of a token.
   *
   * @param bits - That the token has for it; if absent, the amount is only checked.
   * @returns `undefined` if it has a problem; `"later"` if it needs the token's decimals.
   */
  #amountOf(
    node: JsonNode,
    kind: SlotQuestion["kind"],
    places: number | undefined,
    bits?: number,
    token = "",
  ): bigint | "later" | undefined {
    const most = 2n ** BigInt(bits ?? 256) - 1n;
    if (kind === "allowance" && node.value === "unlimited") return most;
    if (node.type !== "string" && node.type !== "number") return this.#noAmount(node, "expected text");
    const isLater = places === undefined && bits === undefined;
    const written = this.#request.text.slice(node.offset, node.offset + node.length);
    const amount = tokenUnits(node.type === "string" ? String(node.value) : written, isLater ? 255 : (places ?? 0));
    if (typeof amount === "string") return this.#noAmount(node, amount);
    if (isLater) return "later";
    return amount > most ? this.#noAmount(node, `it is more than ${token} can hold`) : amount;
  }

  #noAmount(node: JsonNode, why: string): undefined {
    return this.#bad(node, `This amount cannot be assumed: ${why}.`);
  }

  /** Reads the entries of an object with accounts as keys. */
  #each(node: JsonNode, read: (account: Account, value: JsonNode) => void, what: AccountKind = "account"): undefined {
    for (const { key, value } of this.#entries(node)) {
      const account = this.#account(key, what);
      if (account) read(account, value);
    }
  }

  #entries(node: JsonNode): readonly Entry[] {
    if (node.type !== "object") this.#bad(node, "Expected an object.");
    return node.type === "object" ? entriesOf(node) : [];
  }

  #account(key: JsonNode, what: AccountKind): Account | undefined {
    const name = String(key.value);
    if (this.#isOpen(key)) return undefined;
    if (isAddress(name)) return { name, address: name.toLowerCase() };
    const addresses = new Set(this.#context.addressesOf(name));
    const [address] = addresses;
    if (address !== undefined && addresses.size === 1) return { name, address };
    const isFew = this.problems.length < maxSuggestions;
    const [near] = isFew ? nearest(name.slice(0, 100), this.#context.names(), 1) : [];
    const todo =
      addresses.size > 1
        ? "Several addresses have this name. Write the address."
        : near === undefined
          ? `Write an address, or give one this name in \`labels\`${what === "token" ? " or `tokens`" : ""}.`
          : `Did you mean \`${brief(near, 60)}\`?`;
    this.#bad(
      key,
      `${addresses.size > 1 ? "Ambiguous" : "Unknown"} ${what} \`${brief(name, 60)}\`. ${todo}`,
      addresses.size > 1 ? undefined : near,
    );
    return undefined;
  }

  /** Returns the answer to a question, if it is known. If it says no, that is a problem. */
  #ask(node: JsonNode, question: StateQuestion, name?: string): StateAnswer | undefined {
    const answer = this.#context.known(question);
    if (answer === undefined) this.problems.push({ code: "unknown-layout", span: spanOf(node), question });
    else if (answer.kind === "no") {
      const subject = name === undefined ? "This cannot be assumed" : amountOf(question.kind, name);
      this.#bad(node, `${subject}: ${answer.why}.`);
    }
    return answer;
  }

  #isOpen(node: JsonNode): boolean {
    return node.type === "string" && this.#request.isOpen(String(node.value));
  }

  #add(node: JsonNode, text: string, override: Override, reading?: Assumption["reading"]): undefined {
    const member = memberKey(override);
    const [taken, bits] = [this.#taken.get(member) ?? 0n, override.kind === "slot" ? maskOf(override) : 1n];
    if ((taken & bits) !== 0n)
      return this.#bad(
        node,
        "This is assumed twice: another member changes the same account or the same word of storage.",
      );
    this.#taken.set(member, taken | bits);
    this.list.push({ text, override, span: spanOf(node), ...(reading && { reading }) });
  }

  #bad(node: JsonNode, what: string, instead?: string): undefined {
    this.problems.push({ code: "bad-assumption", span: spanOf(node), what, ...(instead !== undefined && { instead }) });
  }
}

const stateDecimals = "Write them in the header's `tokens`.";

function amountOf(kind: StateQuestion["kind"], token: string): string {
  return `${kind === "allowance" ? "An allowance" : "A balance"} of the token ${brief(token, 60)} cannot be assumed`;
}

/** Returns the entries of an object; a key without a value has none. */
function entriesOf(node: JsonNode): readonly Entry[] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) => (key && value ? [{ key, value }] : []));
}

function slotOverride({ address, slot, shift, bits, word }: TokenSlot, units: bigint): Override {
  const mask = (2n ** BigInt(bits) - 1n) << BigInt(shift);
  const value = (BigInt.asUintN(256, word) & ~mask) | (units << BigInt(shift));
  const isWhole = bits === 256;
  return {
    kind: "slot",
    address,
    slot: toWord(slot),
    value: toWord(value),
    ...(!isWhole && { mask: toWord(mask) }),
  };
}

function memberKey(override: Override): string {
  if (override.kind === "time") return override.kind;
  return [override.kind, override.address, override.kind === "slot" ? override.slot : ""].join(" ");
}
