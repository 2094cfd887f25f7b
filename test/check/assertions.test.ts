import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AssertionDefinition,
  assertionDefinitions,
} from '../../src/config/schemas/assertions-schema.js';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { readAssertionCases } from '../support/assertion-cases.js';
import { everythingProgram, type HttpServer, startEverything } from '../support/mcp-servers.js';
import { playing } from '../support/playing-agents.js';
import { type CheckedSuite, SuiteFolder } from '../support/suite-folder.js';

const cases = readAssertionCases().map((each, index) => ({ ...each, task: `case-${index}` }));

const task = (name: string, more: object) => ({
  kind: 'Task',
  metadata: { name, parallel: true },
  ...more,
});

const evalFile = (...taskSets: object[]) => ({
  kind: 'Eval',
  metadata: { name: 'assertions' },
  config: {
    agent: { type: 'file', path: 'agent.yaml' },
    mcpConfigFile: 'mcp.yaml',
    taskSets: [{ glob: 'tasks/*.yaml' }, ...taskSets],
  },
});

const mcpConfig = (url: string) => ({
  mcpServers: {
    everything: {
      command: process.execPath,
      args: [everythingProgram],
      enableAllTools: true,
      // One process for them all: starting it takes longer than everything else.
      scope: 'run',
    },
    remote: { url, alwaysAllow: ['echo', 'get-sum'] },
  },
});

let remote: HttpServer;
beforeAll(async () => {
  remote = await startEverything('streamableHttp');
});
afterAll(() => remote.stop());

describe('one assertion', () => {
  let suite: SuiteFolder;
  let checked: CheckedSuite;
  let journal: string[];

  beforeAll(async () => {
    suite = await SuiteFolder.create({
      'eval.yaml': evalFile(),
      'mcp.yaml': mcpConfig(remote.url),
      'agent.yaml': {
        kind: 'Agent',
        scripted: cases.map(({ task, does }) => ({ when: `^${task}$`, do: does })),
      },
    });
    for (const { task: name, name: assertion, expected } of cases) {
      const spec = { prompt: { inline: name }, assertions: { [assertion]: expected } };
      await suite.write(`tasks/${name}.yaml`, task(name, { spec }));
    }
    checked = await suite.check(['-p', '8']);
    journal = (await readFile(suite.journal, 'utf8')).split('\n');
  }, 60_000);

  it('decides the exit code', () => {
    expect(checked.exitCode, checked.stderr).toBe(1);
    expect(checked.taskRuns).toHaveLength(cases.length);
  });

  it.each(cases)('$name, $title: holds: $holds', ({ task, name, does, holds, reason, calls }) => {
    const taskRun = runOf(checked, task);
    expect(taskRun.calls.map(({ server, name }) => ({ server, name }))).toEqual(
      does.flatMap(called),
    );
    expect(taskRun.assertions).toMatchObject([
      {
        name,
        passed: holds,
        reason,
        at: suite.placeOf(`tasks/${task}.yaml`, `"${name}"`),
        calls,
      },
    ]);
    expect(taskRun).toMatchObject({
      outcome: holds ? 'passed' : 'failed',
      assertionsHeld: holds,
      verified: null,
      failure: holds ? null : { category: 'assertion-failed', message: `${name}: ${reason}` },
    });
    if (!taskRun.failure) return;
    const { evidence: seq } = taskRun.failure;
    const event = JSON.parse(journal[seq - 1] ?? '');
    expect(event).toMatchObject({ seq, type: 'assertion-checked', name, passed: false });
  });

  it('has cases for every assertion, of those that hold and of those that fail', () => {
    // A scripted agent has no skills to load; see below for these.
    const names = Object.entries<AssertionDefinition>(assertionDefinitions).flatMap(
      ([name, { items }]) => (items?.kind === 'skill' ? [] : [name]),
    );
    for (const holds of [true, false]) {
      const covered = cases.filter((each) => each.holds === holds).map(({ name }) => name);
      expect(new Set(covered)).toEqual(new Set(names));
    }
  });
});

describe('assertions from several places', () => {
  const echo = { call: { server: 'everything', tool: 'echo', args: { message: 'hi' } } };

  it('all apply, each with the file and line it comes from', async () => {
    const prompt = { inline: 'Say hi.' };
    const suite = await SuiteFolder.create({
      'eval.yaml': evalFile(
        { glob: 'tasks/*.yaml', assertions: { maxToolCalls: 7 } },
        { path: 'tasks/spec.yaml', assertions: { minToolCalls: 1, maxToolCalls: 1 } },
        { path: 'tasks/steps.yaml', assertions: { noDuplicateCalls: true } },
      ),
      'mcp.yaml': mcpConfig(remote.url),
      'agent.yaml': { kind: 'Agent', scripted: [{ do: [echo, echo] }] },
      'tasks/spec.yaml': task('spec', {
        assertions: { minToolCalls: 1 },
        spec: { prompt, assertions: { toolsUsed: [{ server: 'remote' }] } },
      }),
      'tasks/steps.yaml': task('steps', { steps: { prompt, assertions: { minToolCalls: 3 } } }),
    });
    const checked = await suite.check();
    const outline = (name: string) =>
      runOf(checked, name).assertions.map(({ name, passed, at }) => ({ name, passed, at }));
    const inEval = (text: string) => suite.placeOf('eval.yaml', text);
    const inTask = (task: string, text: string) => suite.placeOf(`tasks/${task}.yaml`, text);
    expect(checked.exitCode, checked.stderr).toBe(1);
    expect(outline('spec')).toEqual([
      { name: 'maxToolCalls', passed: true, at: inEval('"maxToolCalls": 7') },
      { name: 'minToolCalls', passed: true, at: inEval('"minToolCalls": 1') },
      { name: 'maxToolCalls', passed: false, at: inEval('"maxToolCalls": 1') },
      { name: 'minToolCalls', passed: true, at: inTask('spec', '"minToolCalls": 1') },
      { name: 'toolsUsed', passed: false, at: inTask('spec', '"toolsUsed"') },
    ]);
    expect(outline('steps')).toEqual([
      { name: 'maxToolCalls', passed: true, at: inEval('"maxToolCalls": 7') },
      { name: 'noDuplicateCalls', passed: false, at: inEval('"noDuplicateCalls"') },
      { name: 'minToolCalls', passed: false, at: inTask('steps', '"minToolCalls": 3') },
    ]);
    const { file, line } = inEval('"noDuplicateCalls"');
    expect(checked.stdout).toContain(`assertion noDuplicateCalls does not hold  ${file}:${line}`);
  });
});

describe('assertions about skills', () => {
  it('look at the calls of the tool that loads them, as the agent reports them', async () => {
    const skills = (name: string, assertions: object) =>
      task(name, { spec: { prompt: { inline: 'Use pdf.' }, assertions } });
    const suite = await SuiteFolder.create({
      'eval.yaml': evalFile(),
      'mcp.yaml': mcpConfig(remote.url),
      'agent.yaml': { kind: 'Agent', builtin: { type: 'claude-code' } },
      'tasks/a.yaml': skills('loaded', { skillsLoaded: [{ skill: 'pdf' }] }),
      'tasks/b.yaml': skills('not-loaded', { skillsLoaded: [{ skillPattern: '^doc' }] }),
      'tasks/c.yaml': skills('forbidden', { skillsNotLoaded: [{ skillPattern: 'df$' }] }),
      'tasks/d.yaml': skills('avoided', { skillsNotLoaded: [{ skill: 'docx' }] }),
    });
    const checked = await suite.check(
      ['-p', '2'],
      await playing(suite, { pdf: [{ skill: 'pdf' }, { say: 'Done.' }] }),
    );
    const verdict = (name: string) => {
      const { outcome, assertions } = runOf(checked, name);
      return [outcome, ...assertions.map(({ reason }) => reason)];
    };
    expect(verdict('loaded')).toEqual(['passed', 'skill pdf was loaded']);
    expect(verdict('not-loaded')).toEqual([
      'failed',
      'expected a skill that matches /^doc/ to be loaded; the agent only loaded skill pdf',
    ]);
    expect(verdict('forbidden')).toEqual([
      'failed',
      'expected a skill that matches /df$/ not to be loaded; the agent loaded skill pdf',
    ]);
    expect(verdict('avoided')).toEqual([
      'passed',
      'expected skill docx not to be loaded; the agent did without',
    ]);
  });
});

function runOf({ taskRuns, stderr }: CheckedSuite, task: string): TaskRunResult {
  const found = taskRuns.find((each) => each.task === task);
  if (!found) throw new Error(`there is no run of ${task}: ${stderr}`);
  return found;
}

/** What the record shows of an action. */
function called(action: {
  call?: { server: string; tool: string };
  read?: { server: string; uri: string };
  getPrompt?: { server: string; prompt: string };
}) {
  const { call, read, getPrompt } = action;
  if (call) return [{ server: call.server, name: call.tool }];
  if (read) return [{ server: read.server, name: read.uri }];
  return getPrompt ? [{ server: getPrompt.server, name: getPrompt.prompt }] : [];
}
