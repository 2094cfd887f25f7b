import { expect, it } from 'vitest';
import { ToolCall } from './tool-call.js';
import { isAllowedTool } from './tool-recognition.js';

const servers = [
  { name: 'my-server', url: '', allowedTools: ['get-sum', 'run'] },
  { name: 'git', url: '', allowedTools: ['status'] },
];

function isAllowed({ toolCallId = 'call', ...data }: Record<string, unknown>): boolean {
  const call = new ToolCall(String(toolCallId));
  call.update(data);
  return isAllowedTool(call, servers);
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
])('an allowed tool is recognised by the name that %s gives it', (_, call) => {
  expect(isAllowed(call)).toBe(true);
});

it.each<[what: string, call: Record<string, unknown>]>([
  ['a tool that is not allowed', { title: 'mcp__my-server__get-env', kind: 'other' }],
  ['a tool that is not allowed, of gemini', { title: 'get-env (my-server MCP Server)' }],
  [
    'a tool that is not allowed, when the title is an argument',
    { toolCallId: 'mcp_my-server_get-env__call_1', title: 'my-server_run' },
  ],
  ['an allowed tool of another server', { title: 'mcp__other__get-sum' }],
  ['a tool of the agent with the same name', { title: 'get-sum', name: 'get-sum' }],
  ['a name with more at its end', { title: 'mcp__my-server__get-sum-of-all' }],
  ['a command line', { title: 'git status', kind: 'execute' }],
  ['a command line of an agent that does not say so', { title: 'git status' }],
  ['a command line of one word', { title: 'git_status', kind: 'execute' }],
  ['a file to write', { title: 'git/status', kind: 'edit' }],
  ['nothing at all', {}],
])('%s is not taken for an allowed tool', (_, call) => {
  expect(isAllowed(call)).toBe(false);
});
