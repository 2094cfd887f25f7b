import { describe, expect, it } from 'vitest';
import { agentCall, nested, redactNothing, verdictOn } from '../../testing/agent-calls.js';
import { itemListAssertions } from './item-lists.js';

const {
  toolsUsed,
  toolsNotUsed,
  requireAny,
  resourcesRead,
  resourcesNotRead,
  promptsUsed,
  promptsNotUsed,
  skillsLoaded,
  skillsNotLoaded,
} = itemListAssertions;

describe('toolsUsed', () => {
  const server = 'shop';

  it('passes when every item matches a call, and shows the first of each', () => {
    const assertion = toolsUsed(
      [
        { server, tool: 'add' },
        { server, toolPattern: '^li' },
      ],
      redactNothing,
    );
    const calls = [agentCall(1, 'list'), agentCall(2, 'add'), agentCall(3, 'list')];
    expect(verdictOn(assertion, calls)).toEqual({
      passed: true,
      reason: 'shop.add and a tool of shop that matches /^li/ were called',
      details: [
        'shop.add: called (call 2)',
        'a tool of shop that matches /^li/: called (calls 1 and 3)',
      ],
      calls: [1, 2],
    });
  });

  it('fails when one is missing, and says what was called', () => {
    const assertion = toolsUsed(
      [
        { server, tool: 'add' },
        { server, tool: 'list' },
      ],
      redactNothing,
    );
    expect(verdictOn(assertion, [agentCall(1, 'list'), agentCall(2, 'list')])).toEqual({
      passed: false,
      reason: 'expected shop.add to be called; the agent only called shop.list (2x)',
      details: ['shop.add: not called', 'shop.list: called (calls 1 and 2)'],
      calls: [],
    });
  });

  it('fails without any call', () => {
    const assertion = toolsUsed([{ server }], redactNothing);
    const { passed, reason } = verdictOn(assertion, [agentCall(1, 'add', { kind: 'prompt' })]);
    expect(passed).toBe(false);
    expect(reason).toBe('expected a tool of shop to be called; the agent made no tool call');
  });

  it('fails when only another server was asked', () => {
    const assertion = toolsUsed([{ server, tool: 'add' }], redactNothing);
    const { passed, reason } = verdictOn(assertion, [agentCall(1, 'add', { server: 'other' })]);
    expect(passed).toBe(false);
    expect(reason).toBe('expected shop.add to be called; the agent only called other.add');
  });

  it('fails when the arguments were others, and shows those of the first call', () => {
    const assertion = toolsUsed([{ server, tool: 'add', args: { id: 1 } }], redactNothing);
    const later = agentCall(4, 'add', { args: { id: 3 } });
    const calls = [later, agentCall(2, 'add', { args: { id: 2 } })];
    expect(verdictOn(assertion, calls)).toEqual({
      passed: false,
      reason:
        'expected shop.add with {"id":1} to be called; it was called, but with other arguments: {"id":2} (calls 2 and 4)',
      details: [
        'shop.add with {"id":1}: called, but with other arguments: {"id":2} (calls 2 and 4)',
      ],
      calls: [2, 4],
    });
  });

  it('does not count a call that was blocked, and says so', () => {
    const assertion = toolsUsed(
      [
        { server, tool: 'add' },
        { server, tool: 'list' },
      ],
      redactNothing,
    );
    const { passed, reason, calls } = verdictOn(assertion, [
      agentCall(1, 'add', { blocked: true }),
    ]);
    expect(passed).toBe(false);
    expect(reason).toBe(
      'expected shop.add and shop.list to be called; shop.add was tried, but blocked by the MCP config (call 1)',
    );
    expect(calls).toEqual([1]);
  });

  it('counts a call that ended in an error', () => {
    const assertion = toolsUsed([{ server, tool: 'add' }], redactNothing);
    expect(verdictOn(assertion, [agentCall(1, 'add', { isError: true })]).passed).toBe(true);
  });

  it('says how things stand at any time', () => {
    const assertion = toolsUsed([{ server, tool: 'add' }], redactNothing);
    expect(assertion.verdict().passed).toBe(false);
    assertion.see(agentCall(1, 'add'));
    expect(assertion.verdict().passed).toBe(true);
  });

  it('quotes no secret and nothing long', () => {
    const redact = (text: string) => text.replaceAll('s3cr3t-value', '[redacted:KEY]');
    const assertion = toolsUsed([{ server, tool: 'add', args: { id: 1 } }], redact);
    const args = { key: `${'x'.repeat(52)}s3cr3t-value`, deep: nested(30_000) };
    const { reason, details } = verdictOn(assertion, [agentCall(1, 'add', { args })]);
    expect(reason).not.toContain('s3cr3t');
    expect(reason.length).toBeLessThan(400);
    expect(details?.join()).not.toContain('s3cr3t');
  });
});

describe('resourcesRead', () => {
  const kind = 'resource';
  const items = [
    { server: 'shop', uri: 'docs://readme' },
    { server: 'shop', uriPattern: '^docs://' },
  ];

  it('passes when every item matches a resource', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'docs://readme', { kind })];
    expect(verdictOn(resourcesRead(items, redactNothing), calls)).toEqual({
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
    const assertion = resourcesRead(items.slice(0, 1), redactNothing);
    expect(verdictOn(assertion, [agentCall(1, 'other', { kind })])).toEqual({
      passed: false,
      reason: 'expected docs://readme of shop to be read; the agent only read other of shop',
      details: ['docs://readme of shop: not read'],
      calls: [],
    });
  });

  it('fails when only a tool has that name', () => {
    const { passed, reason } = verdictOn(resourcesRead(items, redactNothing), [
      agentCall(1, 'docs://readme'),
    ]);
    expect(passed).toBe(false);
    expect(reason).toContain('; the agent read no resource');
  });
});

describe('toolsNotUsed', () => {
  const server = 'shop';

  it('passes when nothing forbidden was called', () => {
    const assertion = toolsNotUsed([{ server, toolPattern: '^remove' }], redactNothing);
    expect(verdictOn(assertion, [agentCall(1, 'list')])).toEqual({
      passed: true,
      reason:
        'expected a tool of shop that matches /^remove/ not to be called; the agent did without',
      details: ['a tool of shop that matches /^remove/: not called'],
      calls: [],
    });
  });

  it('passes without any call, and says that there was none', () => {
    const { passed, reason } = verdictOn(toolsNotUsed([{ server }], redactNothing), []);
    expect(passed).toBe(true);
    expect(reason).toBe('expected a tool of shop not to be called; the agent made no tool call');
  });

  it('fails with the calls that should not be there', () => {
    const items = [
      { server, tool: 'drop' },
      { server, toolPattern: '^remove' },
    ];
    const calls = [agentCall(1, 'list'), agentCall(2, 'remove_all'), agentCall(3, 'remove')];
    expect(verdictOn(toolsNotUsed(items, redactNothing), calls)).toEqual({
      passed: false,
      reason:
        'expected a tool of shop that matches /^remove/ not to be called; the agent called shop.remove_all and shop.remove',
      details: [
        'shop.drop: not called',
        'a tool of shop that matches /^remove/: called (calls 2 and 3)',
      ],
      calls: [2, 3],
    });
  });

  it('fails for a call that was blocked: the agent tried', () => {
    const assertion = toolsNotUsed([{ server, tool: 'remove' }], redactNothing);
    const calls = [agentCall(1, 'remove', { blocked: true }), agentCall(2, 'remove')];
    const { passed, reason, details } = verdictOn(assertion, calls.slice(0, 1));
    expect(passed).toBe(false);
    expect(reason).toBe(
      'expected shop.remove not to be called; the agent called shop.remove (blocked)',
    );
    expect(details).toEqual(['shop.remove: tried, but blocked by the MCP config (call 1)']);
    expect(verdictOn(assertion, calls.slice(1)).details).toEqual([
      'shop.remove: called (call 2) and tried, but blocked by the MCP config (call 1)',
    ]);
  });

  it('minds the arguments where they are given', () => {
    const assertion = toolsNotUsed(
      [{ server, tool: 'remove', args: { id: '/^prod-/' } }],
      redactNothing,
    );
    expect(verdictOn(assertion, [agentCall(1, 'remove', { args: { id: 'test-1' } })]).passed).toBe(
      true,
    );
    expect(verdictOn(assertion, [agentCall(2, 'remove', { args: { id: 'prod-1' } })]).passed).toBe(
      false,
    );
  });

  it('shows a call once that two items forbid', () => {
    const assertion = toolsNotUsed([{ server, tool: 'remove' }, { server }], redactNothing);
    const { reason, calls } = verdictOn(assertion, [agentCall(1, 'remove')]);
    expect(reason).toBe(
      'expected shop.remove and a tool of shop not to be called; the agent called shop.remove',
    );
    expect(calls).toEqual([1]);
  });
});

describe('requireAny', () => {
  const server = 'shop';
  const items = [
    { server, tool: 'add' },
    { server, tool: 'list', args: { all: true } },
  ];

  it('passes when one of the items matches a call', () => {
    const calls = [agentCall(1, 'help'), agentCall(2, 'add'), agentCall(3, 'add')];
    expect(verdictOn(requireAny(items, redactNothing), calls)).toEqual({
      passed: true,
      reason: 'shop.add was called',
      details: ['shop.add: called (calls 2 and 3)', 'shop.list with {"all":true}: not called'],
      calls: [2],
    });
  });

  it('passes for any tool of a server', () => {
    const { passed, reason } = verdictOn(requireAny([{ server }], redactNothing), [
      agentCall(1, 'x'),
    ]);
    expect(passed).toBe(true);
    expect(reason).toBe('a tool of shop was called');
  });

  it('fails when none matches, and says what was called', () => {
    const { passed, reason } = verdictOn(requireAny(items, redactNothing), [agentCall(1, 'help')]);
    expect(passed).toBe(false);
    expect(reason).toBe(
      'expected at least one of shop.add and shop.list with {"all":true} to be called; the agent only called shop.help',
    );
  });

  it('fails when the only matching call was blocked, or had other arguments', () => {
    const blocked = [agentCall(1, 'add', { blocked: true })];
    expect(verdictOn(requireAny(items, redactNothing), blocked)).toMatchObject({
      passed: false,
      reason: expect.stringContaining('shop.add was tried, but blocked by the MCP config (call 1)'),
      calls: [1],
    });
    const others = [agentCall(2, 'list')];
    expect(verdictOn(requireAny(items, redactNothing), others)).toMatchObject({
      passed: false,
      reason: expect.stringContaining('was called, but with other arguments: {} (call 2)'),
      calls: [2],
    });
  });

  it('fails without any call', () => {
    const { passed, reason } = verdictOn(requireAny([{ server }], redactNothing), []);
    expect(passed).toBe(false);
    expect(reason).toBe('expected a tool of shop to be called; the agent made no tool call');
  });
});

describe('resourcesNotRead', () => {
  const kind = 'resource';
  const items = [
    { server: 'shop', uri: 'secret' },
    { server: 'shop', uriPattern: '^docs://' },
  ];

  it('passes when no item matches a resource; a tool may have the name', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'docs://readme')];
    expect(verdictOn(resourcesNotRead(items.slice(1), redactNothing), calls)).toEqual({
      passed: true,
      reason:
        'expected a resource of shop that matches /^docs:/// not to be read; the agent did without',
      details: ['a resource of shop that matches /^docs:///: not read'],
      calls: [],
    });
  });

  it('fails with the calls that should not be there', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'docs://readme', { kind })];
    expect(verdictOn(resourcesNotRead(items, redactNothing), calls)).toMatchObject({
      passed: false,
      reason:
        'expected a resource of shop that matches /^docs:/// not to be read; the agent read docs://readme of shop',
      calls: [2],
    });
  });
});

describe('promptsUsed', () => {
  const kind = 'prompt';
  const items = [
    { server: 'shop', prompt: 'summarize' },
    { server: 'shop', promptPattern: '^sum' },
  ];

  it('passes when every item matches a prompt', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'summarize', { kind })];
    expect(verdictOn(promptsUsed(items, redactNothing), calls)).toEqual({
      passed: true,
      reason: 'prompt shop.summarize and a prompt of shop that matches /^sum/ were used',
      details: [
        'prompt shop.summarize: used (call 2)',
        'a prompt of shop that matches /^sum/: used (call 2)',
      ],
      calls: [2],
    });
  });

  it('fails when one is missing, and says what was used', () => {
    const assertion = promptsUsed(items.slice(0, 1), redactNothing);
    expect(verdictOn(assertion, [agentCall(1, 'other', { kind })])).toEqual({
      passed: false,
      reason: 'expected prompt shop.summarize to be used; the agent only used prompt shop.other',
      details: ['prompt shop.summarize: not used'],
      calls: [],
    });
  });

  it('fails when only a tool has that name', () => {
    const { passed, reason } = verdictOn(promptsUsed(items, redactNothing), [
      agentCall(1, 'summarize'),
    ]);
    expect(passed).toBe(false);
    expect(reason).toContain('; the agent used no prompt');
  });
});

describe('promptsNotUsed', () => {
  const kind = 'prompt';
  const items = [
    { server: 'shop', prompt: 'secret' },
    { server: 'shop', promptPattern: '^sum' },
  ];

  it('passes when no item matches a prompt; a tool may have the name', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'summarize')];
    expect(verdictOn(promptsNotUsed(items.slice(1), redactNothing), calls)).toEqual({
      passed: true,
      reason: 'expected a prompt of shop that matches /^sum/ not to be used; the agent did without',
      details: ['a prompt of shop that matches /^sum/: not used'],
      calls: [],
    });
  });

  it('fails with the calls that should not be there', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'summarize', { kind })];
    expect(verdictOn(promptsNotUsed(items, redactNothing), calls)).toMatchObject({
      passed: false,
      reason:
        'expected a prompt of shop that matches /^sum/ not to be used; the agent used prompt shop.summarize',
      calls: [2],
    });
  });
});

describe('skillsLoaded', () => {
  const kind = 'skill';
  const items = [{ skill: 'greeting' }, { skillPattern: '^greet' }];

  it('passes when every item matches a skill', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'greeting', { kind })];
    expect(verdictOn(skillsLoaded(items, redactNothing), calls)).toEqual({
      passed: true,
      reason: 'skill greeting and a skill that matches /^greet/ were loaded',
      details: [
        'skill greeting: loaded (call 2)',
        'a skill that matches /^greet/: loaded (call 2)',
      ],
      calls: [2],
    });
  });

  it('fails when one is missing, and says what was loaded', () => {
    const assertion = skillsLoaded(items.slice(0, 1), redactNothing);
    expect(verdictOn(assertion, [agentCall(1, 'other', { kind })])).toEqual({
      passed: false,
      reason: 'expected skill greeting to be loaded; the agent only loaded skill other',
      details: ['skill greeting: not loaded'],
      calls: [],
    });
  });

  it('fails when only a tool has that name', () => {
    const { passed, reason } = verdictOn(skillsLoaded(items, redactNothing), [
      agentCall(1, 'greeting'),
    ]);
    expect(passed).toBe(false);
    expect(reason).toContain('; the agent loaded no skill');
  });
});

describe('skillsNotLoaded', () => {
  const kind = 'skill';
  const items = [{ skill: 'secret' }, { skillPattern: '^greet' }];

  it('passes when no item matches a skill; a tool may have the name', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'greeting')];
    expect(verdictOn(skillsNotLoaded(items.slice(1), redactNothing), calls)).toEqual({
      passed: true,
      reason: 'expected a skill that matches /^greet/ not to be loaded; the agent did without',
      details: ['a skill that matches /^greet/: not loaded'],
      calls: [],
    });
  });

  it('fails with the calls that should not be there', () => {
    const calls = [agentCall(1, 'other', { kind }), agentCall(2, 'greeting', { kind })];
    expect(verdictOn(skillsNotLoaded(items, redactNothing), calls)).toMatchObject({
      passed: false,
      reason:
        'expected a skill that matches /^greet/ not to be loaded; the agent loaded skill greeting',
      calls: [2],
    });
  });
});
