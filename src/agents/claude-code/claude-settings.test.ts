import { expect, it } from 'vitest';
import { buildVariables } from './claude-settings.js';

const settings = { builtin: { type: 'claude-code' as const }, commands: {} };

it('lets the model wait for its MCP tools', () => {
  expect(buildVariables(settings, {})).toEqual({
    ENABLE_TOOL_SEARCH: 'false',
    MCP_CONNECTION_NONBLOCKING: 'false',
    MCP_CONNECT_TIMEOUT_MS: '60000',
  });
});

it('leaves that to the user who has set the variables', () => {
  const inherited = { ENABLE_TOOL_SEARCH: 'auto', MCP_CONNECTION_NONBLOCKING: 'true' };
  const own = { ...settings, commands: { env: { MCP_CONNECT_TIMEOUT_MS: '1000' } } };
  expect(buildVariables(own, inherited)).toEqual({ MCP_CONNECT_TIMEOUT_MS: '1000' });
});
