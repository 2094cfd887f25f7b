import { homedir } from 'node:os';
import path from 'node:path';

export function homeFolder({ HOME }: NodeJS.ProcessEnv): string {
  return HOME || homedir();
}

/** A path that begins with `~` is one in the home folder. */
export function withHome(written: string, environment: NodeJS.ProcessEnv): string {
  const isInHome = written === '~' || written.startsWith('~/');
  return isInHome ? path.join(homeFolder(environment), written.slice(1)) : written;
}
