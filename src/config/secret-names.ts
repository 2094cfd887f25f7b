/** Headers that carry a credential and nothing else. */
export function isCredentialHeader(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i.test(name);
}

/** Whether what has this name is likely a secret. */
export function soundsSecret(name: string): boolean {
  if (!mayNameSecret(name)) return false;
  return wordsOf(name).some(isTelling) || /conn(?:ection)?[_-]?str(?:ing)?/i.test(name);
}

/** Only as words of their own: PATH and PRIVATEER hold no secrets. */
const tellingWords = new Set(
  'auth bearer cookie cred creds dsn jwt mnemonic pat private pw pwd sas sig'.split(' '),
);
/** Also where a word has them inside, as in PGPASSWORD and NPM_AUTHTOKEN. */
const tellingPart =
  /token(?!i[sz])|secret(?!ar)|passw(?:or)?d|passphrase|passcode|credential|authorization|webhook/;
const tellingEnd = /(?:keys?|pass|pwd|auth)$/;
const ordinaryWord =
  /(?:don|hot|moc|mon|tur|whis)keys?$|(?:ask|by|com|multi|over|sur|tres|under)pass$|^oldpwd$/;

/** Whatever sounds secret by the rules above holds one of these, in small letters. */
const tellingAnywhere = new RegExp(
  [...tellingWords, 'token', 'secret', 'pass', 'webhook', 'key', 'conn'].join('|'),
);

/** Whether a name in a text could sound secret: one look at all of it spares many at its words. */
export function mayNameSecret(text: string): boolean {
  return tellingAnywhere.test(text.toLowerCase());
}

function isTelling(word: string): boolean {
  if (ordinaryWord.test(word)) return false;
  return tellingWords.has(word) || tellingPart.test(word) || tellingEnd.test(word);
}

/** `DB_PASS`, `db-pass` and `dbPass` are the same two words. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z]+/).filter((word) => word !== '');
}

/**
 * Whether a variable, an argument or a member of JSON credentials holds a secret as far as its name and
 * its value show it: many that sound secret are paths, addresses and settings.
 */
export function holdsSecret(name: string, value: string): boolean {
  if (!isSecretName(name)) return false;
  if (/^(?:old)?pwd$/i.test(name)) return false;
  if (isNumber.test(value)) return isPassword(name);
  if (isOrdinary(value)) return false;
  // The hexadecimal name of a key that everybody may know.
  if (/(?:gpg|pgp)/i.test(name) && /^(?:[0-9a-f]{8}){1,5}$/i.test(value)) return false;
  return !isPlainUrl(value) || /webhook|hook|dsn|conn|secret|passw/i.test(name);
}

/** Whether what has this name is a secret, whatever it is. */
export function isSecretName(name: string): boolean {
  return soundsSecret(name) && !describesSecret(name);
}

/** The last word says that it is something about a secret, and not the secret. */
const describingWords = new Set(
  `addr address alg algorithm askpass at audience bytes cmd command count date dir directory disabled
  domain enabled endpoint expiration expires expiry file filename fingerprint folder format helper home
  host hostname issuer kind layout length lifetime limit max method min mode name names path paths
  policy port prefix program provider realm region required scope scopes server size sock socket store
  suffix template timeout ttl type user username variant version`.split(/\s+/),
);

function describesSecret(name: string): boolean {
  return describingWords.has(wordsOf(name).at(-1) ?? '');
}

const isNumber = /^[+-]?[\d.,_]+$/;

/** Digits alone are a password at times, but more often a limit, a date or an id. */
function isPassword(name: string): boolean {
  return /(?:passw(?:or)?d|passphrase|passcode|pass|pwd|secret|token)$/i.test(name);
}

const ordinaryValues = new Set(
  'anonymous authorization development disabled kerberos localhost negotiate optional password postgres production publickey required undefined x-api-key'.split(
    ' ',
  ),
);
/** Where paths start on machines; a key in base64 can start with a slash too. */
const pathStart =
  /^(?:[A-Za-z]:[\\/]|~\/|\.{1,2}\/|\/(?:app|bin|builds|data|dev|etc|github|home|lib|mnt|nix|opt|private|proc|root|run|runner|srv|sys|tmp|Users|usr|var|Volumes|work|workspace|workspaces)(?:\/|$))/;
const fileName = /^[/.~][^\s+=]*\.[A-Za-z][A-Za-z0-9]{1,9}$/;

/** A word, path, date or mask that is no secret, whatever its name. */
export function isOrdinary(value: string): boolean {
  return (
    ordinaryValues.has(value.toLowerCase()) ||
    pathStart.test(value) ||
    fileName.test(value) ||
    /^\d{4}-\d\d-\d\d(?:[T ][\d:.Z+-]*)?$/.test(value) ||
    // A mask or a placeholder: `********`, `${TOKEN}`.
    /^(.)\1*$/.test(value) ||
    /^\$\{?\w+\}?$/.test(value)
  );
}

/** An address that nobody needs a credential to read; those in it are found apart. */
function isPlainUrl(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value);
}
