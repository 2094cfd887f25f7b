import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { ExtensionDefinition } from '../../src/extensions/extension-definition.js';
import { Extensions } from '../../src/extensions/extensions.js';
import type { ExtensionAnswer, ExtensionRequest } from '../../src/steps/step.js';
import { markedProcesses } from './marked-processes.js';
import { onLoneTestFinished } from './test-end.js';

const fixtures = path.resolve(import.meta.dirname, '../fixtures/extensions');

interface Settings {
  definition?: Partial<ExtensionDefinition>;
  environment?: NodeJS.ProcessEnv;
  startLimitMs?: number;
  redact?(text: string): string;
  locate?: ConstructorParameters<typeof Extensions>[0]['locate'];
}

/** One extension named `it`, whose program is a fixture, in a folder of its own. */
export class RunningExtensions {
  readonly folder: string;
  readonly extensions: Extensions;
  readonly #mark: string;

  constructor(program: string, settings: Settings = {}) {
    this.folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'proctor-extension-')));
    this.#mark = `PROCTOR_TEST_MARK=${this.folder}`;
    const { definition = {}, environment = {}, redact = (text) => text, startLimitMs } = settings;
    this.extensions = new Extensions({
      definitions: [
        { name: 'it', package: program, config: {}, env: {}, folder: this.folder, ...definition },
      ],
      environment: { PATH: process.env.PATH, PROCTOR_TEST_MARK: this.folder, ...environment },
      locate: settings.locate ?? (async (each) => path.resolve(fixtures, each.package)),
      redact,
      ...(startLimitMs !== undefined && { startLimitMs }),
    });
    onLoneTestFinished(async () => {
      await this.extensions.close();
      rmSync(this.folder, { recursive: true });
    });
  }

  execute(
    operation: string,
    args: ExtensionRequest['args'] = {},
    signal = new AbortController().signal,
  ): Promise<ExtensionAnswer> {
    const context = { workdir: this.folder, phase: 'verify', env: {}, timeout: '1m' } as const;
    const request = { operation, args, context: { ...context, agent: {} } };
    return this.extensions.execute('it', request, signal);
  }

  /** Of the misfit: as it says itself. */
  async hasBegun(operation: string): Promise<void> {
    const file = path.join(this.folder, `${operation}-begun`);
    await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
  }

  get processes(): number[] {
    return markedProcesses(this.#mark).map(({ pid }) => pid);
  }

  /** What was killed takes a moment until it is gone. */
  async expectNothingLeft(): Promise<void> {
    await expect.poll(() => this.processes, { timeout: 20_000 }).toEqual([]);
  }
}
