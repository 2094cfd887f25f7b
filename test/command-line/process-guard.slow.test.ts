import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildGuardedOwner, GuardedOwner } from '../support/guarded-owner.js';

/** In milliseconds: longer than any test takes. */
const never = 600_000;

let built: string;
beforeAll(async () => {
  built = mkdtempSync(path.join(tmpdir(), 'proctor-guard-'));
  await buildGuardedOwner(built);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

describe('an owner that was killed', () => {
  test('leaves nothing, wherever it hides, and the guard leaves last', async () => {
    const owner = await GuardedOwner.start(built, never);

    process.kill(owner.pid, 'SIGKILL');

    await owner.everybodyIsGone();
    expect(existsSync(owner.workspace)).toBe(false);
  });

  test('takes nobody along who has got the number of somebody that it started', async () => {
    const owner = await GuardedOwner.start(built, never);
    const bystander = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore', env: {} });
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    appendFileSync(owner.ledger, `${bystander.pid} ${bootId}/1\n${bystander.pid} ?\nnonsense\n77`);

    process.kill(owner.pid, 'SIGKILL');

    await owner.everybodyIsGone();
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
    expect(bystander.kill('SIGKILL')).toBe(true);
  });
});

describe('an owner that is silent', () => {
  const ways: [string, (owner: GuardedOwner) => void][] = [
    // Ctrl-Z reaches the whole group.
    ['frozen', ({ pid }) => process.kill(-pid, 'SIGSTOP')],
    ['stuck', (owner) => owner.order('get stuck')],
  ];

  test.each(ways)('because it is %s is killed, with all that it started', async (_, silence) => {
    const owner = await GuardedOwner.start(built, 2_000);

    silence(owner);

    expect(await owner.ended).toEqual({ code: null, signal: 'SIGKILL' });
    await owner.everybodyIsGone();
    expect(existsSync(owner.workspace)).toBe(false);
  });
});

test('an owner that speaks is left alone', async () => {
  const owner = await GuardedOwner.start(built, 2_000);

  await owner.says('older than the silence');

  expect(owner.sleeping()).toEqual([1001, 1002, 1003, 1004]);
  owner.order('end');
  expect(await owner.ended).toEqual({ code: 0, signal: null });
});

describe('an owner that ends by itself', () => {
  test('stops all but its guard, and sends that away, which touches nothing', async () => {
    const owner = await GuardedOwner.start(built, never);

    owner.order('end');

    expect(await owner.ended).toEqual({ code: 0, signal: null });
    expect(owner.processes().map(({ command }) => command)).toEqual(['sleep 1004 ']);
    expect(existsSync(owner.ledger)).toBe(true);
    expect(owner.saidOfItsGuard).toEqual([]);
  });

  test('does not wait for a guard that is frozen', async () => {
    const owner = await GuardedOwner.start(built, never);
    process.kill(await owner.guardIsThere(), 'SIGSTOP');

    owner.order('end');

    expect(await owner.ended).toEqual({ code: 0, signal: null });
    expect(owner.sleeping()).toEqual([1004]);
    expect(owner.guards()).toEqual([]);
  });
});

describe('a guard', () => {
  test('that was killed has a successor', async () => {
    const owner = await GuardedOwner.start(built, never);
    for (let time = 0; time < 2; time++) {
      const first = await owner.guardIsThere();
      process.kill(first, 'SIGKILL');
      await owner.guardIsThere(first);
    }
    expect(owner.sleeping()).toEqual([1001, 1002, 1003, 1004]);

    process.kill(owner.pid, 'SIGKILL');

    await owner.everybodyIsGone();
    await owner.ended;
    expect(owner.saidOfItsGuard).toEqual(Array(2).fill('the guard was ended by SIGKILL'));
  });

  test('is not reached by Ctrl-C, and does not leave when it is asked to', async () => {
    const owner = await GuardedOwner.start(built, never);
    const guard = await owner.guardIsThere();
    await vi.waitFor(() => expect(caughtSignals(guard)).toContain(sighup), { timeout: 60_000 });

    process.kill(-owner.pid, 'SIGINT');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(guard, signal);

    await owner.says('interrupted');
    await vi.waitFor(() => expect(pendingSignals(guard)).toEqual([]), { timeout: 60_000 });
    expect(await owner.guardIsThere()).toBe(guard);
    process.kill(owner.pid, 'SIGKILL');
    await owner.everybodyIsGone();
    await owner.ended;
    expect(owner.saidOfItsGuard).toEqual([]);
  });
});

/** Node itself does not care for this one: a program that catches it has come to that line. */
const sighup = 1;

function caughtSignals(pid: number): number[] {
  return signalsIn(pid, /^SigCgt:\s*([0-9a-f]+)$/gm);
}

function pendingSignals(pid: number): number[] {
  return signalsIn(pid, /^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm);
}

function signalsIn(pid: number, masks: RegExp): number[] {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const mask = [...status.matchAll(masks)].reduce((all, [, each]) => all | BigInt(`0x${each}`), 0n);
  return Array.from({ length: 64 }, (_, n) => n + 1).filter((n) => (mask >> BigInt(n - 1)) & 1n);
}
