import { describe, expectTypeOf, it } from 'vitest';
import { defineExtension } from './extension.js';

interface TableArgs {
  table: string;
  rows?: number;
}

interface DatabaseConfig {
  url: string;
}

const named = { name: 'database', version: '1.0.0' };

// The compiler is what these are for: `npm run check` fails where one does not hold.
describe('types of an extension', () => {
  it('know the arguments of each operation, and the state that setup returns', () => {
    defineExtension({
      ...named,
      async setup(config: DatabaseConfig) {
        return { url: config.url, tables: new Set<string>() };
      },
      operations: {
        createTable: {
          run(args: TableArgs, { state, signal }) {
            expectTypeOf(state.tables).toEqualTypeOf<Set<string>>();
            expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
            return { outputs: { table: args.table } };
          },
        },
        clear: { run() {} },
        anything: {
          async run(args, { context }) {
            expectTypeOf(args).toEqualTypeOf<unknown>();
            return context.agent.output === 'done' ? {} : { success: false, error: 'not done' };
          },
        },
      },
      teardown(state) {
        expectTypeOf(state.url).toEqualTypeOf<string>();
      },
    });
  });

  it('refuse results that would be misunderstood', () => {
    // @ts-expect-error a failure without an error
    defineExtension({ ...named, operations: { go: { run: () => ({ success: false }) } } });
    // @ts-expect-error not an object
    defineExtension({ ...named, operations: { go: { run: () => false } } });
    // @ts-expect-error an unknown member
    defineExtension({ ...named, operations: { go: { run: async () => ({ passed: false }) } } });
  });
});
