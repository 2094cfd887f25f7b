import { describe, expect, it } from 'vitest';
import { readMcpEnvironment } from './mcp-environment.js';

const server = (environment: Record<string, string>) => {
  const found = readMcpEnvironment(environment);
  if (!found || !('config' in found)) throw new Error(JSON.stringify(found));
  return found.config.servers[0];
};

describe('mcpFromEnvironment', () => {
  it('is nothing if no variable is set, or only empty ones', () => {
    expect(readMcpEnvironment({})).toBeUndefined();
    expect(readMcpEnvironment({ MCP_URL: '', MCP_SERVER_NAME: 'x' })).toBeUndefined();
  });

  it('takes an address', () => {
    expect(server({ MCP_URL: 'https://example.test/mcp' })).toEqual({
      name: 'default',
      transport: 'http',
      data: { url: 'https://example.test/mcp', enableAllTools: true },
    });
  });

  it.each([
    [{ MCP_PORT: '8080' }, 'http://localhost:8080/mcp'],
    [{ MCP_HOST: 'box' }, 'http://box/mcp'],
    [{ MCP_HOST: '::1', MCP_PORT: '80' }, 'http://[::1]:80/mcp'],
    [{ MCP_HOST: 'box', MCP_PORT: '1', MCP_PATH: 'x/y' }, 'http://box:1/x/y'],
    [{ MCP_URL: 'http://a/', MCP_HOST: 'box' }, 'http://a/'],
  ])('makes of %j an address', (environment, url) => {
    expect(server(environment)?.data.url).toBe(url);
  });

  it('takes a command', () => {
    const environment = {
      MCP_COMMAND: 'npx',
      MCP_ARGS: '["-y", "a,b"]',
      MCP_ENV: '{"A":"1"}',
      MCP_SERVER_NAME: 'memory',
      MCP_ENABLE_ALL_TOOLS: 'false',
    };
    expect(server(environment)).toEqual({
      name: 'memory',
      restrictedBy: 'MCP_ENABLE_ALL_TOOLS=false',
      transport: 'stdio',
      data: { command: 'npx', args: ['-y', 'a,b'], env: { A: '1' }, enableAllTools: false },
    });
  });

  it('takes arguments with commas between them', () => {
    expect(server({ MCP_COMMAND: 'x', MCP_ARGS: '-y, pkg' })?.data.args).toEqual(['-y', 'pkg']);
  });

  it.each([
    [{ MCP_URL: 'localhost:8080' }, 'MCP_URL'],
    [{ MCP_PORT: 'x' }, 'MCP_PORT'],
    [{ MCP_HOST: 'a b' }, 'MCP_HOST'],
    [{ MCP_URL: 'http://a/', MCP_HEADERS: 'A: b' }, 'MCP_HEADERS'],
    [{ MCP_URL: 'http://a/', MCP_HEADERS: '{"a": "b\\nc"}' }, 'MCP_HEADERS'],
    [{ MCP_COMMAND: 'x', MCP_ARGS: '["a", 1]' }, 'MCP_ARGS'],
    [{ MCP_COMMAND: 'x', MCP_ENV: '{"a": 1}' }, 'MCP_ENV'],
    [{ MCP_COMMAND: 'x', MCP_ENABLE_ALL_TOOLS: 'maybe' }, 'MCP_ENABLE_ALL_TOOLS'],
  ])('says what is wrong with %j', (environment, variable) => {
    expect(readMcpEnvironment(environment)).toMatchObject({ variable });
  });
});
