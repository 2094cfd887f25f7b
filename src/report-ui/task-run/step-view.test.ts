import { expect, it } from 'vitest';
import { outputParts } from './step-view.js';

const pets = { pets: ['cat', 'dog'], note: 'all of them are here, and all of them are hungry' };
const json = JSON.stringify(pets);

it('shows JSON as what it holds, and what two outputs say alike once', () => {
  const parts = outputParts({ content: json, structuredContent: json, isError: 'false' });
  expect(parts).toEqual([
    { name: 'content', sameAs: ['structuredContent'], value: pets },
    { name: 'isError', sameAs: [], value: 'false' },
  ]);
});

it('keeps short outputs apart though they are alike, and leaves out empty ones', () => {
  const parts = outputParts({ stdout: '', exitCode: '0', signal: '0', stderr: 'a\nb' });
  expect(parts.map(({ name }) => name)).toEqual(['stderr', 'exitCode', 'signal']);
});
