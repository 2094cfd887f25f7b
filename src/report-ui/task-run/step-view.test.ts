import { expect, it } from 'vitest';
import { listOutputs } from './step-view.js';

const pets = { pets: ['cat', 'dog'], note: 'all of them are here, and all of them are hungry' };
const json = JSON.stringify(pets);

it('JSON outputs are parsed, and equal outputs are shown once', () => {
  const parts = listOutputs({ content: json, structuredContent: json, isError: 'false' });
  expect(parts).toEqual([
    { name: 'content', sameAs: ['structuredContent'], value: pets },
    { name: 'isError', sameAs: [], value: 'false' },
  ]);
});

it('equal short outputs are all shown, and empty ones are not', () => {
  const parts = listOutputs({ stdout: '', exitCode: '0', signal: '0', stderr: 'a\nb' });
  expect(parts.map(({ name }) => name)).toEqual(['stderr', 'exitCode', 'signal']);
});
