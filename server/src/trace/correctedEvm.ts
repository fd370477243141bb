import { EVM, type EVMResult, type ExecResult, type Message } from "@ethereumjs/evm";

/**
 * The EVM of version 10.1.3 without one fault: there, the code of a creation that reverts with data that begins with 0xef
 * uses up all its gas, as if it had returned such a contract (EIP-3541).
 */
export class CorrectedEvm extends EVM {
  /** Revert data of the creation that ends. */
  #reverted: Uint8Array | undefined;

  protected override async runInterpreter(
    message: Message,
    options?: Parameters<EVM["runInterpreter"]>[1],
  ): Promise<ExecResult> {
    const result = await super.runInterpreter(message, options);
    const { exceptionError, returnValue } = result;
    const isHidden = message.isCreate === true && exceptionError !== undefined && returnValue[0] === 0xef;
    this.#reverted = isHidden ? returnValue : undefined;
    return isHidden ? { ...result, returnValue: new Uint8Array(0) } : result;
  }
  protected override async _executeCreate(message: Message): Promise<EVMResult> {
    const result = await super._executeCreate(message);
    const returnValue = this.#reverted;
    this.#reverted = undefined;
    return returnValue ? { ...result, execResult: { ...result.execResult, returnValue } } : result;
  }
}
