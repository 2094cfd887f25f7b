/** Something that happens once; who comes later learns of it too. */
export class Milestone<Value> {
  readonly reached: Promise<Value>;
  /** Only the first time counts. */
  readonly reach: (value: Value) => void;

  constructor() {
    let settle: (value: Value) => void = () => {};
    this.reached = new Promise((resolve) => {
      settle = resolve;
    });
    this.reach = settle;
  }
}
