import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createAgent } from '../../src/agents/registry.js';
import type { AgentData } from '../../src/config/schemas/agent-schema.js';
import { type Judge, startJudge } from '../../src/judge/judge.js';
import type { JudgeFolders } from '../../src/judge/vote.js';
import { standInEnvironment } from '../../testing/agent-tasks.js';
import { question, realFolders } from '../../testing/judging.js';
import { fixtures } from '../support/cli.js';

const never = new AbortController().signal;
const passing = { passed: true, reason: 'It says three.' };
const failing = { passed: false, reason: 'Four.', failureCategory: 'semantic_mismatch' };

interface Kind {
  name: string;
  /** A judge that calls the tool with these arguments, one call after the other. */
  start(calls: object[]): Promise<Judge>;
}

const commandLine =
  'my-agent --mcp-config {{ .McpServerFileArgs }} --allow "{{ .AllowedToolArgs }}" --print "{{ .Prompt }}"';

const kinds: Kind[] = [
  {
    name: 'Claude Code',
    start: (calls) => startPlayer({ kind: 'Agent', builtin: { type: 'claude-code' } }, calls),
  },
  {
    name: 'a command',
    start: (calls) =>
      startPlayer(
        {
          kind: 'Agent',
          commands: {
            argTemplateMcpServer: '{{ .File }}',
            argTemplateAllowedTools: 'mcp__{{ .ServerName }}__{{ .ToolName }}',
            runPrompt: commandLine,
          },
        },
        calls,
      ),
  },
  {
    name: 'an ACP agent',
    start: (calls) => {
      const uses = calls.map((args) => `judge/submit_judgement=${JSON.stringify(args)}`);
      const program = path.join(fixtures, 'agents/acp-agent.mjs');
      const acp = { cmd: process.execPath, args: [program, ...uses] };
      return start({ kind: 'Agent', acp }, { PATH: process.env.PATH });
    },
  },
  {
    name: 'a scripted agent',
    start: (calls) => {
      const actions = calls.map((args) => ({
        call: { server: 'judge', tool: 'submit_judgement', args: { ...args } },
      }));
      return start({ kind: 'Agent', scripted: [{ do: [...actions, { say: 'passed' }] }] }, {});
    },
  },
];

/** An agent of test/fixtures/agents/players. */
async function startPlayer(data: AgentData, calls: object[]): Promise<Judge> {
  const folders = await realFolders();
  onTestFinished(() => folders.remove());
  const play = path.join(folders.workdir, 'plays.json');
  const actions = calls.map((args) => ({ call: 'judge/submit_judgement', args }));
  await writeFile(play, JSON.stringify({ pods: [...actions, { say: 'passed: true' }] }));
  const programs = path.join(fixtures, 'agents/players/bin');
  return start(data, { PATH: `${programs}:${process.env.PATH}`, PLAY: play });
}

async function start(data: AgentData, variables: NodeJS.ProcessEnv): Promise<Judge> {
  const judge = await startJudge(await createAgent({ name: 'judge', data }), {
    environment: { HOME: inject('homeFolder'), ...variables },
    makeFolders: realFolders,
    // Programs take their time to start.
    attempts: 1,
  });
  onTestFinished(() => judge.close());
  return judge;
}

describe.each(kinds)('$name as a judge', (kind) => {
  it('passes an answer', async () => {
    const judge = await kind.start([passing]);

    expect(await judge.ask(question, never)).toMatchObject({
      ...passing,
      failureCategory: 'n/a',
      votes: [{ passed: true, attempts: 1 }],
    });
  });

  it('fails an answer', async () => {
    const judge = await kind.start([failing]);

    expect(await judge.ask(question, never)).toMatchObject({
      ...failing,
      votes: [{ passed: false, attempts: 1 }],
    });
  });

  it.each([
    ['calls nothing', [], 'did not call submit_judgement'],
    ['submits what is no judgement', [{ passed: 'yes' }], 'passed has to be true or false'],
    ['contradicts itself', [passing, failing], 'contradict'],
  ])('that %s gives no verdict', async (_, calls, reason) => {
    const judge = await kind.start(calls);

    expect(await judge.ask(question, never)).toMatchObject({
      passed: null,
      reason: expect.stringContaining(reason),
      votes: [{ passed: null, attempts: 1 }],
    });
  });
});

it('a judge that only tells of a call gives no verdict', async () => {
  const folders = await realFolders();
  onTestFinished(() => folders.remove());
  const stream = path.join(folders.workdir, 'stream.jsonl');
  await writeFile(stream, toldCall.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const data: AgentData = { kind: 'Agent', builtin: { type: 'claude-code' } };
  const judge = await start(data, standInEnvironment('retries', { STAND_IN_STREAM: stream }));

  expect(await judge.ask(question, never)).toMatchObject({
    passed: null,
    reason: 'it did not call submit_judgement; it said: "passed: true"',
  });
});

/** What Claude Code would print if it had called the tool. */
const toldCall = [
  { type: 'system', subtype: 'init', mcp_servers: [{ name: 'judge', status: 'connected' }] },
  {
    type: 'assistant',
    message: {
      content: [
        { type: 'tool_use', id: '1', name: 'mcp__judge__submit_judgement', input: passing },
      ],
    },
  },
  {
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: '1', content: 'recorded' }] },
  },
  { type: 'result', subtype: 'success', is_error: false, result: 'passed: true' },
];

it('a command can be given an answer that no command line can carry', async () => {
  const [, command] = kinds;
  const judge = await command?.start([failing]);

  expect(await judge?.ask({ ...question, answer: 'Four\0 pods.' }, never)).toMatchObject({
    passed: false,
  });
});

it('a program that is not there is not asked for again', async () => {
  const made: JudgeFolders[] = [];
  const judge = await startJudge(
    await createAgent({
      name: 'judge',
      data: { kind: 'Agent', acp: { cmd: path.join(fixtures, 'nothing-here') } },
    }),
    {
      environment: { PATH: process.env.PATH },
      async makeFolders() {
        const folders = await realFolders();
        made.push(folders);
        return folders;
      },
    },
  );
  onTestFinished(() => judge.close());

  expect(await judge.ask(question, never)).toMatchObject({
    passed: null,
    reason: expect.stringContaining('command not found: '),
    votes: [{ attempts: 1 }],
  });
  expect(made).toHaveLength(1);
});
