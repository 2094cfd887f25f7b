/** Versions, which are no part of the suite and can be large. */
const versionFolders = new Set(['.git', '.hg', '.svn', '.jj']);

/** Where keys, passwords and tokens are kept. */
const secretNames =
  /^(\.env(\..*)?|\.envrc|\.npmrc|\.netrc|_netrc|\.pypirc|\.pgpass|\.git-credentials|\.ssh|\.gnupg|\.aws|\.azure|\.kube|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(p12|pfx|jks|keystore|kdbx))$/i;

/** Results under the name that they have if nobody chooses one, locks, and what a killed check left. */
const ownNames =
  /^(proctor-.*-out\.jsonl?|proctor-proxy-.*\.jsonl|.*\.jsonl\.lock(\..*)?|.*\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp)$/;

/** In the middle of a text, as in a manual, a key is an example. A certificate may stand before it. */
const keyFileStart = /^(-----BEGIN |Bag Attributes|PuTTY-User-Key-File-)/;
const privateKey = /^(-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY|PuTTY-User-Key-File-)/m;
const ownSchema = /"mcp-proctor\/(results|journal)\/v/;

/** How much of a file tells what it is. */
const headBytes = 64 * 1024;
const ownHeadBytes = 1024;

/** Why no file or folder of this name travels. */
export function reasonByName(name: string, siblings: ReadonlySet<string>): string | undefined {
  if (versionFolders.has(name)) return 'it is of version control';
  if (secretNames.test(name)) return 'a file of that name holds secrets';
  if (ownNames.test(name)) return 'it is from an earlier check';
  const stem = /^(.+)\.files$/.exec(name)?.[1];
  if (stem !== undefined && siblings.has(`${stem}.jsonl`)) {
    return 'it has outputs of an earlier check';
  }
  return undefined;
}

/** Why a file does not travel that begins like this. Results can have any name. */
export function reasonByContent(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, headBytes);
  if (keyFileStart.test(text) && privateKey.test(text)) return 'it holds a private key';
  const isOwn = text.startsWith('{') && ownSchema.test(text.slice(0, ownHeadBytes));
  return isOwn ? 'it is the record of an earlier check' : undefined;
}
