import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { StepContext } from '../src/steps/step.js';
import { onLoneTestFinished } from './test-end.js';

/** What a step gets to know, in a folder of its own; nobody is there whom it could ask. */
export function stepContext(changes: Partial<StepContext> = {}): StepContext {
  const folder = mkdtempSync(path.join(tmpdir(), 'proctor-step-'));
  onLoneTestFinished(() => rmSync(folder, { recursive: true }));
  return {
    task: { name: 'task', folder },
    phase: 'verify',
    step: 1,
    workdir: folder,
    harnessFolder: folder,
    environment: { PATH: process.env.PATH },
    agent: {},
    timeoutMs: 60_000,
    resolve: (text) => text,
    started: (group) => onLoneTestFinished(() => group.kill()),
    services: { callTool: nobody, judge: nobody, execute: nobody },
    signal: new AbortController().signal,
    ...changes,
  };
}

function nobody(): Promise<never> {
  return Promise.reject(new Error('nobody is there to ask'));
}
