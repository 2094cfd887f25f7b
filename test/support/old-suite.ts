import { cp } from 'node:fs/promises';
import path from 'node:path';
import { fencedText } from '../../testing/judging.js';
import { fixtures, proctor } from './cli.js';
import { serverProgram } from './mcp-servers.js';
import { submitting } from './model-judge.js';
import type { ModelRequest, Turn } from './model-server/turn.js';
import { SuiteFolder } from './suite-folder.js';

/** A copy of a suite of test/fixtures/suites, with agents that play what its plays.json says. */
export class OldSuite {
  readonly folder: SuiteFolder;
  readonly #env: Record<string, string>;

  static async copy(name: string, env: Record<string, string> = {}): Promise<OldSuite> {
    const folder = await SuiteFolder.create({});
    await cp(path.join(fixtures, 'suites', name), folder.path, { recursive: true });
    return new OldSuite(folder, env);
  }

  private constructor(folder: SuiteFolder, env: Record<string, string>) {
    this.folder = folder;
    this.#env = {
      PATH: `${path.join(fixtures, 'agents/players/bin')}:${process.env.PATH}`,
      PLAY: path.join(folder.path, 'plays.json'),
      KUBERNETES_SERVER: serverProgram('kubernetes-server.mjs'),
      ...env,
    };
  }

  check(args: string[] = [], env: Record<string, string> = {}) {
    return this.folder.check(args, { ...this.#env, ...env });
  }

  /** The tasks of `proctor list`, by name. */
  async plan(): Promise<object> {
    const { stdout } = await this.proctor('list', 'eval.yaml', '-o', 'json');
    const tasks: { task: string }[] = JSON.parse(stdout).tasks;
    return Object.fromEntries(tasks.map((each) => [each.task, each]));
  }

  proctor(...args: string[]) {
    return proctor(args, { cwd: this.folder.path, env: this.folder.environment(this.#env) });
  }
}

/** The variables of a judge that such suites name. */
export function judgeAt(url: string): Record<string, string> {
  return {
    JUDGE_BASE_URL: `${url}/v1`,
    JUDGE_API_KEY: 'key-of-the-judge',
    JUDGE_MODEL_NAME: 'judge-1',
  };
}

/** Compares letter by letter, and lets pass whatever it is given criteria for. */
export function literalJudge({ prompt }: ModelRequest): Turn {
  const { text: answer = '' } = fencedText(prompt, 'ANSWER');
  const { text: reference = '' } = fencedText(prompt, 'REFERENCE');
  const isExact = prompt.includes('equivalent in meaning');
  const passed = isExact ? answer.trim() === reference : answer.includes(reference);
  if (passed) return submitting({ passed, reason: 'It says so.', failureCategory: 'n/a' });
  const reason = `"${answer.trim()}" is not "${reference}".`;
  return submitting({ passed, reason, failureCategory: 'semantic_mismatch' });
}
