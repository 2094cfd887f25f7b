import { describe, expect, it } from 'vitest';
import { callRecord } from '../../testing/task-run-records.js';
import type { ShownEntry } from './story-keys.js';
import { neighbouringCall, storyTarget } from './story-target.js';

const call = (number: number): ShownEntry => ({
  kind: 'call',
  call: callRecord({ call: number }),
  startMs: null,
});
const said: ShownEntry = { kind: 'message', seq: 5, text: 'hello' };
const own: ShownEntry = { kind: 'own-call', seq: 8, tool: 'Bash' };
const story = [said, call(1), own, call(2), call(3)];

describe('storyTarget', () => {
  const target = (key: string | null, marked: number[] = []) =>
    storyTarget(story, key, new Set(marked))?.key;

  it('is the entry of that name', () => {
    expect(target('call-2')).toBe('call-2');
    expect(target('agent-5')).toBe('agent-5');
  });

  it('is the first call that an assertion points at', () => {
    expect(target('assertion-1', [3, 2])).toBe('call-2');
    expect(target('assertion-1', [0])).toBe('agent-8');
  });

  it('is none where nothing is pointed at', () => {
    expect(target(null)).toBeUndefined();
    expect(target('call-9')).toBeUndefined();
    expect(target('assertion-1')).toBeUndefined();
  });
});

describe('neighbouringCall', () => {
  it('goes from call to call, past everything else', () => {
    expect(neighbouringCall(story, undefined, 1)).toBe('call-1');
    expect(neighbouringCall(story, 1, 1)).toBe('call-2');
    expect(neighbouringCall(story, 3, -1)).toBe('call-1');
    expect(neighbouringCall(story, undefined, -1)).toBe('call-3');
  });

  it('stops at both ends', () => {
    expect(neighbouringCall(story, 4, 1)).toBeUndefined();
    expect(neighbouringCall(story, 1, -1)).toBeUndefined();
  });
});
