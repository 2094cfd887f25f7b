import { homedir } from 'node:os';

export function homeFolder({ HOME }: NodeJS.ProcessEnv): string {
  return HOME || homedir();
}
