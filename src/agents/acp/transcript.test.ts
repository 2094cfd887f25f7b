import { expect, it } from 'vitest';
import type { AgentStep } from '../../journal/step-events.js';
import { Transcript } from './transcript.js';

const chunk = (text: string, messageId?: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  messageId,
});
const thought = (text: string) => ({
  sessionUpdate: 'agent_thought_chunk',
  content: { type: 'text', text },
});
const call = (toolCallId: string, more: object = {}) => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: 'look',
  ...more,
});
const ended = (toolCallId: string, more: object = {}) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  status: 'completed',
  ...more,
});

function transcribe(...updates: Record<string, unknown>[]) {
  const steps: AgentStep[] = [];
  const transcript = new Transcript((step) => steps.push(step));
  for (const update of updates) transcript.update(update);
  transcript.end();
  return { steps, output: transcript.output };
}

it('a thought between does not cut the answer short', () => {
  const { steps, output } = transcribe(chunk('One, '), thought('hm'), chunk('two.'));
  expect(output).toBe('One, two.');
  expect(steps.map(({ kind }) => kind)).toEqual(['message', 'thinking', 'message']);
});

it('another id begins another message', () => {
  const { steps, output } = transcribe(chunk('One', 'a'), chunk('.', 'a'), chunk('Two.', 'b'));
  expect(output).toBe('Two.');
  expect(steps).toEqual([
    { kind: 'message', text: 'One.' },
    { kind: 'message', text: 'Two.' },
  ]);
});

it('a call is reported when its arguments are known, and once', () => {
  const { steps } = transcribe(
    call('a', { rawInput: {} }),
    call('a', { sessionUpdate: 'tool_call_update', rawInput: { path: '/' } }),
    ended('a', { rawOutput: 'found' }),
    ended('a', { rawOutput: 'found again' }),
  );
  expect(steps).toEqual([
    {
      kind: 'tool-call',
      tool: 'look',
      id: 'a',
      args: expect.objectContaining({ text: '{"path":"/"}' }),
    },
    { kind: 'tool-result', id: 'a', isError: false, text: 'found' },
  ]);
});

it('updates of a call after its end do not end the answer', () => {
  const { output } = transcribe(call('a'), ended('a'), chunk('The '), ended('a'), chunk('answer.'));
  expect(output).toBe('The answer.');
});

it('a call that never ended, or never began, is reported all the same', () => {
  const { steps } = transcribe(
    call('a'),
    ended('b', { title: 'listen', content: [{ type: 'diff' }] }),
  );
  expect(steps).toEqual([
    { kind: 'tool-call', tool: 'listen', id: 'b' },
    { kind: 'tool-result', id: 'b', isError: false, text: '' },
    { kind: 'tool-call', tool: 'look', id: 'a' },
  ]);
});

it('the oldest of many calls are forgotten, but reported', () => {
  const { steps } = transcribe(
    ...Array.from({ length: 1500 }, (_, index) => call(`call-${index}`)),
  );
  expect(steps).toHaveLength(1500);
});

it('a permission request counts for what it says, not for earlier updates with the same id', () => {
  const transcript = new Transcript(() => {});
  transcript.update(call('a', { name: 'mcp__git__status' }));
  const asked = (more: object) =>
    transcript.takePermissionRequest({ toolCallId: 'a', ...more }).tool;
  expect(asked({})).toBe('mcp__git__status');
  expect(asked({ name: 'Bash' })).toBe('Bash');
  expect(asked({ title: 'rm -rf /' })).toBe('rm -rf /');
  transcript.update(ended('a'));
  expect(asked({})).toBe('a');
});

it('an id that is used again means another call', () => {
  const { steps, output } = transcribe(call('a'), ended('a'), chunk('One.'), call('a'), ended('a'));
  expect(output).toBe('One.');
  expect(steps.map(({ kind }) => kind)).toEqual([
    'tool-call',
    'tool-result',
    'message',
    'tool-call',
    'tool-result',
  ]);
});

it('a call is reported however much was said before', () => {
  const said = Array.from({ length: 20_000 }, (_, index) => [thought('hm'), chunk(`${index}`)]);
  const { steps } = transcribe(
    ...said.flat(),
    call('a', { name: 'Skill', rawInput: { skill: 'pdf' } }),
  );
  expect(steps.length).toBeLessThan(11_000);
  expect(steps.at(-1)).toMatchObject({ kind: 'tool-call', tool: 'Skill' });
});
