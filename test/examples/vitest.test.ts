import { cp } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { examples } from '../support/cli.js';
import { LibraryConsumer } from '../support/library-consumer.js';

interface JsonReport {
  success: boolean;
  testResults: {
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
}

describe('examples/vitest', () => {
  let consumer: LibraryConsumer;

  beforeAll(async () => {
    consumer = await LibraryConsumer.create();
    await consumer.link('vitest');
    for (const name of ['quickstart', 'vitest']) {
      await cp(path.join(examples, name), consumer.path(name), { recursive: true });
    }
  });

  /** The tests by their title. */
  async function runTests(env: Record<string, string> = {}) {
    const args = ['../node_modules/vitest/vitest.mjs', 'run', '--reporter', 'json'];
    const { stdout } = await consumer.node(args, env, { below: 'vitest', mayFail: true });
    const { success, testResults } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as JsonReport;
    return { success, tests: testResults.flatMap(({ assertionResults }) => assertionResults) };
  }

  it('has a test for each task, which passes with it', async () => {
    const { success, tests } = await runTests();
    expect(tests.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
    expect(success).toBe(true);
    expect(tests).toHaveLength(9);
    expect(tests.map(({ title }) => title)).toContain('sell-kettles');
  });

  it('fails the test of a task that fails, with the reason', async () => {
    const { success, tests } = await runTests({ AGENT: '../quickstart/agents/hasty.yaml' });
    expect(success).toBe(false);
    const failed = tests.filter(({ status }) => status === 'failed');
    expect(failed.length).toBeGreaterThan(0);
    for (const { failureMessages } of failed) {
      expect(failureMessages.join('\n')).toMatch(/run 1 of \d: failed: \S/);
    }
    expect(failed.length).toBeLessThan(tests.length);
  });

  it('is typed', async () => {
    await consumer.compile(['vitest/shop.test.ts'], { skipLibCheck: true });
  });
});
