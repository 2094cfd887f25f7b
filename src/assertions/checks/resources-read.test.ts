import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { resourcesRead } from './resources-read.js';

const kind = 'resource';
const items = [
  { server: 'shop', uri: 'docs://readme' },
  { server: 'shop', uriPattern: '^docs://' },
];

describe('resourcesRead', () => {
  it('passes when every item matches a resource', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'docs://readme', { kind })];
    expect(verdictOn(resourcesRead(items, plainly), calls)).toEqual({
      passed: true,
      reason: 'docs://readme of shop and a resource of shop that matches /^docs:/// were read',
      details: [
        'docs://readme of shop: read (call 2)',
        'a resource of shop that matches /^docs:///: read (call 2)',
      ],
      calls: [2],
    });
  });

  it('fails when one is missing, and says what was read', () => {
    const check = resourcesRead(items.slice(0, 1), plainly);
    expect(verdictOn(check, [agentCall(1, 'other', { kind })])).toEqual({
      passed: false,
      reason: 'expected docs://readme of shop to be read; the agent only read other of shop',
      details: ['docs://readme of shop: not read'],
      calls: [],
    });
  });

  it('fails when only a tool has that name', () => {
    const { passed, reason } = verdictOn(resourcesRead(items, plainly), [
      agentCall(1, 'docs://readme'),
    ]);
    expect(passed).toBe(false);
    expect(reason).toContain('; the agent read no resource');
  });
});
