import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { looksLikeError, suspectedErrorIn } from './suspected-error.js';

const says = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more });

describe('a text that looks like an error', () => {
  it.each([
    'Database error: no such table: product',
    'Error: Only SELECT queries are allowed for read_query',
    'error: pathspec "x" did not match any file(s) known to git',
    'ValueError: invalid literal for int() with base 10',
    'sqlite3.OperationalError: near "SELEC": syntax error',
    'java.io.IOException: No space left on device',
    'Error (404): repository not found',
    'Error [ERR_INVALID_ARG]: "path" is required',
    'MCP error -32602: Invalid arguments for tool search',
    'Input validation error: "query" is a required property',
    'Error executing tool add_observations: Entity with name Bob not found',
    'Error calling tool: connection reset',
    'An error occurred while fetching the page.',
    'An unexpected error occurred',
    'Failed to fetch https://example.com/robots.txt due to a connection issue',
    'failed to execute range query: bad_data: exceeded maximum resolution',
    'Unable to connect to the server: dial tcp 10.0.0.1:6443: i/o timeout',
    'Could not find the file /tmp/x',
    "Cannot read properties of undefined (reading 'id')",
    'Request failed with status code 503',
    'Tool execution failed: timeout',
    'Query failed: relation "users" does not exist',
    '404 Not Found',
    '404 page not found',
    'HTTP 500: Internal Server Error',
    'HTTP/1.1 502 Bad Gateway',
    '403 Client Error: Forbidden for url: https://api.example.com/',
    'Access denied - path outside allowed directories: /etc/passwd',
    'Permission denied (publickey).',
    'Unauthorized',
    'Rate limit exceeded',
    'Invalid API key.',
    'Missing required parameter: owner',
    'Unknown tool: delete_everything',
    'fatal: not a git repository (or any of the parent directories): .git',
    'Connection refused',
    'Operation timed out after 30 seconds',
    'KeyError: 0',
    'Error: 404 not found',
    'Error: 404',
    'HTTP error: 500',
    'Error: undefined',
    'Error: unknown',
    'Database error: 1146 (42S02): no such table',
    'Error: 1146 (42S02): Table x does not exist',
    '{"error": 500, "message": "boom"}',
    'ENOENT: no such file or directory, open x',
    'SQLSTATE[42S02]: Base table or view not found',
    'Sorry, an error occurred',
    'There was an error fetching the data',
    '{"error_message": "no such id"}',
    'panic: runtime error: index out of range [3] with length 3',
    '❌ Error: the index does not exist',
    '⚠️ Failed to load the profile',
    '**Error:** no such branch',
    'Traceback (most recent call last):\n  File "/app/server.py", line 3, in <module>\nKeyError: 1',
    'TypeError: fetch failed\n    at node:internal/deps/undici/undici:13510:13\n    at async main',
    'Error: invalid date\n\nExpected the form YYYY-MM-DD.',
    '{"error": "no such table: product"}',
    '{"error": {"code": 404, "message": "not found"}, "status": "error"}',
    '{"success": false, "message": "quota exceeded"}',
    '{"ok": false, "error": "channel_not_found"}',
    '{"status": "error", "message": "invalid id"}',
    '{"message": "Not Found", "documentation_url": "https://docs.example.com", "status": "404"}',
    '{"data": null, "errors": [{"message": "Cannot query field"}]}',
    '{"isError": true, "message": "boom"}',
  ])('is found: %s', (text) => {
    expect(looksLikeError(text)).toBeTruthy();
  });

  it('is quoted by the line that shows it', () => {
    expect(suspectedErrorIn(says('\n Error: no\nsuch table'))).toBe('Error: no');
    expect(suspectedErrorIn(says('{"success":false,"message":"quota\\nexceeded"}'))).toBe('quota');
    expect(suspectedErrorIn({ content: [], structuredContent: { error: 'gone' } })).toBe('gone');
  });
});

/** What tools answer on ordinary days, above all where they talk about errors. */
const ordinary = [
  '',
  'ok',
  'No results found.',
  'User not found in the team channel; did you mean @bob?',
  '0 errors, 0 warnings',
  'No errors found.',
  'Errors: 0',
  'Error handling in Go: return an error as the last value.',
  'Error codes: 400 bad request, 404 not found',
  'Error budget for March: 99.95%, 12 minutes left',
  'Error rate: 0.3% over the last hour',
  'The last deployment failed to start; it was rolled back at 10:02 and everything is healthy now.',
  'Failed tests: 3\nPassed tests: 97',
  'Failed jobs: none',
  'failed: 0, passed: 12',
  'Exception handling guide',
  'I could not find anything better than this: https://example.com',
  '404 articles match your search',
  '500 rows',
  '403 Main Street, Springfield',
  'HTTP status codes explained',
  'Status: 200 OK',
  'Invalid entries were skipped: 3 of 120',
  'Access to the room is denied to nobody.',
  'Missing persons report, 1947',
  'Unknown artist: Untitled (1962)',
  'Request for comments: errors in JSON',
  '# Error: a love story\n\nA novel.',
  '#12 Error: cannot open settings (open)\n#13 Failed to load image on Safari (closed)',
  'Error: cannot open settings (open)\nError: image does not load (closed)\nError: typo (open)',
  '- Failed to load image on Safari\n- Failed to save\n- Unable to log in',
  '2026-01-31T12:00:00Z ERROR db: connection refused\n2026-01-31T12:00:01Z INFO db: connected',
  'ERROR: db: connection refused\nINFO: db: connected\nINFO: ready',
  'error: 3 attempts\n[2026-01-31 12:00:00] retrying\n[2026-01-31 12:00:02] done',
  '[ERROR] one\n[INFO] two',
  'total 8\ndrwxr-xr-x 2 root root 4096 errors\n-rw-r--r-- 1 root root 12 error.log',
  'src/app.ts(12,3): error TS2304: Cannot find name "x".',
  'const error: Error | undefined = undefined;',
  'throw new Error("no");',
  'Error: unknown,\nValue: 12',
  `Error: what it means\n${'A paragraph about it.\n'.repeat(20)}`,
  `Error: ${'a long text that goes on and on. '.repeat(100)}`,
  '{"error": null, "data": [1, 2]}',
  '{"error": "", "result": "ok"}',
  '{"error": false}',
  '{"errors": []}',
  '{"errors": [{"field": "name", "description": "is required"}]}',
  '{"error": "exit code 1", "id": 17, "name": "build", "status": "failed"}',
  '{"id": 3, "title": "Error: cannot open settings", "state": "open"}',
  '{"status": "failed", "job": 12}',
  '{"success": true, "message": "Error log cleared"}',
  '{"success": false, "valid": false, "violations": ["name"]}',
  '{"status": 404}',
  '{"message": "Hello"}',
  '{"metrics": ["http_requests_errors_total"]}',
  '[{"error": "one"}, {"error": "two"}]',
  '{"resultType": "matrix"}',
  'name,error\nweb,timeout',
  '<html><body>404 Not Found: how to design the page</body></html>',
  'He could not find the way. Cannot say why.',
  'fatality: none',
  'Panic rooms: a guide',
  'Connection: keep-alive',
  'Forbidden City, Beijing',
  'Unauthorized biographies of the year',
  'Timeout: 30 s',
  'Error: none',
  'error: 0',
  'Last error: never',
  'Last error: 2026-01-31, resolved',
  'Syntax error: 0 found',
  'Mean squared error: 0.12\nR2: 0.93',
  'Standard error: 1.5e-3',
  'Margin of error: ±3%',
  'No error: all 12 checks passed',
  'Failed to deploy: 0, deployed: 7',
  'Could not find any issues. All good!',
  'Permission denied? Here is how to fix it\n\nRun chmod.',
  '404 Not Found is returned when the resource does not exist.',
  'HTTP 404 is the status code for a missing page',
  'Query failed 0 times in the last hour',
  '{"error": 0}',
  '{"error": 0.031}',
  '{"error": "none"}',
  '{"error": {"rate": 0.1, "count": 3}}',
];

describe('a text that only talks about errors', () => {
  it.each(ordinary)('is none: %s', (text) => {
    expect(looksLikeError(text)).toBeUndefined();
  });

  it('is none among paragraphs and lines of documentation: fewer than one in 2,000', () => {
    const folders = ['docs', 'docs/reference', '.'].map((name) =>
      resolve(import.meta.dirname, '../..', name),
    );
    const texts = folders
      .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
      .filter((path) => path.endsWith('.md'))
      .map((path) => readFileSync(path, 'utf8'))
      .flatMap((text) => [text, ...text.split(/\n\s*\n/), ...text.split('\n')])
      .filter((text) => text.trim() !== '');
    const taken = texts.filter((text) => looksLikeError(text) !== undefined);
    expect(texts.length).toBeGreaterThan(4000);
    expect(taken.length / texts.length, taken.join('\n')).toBeLessThan(1 / 2000);
  });
});

describe('a result that looks like an error', () => {
  it('is none if it is marked as one, or has something besides the text', () => {
    expect(suspectedErrorIn(says('Error: no', { isError: true }))).toBeUndefined();
    const image = { type: 'image', data: 'AA', mimeType: 'image/png' };
    const withImage = { content: [{ type: 'text', text: 'Error: no' }, image] };
    expect(suspectedErrorIn(withImage)).toBeUndefined();
    expect(suspectedErrorIn(null)).toBeUndefined();
    expect(suspectedErrorIn('Error: no')).toBeUndefined();
  });

  it('is none if it is longer than messages about errors are', () => {
    expect(suspectedErrorIn(says(`Error: ${'x'.repeat(3000)}`))).toBeUndefined();
    const trace = `Traceback (most recent call last):\n${'  File "x"\n'.repeat(500)}`;
    expect(suspectedErrorIn(says(trace))).toBe('Traceback (most recent call last):');
  });
});
