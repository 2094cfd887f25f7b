import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stepContext } from '../../testing/step-context.js';
import { type CallOutcome, readCallOutcome } from '../mcp/call-outcome.js';
import { runMcpToolStep } from './mcp-tool-step.js';
import type { StepContext } from './step.js';

const target = { name: 'server', operation: 'tool' };

/** A call that is answered with this, as JSON text. */
function answering(answer: string, changes: Partial<StepContext> = {}) {
  const { result, error } = JSON.parse(answer);
  return calling(
    () => Promise.resolve(readCallOutcome('tool', { result, error, text: answer })),
    changes,
  );
}

function calling(
  callTool: StepContext['services']['callTool'],
  changes: Partial<StepContext> = {},
): StepContext {
  const { services } = stepContext();
  return stepContext({ target, services: { ...services, callTool }, ...changes });
}

const says = (text: string, more = '') =>
  `{"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}]${more}}}`;
const fails = (text: string) => says(text, ',"isError":true');
const expecting = (content: object) => ({ expect: { content } });

describe('the call', () => {
  it('gets the arguments with placeholders replaced, and the account has them', async () => {
    const calls: unknown[] = [];
    const callTool: StepContext['services']['callTool'] = async (...call) => {
      calls.push(call.slice(0, 3));
      return { isError: false, text: '', result: { content: [] }, answerText: '{"result":{}}' };
    };
    const resolve = (text: string) => text.replace('{env.NAME}', 'Ada');
    const args = { names: ['{env.NAME}', 7], more: { '{env.NAME}': '{env.NAME}' } };
    const { account } = await runMcpToolStep({ args }, calling(callTool, { resolve }));
    const sent = { names: ['Ada', 7], more: { '{env.NAME}': 'Ada' } };
    expect(calls).toEqual([['server', 'tool', sent]]);
    expect(account?.args?.value).toEqual(sent);
  });

  it('is not made if an expectation cannot be used', async () => {
    const context = calling(() => Promise.reject(new Error('called')));
    await expect(runMcpToolStep(expecting({ match: '(' }), context)).rejects.toThrow('the pattern');
  });

  it.each([null, { args: null, expect: null }])(
    'passes without arguments and expectations: %j',
    async (data) => {
      const result = await runMcpToolStep(data, answering(says('hello')));
      expect(result).toEqual({
        outcome: 'passed',
        outputs: { content: 'hello', isError: 'false' },
        account: { args: expect.objectContaining({ text: '{}' }) },
      });
    },
  );
});

describe('an error of the tool', () => {
  it.each([
    ['in its result', fails('no such pod')],
    ['of JSON-RPC', '{"error":{"code":-32602,"message":"no such pod"}}'],
  ])('%s fails the step, with its text', async (_, answer) => {
    expect(await runMcpToolStep({}, answering(answer))).toMatchObject({
      outcome: 'failed',
      message: 'the tool answered with an error: no such pod',
      outputs: { content: 'no such pod', isError: 'true' },
      account: { unmet: ['isError: expected false, found true'] },
    });
  });

  it.each([
    ['in its result', fails('no such pod')],
    ['of JSON-RPC', '{"error":{"code":-32602,"message":"no such pod"}}'],
  ])('%s passes if it is expected', async (_, answer) => {
    const data = { expect: { isError: true, content: { match: '^no such' } } };
    expect(await runMcpToolStep(data, answering(answer))).toMatchObject({ outcome: 'passed' });
  });

  it('that is expected and does not come fails the step', async () => {
    const result = await runMcpToolStep({ expect: { isError: true } }, answering(says('fine')));
    expect(result).toMatchObject({
      outcome: 'failed',
      message: 'isError: expected true, found false',
    });
  });

  it('is quoted in part if it is long, and named if it says nothing', async () => {
    const long = await runMcpToolStep({}, answering(fails('word '.repeat(1000))));
    expect(long.message?.length).toBeLessThan(400);
    expect(long.message).toMatch(/word …$/);
    const silent = await runMcpToolStep({}, answering(fails('')));
    expect(silent.message).toBe('the tool answered with an error: without a text');
  });
});

describe('no answer of the tool', () => {
  const expectsError = { expect: { isError: true } };

  it('is an error of the step, also where an error is expected', async () => {
    const lost: CallOutcome = { isError: true, text: 'the server exited', isLost: true };
    expect(
      await runMcpToolStep(
        expectsError,
        calling(async () => lost),
      ),
    ).toMatchObject({
      outcome: 'error',
      message: 'the server exited',
    });
    const refused = calling(() => Promise.reject(new Error('it cannot be started')));
    expect(await runMcpToolStep(expectsError, refused)).toMatchObject({
      outcome: 'error',
      message: 'it cannot be started',
      account: { args: { text: '{}' } },
    });
  });

  it.each([
    ['{"result":{"resultType":"input_required"}}', 'asks for input'],
    ['{"result":{"resultType":"task","taskId":"1"}}', 'before the tool had a result'],
    ['{"result":{"task":{"taskId":"1"}}}', 'before the tool had a result'],
    ['{"result":null}', 'the result is null, not an object'],
    ['{"result":["content"]}', 'the result is a list, not an object'],
    ['{"result":{"content":"no list"}}', 'content is a string, not a list'],
  ])('fails the step, whatever is expected: %s', async (answer, reason) => {
    for (const data of [{}, expectsError]) {
      const result = await runMcpToolStep(data, answering(answer));
      expect(result.outcome).toBe('failed');
      expect(result.message).toContain(reason);
    }
  });

  it('because the time is up stops the step', async () => {
    const stop = new AbortController();
    const callTool = () => {
      stop.abort();
      return Promise.reject(new Error('called off'));
    };
    const result = await runMcpToolStep({}, calling(callTool, { signal: stop.signal }));
    expect(result).toMatchObject({ outcome: 'stopped' });
  });
});

describe('expected content', () => {
  const pods = '{"pods":[{"name":"web"}],"id":12345678901234567891}';
  const structured = says('two pods', `,"structuredContent":${pods}`);
  const web = { fields: [{ path: 'pods[0].name', equals: 'web' }] };

  it.each([
    ['a match in the text', { match: 'two\\spods' }, says('two\npods')],
    [
      'a match over several texts',
      { match: '^a\nb$' },
      '{"result":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}',
    ],
    ['a match in the items, as in older suites', { match: '"type":"text"' }, says('x')],
    [
      'a match in items that are no text, as in older suites',
      { match: 'image/png' },
      '{"result":{"content":[{"type":"image","data":"AA","mimeType":"image/png"}]}}',
    ],
    ['a field of the structured content', web, structured],
    ['a field of a text that is JSON', web, says(pods)],
    [
      'a field of the items, as in older suites',
      { fields: [{ path: '[0].text', equals: 'x' }] },
      says('x'),
    ],
    [
      'a match in structured content alone',
      { match: 'web' },
      `{"result":{"structuredContent":${pods}}}`,
    ],
  ])('holds: %s', async (_, content, answer) => {
    expect(await runMcpToolStep(expecting(content), answering(answer))).toMatchObject({
      outcome: 'passed',
    });
  });

  it.each([
    [
      'a match',
      { match: 'three' },
      structured,
      'content: expected a match of "three", found "two pods"',
    ],
    [
      'a field',
      { fields: [{ path: 'pods[0].name', equals: 'api' }] },
      structured,
      'pods[0].name: expected "api", found "web"',
    ],
    [
      'a field that is not there',
      { fields: [{ path: '[1].text' }] },
      says('x'),
      '[1].text: expected that it is there, found no such field',
    ],
    [
      'a field of what is no JSON',
      web,
      says('two pods'),
      'content: expected JSON, found "two pods"',
    ],
    [
      'no field of what is no JSON',
      { fields: [{ path: 'a', exists: false }] },
      says('x'),
      'content: expected JSON, found "x"',
    ],
    [
      'a match of what stands around every text',
      { match: 'text|type' },
      says('two pods'),
      'content: expected a match of "text|type", found "two pods"',
    ],
    [
      'a match of a brace that only JSON has',
      { match: '[{]' },
      says('two pods'),
      'content: expected a match of "[{]", found "two pods"',
    ],
    [
      'a match in what has no text',
      { match: 'nothing' },
      '{"result":{"content":[{"type":"image","data":"AA","mimeType":"image/png"}]}}',
      'content: expected a match of "nothing", found ""',
    ],
  ])('does not hold: %s', async (_, content, answer, unmet) => {
    const result = await runMcpToolStep(expecting(content), answering(answer));
    expect(result).toMatchObject({
      outcome: 'failed',
      message: unmet,
      account: { unmet: [unmet] },
    });
  });

  it('is not held against JSON because of the value of a placeholder', async () => {
    const context = answering(says('two pods'), { resolve: (_, quote = String) => quote('"}]') });
    expect(await runMcpToolStep(expecting({ match: '{agent.output}' }), context)).toMatchObject({
      outcome: 'failed',
    });
  });

  it('is compared with a number in all its digits', async () => {
    const content = { fields: [{ path: 'id', equals: 7 }] };
    const { account } = await runMcpToolStep(expecting(content), answering(structured));
    expect(account?.unmet).toEqual([expect.stringContaining('found 12345678901234567891')]);
  });

  it('is reported whole, each expectation with what was found', async () => {
    const content = { match: 'three', fields: [{ path: 'a' }, { path: '[0].text', equals: 'y' }] };
    const { account } = await runMcpToolStep(expecting(content), answering(says('{}')));
    expect(account?.unmet).toHaveLength(3);
  });

  it('takes what an agent said as a text, not as a pattern', async () => {
    const resolve: StepContext['resolve'] = (text, quote = String) =>
      text.replace('{agent.output}', quote('.*'));
    const context = answering(says('anything'), { resolve });
    const result = await runMcpToolStep(expecting({ match: '{agent.output}' }), context);
    expect(result.outcome).toBe('failed');
  });
});

describe('outputs', () => {
  it('hold the structured content as it came', async () => {
    const structured = '{"id": 12345678901234567891, "a":1.0}';
    const answer = says('x', `,"structuredContent":${structured}`);
    const { outputs } = await runMcpToolStep({}, answering(answer));
    expect(outputs).toEqual({ content: 'x', structuredContent: structured, isError: 'false' });
  });

  it('are cut if they are too long, with the whole in a file', async () => {
    const text = `begin ${'word '.repeat(400_000)} end`;
    const result = await runMcpToolStep({}, answering(says(text)));
    expect(result.truncated).toEqual(['content']);
    expect(result.outputs.content?.length).toBeLessThan(600_000);
    expect(readFileSync(result.spilled?.content ?? '', 'utf8')).toBe(text);
  });

  it('are there for what is nested deeper than recursion can go', async () => {
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const answer = says('x', `,"structuredContent":{"deep":${deep}}`);
    const content = { fields: [{ path: 'deep[0]', type: 'array' }] };
    const result = await runMcpToolStep(expecting(content), answering(answer));
    expect(result.outcome).toBe('passed');
    expect(result.outputs.structuredContent).toHaveLength(60_009);
  });
});
