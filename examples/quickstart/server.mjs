/**
 * An MCP server on stdio: the inventory of a small shop.
 *
 * Proctor starts one for every task run and tells it the task run's folder in PROCTOR_WORKDIR. The
 * stock is kept there, where scripts can look at it, and every task run begins with a stock of its own.
 * Without Proctor: node server.mjs FILE
 */
import path from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { Inventory } from './inventory.mjs';

const { PROCTOR_WORKDIR: folder } = process.env;
const inventory = new Inventory(
  folder ? path.join(folder, '.inventory.json') : (process.argv[2] ?? 'inventory.json'),
);

const rules = `# House rules

- Every item has one entry, on one shelf.
- Shelf A is for dry goods, shelf B for things that are not food, shelf C for jars and drinks.
- Least number we want to have in stock: coffee beans 20, honey 12, black tea 10. Other items have none.
- An item that is out of stock keeps its entry, unless we no longer sell it.
`;

const item = z.object({
  id: z.int(),
  name: z.string(),
  quantity: z.int(),
  shelf: z.string(),
});
const id = z.int().describe('Number of the item');
const quantity = z.int().min(0).describe('How many there are');
const shelf = z.string().describe('Letter of the shelf, such as A');
const readOnly = { readOnlyHint: true };
const destructive = { destructiveHint: true };

/** As JSON for programs, and as text for models. */
function answer(structuredContent) {
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
  };
}

function addTools(server) {
  server.registerTool(
    'list_items',
    {
      description: 'Lists what is in stock: everything, or what is on one shelf.',
      inputSchema: z.object({ shelf: shelf.optional() }),
      outputSchema: z.object({ items: z.array(item) }),
      annotations: readOnly,
    },
    (args) => answer({ items: inventory.list(args.shelf) }),
  );
  server.registerTool(
    'find_items',
    {
      description: 'Finds items by a part of their name.',
      inputSchema: z.object({ text: z.string().describe('Part of the name, such as "tea"') }),
      outputSchema: z.object({ items: z.array(item) }),
      annotations: readOnly,
    },
    ({ text }) => answer({ items: inventory.find(text) }),
  );
  server.registerTool(
    'add_item',
    {
      description: 'Adds an item that is not in stock yet.',
      inputSchema: z.object({ name: z.string().min(1), quantity, shelf }),
      outputSchema: item,
    },
    (args) => answer(inventory.add(args)),
  );
  server.registerTool(
    'set_quantity',
    {
      description: 'Sets how many of an item there are.',
      inputSchema: z.object({ id, quantity }),
      outputSchema: item,
    },
    (args) => answer(inventory.change(args.id, { quantity: args.quantity })),
  );
  server.registerTool(
    'move_item',
    {
      description: 'Moves an item to another shelf.',
      inputSchema: z.object({ id, shelf }),
      outputSchema: item,
    },
    (args) => answer(inventory.change(args.id, { shelf: args.shelf })),
  );
  server.registerTool(
    'remove_item',
    {
      description: 'Deletes the entry of an item, however many there are.',
      inputSchema: z.object({ id }),
      outputSchema: item,
      annotations: destructive,
    },
    (args) => answer(inventory.remove(args.id)),
  );
  server.registerTool(
    'clear_inventory',
    {
      description: 'Deletes the entries of all items.',
      outputSchema: z.object({ items: z.array(item) }),
      annotations: destructive,
    },
    () => {
      inventory.clear();
      return answer({ items: [] });
    },
  );
}

function addResource(server) {
  server.registerResource(
    'rules',
    'inventory://rules',
    {
      title: 'House rules',
      description: 'What goes where, and how much of it we want to have in stock',
      mimeType: 'text/markdown',
    },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/markdown', text: rules }] }),
  );
}

function addPrompt(server) {
  server.registerPrompt(
    'order_letter',
    {
      title: 'Order letter',
      description: 'How we write to a supplier',
      argsSchema: z.object({ supplier: z.string(), goods: z.string() }),
    },
    ({ supplier, goods }) => {
      const text =
        `Write a letter of two or three sentences to ${supplier} that orders ${goods}. ` +
        'It names our customer number 4711 and ends with "The Corner Shop".';
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },
  );
}

serveStdio(() => {
  const server = new McpServer({ name: 'inventory', version: '1.0.0' });
  addTools(server);
  addResource(server);
  addPrompt(server);
  return server;
});
