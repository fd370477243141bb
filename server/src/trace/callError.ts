import type { ExecResult, Message } from "@ethereumjs/evm";
import { reverted } from "./task.ts";

/**
 * Returns why a call failed, in the words of nodes.
 *
 * @returns `undefined` if the call did not fail.
 * @see https://github.com/ethereum/go-ethereum/blob/master/core/vm/errors.go
 */
export function callError({ exceptionError, runState }: ExecResult, { isCompiled, data }: Message): string | undefined {
  if (!exceptionError) return undefined;
  const { opCode = 0, gasLeft = 0n } = runState ?? {};
  const error: string = exceptionError.error; // more than its type says: a jump has its place
  // a precompiled contract has no way to revert
  if (isCompiled && error === "revert") return "precompiled contract failed";
  if (error === "value out of range")
    return data.length === blake2fInput ? "invalid final flag" : "invalid input length";
  if (error.startsWith("invalid JUMP")) return "invalid jump destination";
  if (error === "invalid opcode") return `invalid opcode: ${opcodeName(opCode)}`;
  // if gas is left, the price of the instruction was not the reason
  if (error === "out of gas" && gasLeft > 0n) return outOfGasAt.get(opCode) ?? error;
  return errorTexts[error] ?? error;
}

function opcodeName(code: number): string {
  return code === 0xfe ? "INVALID" : `opcode 0x${code.toString(16)} not defined`;
}

/** Bytes of input of the precompiled contract of EIP-152. */
const blake2fInput = 213;

/** `RETURN` of a creation, `RETURNDATACOPY` of more than there is, `SSTORE` with at most 2,300 gas: the library calls all "out of gas". */
const outOfGasAt: ReadonlyMap<number, string> = new Map([
  [0xf3, "contract creation code storage out of gas"],
  [0x3e, "return data out of bounds"],
  [0x55, "out of gas: not enough gas for reentrancy sentry"],
]);

const errorTexts: Readonly<Record<string, string>> = {
  revert: reverted,
  "static state change": "write protection",
  "create collision": "contract address collision",
  "code size to deposit exceeds maximum code size": "max code size exceeded",
  "initcode exceeds max initcode size": "max initcode size exceeded",
  "invalid bytecode deployed": "invalid code: must not begin with 0xef",
};
