import { type Placeholder, replacePlaceholders } from '../config/placeholders/placeholders.js';
import { holdsRedaction } from '../config/secrets/redactor.js';
import { UnresolvedPlaceholder } from './unresolved-placeholder.js';

interface StepOutputs {
  outputs: Readonly<Record<string, string>>;
  truncated: readonly string[];
  /** They come from a record: what is redacted there is not what the step put out. */
  areRecorded: boolean;
}

interface KnownValues {
  taskName: string;
  random: { id: string; port: number };
  environment: NodeJS.ProcessEnv;
}

/** What placeholders stand for in one task run; it grows as the task run goes on. */
export class PlaceholderValues {
  readonly #known: KnownValues;
  /** By id and by type of the step; of several, the latest. */
  readonly #steps = new Map<string, StepOutputs>();
  #prompt: string | undefined;
  #output: string | undefined;

  constructor(known: KnownValues) {
    this.#known = known;
  }

  stepEnded(
    { type, id }: { type: string; id?: string | undefined },
    outputs: Readonly<Record<string, string>>,
    truncated: readonly string[] = [],
    areRecorded = false,
  ): void {
    const step = { outputs, truncated, areRecorded };
    this.#steps.set(type, step);
    if (id !== undefined) this.#steps.set(id, step);
  }

  /** What the agent was asked and answered, as far as it has come to that. */
  get agent(): { prompt?: string; output?: string } {
    return {
      ...(this.#prompt !== undefined && { prompt: this.#prompt }),
      ...(this.#output !== undefined && { output: this.#output }),
    };
  }

  agentPrompted(prompt: string): void {
    this.#prompt = prompt;
  }

  agentAnswered(output: string): void {
    this.#output = output;
  }

  /** Throws UnresolvedPlaceholder. What is put in is not looked at again. */
  resolve(text: string, quote: (value: string) => string = asItIs): string {
    return replacePlaceholders(text, (placeholder, written) =>
      quote(this.#valueOf(placeholder, written)),
    );
  }

  #valueOf({ family, name }: Placeholder, written: string): string {
    const value = this.#lookUp(family, name, written);
    if (value === undefined) throw new UnresolvedPlaceholder(written, 'there is no such value');
    return value;
  }

  #lookUp(family: Placeholder['family'], name: string, written: string): string | undefined {
    const { taskName, random, environment } = this.#known;
    switch (family) {
      case 'task':
        return name === 'name' ? taskName : undefined;
      case 'random':
        return own({ id: random.id, port: String(random.port) }, name);
      case 'env':
        return own(environment, name);
      case 'agent':
        return own({ prompt: this.#prompt, output: this.#output }, name);
      case 'steps':
        return this.#outputOf(name, written);
    }
  }

  /** The last dot splits the step from the output. */
  #outputOf(name: string, written: string): string | undefined {
    const dot = name.lastIndexOf('.');
    const output = name.slice(dot + 1);
    const step = this.#steps.get(name.slice(0, dot));
    if (step?.truncated.includes(output)) {
      throw new UnresolvedPlaceholder(written, 'the output was too long to be kept as a whole');
    }
    const value = step && own(step.outputs, output);
    if (step?.areRecorded && holdsRedaction(value ?? '')) {
      throw new UnresolvedPlaceholder(written, 'the journal has it only redacted');
    }
    return value;
  }
}

const asItIs = (value: string) => value;

/** Not what every object has: `{env.constructor}` is a variable that is not set. */
function own(
  values: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
