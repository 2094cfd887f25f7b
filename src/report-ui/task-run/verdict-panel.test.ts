import { expect, it } from 'vitest';
import { taskRunRecord } from '../../../testing/task-run-records.js';
import { formatChecks } from './verdict-panel.js';

function words(verified: boolean | null, ...held: boolean[]): string {
  const assertion = { name: 'a', reason: '', details: [], at: null, calls: [] };
  const assertions = held.map((passed) => ({ ...assertion, passed }));
  return formatChecks(taskRunRecord({ verified, assertions }));
}

it('a verdict says what was checked and with which result', () => {
  expect(words(true, true, true)).toBe('Verification passed; both assertions held.');
  expect(words(true, true)).toBe('Verification passed; its assertion held.');
  expect(words(false, true, true, true)).toBe('Verification did not pass; all 3 assertions held.');
  expect(words(true, true, false)).toBe('Verification passed; 1 of 2 assertions held.');
});

it('a verdict says so where nothing was checked', () => {
  expect(words(null)).toBe('Nothing was verified; no assertion was checked.');
  expect(words(null, false)).toBe('Nothing was verified; 0 of 1 assertion held.');
});
