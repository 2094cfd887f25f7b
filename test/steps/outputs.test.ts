import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { LoopbackServer } from '../../testing/loopback-http.js';
import { it } from '../support/scratch-suite.js';
import { caseExtensions, caseServers } from '../support/step-cases.js';
import { type SuiteParts, script, scripted } from '../support/suite-parts.js';

const requires = [{ extension: 'good' }];

/** Answers with what it is sent. */
async function startEcho(): Promise<string> {
  const server = await LoopbackServer.http(async (request, response) => {
    response.end(await text(request));
  });
  return server.url();
}

/** A suite with an extension, and with a judge that passes whatever it sees. */
const suiteOf = (tasks: SuiteParts['tasks'], agent = scripted({ say: 'done' })): SuiteParts => ({
  tasks,
  agent,
  servers: caseServers,
  config: {
    extensions: { good: caseExtensions.good },
    llmJudge: { ref: { type: 'file', path: 'judge.yaml' } },
  },
  files: {
    'judge.yaml': JSON.stringify({
      kind: 'Agent',
      metadata: { name: 'judge' },
      scripted: [
        {
          do: [
            {
              call: {
                server: 'judge',
                tool: 'submit_judgement',
                args: { passed: true, reason: 'Fine.' },
              },
            },
          ],
        },
      ],
    }),
  },
});

const stepsOf = (taskRun: TaskRunResult | undefined) =>
  Object.values(taskRun?.phases ?? {}).flatMap((phase) =>
    (phase?.steps ?? []).flatMap((step) => ('step' in step ? [step] : [])),
  );

describe('an output', () => {
  it('of any step is at hand for all that come later', async ({ makeSuite }) => {
    const url = await startEcho();
    /** One step of each type that puts out a word, by id. */
    const telling = (word: string) => ({
      made: script(`echo ${word}; echo log >&2`),
      asked: { http: { url, method: 'POST', body: { raw: word } } },
      called: { 'telling.echo': { args: { text: word } } },
      done: { 'good.echo': { text: word } },
    });
    const written = [
      '{steps.made.stdout} {steps.made.stderr} {steps.made.exitCode} {steps.asked.body}',
      '{steps.asked.status} {steps.called.content} {steps.called.isError} {steps.done.text}',
      '{steps.script.stdout} {steps.http.body} {steps.telling.echo.content}',
      '{steps.good.echo.text} {steps.kinds.number} {steps.good.kinds.map} {random.id}',
    ].join(' ');
    /** They get all of it, and put out what was there before them. */
    const taking = [
      {
        script: {
          inline: 'echo second; printf "%s" "$GIVEN" >&2; test "$NESTED" = second/first',
          env: { GIVEN: written, NESTED: '{steps.script.stdout}/{steps.made.stdout}' },
        },
      },
      { http: { url, method: 'POST', body: { raw: 'second' }, headers: { 'x-given': written } } },
      {
        'telling.echo': {
          args: { text: 'second', deep: [{ given: written }] },
          expect: { content: { match: '^{steps.http.body}$' } },
        },
      },
      { 'good.count': { deep: [{ given: written }] } },
    ];
    const suite = await makeSuite(
      suiteOf({
        taking: {
          spec: {
            requires,
            setup: [
              ...Object.entries(telling('first')).map(([id, step]) => ({ id, ...step })),
              { 'good.kinds': {}, id: 'kinds' },
              ...Object.values(telling('second')),
              ...taking,
            ],
            prompt: { inline: written },
            verify: [...taking, { llmJudge: { contains: written } }],
            cleanup: taking,
          },
        },
      }),
    );

    const { taskRuns, events, stderr } = await suite.check();

    const [taskRun] = taskRuns;
    expect(taskRun?.outcome, stderr).toBe('passed');
    const started = events.find(({ type }) => type === 'task-run-started');
    const id = started?.type === 'task-run-started' ? started.random.id : '';
    const given = [
      'first log 0 first 200 first false first',
      `second second second second 1.5 {"a":{}} ${id}`,
    ].join(' ');
    expect(taskRun?.prompt).toBe(given);
    const taken = [
      { outputs: { stderr: given } },
      { request: { headers: { 'x-given': given } } },
      { args: { deep: [{ given }] } },
      { args: { deep: [{ given }] } },
    ];
    const { setup, verify, cleanup } = taskRun?.phases ?? {};
    expect(setup?.steps.slice(-taken.length)).toMatchObject(taken);
    expect(verify?.steps).toMatchObject([...taken, { judgement: { reference: given } }]);
    expect(cleanup?.steps).toMatchObject(taken);
    expect(stepsOf(taskRun).every(({ passed }) => passed)).toBe(true);
  });

  it('that is not there is an error where it is used, and never a pass', async ({ makeSuite }) => {
    const url = await startEcho();
    const missing = '{steps.done.missing}';
    const using = (placeholder: string) => [
      { script: { inline: 'true', env: { GIVEN: placeholder } } },
      { http: { url: `${url}?${placeholder}` } },
      { http: { url, expect: { body: { match: `x*|${placeholder}` } } } },
      { 'telling.echo': { args: { text: placeholder } } },
      { 'telling.echo': { args: { text: 'x' }, expect: { content: { match: placeholder } } } },
      { 'good.count': { deep: [placeholder] } },
    ];
    const judging = { llmJudge: { contains: missing } };
    const setup = [{ 'good.echo': { text: 'x' }, id: 'done' }];
    const verify = [script('true')];
    const broken = [
      { http: { url: 'http://127.0.0.1:1/' }, id: 'asked', continueOnError: true },
      { 'telling.echo': { args: { text: 'x' } }, id: 'called' },
      script('seq 200000', { id: 'long' }),
    ];
    const task = (spec: object) => ({ parallel: true, spec: { requires, setup, verify, ...spec } });
    const suite = await makeSuite(
      suiteOf({
        setup: task({ setup: [...setup, ...using(missing).slice(0, 1)] }),
        prompt: task({ prompt: { inline: `Do ${missing}` } }),
        verify: task({ verify: [...using(missing), judging] }),
        cleanup: task({ cleanup: using(missing) }),
        others: task({
          setup: broken,
          verify: ['{steps.asked.status}', '{steps.called.structuredContent}'].flatMap(using),
        }),
        'too-early': task({
          setup: [script('exit 1'), script('echo never', { id: 'later' })],
          cleanup: [...using('{steps.later.stdout}'), ...using('{agent.output}'), script('true')],
        }),
        long: task({ setup: broken, verify: using('{steps.long.stdout}') }),
      }),
    );

    const { taskRuns, stderr } = await suite.check(['-p', '8']);

    const of = (name: string) => taskRuns.find(({ task }) => task === name);
    const why = (placeholder: string, reason = 'there is no such value') => ({
      outcome: 'error',
      message: `${placeholder} cannot be resolved: ${reason}`,
    });
    const inAll = (placeholder: string, reason?: string) =>
      using(placeholder).map(() => why(placeholder, reason));
    expect(of('setup'), stderr).toMatchObject({
      outcome: 'error',
      failure: { category: 'setup-failed' },
      phases: { setup: { steps: [{ outcome: 'passed' }, why(missing)] }, agent: null },
    });
    expect(of('prompt')).toMatchObject({
      outcome: 'error',
      failure: {
        category: 'agent-not-started',
        message: `the prompt: ${why(missing).message}`,
      },
      phases: { agent: null, verify: null },
    });
    expect(of('verify')).toMatchObject({
      outcome: 'error',
      failure: { category: 'step-error' },
      verified: false,
      phases: { verify: { steps: [...inAll(missing), why(missing)] } },
    });
    expect(of('cleanup')).toMatchObject({
      outcome: 'passed',
      cleanupFailed: true,
      phases: { cleanup: { steps: inAll(missing) } },
    });
    expect(of('others')).toMatchObject({
      outcome: 'error',
      phases: {
        verify: {
          steps: ['{steps.asked.status}', '{steps.called.structuredContent}'].flatMap((each) =>
            inAll(each),
          ),
        },
      },
    });
    expect(of('too-early')).toMatchObject({
      failure: { category: 'setup-failed' },
      cleanupFailed: true,
      phases: {
        cleanup: {
          steps: [
            ...inAll('{steps.later.stdout}'),
            ...inAll('{agent.output}'),
            { outcome: 'passed' },
          ],
        },
      },
    });
    expect(of('long')).toMatchObject({
      outcome: 'error',
      phases: {
        verify: {
          steps: inAll('{steps.long.stdout}', 'the output was too long to be kept as a whole'),
        },
      },
    });
  });

  it('does not become syntax of a pattern', async ({ makeSuite }) => {
    const url = await startEcho();
    const match = '^{agent.output}$';
    const json = (said: string) => JSON.stringify({ said });
    /** What is compared with the answer: the text of a body or tool, and a field of it. */
    const comparing = (said: string) => [
      { http: { url, method: 'POST', body: { raw: said }, expect: { body: { match } } } },
      {
        http: {
          url,
          method: 'POST',
          body: { json: { said } },
          expect: { body: { fields: [{ path: 'said', match }] } },
        },
      },
      { 'telling.echo': { args: { text: said }, expect: { content: { match } } } },
      {
        'telling.echo': {
          args: { text: json(said) },
          expect: { content: { fields: [{ path: 'said', match }] } },
        },
      },
    ];
    const answers = ['.*', '(?i).*', 'a|', '\\Q', '[', '$|^'];
    const suite = await makeSuite(
      suiteOf(
        Object.fromEntries(
          answers.map((answer, index) => [
            `task-${index}`,
            {
              parallel: true,
              spec: {
                prompt: { inline: answer },
                verify: [...comparing('something else'), ...comparing(answer)],
              },
            },
          ]),
        ),
        scripted({ say: '{prompt}' }),
      ),
    );

    const { taskRuns, stderr } = await suite.check(['-p', '8']);

    expect(taskRuns, stderr).toHaveLength(answers.length);
    for (const { output, phases } of taskRuns) {
      expect(answers).toContain(output);
      const outcomes = phases.verify?.steps.map(({ outcome }) => outcome);
      const [none, all] = [comparing('').map(() => 'failed'), comparing('').map(() => 'passed')];
      expect(outcomes, output).toEqual([...none, ...all]);
    }
  });
});
