import type { SignedChange } from "../../abi/paymentSearch.ts";
import { isAddress } from "../../base/hex.ts";
import type { Mask } from "../../base/mask.ts";
import type { Assumption, Override } from "../../evaluate/assume/assumption.ts";
import type { CaseFacts } from "../../report/caseFacts.ts";
import type { ExplainedPayment } from "../../report/explainedPayment.ts";

/**
 * Masks the text that endpoints sent. Members, names of ours and numbers stay, since the report is made from them; what is
 * shown of the numbers is masked with the output.
 */
export function maskedFacts(facts: CaseFacts, mask: Mask): CaseFacts {
  if (mask.isEmpty) return facts;
  const { hash, transaction, receipt, trace, replacement, reread, gaps, place } = facts;
  const found = replacement?.found && { ...replacement.found, hash: mask.text(replacement.found.hash) };
  return {
    ...facts,
    hash: mask.text(hash),
    transaction: mask.value(transaction, decodedFirst(mask)),
    receipt: mask.value(receipt, decodedFirst(mask)),
    trace: mask.value(trace, decodedFirst(mask)),
    replacement: replacement && { ...replacement, found },
    reread: reread && { ...reread, ...maskedReason(reread, mask) },
    gaps: gaps.map((gap) => ({ ...gap, why: mask.text(gap.why) })),
    place: {
      ...place,
      endpoint: mask.text(place.endpoint),
      host: mask.text(place.host),
      others: place.others.map(mask.text),
    },
  };
}

/** Masks what a token and its node sent about a payment, in the same way. */
export function maskedPayment(payment: ExplainedPayment, mask: Mask): ExplainedPayment {
  if (mask.isEmpty) return payment;
  const { facts, searched, acceptance } = payment;
  const { match } = searched;
  const { symbol } = facts.tokenFacts;
  const changesIn = <Some extends { readonly changes: readonly SignedChange[] | undefined }>(some: Some): Some => ({
    ...some,
    changes: some.changes?.map((change) => maskedChange(change, mask)),
  });
  return {
    ...payment,
    ...maskedReason(payment, mask),
    facts: { ...facts, tokenFacts: { ...facts.tokenFacts, symbol: symbol && mask.text(symbol) } },
    searched: { ...searched, match: match && changesIn(match) },
    acceptance: acceptance && changesIn(acceptance),
  };
}

/** Masks what a request assumed, in the same way. */
export function maskedAssumption(assumption: Assumption, mask: Mask): Assumption {
  const { kind, ...members } = assumption.override;
  const hidden = Object.entries(members).map(([name, value]) => [name, mask.text(value)]);
  const override = { kind, ...Object.fromEntries(hidden) } as Override; // the same members
  return { ...assumption, text: mask.text(assumption.text), override };
}

type Reason = Pick<ExplainedPayment, "revertData" | "message">;

function maskedReason({ revertData, message }: Reason, mask: Mask): Reason {
  return { revertData: mask.value(revertData, decodedFirst(mask)), message: mask.text(message) };
}

/** Masks the texts of a domain, which are shown cut. */
function maskedChange(change: SignedChange, mask: Mask): SignedChange {
  const hidden = <Said>(said: Said): Said => (typeof said === "string" ? mask.value(said, isAddress) : said);
  if (change.part === "domain") return { ...change, signed: hidden(change.signed), expected: hidden(change.expected) };
  if (change.part !== "unknown domain") return change;
  const { name, version } = change.signed;
  return { ...change, signed: { ...change.signed, name: hidden(name), version: hidden(version) } };
}

/**
 * Says whether data is decoded first, and masked then word by word. What no word shows alone, such as a list of bytes that
 * several words contain, is masked first. An address is shown whole.
 */
export function decodedFirst(mask: Mask): (text: string) => boolean {
  return (text) => {
    if (isAddress(text)) return true;
    if (!/^0x(?:[\da-f]{65,}|0{24}[\da-f]{40})$/i.test(text)) return false;
    const first = 2 + ((text.length - 2) % 64 === 8 ? 8 : 0); // a selector
    return mask.hiddenIn(text).every(({ start, end }) => {
      for (let at = first + wordLength * Math.floor((start - first) / wordLength); at < end; at += wordLength) {
        const shared = Math.min(end, at + wordLength) - Math.max(start, at);
        const word = `0x${text.slice(Math.max(at, first), at + wordLength)}`;
        if (shared >= leastShared && mask.hiddenIn(word).length === 0) return false;
      }
      return true;
    });
  };
}

/** Hex digits of a word, and those of them that reveal too much. */
const [wordLength, leastShared] = [64, 8];
