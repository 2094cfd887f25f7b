import { constants } from 'node:fs';
import { copyFile, mkdir, realpath } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { type AgentCall, readSkillCall } from '../../assertions/assertion.js';
import { errorMessage } from '../../base/errors.js';
import type { Skill } from '../../config/files/skills.js';
import type { AgentStep } from '../../journal/step-events.js';

/** Which skills an agent is given, and where it looks for them in its working directory. */
export interface SkillMount {
  skills: readonly Skill[];
  mountPath: string;
}

/**
 * Copies skills to where the agent looks for them, each into a folder of its name: what the agent does
 * to them does no harm to their source. Rejects if that cannot be done.
 */
export async function mountSkills(
  { skills, mountPath }: SkillMount,
  workdir: string,
): Promise<void> {
  const mount = await folderWithin(workdir, mountPath);
  for (const { name, files } of skills) {
    try {
      await copyAll(files, join(mount, name));
    } catch (error) {
      const reason = errorMessage(error);
      throw new Error(`${name} cannot be copied: ${reason}`, { cause: error });
    }
  }
}

/** Makes a folder step by step: a setup step may have put a link there that leads elsewhere. */
async function folderWithin(workdir: string, mountPath: string): Promise<string> {
  const root = await realpath(workdir);
  let folder = root;
  for (const name of normalize(mountPath).split(sep)) {
    const next = join(folder, name);
    await mkdir(next, { recursive: true });
    folder = await realpath(next);
    if (folder === root || folder.startsWith(root + sep)) continue;
    throw new Error(`${next} leads out of the working directory`);
  }
  return folder;
}

async function copyAll(files: Skill['files'], folder: string): Promise<void> {
  // Into a new folder only: there is no link in it either.
  await mkdir(folder);
  const folders = new Set(files.map(({ path }) => dirname(join(folder, path))));
  for (const path of folders) await mkdir(path, { recursive: true });
  for (const { path, from } of files) {
    await copyFile(from, join(folder, path), constants.COPYFILE_FICLONE);
  }
}

type ToolCall = Extract<AgentStep, { kind: 'tool-call' }>;

/** An agent that has loaded more skills than this has loaded them all. */
const maxWaiting = 1_000;

/** Finds out from an agent's own steps which skills it loads, and which it was refused. */
export class SkillLoads {
  readonly #skillTool: string;
  readonly #onCall: (call: AgentCall) => void;
  /** Calls of the tool by their ids: whether they went well is said later. */
  readonly #waiting = new Map<string, ToolCall>();

  constructor(skillTool: string, onCall: (call: AgentCall) => void) {
    this.#skillTool = skillTool;
    this.#onCall = onCall;
  }

  step(step: AgentStep): void {
    if (step.kind === 'tool-call' && step.tool === this.#skillTool) {
      const { id } = step;
      if (id === undefined || this.#waiting.size >= maxWaiting) this.#report(step, false);
      else this.#waiting.set(id, step);
    } else if (step.kind === 'tool-result' && step.id !== undefined) {
      const call = this.#waiting.get(step.id);
      this.#waiting.delete(step.id);
      if (call) this.#report(call, step.isError);
    }
  }

  /** Some agents never say how a call went: then there is no reason to doubt it. */
  end(): void {
    for (const call of this.#waiting.values()) this.#report(call, false);
    this.#waiting.clear();
  }

  #report({ tool, args }: ToolCall, failed: boolean): void {
    const call = readSkillCall({ tool, args: args?.value, failed }, this.#skillTool);
    if (call) this.#onCall(call);
  }
}
