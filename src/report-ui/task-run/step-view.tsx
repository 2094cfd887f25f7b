import type { JudgementEntry, StepEntry } from '../../analysis/story/story-entry.js';
import { formatCost, formatCount, formatDuration, formatPlural } from '../elements/amounts.js';
import { Fold, FoldedText, LongText, NamedText } from '../elements/fold.js';
import { OutcomeBadge } from '../elements/graphics.js';
import { formatName } from '../elements/text.js';
import { parseIfJson } from './call-text.js';

interface StepViewProps {
  step: StepEntry['step'];
  phase: StepEntry['phase'];
  wanted: boolean;
}

/** A step of setup, verify or cleanup; the details of one that failed are open. */
export function StepView({ step, phase, wanted }: StepViewProps) {
  const { kind, id, at, outcome, message, judgement } = step;
  const unmet = (step.unmet ?? []).filter((expectation) => expectation !== message);
  return (
    <div class={`step-card ${step.passed ? '' : 'unhappy'}`}>
      <div class="step-head">
        <span class="call-number">{step.step}</span>
        <span class="call-name">{formatName(kind)}</span>
        {id !== undefined && <code>{formatName(id)}</code>}
        <OutcomeBadge outcome={outcome} />
        <span class="call-amounts">
          {at && (
            <code>
              {at.file}:{at.line}
            </code>
          )}
          {step.durationMs !== null && <span>{formatDuration(step.durationMs)}</span>}
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
        {() => <StepAccount step={step} stepName={`step ${step.step} of ${phase}`} />}
      </Fold>
    </div>
  );
}

type Step = StepEntry['step'];

/** The input and output of a step: script, request, response, arguments, log and outputs. */
function StepAccount({ step, stepName }: { step: Step; stepName: string }) {
  const account = listAccount(step);
  const outputs = listOutputs(step.outputs);
  if (account.length + outputs.length === 0) return <p class="quiet">No output.</p>;
  return (
    <>
      {account.map(({ name, file, value }) => (
        <NamedText key={name} name={name} file={file} value={value} owner={stepName} />
      ))}
      {outputs.map((output) => (
        <Output key={output.name} output={output} step={step} stepName={stepName} />
      ))}
    </>
  );
}

interface AccountPart {
  name: string;
  file?: string | undefined;
  value: unknown;
}

function listAccount({ script, request, response, args, log = [] }: Step): AccountPart[] {
  return [
    ...(script ? [{ name: 'script', file: script.file, value: script.text }] : []),
    ...(request ? [{ name: 'request', value: formatRequest(request) }] : []),
    ...(response ? [{ name: 'response', value: formatResponse(response) }] : []),
    ...(args === undefined ? [] : [{ name: 'arguments', value: args }]),
    ...(log.length === 0
      ? []
      : [{ name: 'log', value: log.map((line) => `${line.level}: ${line.message}`).join('\n') }]),
  ];
}

function formatRequest({ method, url, headers, body }: NonNullable<Step['request']>): string {
  const lines = [`${method} ${url}`, ...formatHeaders(headers)];
  return (body ? [...lines, '', body] : lines).join('\n');
}

function formatResponse(response: NonNullable<Step['response']>): string {
  const { status, headers, bytes, redirects = [] } = response;
  return [
    ...redirects.map((address) => `redirected to ${address}`),
    `status ${status}, ${formatPlural(bytes, 'byte')}`,
    ...formatHeaders(headers),
  ].join('\n');
}

function formatHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

interface OutputProps {
  output: OutputPart;
  step: Step;
  stepName: string;
}

function Output({ output: { name, sameAs, value }, step, stepName }: OutputProps) {
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
        <p class="quiet">truncated{file === undefined ? '' : `; the full text is in ${file}`}</p>
      )}
      <FoldedText value={value} label={`${name} of ${stepName}`} />
    </>
  );
}

/** An output of a step. */
interface OutputPart {
  name: string;
  /** Names of other outputs with the same text, which is not shown again. */
  sameAs: string[];
  /** The text of the output, parsed if it is JSON. */
  value: unknown;
}

/** Outputs that are not empty: long ones first, each text once, then those that fit in a line. */
export function listOutputs(outputs: Readonly<Record<string, string>>): OutputPart[] {
  const byText = new Map<string, OutputPart>();
  for (const [name, text] of Object.entries(outputs)) {
    if (text === '') continue;
    const same = isShort(text) ? undefined : byText.get(text);
    if (same) same.sameAs.push(name);
    else byText.set(isShort(text) ? `${name} ${text}` : text, makeOutputPart(name, text));
  }
  const parts = [...byText.values()];
  return [
    ...parts.filter(({ value }) => !isShort(value)),
    ...parts.filter(({ value }) => isShort(value)),
  ];
}

function makeOutputPart(name: string, text: string): OutputPart {
  return { name, sameAs: [], value: isShort(text) ? text : parseIfJson(text) };
}

const longestLine = 60;

/** Whether an output fits in the line of its name. */
function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestLine && !value.trim().includes('\n');
}

type Judgement = JudgementEntry['judgement'];
type Vote = Judgement['votes'][number];

/** The verdict, reason and votes of the LLM judge, and its reference. */
function JudgementView({ judgement }: { judgement: Judgement }) {
  const { mode, reference, reason, failureCategory, votes, model, usage, cost } = judgement;
  const facts = [
    model,
    usage &&
      `${formatCount(usage.inputTokens)} in, ${formatPlural(usage.outputTokens, 'token')} out`,
    cost !== undefined && formatCost(cost),
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
          summary={`${formatVotes(votes)} of ${votes.length}`}
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

function formatVotes(votes: readonly Vote[]): string {
  return `votes: ${votes.filter(({ passed }) => passed).length} for passed`;
}

function isUnanimous(votes: readonly Vote[]): boolean {
  return votes.every(({ passed }) => passed === votes[0]?.passed);
}
