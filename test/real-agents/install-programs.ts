import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type AgentProgram, agentPrograms, programsFolder } from './agent-programs.js';

/** Installs from npm the programs that are not there yet. */
export default async function setup(): Promise<void> {
  await mkdir(programsFolder, { recursive: true });
  for (const [name, program] of Object.entries<AgentProgram>(agentPrograms)) {
    const folder = path.join(programsFolder, name);
    if ((await installedVersion(folder, program)) === program.version) continue;
    console.log(`Installing ${program.package} ${program.version}`);
    await install(folder, program);
  }
}

async function install(folder: string, program: AgentProgram): Promise<void> {
  // What stands under the final name is complete.
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(unfinished);
  const wanted = `${program.package}@${program.version}`;
  // Native modules would be compiled otherwise, for functions that no test uses.
  const options = ['--no-save', '--ignore-scripts', '--loglevel=error'];
  await run('npm', ['install', '--prefix', unfinished, ...options, wanted], unfinished);
  if (program.installScript !== undefined) {
    const packageFolder = path.join(unfinished, 'node_modules', program.package);
    await run(process.execPath, [program.installScript], packageFolder);
  }
  const installed = await installedVersion(unfinished, program);
  if (installed !== program.version) {
    throw new Error(`npm installed ${program.package} ${installed} in place of ${program.version}`);
  }
  await rename(unfinished, folder);
}

async function installedVersion(
  folder: string,
  program: AgentProgram,
): Promise<string | undefined> {
  const file = path.join(folder, 'node_modules', program.package, 'package.json');
  try {
    const { version }: { version: string } = JSON.parse(await readFile(file, 'utf8'));
    return version;
  } catch {
    return undefined;
  }
}

async function run(program: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with code ${code}`);
}
