import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { resourcesNotRead } from './resources-not-read.js';

const kind = 'resource';
const items = [
  { server: 'shop', uri: 'secret' },
  { server: 'shop', uriPattern: '^docs://' },
];

describe('resourcesNotRead', () => {
  it('passes when no item matches a resource; a tool may have the name', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'docs://readme')];
    expect(verdictOn(resourcesNotRead(items.slice(1), plainly), calls)).toEqual({
      passed: true,
      reason:
        'expected a resource of shop that matches /^docs:/// not to be read; the agent did without',
      details: ['a resource of shop that matches /^docs:///: not read'],
      calls: [],
    });
  });

  it('fails with the calls that should not be there', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'docs://readme', { kind })];
    expect(verdictOn(resourcesNotRead(items, plainly), calls)).toMatchObject({
      passed: false,
      reason:
        'expected a resource of shop that matches /^docs:/// not to be read; the agent read docs://readme of shop',
      calls: [2],
    });
  });
});
