import type { EventBody } from '../../src/journal/event.js';
import { warningCodes } from '../../src/journal/mcp-events.js';
import { journalSchema } from '../../src/journal/run-events.js';
import { failureCategories } from '../../src/journal/task-run-events.js';
import { code, generatedNote, table } from './markdown.js';

type EventOf<Type> = Extract<EventBody, { type: Type }>;

interface EventPage<Type extends EventBody['type']> {
  what: string;
  /** Does not compile while a field is missing, or one is described that there is not. */
  fields: Record<Exclude<keyof EventOf<Type>, 'type'>, string>;
}

const taskRun = 'the task run it belongs to; not with `proctor proxy`';

const ofTaskRun = 'the task run it belongs to';
const outcome = '`passed`, `failed`, `timeout`, `error` or `cancelled`';

const ofStep = {
  taskRun: ofTaskRun,
  phase: '`setup`, `verify` or `cleanup`',
  step: 'its place in the phase, from 1',
  kind: 'type of the step, such as `script`',
  id: 'id of the step',
};

const ofWait = {
  taskRun: ofTaskRun,
  for: '`agent`: that its agent may work; `model`: that a model may be asked',
  model: 'with `model`: which, as `provider:id`',
};

const onServer = {
  taskRun,
  server: 'name of the server in the MCP config',
  session:
    'number of the session with this server, from 1; none for a request that stands alone (2026-07-28)',
  by: '`harness` for our own steps; otherwise it was the agent',
};

const events: { [Type in EventBody['type']]: EventPage<Type> } = {
  'run-started': {
    what: 'The first event.',
    fields: {
      schema: `\`${journalSchema}\``,
      proctor: 'version of Proctor',
      command: 'what wrote the journal',
      mcpServers:
        'name and transport of every server; where a matrix has several MCP configs, also whose it is; with `proxy`, `config`: its entry in the MCP config, with variables as references and without secrets',
      evaluation:
        'with `check`: `id`, `eval` (name, file), `files` of the suite with their SHA-256, `agent`, `variants` of a matrix, `options`, `environment`, planned `taskRuns`, `process` and `workspace`, with `--queue` its id there (`queue`)',
    },
  },
  'run-resumed': {
    what: 'A killed or interrupted check goes on in the same journal.',
    fields: {
      proctor: 'version of Proctor',
      process: 'pid and start time of the process that goes on',
      workspace: 'its folder for temporary files',
      queue: 'with `--queue`: id of the run in the queue',
      missing: 'task runs that are still to do',
      changed: 'files of the suite that changed since, with `--force`',
      files: 'with `--force`: the files as they are now',
      options: 'with `--force`: the options as they are now',
      agent: 'with `--force`: the agent as it is now',
      variants: 'with `--force`: the variants of the matrix as they are now',
      judge: 'with `--force`: the judge as it is now',
    },
  },
  'server-checked': {
    what: 'What a server offers, asked once before anything runs.',
    fields: {
      taskRun: 'the task run, if the server is only there since its setup',
      server: 'name of the server in the MCP config',
      mcpConfigFile: 'where a matrix has several: whose it is',
      protocolVersion: 'revision of MCP that was agreed on',
      serverInfo: 'name and version of the server, by its own account',
      tools: 'as the server lists them',
      resources: 'as the server lists them',
      resourceTemplates: 'as the server lists them',
      prompts: 'as the server lists them',
      allowedTools: 'names of the tools that the MCP config lets the agent call',
      durationMs: 'until all of it was known',
    },
  },
  'task-run-started': {
    what: 'One run of a task begins.',
    fields: {
      taskRun: 'its name in all events that belong to it',
      task: 'name of the task',
      path: "the task's file, relative to the eval's folder",
      variant: 'of a matrix: who does it',
      run: 'which of its runs, from 1',
      runs: 'how many there are; with `--runs auto`, at least',
      attempt: 'from 1; a later attempt takes the place of those before',
      worker: 'With `check --queue`: the worker that does it.',
      difficulty: '`easy`, `medium` or `hard`',
      labels: "the task's labels",
      workdir: 'working directory of the agent',
      random: 'what `{random.id}` and `{random.port}` stand for',
      timeoutMs: 'limit of setup, agent and verification together',
      cleanupTimeoutMs: 'limit of cleanup',
      judging: 'what judges it, as digests: see [results](results.md)',
    },
  },
  'phase-started': {
    what: 'A phase of a task run begins.',
    fields: {
      taskRun: ofTaskRun,
      phase: '`setup`, `agent`, `verify` or `cleanup`',
      prompt: 'with `agent`: what it is asked to do',
    },
  },
  'step-started': {
    what: 'A step of setup, verify or cleanup begins.',
    fields: ofStep,
  },
  'step-ended': {
    what: 'A step of setup, verify or cleanup has ended.',
    fields: {
      ...ofStep,
      source: 'file and line of the step',
      passed: 'whether it passed',
      outcome,
      message: 'why it did not pass',
      outputs: 'what later steps can refer to, such as `stdout`',
      truncated: 'outputs that were cut',
      files: "of outputs that were cut: the file with the whole, from the journal's folder",
      script:
        "of `script`: what was run, as `file` (from the task's folder; an inline script has none) and `text`, its beginning",
      request: 'of `http`: `method`, `url`, `headers` and the beginning of the `body`',
      response: 'of `http`: `status`, `headers`, length of the body (`bytes`), `redirects`',
      args: 'of `<server>.<tool>` and `<extension>.<operation>`: the arguments',
      log: 'of `<extension>.<operation>`: what the extension logged',
      judgement:
        'of `llmJudge`: `mode`, `reference`, `passed` (null: no verdict), `reason`, `failureCategory`, `votes`, `model`, `usage`, `cost`',
      unmet: 'every expectation that did not hold, with the value that was found',
      durationMs: 'how long it took',
    },
  },
  'agent-output': {
    what: 'Something that the agent said or did by its own account, while it worked.',
    fields: {
      taskRun: ofTaskRun,
      kind: '`message`, `thinking`, `tool-call`, `tool-result` or `log`',
      text: 'what it said; of a tool result the beginning',
      tool: "of a tool call: the agent's own name of the tool",
      id: 'ties a tool result to its call',
      args: 'of a tool call: its arguments',
      isError: 'of a tool result: whether it is an error',
    },
  },
  'mcp-message': {
    what: 'A JSON-RPC message that the proxy relayed, or answered in the place of the server.',
    fields: {
      ...onServer,
      direction: '`to-server` or `to-agent`',
      message: 'the message as it came: order of keys and spelling of numbers are kept',
      bytes: 'its length in UTF-8',
      held: 'it went no further than the proxy: a blocked call, a second `initialize` on a shared process, a cancellation that came too late',
    },
  },
  'mcp-call': {
    what: 'A logical call that has ended: a request of the agent with all that belongs to it. Requests that only answer an `input_required` result belong to the call that got it; the result of a task belongs to the call that started it.',
    fields: {
      ...onServer,
      call: "number of the agent's call in the order of arrival, from 1, as it is shown everywhere. Other requests and those of steps have none. Calls are written as they end, so a journal may have them in another order",
      kind: '`tool`, `resource`, `prompt` or `other` (any other request)',
      method: 'JSON-RPC method',
      name: 'tool or prompt; of a resource its URI',
      args: '`arguments` of the call; of other requests their `params`',
      result: 'what the server answered',
      error: 'the JSON-RPC error, or what went wrong on the way in the same shape (code -32000)',
      isError: 'there is an `error`, the result says `isError`, or the answer is `malformed`',
      malformed:
        'what is wrong with the shape of the answer, such as `content is missing`; the agent got it as it is',
      blocked: 'the MCP config does not allow the tool; the server did not see the call',
      blockedBy: 'the setting that blocked it, such as `alwaysAllow of pets in mcp-config.yaml`',
      cancelled: 'the agent called it off',
      unfinished: 'it had no answer when everything ended',
      retries: 'how often the agent sent it again with input that was asked for',
      task: 'the task that the server answered with',
      startedAt: 'wall time of the request',
      durationMs: 'until the answer, by a monotonic clock',
      bytes: 'length of the messages in UTF-8: `request`, `response`',
      tokens:
        'tokens (cl100k_base) of the arguments (`args`) and of the text in the `result`; images and other binary parts count nothing',
      request: '`seq` of the message that started it',
      response: '`seq` of the message that ended it',
    },
  },
  'phase-ended': {
    what: 'A phase of a task run has ended.',
    fields: {
      taskRun: ofTaskRun,
      phase: '`setup`, `agent`, `verify` or `cleanup`',
      outcome,
      durationMs: 'how long it took',
      message: 'why it did not pass',
      details: "the end of the agent's log",
    },
  },
  'wait-started': {
    what: 'A task run has waited for a second because of [limits of the check](../limits.md), and still does. This time does not count against the limits of its task and its steps.',
    fields: ofWait,
  },
  'wait-ended': {
    what: 'It goes on.',
    fields: { ...ofWait, durationMs: 'how long it waited' },
  },
  'assertion-checked': {
    what: 'The verdict of one assertion.',
    fields: {
      taskRun: ofTaskRun,
      name: 'key of the assertion',
      passed: 'whether it held',
      reason: 'what was expected, and what happened',
      details: 'more of it, item by item',
      source: 'file and line of the assertion',
      calls: 'numbers (`call`) of the calls that show it',
    },
  },
  'task-run-ended': {
    what: 'The verdict of a task run. Everything else that belongs to it stands before.',
    fields: {
      taskRun: ofTaskRun,
      task: 'name of the task',
      variant: 'of a matrix: who did it',
      run: 'which of its runs, from 1',
      outcome,
      failure:
        'of every outcome but `passed`: `category`, `message`, and as `evidence` the `seq` of an event',
      verified: 'whether verification passed; null: nothing was verified',
      assertionsHeld: 'whether every assertion held; null: none was checked',
      startedAt: 'wall time',
      durationMs: 'how long it took, cleanup included',
      waitedMs:
        'part of it: waiting because of [limits of the check](../limits.md), which counts against no limit of the task',
      output: "the agent's answer",
      usage: 'tokens of the model, as the agent reports them',
      cost: 'in US dollars: as the agent reports it, or by its tokens and the price of its model',
      costSource: 'which of the two: `reported` or `priced`',
      judge:
        'what its judgements took: `usage`, `cost` and `costSource`, which is `mixed` for a sum of both',
      calls:
        'how many tools, resources and prompts were called, errors among them, and their tokens',
      permissionDenials: 'tools that the agent itself did not let through',
      cleanupFailed: 'a step of cleanup failed',
      workdir: 'the working directory, if it was kept',
    },
  },
  'runs-decided': {
    what: 'With `--runs auto`: what the runs of a task so far decide about others. Written when it needs more than was known, and when it is settled.',
    fields: {
      task: 'name of the task',
      variant: 'of a matrix: who does it',
      runs: 'how many runs it has in all; as long as it is not settled, at least',
      more: 'how many of them were not planned before',
      passed: 'how many passed',
      judged: 'how many passed, failed or ran into their time limit',
      interval: 'of its pass rate, 95%: `low` and `high`; null: nothing was judged',
      settled:
        'it needs no more: `width`, its interval is narrow enough, or `max`, it has had the most runs',
    },
  },
  warning: {
    what: 'Something that deserves a look, but is no message of the protocol.',
    fields: {
      taskRun,
      code: 'see below',
      message: 'one sentence',
      server: 'name of the server',
      details: 'what it is about, cut to a sensible length',
    },
  },
  'run-ended': {
    what: 'The last event. If it is missing, the process was killed.',
    fields: {
      durationMs: 'of the whole run',
      calls: 'how many `mcp-call` events there are',
      interrupted: 'it was stopped before every task run was done',
      bailed: '`--bail` left some task runs out',
      budget:
        'a budget left some task runs out: its `kind` (`cost`, `tokens` or `duration`), `limit` and what was `spent`, in US dollars, tokens or milliseconds',
    },
  },
};

export function journalReference(): string {
  const parts = [
    generatedNote,
    '# Journal\n',
    `A journal is the record of what happened: JSON Lines, one event a line, written as things happen.
Every event has \`seq\` (counts up from 1 without gaps), \`at\` (wall time, ISO 8601 with milliseconds) and
\`type\`. A last line that is torn, because the process was killed, does not count.\n`,
    'Secrets are replaced by `[redacted:NAME]` before anything is written: values of environment variables in `headers` and `env` of the MCP config, in `env` and `config` of extensions and in headers of `http` steps, Authorization headers, API keys, and what looks like a token.\n',
    ...Object.entries(events).flatMap(([type, { what, fields }]) => [
      `## ${type}\n`,
      `${what}\n`,
      table(
        ['Field', 'Meaning'],
        Object.entries(fields).map(([field, meaning]) => [code(field), meaning]),
      ),
    ]),
    '## Categories of failures\n',
    table(
      ['Category', 'Meaning'],
      Object.entries(failureCategories).map(([name, meaning]) => [code(name), meaning]),
    ),
    '## Codes of warnings\n',
    table(
      ['Code', 'Meaning'],
      Object.entries(warningCodes).map(([name, meaning]) => [code(name), meaning]),
    ),
  ];
  return parts.join('\n');
}
