import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { markedProcesses } from '../../testing/marked-processes.js';
import type { CheckSuite } from './check-suite.js';

/** Neither a process nor a file, but for the results and the journal. */
export function expectNothingLeft(suite: CheckSuite): void {
  expect(markedProcesses(suite.mark)).toEqual([]);
  expect(readdirSync(suite.temporary)).toEqual([]);
  const own = readdirSync(suite.folder).filter((name) => name.startsWith('proctor-'));
  expect(own.filter((name) => !/^proctor-suite-out(?:\.\d+)?\.jsonl?$/.test(name))).toEqual([]);
}
