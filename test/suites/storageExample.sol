type Price is uint96;
interface Token {}
enum State { None, Open, Closed }

contract Base {
  uint128 internal baseValue = 5;
  address public owner;
}

contract Pausable is Base {
  bool paused = true;
}

contract Vault is Pausable {
  struct Account { uint128 amount; uint64 since; bool frozen; }
  struct Order { uint256 id; uint256[] items; string note; }
  struct Point { uint8 x; uint16 y; }

  int24 small = -7;
  string name = "short";
  string long = "0123456789012345678901234567890123456789012345678901234567890123456789";
  bytes blob = hex"ababababababababababababababababababababababababababababababab";
  bytes bigBlob = hex"cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd";
  mapping(address => Account) balances;
  mapping(address => mapping(address => uint256)) allowances;
  Order[] orders;
  mapping(string => bytes) names;
  bool[] flags;
  Point[3][2] grid;
  mapping(Price => Price) prices;
  mapping(State => uint256) byState;
  int64[][] jagged;
  State state = State.Closed;
  Token token;
  bytes4 selector = 0x12345678;
  uint256 transient locked;

  constructor() {
    owner = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8;
    token = Token(0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC);
    balances[owner] = Account(1000, 1700000000, true);
    allowances[owner][address(token)] = 77;
    for (uint256 i = 0; i < 4; i++) {
      Order storage order = orders.push();
      order.id = i + 1;
      order.items.push(i * 10);
      order.items.push(i);
      order.note = i == 1 ? "order 1" : "another order, with a note that is too long for one slot";
    }
    names["x"] = hex"11111111111111111111111111111111111111111111111111111111111111111111111111111111";
    flags = [false, true, true];
    grid[1][2] = Point(2, 512);
    prices[Price.wrap(5)] = Price.wrap(50);
    byState[State.Open] = 99;
    jagged.push();
    jagged.push();
    jagged[1] = [int64(-1), -2, -3];
  }

  function priceOf(Price key) external view returns (Price) { return prices[key]; }
}
