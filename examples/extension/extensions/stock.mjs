#!/usr/bin/env node
/**
 * An extension for suites about the inventory server of the quickstart. It prepares the stock of a task
 * run, and looks at what the agent has made of it.
 */
import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defineExtension, runExtension } from 'mcp-proctor/extension';

/** @typedef {{ id: number, name: string, quantity: number, shelf: string }} Item */

const text = { type: 'string', minLength: 1 };
const quantity = { type: 'integer', minimum: 0 };

const stock = defineExtension({
  name: 'stock',
  version: '1.0.0',
  description: 'Prepares and checks the stock of the inventory server',

  /** @param {{ file?: string }} config */
  setup(config) {
    return { file: config.file ?? '.inventory.json' };
  },

  operations: {
    prepare: {
      description: 'Gives the task run a stock of its own',
      params: {
        type: 'object',
        properties: {
          items: {
            type: 'array',
            minItems: 1,
            items: {
              type: 'object',
              properties: { name: text, quantity, shelf: text },
              required: ['name', 'quantity', 'shelf'],
              additionalProperties: false,
            },
          },
        },
        required: ['items'],
        additionalProperties: false,
      },
      /** @param {{ items: Omit<Item, 'id'>[] }} args */
      async run(args, { state, context, log }) {
        const items = args.items.map((item, index) => ({ id: index + 1, ...item }));
        await writeFile(stockFile(state, context), JSON.stringify(items));
        log.info('the stock is ready', { items: items.length });
        return { outputs: { first: items[0].name, fingerprint: fingerprint(items) } };
      },
    },

    expectItem: {
      description: 'Passes if there is exactly one such item, with this quantity and on this shelf',
      params: {
        type: 'object',
        properties: { name: text, quantity, shelf: text },
        required: ['name'],
        additionalProperties: false,
      },
      /** @param {Partial<Item>} args */
      async run({ name, ...expected }, { state, context }) {
        const items = await readStock(state, context);
        const found = items.filter((item) => item.name === name);
        if (found.length !== 1) {
          return { success: false, error: `there are ${found.length} items named ${name}` };
        }
        const [item] = found;
        const wrong = Object.keys(expected).filter((key) => item[key] !== expected[key]);
        if (wrong.length > 0) {
          const told = wrong.map((key) => `${key} ${item[key]} instead of ${expected[key]}`);
          return { success: false, error: `${name} has ${told.join(' and ')}` };
        }
        return { message: `${name} is as it should be`, outputs: item };
      },
    },

    expectUnchanged: {
      description: 'Passes if the stock is what it was when it had this fingerprint',
      params: {
        type: 'object',
        properties: { fingerprint: text },
        required: ['fingerprint'],
        additionalProperties: false,
      },
      /** @param {{ fingerprint: string }} args */
      async run(args, { state, context }) {
        const items = await readStock(state, context);
        if (fingerprint(items) !== args.fingerprint) {
          // What is thrown fails the step as well.
          throw new Error(`the stock has changed; it is now ${JSON.stringify(items)}`);
        }
      },
    },

    clear: {
      description: 'Removes the stock of the task run',
      params: { type: 'object', additionalProperties: false },
      run: (_args, { state, context }) => rm(stockFile(state, context)),
    },
  },
});

function stockFile({ file }, { workdir }) {
  return path.join(workdir, file);
}

/** @returns {Promise<Item[]>} */
async function readStock(state, context) {
  return JSON.parse(await readFile(stockFile(state, context), 'utf8'));
}

/** @param {Item[]} items */
function fingerprint(items) {
  const lines = items.map(({ name, quantity, shelf }) => JSON.stringify([name, quantity, shelf]));
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

await runExtension(stock);
