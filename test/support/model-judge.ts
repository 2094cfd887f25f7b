import { createAgent } from '../../src/agents/registry.js';
import { type Judge, startJudge } from '../../src/judge/judge.js';
import { realFolders } from '../../testing/judging.js';
import { onLoneTestFinished } from '../../testing/test-end.js';
import type { Provider } from './llm-agent-run.js';
import { ModelServer } from './model-server/model-server.js';
import type { Script, Turn } from './model-server/turn.js';

/** A turn in which the model calls the tool once for each of these arguments. */
export function submitting(...calls: object[]): Turn {
  return { toolCalls: calls.map((args) => ({ tool: 'submit_judgement', args })) };
}

/** A judge that asks a model which follows a script. */
export async function startModelJudge(
  provider: Provider,
  script: Script,
): Promise<{ judge: Judge; model: ModelServer }> {
  const model = await ModelServer.start(script);
  onLoneTestFinished(() => model.close());
  const { builtin, environment } = provider.agent(model.url);
  const judge = await startJudge(
    await createAgent({ name: 'judge', data: { kind: 'Agent', builtin } }),
    {
      environment,
      makeFolders: realFolders,
    },
  );
  onLoneTestFinished(() => judge.close());
  return { judge, model };
}
