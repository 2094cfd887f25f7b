import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Agent, AgentResult, AgentTask } from '../src/agents/agent.js';
import type { Judge } from '../src/judge/judge.js';
import { type JudgeOptions, startJudge } from '../src/judge/judge.js';
import type { JudgeFolders } from '../src/judge/vote.js';
import type { JudgeQuestion } from '../src/steps/step.js';
import { sendRequest } from './raw-requests.js';
import { onLoneTestFinished } from './test-end.js';

export const question: JudgeQuestion = {
  mode: 'contains',
  prompt: 'How many pods run?',
  answer: 'Three pods run.',
  reference: '3 pods',
  votes: 1,
};

export const finished: AgentResult = { end: 'finished', output: '' };

/** An agent that does in this process what a test wants. */
export function inProcessAgent(run: Agent['run']): Agent {
  return {
    identity: { name: 'in process', type: 'test', model: 'model of the file' },
    prepare: async () => ({ problems: [] }),
    run,
  };
}

/** Calls a tool of the judge's server, without asking what there is. Arguments are JSON text. */
export async function callJudgeTool(
  { servers: [server] }: Pick<AgentTask, 'servers'>,
  args: string,
  tool = 'submit_judgement',
): Promise<{ isError: boolean; text: string }> {
  const params = `{"name":${JSON.stringify(tool)},"arguments":${args}}`;
  const { body } = await sendRequest(server?.url ?? '', {
    headers: { 'content-type': 'application/json' },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
  });
  const { result } = JSON.parse(body.toString());
  return { isError: result.isError, text: result.content[0].text };
}

/** Arguments of the tool, as JSON. */
export const passing = '{"passed":true,"reason":"It fits."}';
export const failing =
  '{"passed":false,"reason":"One is missing.","failureCategory":"missing_information"}';

/** What an agent does in one attempt. */
export type Behaviour = (task: AgentTask) => Promise<AgentResult>;

/** Calls the tool with each of these arguments, and has done. */
export const submits =
  (...calls: string[]): Behaviour =>
  async (task) => {
    for (const args of calls) await callJudgeTool(task, args);
    return finished;
  };

/** One behaviour for each attempt, in the order in which they begin; the last for all others. */
export function takingTurns(...behaviours: Behaviour[]) {
  const tasks: AgentTask[] = [];
  const agent = inProcessAgent(async (task) => {
    tasks.push(task);
    const behaviour = behaviours[tasks.length - 1] ?? behaviours.at(-1);
    return behaviour ? behaviour(task) : finished;
  });
  return { agent, tasks };
}

/** Folders that are nowhere, for agents that do not look. */
async function noFolders(): Promise<JudgeFolders> {
  return { workdir: '/nowhere', privateFolder: '/nowhere', remove: async () => {} };
}

/** Folders for an agent that is a program. */
export async function realFolders(): Promise<JudgeFolders> {
  const root = await mkdtemp(path.join(tmpdir(), 'proctor-judge-'));
  const [workdir, privateFolder] = [path.join(root, 'work'), path.join(root, 'private')];
  await mkdir(workdir);
  await mkdir(privateFolder, { mode: 0o700 });
  return { workdir, privateFolder, remove: () => rm(root, { recursive: true }) };
}

/** A judge that is closed after the test. */
export async function judgeOf(agent: Agent, options: Partial<JudgeOptions> = {}): Promise<Judge> {
  const judge = await startJudge(agent, {
    environment: {},
    makeFolders: noFolders,
    ...options,
  });
  onLoneTestFinished(() => judge.close());
  return judge;
}

/** A text as it stands between its fences, with what is said before and after. */
export function fencedText(prompt: string, label: string) {
  const [, number = 'no number'] = /carry the number ([0-9a-f]{32})\./.exec(prompt) ?? [];
  const [before = '', rest = '', ...more] = prompt.split(`\n-----BEGIN ${label} ${number}-----\n`);
  const [text, after, ...others] = rest.split(`\n-----END ${label} ${number}-----\n`);
  if (more.length > 0 || others.length > 0) throw new Error(`${label} is there twice`);
  return { text, before, after, number };
}
