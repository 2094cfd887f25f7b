import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixtures } from '../support/cli.js';
import { serverProgram } from '../support/mcp-servers.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { fewOddPrompts, longPrompt, oddPrompts } from '../support/odd-prompts.js';
import { playing } from '../support/playing-agents.js';
import { type CheckedSuite, SuiteFolder } from '../support/suite-folder.js';

/** A suite with a task for each prompt, and the file that appears if one of them is executed. */
async function suiteFor(agent: object, prompts: (canary: string) => Record<string, string>) {
  const suite = await SuiteFolder.create({
    'eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'prompts' },
      config: {
        agent: { type: 'file', path: 'agent.yaml' },
        mcpConfigFile: 'mcp.yaml',
        taskSets: [{ glob: 'tasks/*.yaml', assertions: { maxToolCalls: 5 } }],
      },
    },
    'mcp.yaml': {
      mcpServers: {
        shell: {
          command: '/bin/sh',
          args: [serverProgram('shell-stdio-server.sh')],
          enableAllTools: true,
        },
      },
    },
    'agent.yaml': { kind: 'Agent', ...agent },
  });
  const canary = path.join(suite.path, 'canary');
  const sent = prompts(canary);
  for (const [name, text] of Object.entries(sent)) {
    const isInFile = text.length > 1000;
    if (isInFile) await suite.write(`tasks/${name}.txt`, text);
    await suite.write(`tasks/${name}.yaml`, {
      kind: 'Task',
      metadata: { name },
      spec: { prompt: isInFile ? { file: `${name}.txt` } : { inline: text } },
    });
  }
  return { suite, sent, canary };
}

/** What each task's agent has left in a file of its working directory. */
async function received({ taskRuns }: CheckedSuite, file: string) {
  const texts = taskRuns.map(
    async ({ task, workdir = '' }): Promise<[string, string]> => [
      task,
      await readFile(path.join(workdir, file), 'utf8'),
    ],
  );
  return Object.fromEntries(await Promise.all(texts));
}

const keep = ['--keep-workdir', 'always'];

describe('every prompt arrives as it is, and is never executed', () => {
  it('in a command line, wherever it stands', async () => {
    const places = {
      'bare.txt': '{{ .Prompt }}',
      'double.txt': '"{{ .Prompt }}"',
      'single.txt': "'{{ .Prompt }}'",
      'literal.txt': '{{ printf "%q" .Prompt }}',
      'within.txt': `"<{{ .Prompt }}>"`,
    };
    const { suite, sent, canary } = await suiteFor(
      {
        commands: {
          runPrompt: [
            ...Object.entries(places).map(([file, place]) => `printf %s ${place} > ${file}`),
            'printf %s "$PROCTOR_PROMPT" > variable.txt',
            'cat "$PROCTOR_PROMPT_FILE" > file.txt',
          ].join('\n'),
        },
      },
      oddPrompts,
    );
    for (const shell of ['/bin/bash', '/bin/sh']) {
      const checked = await suite.check(keep, { SHELL: shell });
      expect(checked.exitCode, checked.stderr).toBe(0);
      for (const file of [...Object.keys(places), 'variable.txt', 'file.txt']) {
        const expected =
          file === 'within.txt'
            ? Object.fromEntries(Object.entries(sent).map(([name, text]) => [name, `<${text}>`]))
            : sent;
        expect(await received(checked, file), `${file} of ${shell}`).toEqual(expected);
      }
      expect(existsSync(canary)).toBe(false);
    }
  });

  it('in Claude Code, on stdin', async () => {
    const { suite, sent, canary } = await suiteFor(
      { builtin: { type: 'claude-code' } },
      fewOddPrompts,
    );
    const checked = await suite.check(keep, await playing(suite, {}));
    expect(await received(checked, 'prompt.txt'), checked.stderr).toEqual(sent);
    expect(existsSync(canary)).toBe(false);
  });

  it('in an agent that speaks ACP', async () => {
    const program = path.join(fixtures, 'agents/acp-agent.mjs');
    const acp = { cmd: process.execPath, args: [program, 'shell/note'] };
    const { suite, sent, canary } = await suiteFor({ acp }, fewOddPrompts);
    const checked = await suite.check(keep);
    expect(await received(checked, 'prompt.txt'), checked.stderr).toEqual(sent);
    expect(existsSync(canary)).toBe(false);
  });

  it.each([
    { type: 'openai-agent', model: 'm-1' },
    { type: 'llm-agent', model: 'openai:m-1' },
  ])('in a model, with $type', async (builtin) => {
    const model = await ModelServer.start([]);
    onTestFinished(() => model.close());
    const { suite, sent, canary } = await suiteFor({ builtin }, fewOddPrompts);
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'any-key' };
    const checked = await suite.check([], env);
    expect(checked.exitCode, checked.stderr).toBe(0);
    const prompts = model.requests.map(({ prompt }) => prompt);
    expect(new Set(prompts)).toEqual(new Set(Object.values(sent)));
    expect(existsSync(canary)).toBe(false);
  });

  it('in the scripted agent', async () => {
    const scripted = [{ do: [{ say: '{prompt}' }] }];
    const { suite, sent, canary } = await suiteFor({ scripted }, fewOddPrompts);
    const { taskRuns, stderr } = await suite.check();
    const outputs = Object.fromEntries(taskRuns.map(({ task, output }) => [task, output]));
    expect(outputs, stderr).toEqual(sent);
    expect(Object.fromEntries(taskRuns.map(({ task, prompt }) => [task, prompt]))).toEqual(sent);
    expect(existsSync(canary)).toBe(false);
  });
});

describe('what a command line cannot carry', () => {
  const tooMuch = () => ({ nul: 'a\0b', long: longPrompt });

  it('is a clear error before the agent starts', async () => {
    const commands = { runPrompt: 'touch started; true {{ .Prompt }}' };
    const { suite } = await suiteFor({ commands }, tooMuch);
    const checked = await suite.check(keep);
    const hint =
      'so a command line cannot carry it: let the command read the file that PROCTOR_PROMPT_FILE names';
    const failure = (message: string) => ({ category: 'agent-not-started', message });
    const bytes = Buffer.byteLength(longPrompt);
    expect(checked.exitCode).toBe(1);
    expect(checked.taskRuns).toMatchObject([
      {
        task: 'long',
        outcome: 'error',
        failure: failure(`the prompt is ${bytes} bytes long (at most 122880), ${hint}`),
      },
      {
        task: 'nul',
        outcome: 'error',
        failure: failure(`the prompt has a NUL character in it, ${hint}`),
      },
    ]);
    for (const { workdir = '' } of checked.taskRuns) {
      expect(existsSync(path.join(workdir, 'started'))).toBe(false);
    }
    expect(checked.stdout).toContain('PROCTOR_PROMPT_FILE');
  });

  it('arrives in the file of the prompt', async () => {
    const commands = { runPrompt: 'cat "$PROCTOR_PROMPT_FILE" > prompt.txt' };
    const { suite, sent } = await suiteFor({ commands }, tooMuch);
    const checked = await suite.check(keep);
    expect(checked.exitCode, checked.stderr).toBe(0);
    expect(await received(checked, 'prompt.txt')).toEqual(sent);
  });
});
