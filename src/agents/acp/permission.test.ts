import { expect, it } from 'vitest';
import { type AmbiguousTools, answerPermissionRequest, decidePermission } from './permission.js';
import { ToolCall } from './tool-call.js';

const servers = [
  { name: 'my-server', url: '', allowedTools: ['get-sum', 'run'] },
  { name: 'git', url: '', allowedTools: ['status', 'log'] },
  { name: 'notes', url: '', allowedTools: ['log'] },
];

function decide(
  { toolCallId = 'call', ...data }: Record<string, unknown>,
  ambiguousTools: AmbiguousTools = 'deny',
) {
  const call = new ToolCall(String(toolCallId));
  call.update(data);
  return decidePermission(call, servers, ambiguousTools);
}

it.each<[agent: string, call: Record<string, unknown>]>([
  ['claude-agent-acp', { title: 'mcp__my-server__get-sum', kind: 'other' }],
  [
    'claude-agent-acp, in updates',
    { title: 'Sum', _meta: { claudeCode: { toolName: 'mcp__my-server__get-sum' } } },
  ],
  ['codex, which has no hyphens', { name: 'mcp__my_server__get_sum', title: 'Sum' }],
  ['codex-acp', { title: 'Tool: my-server/get-sum', kind: 'execute' }],
  ['gemini', { title: 'get-sum (my-server MCP Server)', kind: 'other' }],
  [
    'gemini, when the title is an argument',
    { toolCallId: 'mcp_my-server_run__call_1', title: 'rm -rf /', kind: 'other' },
  ],
  [
    'gemini, when the model gives no id',
    { toolCallId: 'mcp_my-server_run-1700000000000-1', title: 'rm -rf /', kind: 'other' },
  ],
  ['opencode', { title: 'my-server_get-sum', kind: 'other' }],
  ['copilot', { title: 'my-server-get-sum' }],
  ['an agent without servers in its names', { title: 'get-sum', kind: 'other' }],
  ['an agent without servers in its names, beside a title', { name: 'get_sum', title: 'Sum' }],
  ['an agent that says it reads', { title: 'status', kind: 'read' }],
  ['an agent that says it searches', { name: 'get-sum', title: 'Sum', kind: 'search' }],
])('an allowed tool is recognised by the name that %s gives it', (_, call) => {
  expect(decide(call)).toEqual({ isAllowed: true });
});

it('a name alone that several servers have is decided by the Agent file', () => {
  const call = { title: 'log', kind: 'other' };
  expect(decide(call, 'allow')).toEqual({ isAllowed: true });
  expect(decide(call, 'deny')).toEqual({
    isAllowed: false,
    reason: expect.stringContaining('several servers have a tool of this name: git, notes'),
  });
});

it.each([
  { name: 'status', title: 'git status', kind: 'execute' },
  { name: 'run', title: 'Run', kind: 'edit' },
  { title: 'get-sum', kind: 'fetch' },
])('a name alone that the agent may have itself is decided by the Agent file: $kind', (call) => {
  expect(decide(call, 'allow')).toEqual({ isAllowed: true });
  expect(decide(call, 'deny')).toEqual({
    isAllowed: false,
    reason: expect.stringContaining(' or one of the agent itself'),
  });
});

it.each<[what: string, call: Record<string, unknown>]>([
  ['a tool that is not allowed', { title: 'mcp__my-server__get-env', kind: 'other' }],
  ['a tool that is not allowed, of gemini', { title: 'get-env (my-server MCP Server)' }],
  [
    'a tool that is not allowed, when the title is an argument',
    { toolCallId: 'mcp_my-server_get-env__call_1', title: 'my-server_run' },
  ],
  ['an allowed tool of another server', { title: 'mcp__other__get-sum' }],
  ['a name alone that is not allowed', { title: 'get-env', name: 'get-env' }],
  ['a name with more at its end', { title: 'mcp__my-server__get-sum-of-all' }],
  ['a command line', { title: 'git status', kind: 'execute' }],
  ['a command line of an agent that does not say so', { title: 'git status' }],
  ['a command line of one word', { title: 'git_status', kind: 'execute' }],
  ['a file to write', { title: 'git/status', kind: 'edit' }],
  ['nothing at all', {}],
])('%s is not taken for an allowed tool', (_, call) => {
  expect(decide(call)).toEqual({ isAllowed: false });
});

const option = (kind: string) => ({ optionId: `the ${kind}`, name: kind, kind });
const question = (...kinds: string[]) => ({ options: kinds.map(option) });
const selected = (kind: string) => ({ outcome: 'selected', optionId: `the ${kind}` });

it('what is allowed is allowed once if that is offered', () => {
  expect(
    answerPermissionRequest(question('allow_always', 'reject_once', 'allow_once'), true),
  ).toEqual(selected('allow_once'));
  expect(answerPermissionRequest(question('reject_once', 'allow_always'), true)).toEqual(
    selected('allow_always'),
  );
});

it('what is not allowed is rejected once if that is offered', () => {
  expect(
    answerPermissionRequest(question('allow_once', 'reject_always', 'reject_once'), false),
  ).toEqual(selected('reject_once'));
  expect(answerPermissionRequest(question('allow_once', 'reject_always'), false)).toEqual(
    selected('reject_always'),
  );
});

it.each([
  {},
  { options: 'all' },
  { options: [null, 7, { kind: 'reject_once' }] },
  question('allow_once'),
])('a question without the right option is not answered: %j', (asked) => {
  expect(answerPermissionRequest(asked, false)).toEqual({ outcome: 'cancelled' });
});
