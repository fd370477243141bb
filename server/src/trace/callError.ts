import type { ExecResult } from "@ethereumjs/evm";
import { reverted } from "./task.ts";

/**
 * Returns why a call failed, in the words of nodes.
 *
 * @param isPrecompile - The library also says that such a contract reverted; it has no way to.
 * @returns `undefined` if the call did not fail.
 * @see https://github.com/ethereum/go-ethereum/blob/master/core/vm/errors.go
 */
export function callError({ exceptionError, runState }: ExecResult, isPrecompile: boolean): string | undefined {
  if (!exceptionError) return undefined;
  const { opCode = 0, gasLeft = 0n } = runState ?? {};
  const error: string = exceptionError.error; // more than its type says: a jump has its place
  if (isPrecompile && error === "revert") return "precompiled contract failed";
  if (error.startsWith("invalid JUMP")) return "invalid jump destination";
  if (error === "invalid opcode") return `invalid opcode: ${opcodeName(opCode)}`;
  // gas is left, so the instruction was not the reason
  if (error === "out of gas" && gasLeft > 0n) return outOfGasAt[opCode] ?? error;
  return errorTexts[error] ?? error;
}

function opcodeName(code: number): string {
  return code === 0xfe ? "INVALID" : `opcode 0x${code.toString(16)} not defined`;
}

/** `RETURN` of a creation, and `RETURNDATACOPY` of more than there is: the library calls both "out of gas". */
const outOfGasAt: Readonly<Record<number, string>> = {
  243: "contract creation code storage out of gas",
  62: "return data out of bounds",
};

const errorTexts: Readonly<Record<string, string>> = {
  revert: reverted,
  "static state change": "write protection",
  "create collision": "contract address collision",
  "code size to deposit exceeds maximum code size": "max code size exceeded",
  "initcode exceeds max initcode size": "max initcode size exceeded",
  "invalid bytecode deployed": "invalid code: must not begin with 0xef",
  "value out of range": "gas uint64 overflow",
};
