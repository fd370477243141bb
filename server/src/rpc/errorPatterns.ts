import type { RefusalReason } from "./outcome.ts";

/** The refusals of endpoints, as data. The first pattern that matches decides, so the order matters. */
export interface ErrorPattern {
  readonly reason: RefusalReason;
  readonly pattern: RegExp;
  /** Only for this method. */
  readonly method?: RegExp;
  /** The software or provider that writes this. */
  readonly source: string;
}

const geth = "https://github.com/ethereum/go-ethereum";
const reth = "https://github.com/paradigmxyz/reth";
const proxyd = "https://github.com/ethereum-optimism/infra/blob/main/proxyd/backend.go";
const erpc = "https://github.com/erpc/erpc/blob/main/architecture/evm/error_normalizer.go";
const ponder = "https://github.com/ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts";
const graphNode = "https://github.com/graphprotocol/graph-node/blob/master/chain/ethereum/src/call_helper.rs";
const hardhat = "https://github.com/NomicFoundation/hardhat";
const besu = "https://github.com/hyperledger/besu (RpcErrorType.java)";
const jsonrpsee = "https://github.com/paritytech/jsonrpsee/blob/master/types/src/error.rs";
const simulate = "https://github.com/ethereum/execution-apis/blob/main/src/eth/execute.yaml";

/** Methods that accept a range of blocks. */
const ranged = /log|filter|trace|range|history/i;

/** Sentences that are clear by themselves. They are searched for in the message, then in the data. */
export const errorPatterns: readonly ErrorPattern[] = [
  {
    reason: "not-recorded",
    pattern: /^Not in the recording\b/,
    source: "recording/match.ts",
  },
  // A reverted call may quote any text, so it comes before the others.
  {
    reason: "revert",
    pattern: /^(?:err: |rpc error: |eth_\w+: |vm error: )?(?:vm )?execution (?:was )?reverted\b/i,
    source: geth,
  },
  {
    reason: "revert",
    pattern: /\bexecution reverted\b|^reverted(?:$|\s*(?::|0x)|\s+with\b)|^transaction reverted\b/i,
    source: hardhat,
  },
  {
    reason: "revert",
    pattern: /vm exception while processing transaction:? (?:revert|reverted)\b/i,
    source: graphNode,
  },
  {
    reason: "revert",
    pattern: /^(?:vm )?revert(?:$|:| opcode)|reverted with (?:reason string|custom error|panic|an unrecognized)/i,
    source: hardhat,
  },

  {
    reason: "quota",
    pattern:
      /(?:daily|monthly|weekly) .{0,30}(?:quota|capacity|credits|allowance).{0,30}(?:exceeded|reached|exhausted|used up)|(?:exceeded|reached|exhausted|used up) .{0,30}(?:daily|monthly|weekly) .{0,30}(?:quota|capacity|credits|allowance)|(?:quota|usage|credits) (?:limit )?(?:was |has been |is )?(?:exceeded|exhausted|used up)|(?:exceeded|exhausted|used up) (?:its|your|the) .{0,30}(?:quota|credits)|(?:out of|no|not enough|insufficient) (?:\w+ )?credits/i,
    source: `alchemy, chainstack, quicknode: ${erpc}`,
  },
  {
    reason: "rate-limit",
    pattern:
      /rate[- ]?limit|too many requests(?! (?:in|per) (?:a |the |one )?(?:single )?batch)|request limit (?:reached|exceeded)|requests? (?:per|\/) ?(?:second|minute|day)|compute units|(?:daily|monthly) (?:request|quota|capacity)|request count exceeded|credits? limited|\/sec(?:ond)?\b|over capacity|throttl|quota exceeded|capacity exceeded|error code: 1015|exceeded (?:its|your|the) .{0,30}(?:capacity|quota|throughput)|slow down/i,
    source: `${proxyd}; ${erpc}`,
  },
  {
    reason: "batch-limit",
    pattern:
      /batch (?:(?:request|call|size|limit|length)s? )*(?:is |are |was |of \d+ )*(?:too large|too big|exceed|not (?:supported|allowed|enabled)|unsupported|limit|disabled)|too many (?:rpc calls|requests|calls|items) (?:in|per) (?:the |a |one )?(?:single )?batch|batch(?:es|ed|ing)? (?:requests? )?(?:(?:is|are) )?(?:not (?:supported|allowed|enabled)|unsupported|disabled)|(?:max(?:imum)?|exceed\w*|over) .{0,20}batch (?:size|limit|item|request|call)|batch limit|^batch of more than/i,
    source: `${geth}/blob/master/rpc/errors.go; ${proxyd}; ${jsonrpsee}`,
  },

  // "At most 100 addresses" asks for another filter, not for fewer blocks.
  {
    reason: "bad-params",
    pattern:
      /exceed max (?:addresses|topics)|query contains \S+ filters|too many (?:addresses|topics)|less (?:number of )?address/i,
    source: `${geth}/blob/master/eth/filters/api.go; ${erpc}`,
  },
  {
    reason: "unknown-block",
    pattern: /(?:beyond|after|past|ahead of) (?:the )?(?:current )?(?:head|latest|chain head|tip)\b/i,
    source: `${reth} (crates/rpc/rpc/src/eth/filter.rs)`,
  },
  {
    reason: "missing-state",
    pattern:
      /missing trie node|historical state|state (?:histories|history|is|at block|for block|of block|root|data)\b.{0,60}(?:not available|unavailable|pruned|missing|not found)|pruned|pruning|world state unavailable|state (?:is )?(?:already |not )?(?:available|unavailable)\b|(?:history|ancient|block|data|receipts?|state) (?:has been|is|was|were|not available).{0,20}(?:pruned|garbage)|no state available|distance to target block exceeds maximum proof window|state not (?:available|found)/i,
    source: `${geth}/blob/master/eth/state_accessor.go; ${reth}; erigon; ${besu}`,
  },
  {
    reason: "result-limit",
    pattern:
      /(?:returned|returns|return|matched|match(?:es)?|with|has|produced?|contains?) (?:\w+ )*(?:more than|too many|over) (?:[\d,]+[km]? )?(?:\w+ ){0,4}?(?:results|logs|records|events|entries|items)|exceeds? (?:the )?max(?:imum)? (?:number of )?(?:results|logs)|(?:logs|results|events) (?:matched )?.{0,30}exceeds? (?:the )?(?:limit|max)|(?:response|result|reply|output|log response)(?: \w+)? (?:size |body )?(?:is |was )?(?:(?:too|larger|bigger|greater|exceed))|too many (?:logs|results|events|matches)|(?:response|result) size (?:limit|should not|must not|larger|greater)|oversized response|more than [\d,]+[km]? (?:results|logs|events|records)/i,
    source: `infura, alchemy, nethermind, erigon, arbitrum: ${ponder}; ${geth}/blob/master/rpc/errors.go`,
  },
  {
    reason: "range-limit",
    method: ranged,
    pattern:
      /(?:blocks?|logs?|query|filter|fromblock|toblock|max(?:imum)?|the|requested)\W*(?:\W\w+\W){0,3}?\s*(?:range|distance|span|interval|gap)\b.{0,60}?(?:too|exceed|large|larger|greater|bigger|over|wide|high|limit|max|must|should|not|allowed|at most|less|within|up to|invalid size)/i,
    source: ponder,
  },
  {
    reason: "range-limit",
    method: ranged,
    pattern:
      /(?:exceed\w*|too (?:large|big|wide|long|high|many)|limit\w*|max(?:imum)?|up to|at most|over|larger|greater|wider|bigger)\b.{0,50}?(?:block ?range|blocks? (?:range|distance|limit|span)|ranges?|distance|blocks)\b/i,
    source: `${ponder}; reth, quicknode, cronos, coinbase`,
  },
  {
    reason: "range-limit",
    method: ranged,
    pattern:
      /\branges? (?:\S+ )?(?:over|exceeds?|is (?:too|bigger|larger|greater))|limited to (?:a |an )?[\d,]+k? (?:blocks?|range)|too (?:wide|large|big|many) (?:blocks?|a? ?(?:block )?range)|(?:number|count) of (?:\w+ )?blocks|^query must be smaller than|\b(?:range|blocks)\b.{0,20}?\d > ?\d/i,
    source: `${ponder}; tenderly, drpc, sonic`,
  },
  {
    reason: "plan-limit",
    pattern:
      /archive (?:requests?|data|nodes?|access|method)\b.{0,60}(?:require|not (?:available|included|supported|enabled)|plan|token|upgrade|paid)|no archive nodes?|archive, debug and trace requests|(?:not (?:available|supported|allowed|included)|only available|requires?|upgrade) (?:on|in|for|with|to|a|an)? ?(?:your |the |a |an |this |current |free |paid |higher |growth |archive |dedicated )*(?:plan|(?:free|paid)?-?tier|subscription)\b/i,
    source: `${erpc}; drpc, publicnode, chainstack, ankr`,
  },

  {
    reason: "unauthorized",
    pattern:
      /\bunauthorized\b|\bunauthenticated\b|be authenticated|authenticat(?:e|ion) (?:required|failed|your|is)|(?:api[ -]?key|token|jwt|project id|access key|credentials?) (?:\w+ ){0,3}?(?:invalid|required|missing|expired|not (?:found|valid|allowed|recogni[sz]ed)|disabled|unknown)|(?:invalid|missing|wrong|unknown|expired|no|provide an?|bad) (?:\w+ )?(?:api[ -]?key|auth|token|jwt|project id|access key|credentials?)|must be authenticated|apply an api key/i,
    source: `${erpc}; ankr, drpc, besu`,
  },
  {
    reason: "not-allowed",
    pattern:
      /not (?:in the )?(?:whitelist|allowlist)|not whitelisted|method .{0,80}(?:not (?:allowed|permitted|enabled)|forbidden|blocked|restricted|disallowed|disabled)|(?:access|method|request) (?:is )?(?:denied|forbidden|blocked)|not (?:allowed|permitted) to (?:call|use|access)|^forbidden\b/i,
    source: `${proxyd}; avalanche`,
  },
  {
    reason: "unknown-method",
    pattern:
      /method .{0,80}(?:does not exist|doesn't exist|not (?:found|available|supported|implemented|exist)|is not (?:available|supported)|unsupported|unknown)|^(?:the )?(?:rpc )?method not\b|(?:unsupported|unknown|unrecogni[sz]ed|invalid|unimplemented) (?:rpc |json-rpc )?method|no ".*" subscription in|not (?:yet )?implemented|rpc method is not\b|is not available on (?:this|our)|namespace .{0,40}(?:not|disabled)/i,
    source: `${geth}/blob/master/rpc/errors.go; ${besu}`,
  },

  {
    reason: "unknown-block",
    pattern:
      /header (?:for hash )?not found|cannot query unfinalized data|(?:block|header)(?: \S+)? (?:was )?(?:not found|does not exist|is out of range|not available)|unknown (?:block|header|ancestor)|block is out of range|could not find block|no (?:such )?block|block(?: number| hash)? not found|future block|resource not found/i,
    source: `${geth}; ${besu}; ${proxyd}; avalanche (coreth)`,
  },
  {
    reason: "timeout",
    pattern: /time[d -]?\s?out|timeout|deadline exceeded|took too long|execution aborted|query (?:was )?cancell?ed/i,
    source: `${geth}/blob/master/rpc/errors.go; ${proxyd}`,
  },

  {
    reason: "simulation",
    pattern:
      /^err: |is not a precompile|(?:already (?:been )?overridden|both 'state' and 'statediff')|block (?:numbers|timestamps) must be in order|too many (?:blocks|calls)|client limit|max fee per gas less than block base fee|(?:nonce too (?:low|high)|insufficient (?:funds|balance)|intrinsic gas|fee cap|gas limit|sender is not an eoa|movePrecompile|init ?code)/i,
    method: /^eth_simulate/,
    source: simulate,
  },
  {
    reason: "tx-rejected",
    pattern:
      /nonce too (?:low|high)|nonce has (?:max value|already been used)|already known|known transaction|already imported|transaction underpriced|replacement (?:transaction|fee)|underpriced|insufficient (?:funds|balance) for|insufficient funds|intrinsic gas|max (?:priority )?fee per gas (?:less|higher|lower)|fee cap (?:less|too low)|txpool is full|exceeds (?:block gas limit|the configured cap)|invalid (?:sender|signature|chain id)|transaction (?:type not supported|rejected|could not be decoded)|tx fee .{0,40}exceeds|sender (?:is )?not an eoa|gas limit (?:is )?too (?:high|low)|only replay-protected|oversized data/i,
    source: `${geth}/blob/master/core/error.go`,
  },
  {
    reason: "vm-error",
    pattern:
      /out of gas|gas required exceeds|gas uint64 overflow|stack (?:underflow|overflow|limit)|invalid (?:jump|opcode)|bad (?:instruction|jump)|undefined instruction|opcode .{0,12}not (?:defined|found)|evm error|write protection|max code size|max initcode size|contract address collision|return data out of bounds|call depth|nonactive(?:ated)? opcode|invalid instruction|vm exception|contract creation code storage|not ?activated|transaction processing could not be completed due to an exception/i,
    source: `${geth}/blob/master/core/vm/errors.go; ${graphNode}; ${besu}`,
  },

  {
    reason: "too-large",
    pattern:
      /(?:request|body|payload|content|message|entity)(?: \w+)? (?:is )?(?:too (?:large|big|long)|exceeds)|oversized request|entity too large/i,
    source: `${geth}/blob/master/rpc/http.go; ${jsonrpsee}`,
  },
  {
    reason: "bad-params",
    pattern:
      /invalid (?:argument|params?:|block range|hex|address|topic|filter|type)|missing (?:value|required|\d|field|`)|hex string|too many arguments|non-array args|cannot (?:unmarshal|specify|parse)|must specify|(?:storage )?key too long|both gasprice and|not supported.*pending|pending logs|exceed max topics|unknown field|duplicate field|expected .{0,60} at line|at line \d+ column|unexpected (?:token|character|type)|wrong (?:number|type) of|invalid length|odd length|leading zero|both .{0,60}specified|should be|must be (?:a|an|of|hex|0x)\b|did not match any variant|invalid block range|too (?:few|many) (?:params|parameters|arguments)/i,
    source: `${geth}/blob/master/internal/ethapi; ${reth}`,
  },
  {
    reason: "internal",
    pattern:
      /backend returned an invalid response|no (?:backend|upstream|healthy|available (?:backend|upstream|node))|backend (?:is )?(?:offline|unhealthy|down)|(?:service|server|node|upstream) (?:is )?(?:temporarily )?(?:unavailable|unhealthy|syncing|overloaded|down)|bad gateway|currently (?:unavailable|syncing)|temporar(?:y|ily)/i,
    source: proxyd,
  },
];

/** Sentences that only repeat the code: they count after the data, and no more than the code. */
export const genericMessage =
  /^\s*(?:internal (?:json-rpc |server )?error|(?:json-rpc |rpc |server |unknown |an? |some )*error(?: occurred)?|invalid (?:params|parameters|argument|input|request|method parameters\(s\))|bad request|vm execution error|the execution failed due to an exception|limit exceeded|something went wrong)\W*$/i;

/** HTTP statuses that count if neither message nor data are clear. They count more than the code. */
export const statusReasons: ReadonlyMap<number, RefusalReason> = new Map([
  [401, "unauthorized"],
  [402, "plan-limit"],
  [403, "not-allowed"],
  [407, "unauthorized"],
  [408, "timeout"],
  [413, "too-large"],
  [429, "rate-limit"],
  [502, "internal"],
  [503, "internal"],
  [504, "timeout"],
  [524, "timeout"], // Cloudflare: the origin took too long
]);

/** JSON-RPC codes and their meanings. Codes with several (-32005, -32012, -32016, -32007) have the usual one here. */
export const codeReasons: ReadonlyMap<number, RefusalReason> = new Map([
  [3, "revert"], // geth, reth, besu, anvil
  [12, "unknown-method"], // drpc
  [35, "range-limit"], // drpc
  [429, "rate-limit"], // alchemy, inside batches
  [4444, "missing-state"], // execution-apis, pruned history
  [-32700, "bad-request"],
  [-32600, "bad-request"],
  [-32601, "unknown-method"],
  [-32602, "bad-params"],
  [-32603, "internal"],
  [-32604, "unknown-method"], // besu
  [-32614, "range-limit"], // quicknode, base
  [-32701, "too-large"], // jsonrpsee, oversized request
  [-32702, "result-limit"], // jsonrpsee, oversized response
  [-32001, "unknown-block"], // EIP-1474, resource not found
  [-32002, "internal"], // EIP-1474, resource unavailable
  [-32003, "tx-rejected"], // EIP-1474
  [-32004, "unknown-method"], // EIP-1474
  [-32005, "rate-limit"], // EIP-1474, limit exceeded
  [-32006, "bad-request"], // EIP-1474, version not supported
  [-32007, "rate-limit"], // quicknode
  [-32010, "tx-rejected"], // parity; proxyd's "backend offline" comes with HTTP 503
  [-32011, "internal"], // proxyd
  [-32012, "rate-limit"], // proxyd, quicknode
  [-32013, "internal"], // proxyd
  [-32014, "batch-limit"], // proxyd
  [-32015, "vm-error"], // parity, nethermind
  [-32016, "rate-limit"], // proxyd
  [-32017, "rate-limit"], // proxyd
  [-32019, "unknown-block"], // proxyd
  [-32020, "result-limit"], // proxyd
  [-32021, "too-large"], // proxyd
  [-32029, "rate-limit"],
  [-32047, "range-limit"], // cloudflare
  [-32061, "plan-limit"], // ankr
  [-32062, "range-limit"], // ankr
  [-32075, "unknown-method"], // ankr
  [-39001, "unknown-block"], // besu
  [-40100, "unauthorized"], // besu
]);

/** HTTP statuses that count only if there is no JSON-RPC code. */
export function reasonOfBareStatus(status: number): RefusalReason {
  if (status >= 500) return "internal";
  return status >= 400 ? "bad-request" : "other";
}
