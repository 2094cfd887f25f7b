import type { JudgementEntry, StepEntry } from '../../analysis/story/story-entry.js';
import { costText, counted, durationText, exactCount } from '../elements/amounts.js';
import { Fold, FoldedText, LongText } from '../elements/fold.js';
import { OutcomeBadge } from '../elements/graphics.js';
import { shortName } from '../elements/text.js';
import { parsed } from './call-text.js';

interface StepViewProps {
  step: StepEntry['step'];
  phase: StepEntry['phase'];
  wanted: boolean;
}

/** A step of setup, verify or cleanup: what failed is open. */
export function StepView({ step, phase, wanted }: StepViewProps) {
  const { kind, id, at, outcome, message, judgement } = step;
  const unmet = (step.unmet ?? []).filter((expectation) => expectation !== message);
  return (
    <div class={`step-card ${step.passed ? '' : 'unhappy'}`}>
      <div class="step-head">
        <span class="call-number">{step.step}</span>
        <span class="call-name">{shortName(kind)}</span>
        {id !== undefined && <code>{shortName(id)}</code>}
        <OutcomeBadge outcome={outcome} />
        <span class="call-amounts">
          {at && (
            <code>
              {at.file}:{at.line}
            </code>
          )}
          {step.durationMs !== null && <span>{durationText(step.durationMs)}</span>}
        </span>
      </div>
      {message !== undefined && <LongText text={message} label="why the step did not pass" />}
      {unmet.length > 0 && (
        <ul class="step-unmet">
          {unmet.map((expectation, place) => (
            <li key={place}>
              <LongText text={expectation} label="an expectation that was not met" />
            </li>
          ))}
        </ul>
      )}
      {judgement && <JudgementView judgement={judgement} />}
      <Fold summary="details" openAtFirst={!step.passed} wanted={wanted}>
        {() => <StepAccount step={step} of={`step ${step.step} of ${phase}`} />}
      </Fold>
    </div>
  );
}

type Step = StepEntry['step'];

/** What a step was given, and what came of it. */
function StepAccount({ step, of }: { step: Step; of: string }) {
  const { script, args, request, response, log = [] } = step;
  const outputs = outputParts(step.outputs);
  const isEmpty = !script && !request && !response && args === undefined && log.length === 0;
  if (isEmpty && outputs.length === 0) return <p class="quiet">It left no output.</p>;
  return (
    <>
      {script && <Script script={script} of={of} />}
      {request && <Request request={request} of={of} />}
      {response && <Response response={response} of={of} />}
      {args !== undefined && (
        <>
          <h4>arguments</h4>
          <FoldedText value={args} label={`arguments of ${of}`} />
        </>
      )}
      {log.length > 0 && (
        <>
          <h4>log</h4>
          <FoldedText
            value={log.map(({ level, message }) => `${level}: ${message}`).join('\n')}
            label={`log of ${of}`}
          />
        </>
      )}
      {outputs.map((output) => (
        <Output key={output.name} output={output} step={step} of={of} />
      ))}
    </>
  );
}

interface OutputProps {
  output: OutputPart;
  step: Step;
  of: string;
}

function Output({ output: { name, sameAs, value }, step, of }: OutputProps) {
  const file = step.files && Object.hasOwn(step.files, name) ? step.files[name] : undefined;
  if (isShort(value)) {
    return (
      <p class="step-output">
        <span class="quiet">{name}</span> <code>{value.trim()}</code>
      </p>
    );
  }
  return (
    <>
      <h4>{[name, ...sameAs].join(', and the same ')}</h4>
      {step.truncated?.includes(name) && (
        <p class="quiet">it was cut{file === undefined ? '' : `; the whole is in ${file}`}</p>
      )}
      <FoldedText value={value} label={`${name} of ${of}`} />
    </>
  );
}

function Script({
  script: { file, text },
  of,
}: {
  script: NonNullable<Step['script']>;
  of: string;
}) {
  return (
    <>
      <h4>
        script{file !== undefined && ' '}
        {file !== undefined && <code>{file}</code>}
      </h4>
      {text !== '' && <FoldedText value={text} label={`script of ${of}`} />}
    </>
  );
}

function Request({ request, of }: { request: NonNullable<Step['request']>; of: string }) {
  const { method, url, headers, body } = request;
  return (
    <>
      <h4>request</h4>
      <FoldedText
        value={[`${method} ${url}`, ...headerLines(headers), ...(body ? ['', body] : [])].join(
          '\n',
        )}
        label={`request of ${of}`}
      />
    </>
  );
}

function Response({ response, of }: { response: NonNullable<Step['response']>; of: string }) {
  const { status, headers, bytes, redirects = [] } = response;
  const lines = [
    ...redirects.map((address) => `sent on to ${address}`),
    `status ${status}, ${counted(bytes, 'byte')}`,
    ...headerLines(headers),
  ];
  return (
    <>
      <h4>response</h4>
      <FoldedText value={lines.join('\n')} label={`response of ${of}`} />
    </>
  );
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** An output of a step. */
interface OutputPart {
  name: string;
  /** Other outputs that say the same, and are not shown again. */
  sameAs: string[];
  /** A text, or what a text of JSON holds. */
  value: unknown;
}

/** Those that say something: long ones first, each once, then those that fit in a line. */
export function outputParts(outputs: Readonly<Record<string, string>>): OutputPart[] {
  const byText = new Map<string, OutputPart>();
  for (const [name, text] of Object.entries(outputs)) {
    if (text === '') continue;
    const same = isShort(text) ? undefined : byText.get(text);
    if (same) same.sameAs.push(name);
    else byText.set(isShort(text) ? `${name} ${text}` : text, partOf(name, text));
  }
  const parts = [...byText.values()];
  return [
    ...parts.filter(({ value }) => !isShort(value)),
    ...parts.filter(({ value }) => isShort(value)),
  ];
}

function partOf(name: string, text: string): OutputPart {
  return { name, sameAs: [], value: isShort(text) ? text : parsed(text) };
}

const longestLine = 60;

/** Whether it fits beside its name. */
function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestLine && !value.trim().includes('\n');
}

type Judgement = JudgementEntry['judgement'];
type Vote = Judgement['votes'][number];

/** What the LLM judge said, and what it held the answer against. */
function JudgementView({ judgement }: { judgement: Judgement }) {
  const { mode, reference, reason, failureCategory, votes, model, usage, cost } = judgement;
  const facts = [
    model,
    usage && `${exactCount(usage.inputTokens)} in, ${counted(usage.outputTokens, 'token')} out`,
    cost !== undefined && costText(cost),
  ].filter(Boolean);
  return (
    <div class="judgement">
      <h4>
        judge <Verdict passed={judgement.passed} />
        {failureCategory !== 'n/a' && <code>{failureCategory}</code>}
        {facts.length > 0 && <span class="quiet">{facts.join(' · ')}</span>}
      </h4>
      <LongText text={reason} label="the judge's reason" />
      <h4>reference ({mode})</h4>
      <LongText text={reference} label="the reference" />
      {votes.length > 1 && (
        <Fold
          summary={`${votesInWords(votes)} of ${votes.length}`}
          openAtFirst={!isUnanimous(votes)}
        >
          {() => (
            <ol class="votes">
              {votes.map((vote, place) => (
                <li key={place}>
                  <Verdict passed={vote.passed} />
                  {vote.attempts > 1 && <span class="quiet">asked {vote.attempts} times</span>}
                  <LongText text={vote.reason ?? vote.error ?? ''} label={`vote ${place + 1}`} />
                </li>
              ))}
            </ol>
          )}
        </Fold>
      )}
    </div>
  );
}

function Verdict({ passed }: { passed: boolean | null }) {
  if (passed === null) return <OutcomeBadge outcome="error" />;
  return <OutcomeBadge outcome={passed ? 'passed' : 'failed'} />;
}

function votesInWords(votes: readonly Vote[]): string {
  return `votes: ${votes.filter(({ passed }) => passed).length} for passed`;
}

function isUnanimous(votes: readonly Vote[]): boolean {
  return votes.every(({ passed }) => passed === votes[0]?.passed);
}
