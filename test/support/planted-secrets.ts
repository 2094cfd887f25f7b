/** Letters and digits that look random and are the same every time. */
function randomText(seed: number, length: number, alphabet: string): string {
  let state = seed * 2_654_435_761;
  let text = '';
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9 + at) >>> 0;
    text += alphabet[(state >>> 8) % alphabet.length];
  }
  return text;
}

const [upper, lower, digits] = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'abcdefghijklmnopqrstuvwxyz',
  '0123456789',
];
const [alphanumeric, hex] = [upper + lower + digits, '0123456789abcdef'];

let seed = 7;
const text = (length: number, alphabet = alphanumeric) => randomText(seed++, length, alphabet);

/** Secrets that only the name of their variable gives away. */
export const namedSecrets: Readonly<Record<string, string>> = {
  AWS_SECRET_ACCESS_KEY: `${text(20)}/${text(18)}+`,
  PGPASSWORD: text(12),
  MYSQL_PWD: `${text(6)}!"\\${text(6)}`,
  AZURE_CLIENT_SECRET: `${text(3)}~${text(20)}`,
  GPG_PASSPHRASE: `${text(6)} ${text(6)} ${text(6)}`,
  SMTP_PASS: text(10),
  GH_PAT: text(24),
  NPM_AUTH: `${text(22)}==`,
  ACME_PRIVATE_KEY: text(48),
  SOME_TOKEN: text(16),
  SOME_SECRET: text(16),
  OTHER_CREDENTIAL: text(20),
  CLOUD_CREDENTIALS: text(20),
  SESSION_KEYS: text(20),
  TEAM_WEBHOOK: `https://hooks.example.test/${text(24)}`,
  SENTRY_DSN: `https://${text(32, hex)}@sentry.example.test/42`,
  STORAGE_CONNECTION_STRING: `AccountName=a;AccountKey=${text(40)}==`,
  API_AUTH: `Bearer ${text(30)}`,
  DBPASSWD: text(14),
  serviceApiKey: text(20),
};

/** Secrets that are a part of a variable with an ordinary name. */
const [urlPassword, member, pemLines] = [text(14), text(24), [text(64), text(64), text(40)]];
export const inVariables: Readonly<Record<string, string>> = {
  DATABASE_URL: `postgres://me:${urlPassword}@db.example.test/shop`,
  SERVICE_ACCOUNT: JSON.stringify({
    type: 'service_account',
    client_secret: member,
    private_key: `-----BEGIN PRIVATE KEY-----\n${pemLines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  }),
};
export const partsOfVariables: readonly string[] = [urlPassword, member, ...pemLines];

/** Secrets in no variable: only their shape gives them away. */
export const shapedSecrets: Readonly<Record<string, string>> = {
  github: `ghp_${text(36)}`,
  'github fine-grained': `github_pat_${text(82)}`,
  gitlab: `glpat-${text(20)}`,
  aws: `AKIA${text(16, `${upper}234567`)}`,
  slack: `xoxb-${text(12, digits)}-${text(12, digits)}-${text(24)}`,
  stripe: `sk_live_${text(24)}`,
  anthropic: `sk-ant-api03-${text(93)}AA`,
  openai: `sk-proj-${text(48)}`,
  google: `AIza${text(35)}`,
  npm: `npm_${text(36)}`,
  sendgrid: `SG.${text(22)}.${text(43)}`,
  digitalocean: `dop_v1_${text(64, hex)}`,
  databricks: `dapi${text(32, hex)}`,
  huggingface: `hf_${text(34, lower + upper)}`,
  shopify: `shpat_${text(32, hex)}`,
  linear: `lin_api_${text(40)}`,
  grafana: `glsa_${text(32)}_${text(8, hex)}`,
  vault: `hvs.${text(95)}`,
  pypi: `pypi-AgEIcHlwaS5vcmc${text(60)}`,
  twilio: `SK${text(32, hex)}`,
  'json web token': `eyJ${text(20)}.eyJ${text(40)}.${text(43)}`,
  'slack webhook': `https://hooks.slack.com/services/T${text(8)}/B${text(8)}/${text(24)}`,
  'private key': `-----BEGIN RSA PRIVATE KEY-----\n${text(64)}\n${text(64)}\n-----END RSA PRIVATE KEY-----`,
};
