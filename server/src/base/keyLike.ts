/** Tokens that services mark as theirs, and tokens of the web (JWT). */
const marked =
  /^(?:eyJ[\w-]{8,}(?:\.[\w-]+){1,4}\.?|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,}|gh[pousr]_\w{16,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{8,}|(?:sk|pk|rk|pim|zpka|key|api|tok)[-_](?:live[-_]|test[-_])?[A-Za-z0-9]{8,}[\w-]*)$/;

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** Public values: data of a chain, and names of content in IPFS. */
const open = /^0x[0-9a-f]*$|^Qm[1-9A-HJ-NP-Za-km-z]{44}$|^(?:baf[a-z2-7]|k51[a-z0-9])[a-z0-9]{40,}$/i;

/** Words that addresses of endpoints have where others have a key. */
const everyday =
  /^(?:eth|ethereum|base|polygon|matic|pol|arbitrum|arb|nova|one|optimism|op|bsc|bnb|avalanche|avax|gnosis|xdai|celo|linea|scroll|zksync|era|mantle|blast|zora|mode|fantom|ftm|sonic|moonbeam|cronos|aurora|metis|boba|kava|unichain|ink|solana|starknet|bitcoin|sepolia|goerli|holesky|hoodi|mainnet|testnet|devnet|fuji|amoy|mumbai|chain|network|networks|rpc|jsonrpc|json|node|nodes|archive|full|fast|http|https|ws|wss|evm|api|public|free|demo|main|test|core|native|latest|local|docs|l|x|v|web|erc|eip|bundler|paymaster|gateway|blocks?|status|health|version)$/i;

/**
 * Whether a text looks like a key: letters and digits at random, and not words, a number or data of a chain.
 *
 * @param isExpected - It is where keys usually are, so that a short one counts as well.
 * @example looksLikeKey("9aa3d95b3bc440fa88ea12eaa4456161"); //=> true
 * @example looksLikeKey("ethereum-mainnet-archive-2024"); //=> false
 */
export function looksLikeKey(text: string, isExpected = false): boolean {
  if (open.test(text) || isStandIn(text)) return false;
  if (marked.test(text) || uuid.test(text)) return true;
  if (!/^[\w.~+/=-]+$/.test(text) || text.length < (isExpected ? 6 : 16)) return false;
  const parts = text.split(/[-_.~+/=]+/).filter((part) => part !== "");
  if (parts.some(isRandom)) return true;
  const runs = parts.reduce((sum, part) => sum + runsIn(part).length, 0);
  if (parts.length > 1 && text.length >= 16 && parts.some(isMixed) && runs >= text.length / 3) return true;
  return isExpected && parts.some(isShortKey);
}

/** Forms of a placeholder: `{{key}}`, `${KEY}`, `$KEY`, `<key>`, `%KEY%`, `xxxx`, `***`, `...`. */
const placeholder = /\{\{[^{}]*\}\}|\$?\{[^{}]*\}|\$[A-Z_][A-Z\d_]*|<[^<>]*>|%\w+%|[xX]{3,}|\*{3,}|\.{3}|…/g;

/** Whether a whole text is a placeholder for a value to fill in: `{{user}}:{{key}}`, `YOUR_KEY`. */
export function isStandIn(text: string): boolean {
  if (
    /^(?:changeme|placeholder|redacted|example|demo)$|^(?:[Yy]our|YOUR|[Ii]nsert|INSERT)(?:[-_ ]|(?=[A-Z]))/.test(text)
  )
    return true;
  const rest = text.replace(placeholder, "");
  return rest !== text && /^[:-]*$/.test(rest);
}

/** Whether it is a key by the mark that a service gives to its own. */
export function isMarkedKey(text: string): boolean {
  return marked.test(text);
}

/** A word of a network or of an API, alone or with a number: `base8453`. */
export function isEveryday(text: string): boolean {
  return text.split(/[-_.~,]+/).every((part) => everyday.test(part.replace(/\d{1,8}$/, "")) || /^\d*$/.test(part));
}

/** From 16 characters on. */
function isRandom(part: string): boolean {
  if (part.length < 16) return false;
  if (/^\d+$/.test(part)) return part.length >= 24;
  if (/^[0-9a-f]+$/i.test(part)) return isMixed(part);
  if (/^[a-z]+$|^[A-Z]+$/.test(part)) return part.length >= 32;
  const runs = runsIn(part).length;
  const digits = part.match(/\d/g)?.length ?? 0;
  return runs > part.length / 4 || (digits > 1 && runs > 3) || /[b-df-hj-np-tv-z]{6}/i.test(part);
}

/** From 6 characters on, where a key is expected. */
function isShortKey(part: string): boolean {
  if (part.length < 6 || isEveryday(part)) return false;
  if (/^[0-9a-f]{8,}$/i.test(part) && !/^\d+$/.test(part)) return true;
  return isMixed(part) || runsIn(part).length > part.length / 3 || /^[A-Z]{8,}$/.test(part);
}

function isMixed(part: string): boolean {
  return /[A-Za-z]/.test(part) && /\d/.test(part);
}

/** Words and numbers that a text consists of: `eth2Beacon` has three, a random text one every two letters. */
function runsIn(part: string): readonly string[] {
  return part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
}
