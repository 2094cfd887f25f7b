import { readFileSync, writeFileSync } from 'node:fs';

/** What is in stock when nobody has said otherwise. */
const firstStock = [
  { id: 1, name: 'Coffee beans', quantity: 42, shelf: 'A' },
  { id: 2, name: 'Kettle', quantity: 9, shelf: 'B' },
  { id: 3, name: 'Strawberry jam', quantity: 18, shelf: 'C' },
  { id: 4, name: 'Honey', quantity: 7, shelf: 'A' },
  { id: 5, name: 'Black tea', quantity: 3, shelf: 'A' },
];

/** The items of a small shop, in a file: whoever looks into it sees what was done. */
export class Inventory {
  #file;

  constructor(file) {
    this.#file = file;
  }

  list(shelf) {
    return this.#read().filter((item) => shelf === undefined || isSame(item.shelf, shelf));
  }

  find(text) {
    return this.#read().filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  }

  add({ name, quantity, shelf }) {
    const items = this.#read();
    const known = items.find((item) => isSame(item.name, name));
    if (known) throw new Error(`${known.name} is in stock already, as item ${known.id}`);
    const id = Math.max(0, ...items.map((item) => item.id)) + 1;
    const item = { id, name, quantity, shelf };
    this.#write([...items, item]);
    return item;
  }

  change(id, changes) {
    const items = this.#read();
    const item = find(items, id);
    Object.assign(item, changes);
    this.#write(items);
    return item;
  }

  remove(id) {
    const items = this.#read();
    const item = find(items, id);
    this.#write(items.filter((other) => other !== item));
    return item;
  }

  clear() {
    this.#write([]);
  }

  #read() {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'));
    } catch (error) {
      if (error.code === 'ENOENT') return structuredClone(firstStock);
      throw error;
    }
  }

  #write(items) {
    writeFileSync(this.#file, `${JSON.stringify(items, null, 2)}\n`);
  }
}

function find(items, id) {
  const item = items.find((each) => each.id === id);
  if (!item) throw new Error(`there is no item ${id}`);
  return item;
}

function isSame(left, right) {
  return left.toLowerCase() === right.toLowerCase();
}
