import { expect, it } from 'vitest';
import { Problems } from '../../config/problems/problem.js';
import { SourceFile } from '../../config/yaml/source-file.js';
import type { Suite } from '../suite.js';
import { checkOperations } from './check-offers.js';

/** A suite with one task that has one step. */
function suiteOf(type: string, args: unknown): Suite {
  const text = JSON.stringify({ spec: { verify: [{ [type]: args }] } });
  const source = new SourceFile('/suite/task.yaml', 'task.yaml', text);
  const path = ['spec', 'verify', 0, type];
  const requires = [{ kind: 'extension' as const, target: 'database', alias: 'db', path: [] }];
  const steps = [{ phase: 'verify' as const, type, data: args, path }];
  const task = { source, requires, steps };
  // Nothing else of a suite is looked at.
  return { tasks: [{ definition: task }] } as unknown as Suite;
}

const asked: unknown[] = [];

function check(type: string, args: unknown, isReady = true) {
  const problems = new Problems();
  const flawsOf = (...question: unknown[]) => {
    asked.push(question);
    return ['args.table must be string', 'args.x is unknown'];
  };
  const operationsOf = () => (isReady ? ['insert', 'query'] : undefined);
  checkOperations(suiteOf(type, args), flawsOf, operationsOf, problems);
  return problems.report().problems.map(({ code, column, message, hint }) => ({
    code,
    column,
    message,
    ...(hint !== undefined && { hint }),
  }));
}

it('reports a step whose operation the extension does not have', () => {
  expect(check('db.qeury', {})).toEqual([
    {
      code: 'not-offered',
      column: 21,
      message: 'the extension database has no operation qeury',
      hint: 'did you mean query?',
    },
  ]);
  expect(check('db.drop', { table: '{env.X}' })).toMatchObject([{ hint: 'it has insert, query' }]);
});

it('reports each flaw of the arguments of an operation', () => {
  expect(check('db.query', { table: 5 })).toEqual([
    { code: 'invalid-arguments', column: 21, message: 'args.table must be string' },
    { code: 'invalid-arguments', column: 21, message: 'args.x is unknown' },
  ]);
  expect(asked.at(-1)).toEqual(['database', 'query', { table: 5 }]);
});

it('checks a step without arguments as one with an empty map', () => {
  check('db.query', null);
  expect(asked.at(-1)).toEqual(['database', 'query', {}]);
});

it('does not check arguments with placeholders, which are known only in the run', () => {
  expect(check('db.query', { rows: [{ id: 'x-{steps.a.id}' }] })).toEqual([]);
  expect(check('db.query', { text: 'other {braces}' })).toHaveLength(2);
});

it('reports nothing for an extension that is not ready, nor for other steps', () => {
  expect(check('db.drop', {}, false)).toEqual([]);
  expect(check('kubernetes.pods_list', {})).toEqual([]);
  expect(check('script', { inline: 'true' })).toEqual([]);
});
