/** The machine that a program has to run on. */
export interface Platform {
  /** As Node names it: the key in the lock file. */
  key: string;
  /** What files of releases call it. */
  systemWords: readonly string[];
  processorWords: readonly string[];
  /** How the name of a program ends. */
  programEnding: '' | '.exe';
}

const systemWords: Readonly<Record<string, readonly string[]>> = {
  darwin: ['darwin', 'macos'],
  win32: ['windows', 'win32'],
};

const processorWords: Readonly<Record<string, readonly string[]>> = {
  x64: ['amd64', 'x86_64', 'x64'],
  arm64: ['arm64', 'aarch64'],
  ia32: ['386'],
};

/** By Node's names of an operating system and a processor. */
export function platformOf(system: string, processor: string): Platform {
  return {
    key: `${system}-${processor}`,
    systemWords: systemWords[system] ?? [system],
    processorWords: processorWords[processor] ?? [processor],
    programEnding: system === 'win32' ? '.exe' : '',
  };
}
