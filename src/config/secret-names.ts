/** Headers that carry a credential and nothing else. */
export function isCredentialHeader(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|cookie)$/i.test(name);
}

/** Whether what has this name is likely a secret. */
export function soundsSecret(name: string): boolean {
  return (
    /token|key|secret|passw(?:or)?d|credential/i.test(name) ||
    // Only as words of their own: PATH, AUTHOR and COMPASS hold no secrets.
    wordsOf(name).some((word) => ['pass', 'pat', 'auth'].includes(word))
  );
}

/** `DB_PASS`, `db-pass` and `dbPass` are the same two words. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z]+/);
}
