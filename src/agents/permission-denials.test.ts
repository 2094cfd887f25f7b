import { expect, it } from 'vitest';
import { explainDenial } from './permission-denials.js';

const servers = [
  {
    name: 'my-files',
    url: '',
    allowedTools: ['read-file'],
    restriction: { by: 'alwaysAllow of my-files in mcp.yaml', tools: ['delete-file'] },
  },
  { name: 'git', url: '', allowedTools: ['log'] },
  { name: 'my-files-archive', url: '', allowedTools: ['list'] },
];

it.each<[tool: string, reason: string | undefined]>([
  ['mcp__my-files__delete-file', 'not allowed by alwaysAllow of my-files in mcp.yaml'],
  ['mcp_my_files_delete_file', 'not allowed by alwaysAllow of my-files in mcp.yaml'],
  ['my-files_delete-file', 'not allowed by alwaysAllow of my-files in mcp.yaml'],
  ['delete-file (my-files MCP Server)', 'not allowed by alwaysAllow of my-files in mcp.yaml'],
  ['Tool: my-files/delete-file', 'not allowed by alwaysAllow of my-files in mcp.yaml'],
  ['delete_file', 'not allowed by alwaysAllow of my-files in mcp.yaml'],
  ['Bash', 'not a tool of the MCP servers'],
  // Allowed: the agent had another reason.
  ['mcp__my-files__read-file', undefined],
  ['Tool: my-files/read-file', undefined],
  // Of a server whose name begins like that of another.
  ['mcp__my-files-archive__list', undefined],
  ['mcp__my-files-archive__delete-file', undefined],
  // No tool that is known.
  ['mcp__my-files__other', undefined],
  ['my-files_other', undefined],
  ['mcp__git__log', undefined],
  ['log', undefined],
])('says why an agent did not get %s', (tool, reason) => {
  expect(explainDenial({ tool }, servers)).toEqual({ tool, ...(reason && { reason }) });
});

it('leaves a reason as it is', () => {
  const denial = { tool: 'log', reason: 'several servers have it' };
  expect(explainDenial(denial, servers)).toBe(denial);
});
