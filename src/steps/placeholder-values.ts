import { type Placeholder, replacePlaceholders } from '../config/placeholders/placeholders.js';
import { holdsRedaction } from '../config/secrets/redactor.js';

interface StepOutputs {
  outputs: Readonly<Record<string, string>>;
  truncated: readonly string[];
  /** Whether they come from a record, in which redacted parts differ from the real output. */
  areRecorded: boolean;
}

interface KnownValues {
  taskName: string;
  random: { id: string; port: number };
  environment: NodeJS.ProcessEnv;
}

/** The values of placeholders in one task run; more become known as it goes on. */
export class PlaceholderValues {
  readonly #known: KnownValues;
  /** Outputs by id and by type of the step; the latest step of a type counts. */
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

  /** The agent's prompt and answer, as far as they are known. */
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

  /** Replaces the placeholders of a text, once. Throws UnresolvedPlaceholderError. */
  resolve(text: string, quote: (value: string) => string = identity): string {
    return replacePlaceholders(text, (placeholder, written) =>
      quote(this.#valueOf(placeholder, written)),
    );
  }

  #valueOf({ family, name }: Placeholder, written: string): string {
    const value = this.#lookUp(family, name, written);
    if (value === undefined)
      throw new UnresolvedPlaceholderError(written, 'there is no such value');
    return value;
  }

  #lookUp(family: Placeholder['family'], name: string, written: string): string | undefined {
    const { taskName, random, environment } = this.#known;
    switch (family) {
      case 'task':
        return name === 'name' ? taskName : undefined;
      case 'random':
        return readOwn({ id: random.id, port: String(random.port) }, name);
      case 'env':
        return readOwn(environment, name);
      case 'agent':
        return readOwn({ prompt: this.#prompt, output: this.#output }, name);
      case 'steps':
        return this.#outputOf(name, written);
    }
  }

  /** Finds the output of a step; the last dot of the name separates them. */
  #outputOf(name: string, written: string): string | undefined {
    const dot = name.lastIndexOf('.');
    const output = name.slice(dot + 1);
    const step = this.#steps.get(name.slice(0, dot));
    if (step?.truncated.includes(output)) {
      throw new UnresolvedPlaceholderError(
        written,
        'the output was too long to be kept as a whole',
      );
    }
    const value = step && readOwn(step.outputs, output);
    if (step?.areRecorded && holdsRedaction(value ?? '')) {
      throw new UnresolvedPlaceholderError(written, 'the journal has it only redacted');
    }
    return value;
  }
}

const identity = (value: string) => value;

/** Reads an own property: `{env.constructor}` is a variable that is not set. */
function readOwn(
  values: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** A placeholder has no value, so what would run is not what was meant. */
export class UnresolvedPlaceholderError extends Error {
  constructor(placeholder: string, reason: string) {
    super(`${placeholder} cannot be resolved: ${reason}`);
    this.name = 'UnresolvedPlaceholderError';
  }
}

/**
 * Copies a value with every string in it resolved; keys stay as they are. Values come from files
 * whose nesting was bounded when they were read.
 */
export function resolveStrings<Value>(value: Value, resolve: (text: string) => string): Value {
  return resolveValue(value, resolve) as Value;
}

function resolveValue(value: unknown, resolve: (text: string) => string): unknown {
  if (typeof value === 'string') return resolve(value);
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, resolve));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveValue(item, resolve)]),
  );
}
