import type { StepEntry } from '../../analysis/story/story-entry.js';
import { counted } from '../elements/amounts.js';
import { FoldedText } from '../elements/folded-text.js';
import { isShort, type OutputPart, outputParts } from './output-parts.js';

type Step = StepEntry['step'];

/** What a step was given, and what came of it. */
export function StepAccount({ step, of }: { step: Step; of: string }) {
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
