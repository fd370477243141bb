/** A notebook as a person may have it after years: 5,000 cells, one megabyte. */
export interface BenchNotebook {
  /** The file. */
  readonly text: string;
  /** The texts of its header and cells, as a notebook shows them. */
  readonly cells: readonly string[];
  /** Which of `cells` is edited: one in the middle, in the file as well. */
  readonly edited: number;
}

const count = 5000;

export function benchNotebook(): BenchNotebook {
  const header = {
    endpoint: "local",
    variables: { alice: address(1), token: address(2) },
    labels: { [address(3)]: "treasury" },
  };
  const requests = Array.from({ length: count }, (_, at) => request(at));
  const text = JSON.stringify({ ...header, cells: requests }, null, 2);
  const cells = [header, ...requests].map((each) => JSON.stringify(each, null, 2));
  return { text, cells, edited: count / 2 + 1 };
}

/** Where the edited cell has the digits of an address, and the name that a later cell refers to. */
export function placesIn(text: string): { readonly address: number; readonly name: number } {
  const name = text.indexOf(`"cell${count / 2}"`);
  return { name: name + 3, address: text.indexOf(`"0x`, name) + 20 };
}

/** Cells of five kinds in turn, some with a reference to a variable or to the previous cell. */
function request(at: number): object {
  const name = `cell${at}`;
  switch (at % 5) {
    case 0:
      return { name, method: "eth_getBalance", params: [address(at + 1), "pending"] };
    case 1:
      return { name, method: "eth_getTransactionCount", params: ["{{alice}}", "latest"], expect: { result: "0x1" } };
    case 2:
      return { name, method: "eth_call", params: [{ to: "{{token}}", data: `0x70a08231${word(at)}` }, "pending"] };
    case 3:
      return { method: "eth_getBlockByNumber", params: [`{{cell${at - 3}.result}}`, false] };
    default:
      return {
        name,
        method: "eth_getLogs",
        params: [{ fromBlock: "0x1", toBlock: at % 100 === 99 ? "0x1001" : "0x100", address: address(at) }], // some over the limit
      };
  }
}

function address(at: number): string {
  return `0x${at.toString(16).padStart(40, "0")}`;
}

function word(at: number): string {
  return at.toString(16).padStart(64, "0");
}
