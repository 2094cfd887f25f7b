import { submitting } from './model-judge.js';
import type { Usage } from './model-server/model-api.js';
import { ModelServer } from './model-server/model-server.js';
import type { Script } from './model-server/turn.js';
import { type ScratchSuite, it as scratchIt } from './scratch-suite.js';
import type { SuiteParts } from './suite-parts.js';

/** Of every answer of the model. By the price of gpt-5-mini this is $0.1775. */
export const usage: Usage = { input: 400_000, cached: 100_000, output: 50_000, reasoning: 10_000 };
export const costOfAnswer = 0.1775;
export const tokensOfAnswer = 450_000;

interface MeteredSuite {
  suite: ScratchSuite;
  /** What the agent needs. */
  env: Record<string, string>;
  model: ModelServer;
}

type MakeMetered = (
  tasks: SuiteParts['tasks'],
  parts?: { model?: string; script?: Script } & Partial<SuiteParts>,
) => Promise<MeteredSuite>;

/**
 * Tests with suites whose agent asks a scripted model once for every task run, and is told how many
 * tokens that took.
 */
export const it = scratchIt.extend<{ makeMetered: MakeMetered }>({
  makeMetered: async ({ makeSuite, onTestFinished }, use) => {
    await use(async (tasks, { model = 'openai:gpt-5-mini', script = once, ...more } = {}) => {
      const server = await ModelServer.start(script);
      onTestFinished(() => server.close());
      const agent = { builtin: { type: 'llm-agent', model } };
      return {
        suite: await makeSuite({ tasks, agent, ...more }),
        env: {
          OPENAI_API_KEY: 'sk-scripted-model',
          OPENAI_BASE_URL: `${server.url}/v1`,
          ANTHROPIC_API_KEY: 'sk-ant-scripted-model',
          ANTHROPIC_BASE_URL: server.url,
        },
        model: server,
      };
    });
  },
});

/** Answers each task, and each question to a judge, at once. */
const once: Script = ({ tools }) => {
  const isJudge = tools.some(({ name }) => name.includes('submit_judgement'));
  const turn = isJudge ? submitting({ passed: true, reason: 'Fine.' }) : { text: 'Done.' };
  return { ...turn, usage };
};
