/**
 * Made by `npm run generate` from scripts/token-rules/gitleaks-rules.yaml: the shapes of tokens in
 * gitleaks (https://github.com/gitleaks/gitleaks), which is published under this licence:
 *
 * MIT License
 *
 * Copyright (c) 2019 Zachary Rice
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

/** A shape of tokens. Its first group is the token. */
interface TokenRule {
  name: string;
  /** RE2 */
  pattern: string;
  /** In bits for each character: what has less is no token. */
  entropy?: number;
  /** One of these texts is in every token. */
  keywords: readonly string[];
  /** Whether keywords are also found in other case. */
  ignoresCase?: true;
}

export const tokenRules: readonly TokenRule[] = [
  {
    name: '1password-secret-key',
    pattern: String.raw`(?:\b|\\[nrt])(A3-[A-Z0-9]{6}-(?:(?:[A-Z0-9]{11})|(?:[A-Z0-9]{6}-[A-Z0-9]{5}))-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\b)`,
    entropy: 3.8,
    keywords: ['A3-'],
  },
  {
    name: '1password-service-account-token',
    pattern: '(ops_eyJ[a-zA-Z0-9+/]{250,}={0,3})',
    entropy: 4,
    keywords: ['ops_'],
  },
  {
    name: 'adobe-client-secret',
    pattern: String.raw`(?:\b|\\[nrt])(p8e-(?i)[a-z0-9]{32})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['p8e-'],
  },
  {
    name: 'age-secret-key',
    pattern: '(AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58})',
    keywords: ['AGE-SECRET-KEY-1'],
  },
  {
    name: 'alibaba-access-key-id',
    pattern: String.raw`(?:\b|\\[nrt])(LTAI(?i)[a-z0-9]{20})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['LTAI'],
  },
  {
    name: 'anthropic-admin-api-key',
    pattern: String.raw`(?:\b|\\[nrt])(sk-ant-admin01-[a-zA-Z0-9_\-]{93}AA)(?:[^A-Za-z0-9_]|$)`,
    keywords: ['sk-ant-admin01'],
  },
  {
    name: 'anthropic-api-key',
    pattern: String.raw`(?:\b|\\[nrt])(sk-ant-api03-[a-zA-Z0-9_\-]{93}AA)(?:[^A-Za-z0-9_]|$)`,
    keywords: ['sk-ant-api03'],
  },
  {
    name: 'artifactory-api-key',
    pattern: String.raw`(?:\b|\\[nrt])(AKCp[A-Za-z0-9]{69}\b)`,
    entropy: 4.5,
    keywords: ['AKCp'],
  },
  {
    name: 'artifactory-reference-token',
    pattern: String.raw`(?:\b|\\[nrt])(cmVmd[A-Za-z0-9]{59}\b)`,
    entropy: 4.5,
    keywords: ['cmVmd'],
  },
  {
    name: 'authress-service-client-access-key',
    pattern: String.raw`(?:\b|\\[nrt])((?:sc|ext|scauth|authress)_(?i)[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.(?-i:acc)[_-][a-z0-9-]{10,32}\.[a-z0-9+/_=-]{30,120})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['.acc_', '.acc-'],
    ignoresCase: true,
  },
  {
    name: 'aws-access-token',
    pattern: String.raw`(?:\b|\\[nrt])((?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b`,
    entropy: 3,
    keywords: ['A3T', 'AKIA', 'ASIA', 'ABIA', 'ACCA'],
  },
  {
    name: 'azure-ad-client-secret',
    pattern: String.raw`(?:^|[\\'"\x60\s>=:(,)])([a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34})(?:$|[\\'"\x60\s<),])`,
    entropy: 3,
    keywords: ['0q~', '1q~', '2q~', '3q~', '4q~', '5q~', '6q~', '7q~', '8q~', '9q~'],
    ignoresCase: true,
  },
  {
    name: 'clickhouse-cloud-api-secret-key',
    pattern: String.raw`(?:\b|\\[nrt])(4b1d[A-Za-z0-9]{38})\b`,
    entropy: 3,
    keywords: ['4b1d'],
  },
  {
    name: 'clojars-api-token',
    pattern: '(?i)(CLOJARS_[a-z0-9]{60})',
    entropy: 2,
    keywords: ['clojars_'],
    ignoresCase: true,
  },
  {
    name: 'cloudflare-origin-ca-key',
    pattern: String.raw`(?:\b|\\[nrt])(v1\.0-[a-f0-9]{24}-[a-f0-9]{146})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['v1.0-'],
  },
  {
    name: 'databricks-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(dapi[a-f0-9]{32}(?:-\d)?)(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['dapi'],
  },
  {
    name: 'defined-networking-api-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(dnkey-[a-z0-9=_\-]{26}-[a-z0-9=_\-]{52})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['dnkey'],
    ignoresCase: true,
  },
  {
    name: 'digitalocean-access-token',
    pattern: String.raw`(?:\b|\\[nrt])(doo_v1_[a-f0-9]{64})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['doo_v1_'],
  },
  {
    name: 'digitalocean-pat',
    pattern: String.raw`(?:\b|\\[nrt])(dop_v1_[a-f0-9]{64})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['dop_v1_'],
  },
  {
    name: 'digitalocean-refresh-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(dor_v1_[a-f0-9]{64})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['dor_v1_'],
    ignoresCase: true,
  },
  {
    name: 'doppler-api-token',
    pattern: String.raw`(dp\.pt\.(?i)[a-z0-9]{43})`,
    entropy: 2,
    keywords: ['dp.pt.'],
  },
  {
    name: 'dropbox-short-lived-api-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(sl\.[a-z0-9\-=_]{135})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['sl.'],
    ignoresCase: true,
  },
  {
    name: 'duffel-api-token',
    pattern: String.raw`(duffel_(?:test|live)_(?i)[a-z0-9_\-=]{43})`,
    entropy: 2,
    keywords: ['duffel_'],
  },
  {
    name: 'dynatrace-api-token',
    pattern: String.raw`(dt0c01\.(?i)[a-z0-9]{24}\.[a-z0-9]{64})`,
    entropy: 4,
    keywords: ['dt0c01.'],
  },
  {
    name: 'easypost-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(EZAK(?i)[a-z0-9]{54}\b)`,
    entropy: 2,
    keywords: ['EZAK'],
  },
  {
    name: 'easypost-test-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(EZTK(?i)[a-z0-9]{54}\b)`,
    entropy: 2,
    keywords: ['EZTK'],
  },
  {
    name: 'facebook-page-access-token',
    pattern: String.raw`(?:\b|\\[nrt])(EAA[MC](?i)[a-z0-9]{100,})(?:[^A-Za-z0-9_]|$)`,
    entropy: 4,
    keywords: ['eaam', 'eaac'],
    ignoresCase: true,
  },
  {
    name: 'flutterwave-encryption-key',
    pattern: '(FLWSECK_TEST-(?i)[a-h0-9]{12})',
    entropy: 2,
    keywords: ['FLWSECK_TEST'],
  },
  {
    name: 'flutterwave-secret-key',
    pattern: '(FLWSECK_TEST-(?i)[a-h0-9]{32}-X)',
    entropy: 2,
    keywords: ['FLWSECK_TEST'],
  },
  {
    name: 'flyio-access-token',
    pattern: String.raw`(?:\b|\\[nrt])((?:fo1_[\w-]{43}|fm1[ar]_[a-zA-Z0-9+\/]{100,}={0,3}|fm2_[a-zA-Z0-9+\/]{100,}={0,3}))(?:[^A-Za-z0-9_]|$)`,
    entropy: 4,
    keywords: ['fo1_', 'fm1', 'fm2_'],
  },
  {
    name: 'frameio-api-token',
    pattern: String.raw`(fio-u-(?i)[a-z0-9\-_=]{64})`,
    keywords: ['fio-u-'],
  },
  {
    name: 'gcp-api-key',
    pattern: String.raw`(?:\b|\\[nrt])(AIza[\w-]{35})(?:[^A-Za-z0-9_]|$)`,
    entropy: 4,
    keywords: ['AIza'],
  },
  {
    name: 'github-app-token',
    pattern: '((?:ghu|ghs)_[0-9a-zA-Z]{36})',
    entropy: 3,
    keywords: ['ghu_', 'ghs_'],
    ignoresCase: true,
  },
  {
    name: 'github-fine-grained-pat',
    pattern: String.raw`(github_pat_\w{82})`,
    entropy: 3,
    keywords: ['github_pat_'],
  },
  {
    name: 'github-oauth',
    pattern: '(gho_[0-9a-zA-Z]{36})',
    entropy: 3,
    keywords: ['gho_'],
  },
  {
    name: 'github-pat',
    pattern: '(ghp_[0-9a-zA-Z]{36})',
    entropy: 3,
    keywords: ['ghp_'],
  },
  {
    name: 'github-refresh-token',
    pattern: '(ghr_[0-9a-zA-Z]{36})',
    entropy: 3,
    keywords: ['ghr_'],
  },
  {
    name: 'gitlab-cicd-job-token',
    pattern: '(glcbt-[0-9a-zA-Z]{1,5}_[0-9a-zA-Z_-]{20})',
    entropy: 3,
    keywords: ['glcbt-'],
  },
  {
    name: 'gitlab-deploy-token',
    pattern: String.raw`(gldt-[0-9a-zA-Z_\-]{20})`,
    entropy: 3,
    keywords: ['gldt-'],
  },
  {
    name: 'gitlab-feature-flag-client-token',
    pattern: String.raw`(glffct-[0-9a-zA-Z_\-]{20})`,
    entropy: 3,
    keywords: ['glffct-'],
  },
  {
    name: 'gitlab-feed-token',
    pattern: String.raw`(glft-[0-9a-zA-Z_\-]{20})`,
    entropy: 3,
    keywords: ['glft-'],
  },
  {
    name: 'gitlab-incoming-mail-token',
    pattern: String.raw`(glimt-[0-9a-zA-Z_\-]{25})`,
    entropy: 3,
    keywords: ['glimt-'],
  },
  {
    name: 'gitlab-kubernetes-agent-token',
    pattern: String.raw`(glagent-[0-9a-zA-Z_\-]{50})`,
    entropy: 3,
    keywords: ['glagent-'],
  },
  {
    name: 'gitlab-oauth-app-secret',
    pattern: String.raw`(gloas-[0-9a-zA-Z_\-]{64})`,
    entropy: 3,
    keywords: ['gloas-'],
  },
  {
    name: 'gitlab-pat',
    pattern: String.raw`(glpat-[\w-]{20})`,
    entropy: 3,
    keywords: ['glpat-'],
  },
  {
    name: 'gitlab-pat-routable',
    pattern: String.raw`(?:\b|\\[nrt])(glpat-[0-9a-zA-Z_-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b)`,
    entropy: 4,
    keywords: ['glpat-'],
  },
  {
    name: 'gitlab-ptt',
    pattern: '(glptt-[0-9a-f]{40})',
    entropy: 3,
    keywords: ['glptt-'],
  },
  {
    name: 'gitlab-rrt',
    pattern: String.raw`(GR1348941[\w-]{20})`,
    entropy: 3,
    keywords: ['GR1348941'],
  },
  {
    name: 'gitlab-runner-authentication-token',
    pattern: String.raw`(glrt-[0-9a-zA-Z_\-]{20})`,
    entropy: 3,
    keywords: ['glrt-'],
  },
  {
    name: 'gitlab-runner-authentication-token-routable',
    pattern: String.raw`(?:\b|\\[nrt])(glrt-t\d_[0-9a-zA-Z_\-]{27,300}\.[0-9a-z]{2}[0-9a-z]{7}\b)`,
    entropy: 4,
    keywords: ['glrt-'],
  },
  {
    name: 'gitlab-scim-token',
    pattern: String.raw`(glsoat-[0-9a-zA-Z_\-]{20})`,
    entropy: 3,
    keywords: ['glsoat-'],
  },
  {
    name: 'gitlab-session-cookie',
    pattern: '(_gitlab_session=[0-9a-z]{32})',
    entropy: 3,
    keywords: ['_gitlab_session='],
  },
  {
    name: 'grafana-api-key',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(eyJrIjoi[A-Za-z0-9]{70,400}={0,3})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['eyjrijoi'],
    ignoresCase: true,
  },
  {
    name: 'grafana-cloud-api-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(glc_[A-Za-z0-9+/]{32,400}={0,3})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['glc_'],
    ignoresCase: true,
  },
  {
    name: 'grafana-service-account-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['glsa_'],
    ignoresCase: true,
  },
  {
    name: 'harness-api-key',
    pattern: String.raw`((?:pat|sat)\.[a-zA-Z0-9_-]{22}\.[a-zA-Z0-9]{24}\.[a-zA-Z0-9]{20})`,
    keywords: ['pat.', 'sat.'],
    ignoresCase: true,
  },
  {
    name: 'hashicorp-tf-api-token',
    pattern: String.raw`(?i)([a-z0-9]{14}\.(?-i:atlasv1)\.[a-z0-9\-_=]{60,70})`,
    entropy: 3.5,
    keywords: ['atlasv1'],
    ignoresCase: true,
  },
  {
    name: 'heroku-api-key-v2',
    pattern: String.raw`(?:\b|\\[nrt])((HRKU-AA[0-9a-zA-Z_-]{58}))(?:[^A-Za-z0-9_]|$)`,
    entropy: 4,
    keywords: ['HRKU-AA'],
  },
  {
    name: 'huggingface-access-token',
    pattern: String.raw`(?:\b|\\[nrt])(hf_(?i:[a-z]{34}))(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['hf_'],
  },
  {
    name: 'huggingface-organization-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(api_org_(?i:[a-z]{34}))(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['api_org_'],
  },
  {
    name: 'infracost-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(ico-[a-zA-Z0-9]{32})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['ico-'],
  },
  {
    name: 'intra42-client-secret',
    pattern: String.raw`(?:\b|\\[nrt])(s-s4t2(?:ud|af)-(?i)[abcdef0123456789]{64})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['s-s4t2ud-', 's-s4t2af-'],
    ignoresCase: true,
  },
  {
    name: 'linear-api-key',
    pattern: '(lin_api_(?i)[a-z0-9]{40})',
    entropy: 2,
    keywords: ['lin_api_'],
  },
  {
    name: 'mailgun-private-api-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(key-[a-f0-9]{32})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['key-'],
    ignoresCase: true,
  },
  {
    name: 'maxmind-license-key',
    pattern: String.raw`(?:\b|\\[nrt])([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)(?:[^A-Za-z0-9_]|$)`,
    entropy: 4,
    keywords: ['_mmk'],
  },
  {
    name: 'microsoft-teams-webhook',
    pattern: String.raw`(https://[a-z0-9]+\.webhook\.office\.com/webhookb2/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}@[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12}/IncomingWebhook/[a-z0-9]{32}/[a-z0-9]{8}-([a-z0-9]{4}-){3}[a-z0-9]{12})`,
    keywords: ['webhook.office.com'],
  },
  {
    name: 'new-relic-browser-api-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(NRJS-[a-f0-9]{19})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['nrjs-'],
    ignoresCase: true,
  },
  {
    name: 'new-relic-insert-key',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(NRII-[a-z0-9-]{32})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['nrii-'],
    ignoresCase: true,
  },
  {
    name: 'new-relic-user-api-key',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(NRAK-[a-z0-9]{27})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['nrak-'],
    ignoresCase: true,
  },
  {
    name: 'notion-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(ntn_[0-9]{11}[A-Za-z0-9]{32}[A-Za-z0-9]{3})(?:[^A-Za-z0-9_]|$)`,
    entropy: 4,
    keywords: ['ntn_'],
  },
  {
    name: 'npm-access-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(npm_[a-z0-9]{36})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['npm_'],
    ignoresCase: true,
  },
  {
    name: 'octopus-deploy-api-key',
    pattern: String.raw`(?:\b|\\[nrt])(API-[A-Z0-9]{26})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['API-'],
  },
  {
    name: 'openai-api-key',
    pattern: String.raw`(?:\b|\\[nrt])(sk-(?:proj|svcacct|admin)-(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})\b|sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['T3BlbkFJ'],
  },
  {
    name: 'openshift-user-token',
    pattern: String.raw`(?:\b|\\[nrt])(sha256~[\w-]{43})(?:[^\w-]|\z)`,
    entropy: 3.5,
    keywords: ['sha256~'],
  },
  {
    name: 'perplexity-api-key',
    pattern: String.raw`(?:\b|\\[nrt])(pplx-[a-zA-Z0-9]{48})(?:[\x60'"\s;]|\\[nr]|$|\b)`,
    entropy: 4,
    keywords: ['pplx-'],
  },
  {
    name: 'plaid-api-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['access-'],
    ignoresCase: true,
  },
  {
    name: 'planetscale-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(pscale_tkn_(?i)[\w=\.-]{32,64})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['pscale_tkn_'],
  },
  {
    name: 'planetscale-oauth-token',
    pattern: String.raw`(?:\b|\\[nrt])(pscale_oauth_[\w=\.-]{32,64})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['pscale_oauth_'],
  },
  {
    name: 'planetscale-password',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(pscale_pw_(?i)[\w=\.-]{32,64})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['pscale_pw_'],
    ignoresCase: true,
  },
  {
    name: 'postman-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(PMAK-(?i)[a-f0-9]{24}\-[a-f0-9]{34})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['PMAK-'],
  },
  {
    name: 'prefect-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(pnu_[a-zA-Z0-9]{36})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['pnu_'],
  },
  {
    name: 'pulumi-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(pul-[a-f0-9]{40})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['pul-'],
  },
  {
    name: 'pypi-upload-token',
    pattern: String.raw`(pypi-AgEIcHlwaS5vcmc[\w-]{50,1000})`,
    entropy: 3,
    keywords: ['pypi-AgEIcHlwaS5vcmc'],
  },
  {
    name: 'readme-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(rdme_[a-z0-9]{70})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['rdme_'],
  },
  {
    name: 'rubygems-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(rubygems_[a-f0-9]{48})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['rubygems_'],
  },
  {
    name: 'scalingo-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(tk-us-[\w-]{48})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['tk-us-'],
  },
  {
    name: 'sendgrid-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(SG\.(?i)[a-z0-9=_\-\.]{66})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['SG.'],
  },
  {
    name: 'sendinblue-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(xkeysib-[a-f0-9]{64}\-(?i)[a-z0-9]{16})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['xkeysib-'],
  },
  {
    name: 'sentry-org-token',
    pattern: String.raw`(?:\b|\\[nrt])(sntrys_eyJpYXQiO[a-zA-Z0-9+/]{10,200}(?:LCJyZWdpb25fdXJs|InJlZ2lvbl91cmwi|cmVnaW9uX3VybCI6)[a-zA-Z0-9+/]{10,200}={0,2}_[a-zA-Z0-9+/]{43}(?:[^a-zA-Z0-9+/]|\z))`,
    entropy: 4.5,
    keywords: ['sntrys_eyJpYXQiO'],
  },
  {
    name: 'sentry-user-token',
    pattern: String.raw`(?:\b|\\[nrt])(sntryu_[a-f0-9]{64})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3.5,
    keywords: ['sntryu_'],
  },
  {
    name: 'settlemint-application-access-token',
    pattern: String.raw`(?:\b|\\[nrt])(sm_aat_[a-zA-Z0-9]{16})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['sm_aat'],
  },
  {
    name: 'settlemint-personal-access-token',
    pattern: String.raw`(?:\b|\\[nrt])(sm_pat_[a-zA-Z0-9]{16})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['sm_pat'],
  },
  {
    name: 'settlemint-service-access-token',
    pattern: String.raw`(?:\b|\\[nrt])(sm_sat_[a-zA-Z0-9]{16})(?:[^A-Za-z0-9_]|$)`,
    entropy: 3,
    keywords: ['sm_sat'],
  },
  {
    name: 'shippo-api-token',
    pattern: String.raw`(?:\b|\\[nrt])(shippo_(?:live|test)_[a-fA-F0-9]{40})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['shippo_'],
  },
  {
    name: 'shopify-access-token',
    pattern: '(shpat_[a-fA-F0-9]{32})',
    entropy: 2,
    keywords: ['shpat_'],
  },
  {
    name: 'shopify-custom-access-token',
    pattern: '(shpca_[a-fA-F0-9]{32})',
    entropy: 2,
    keywords: ['shpca_'],
  },
  {
    name: 'shopify-private-app-access-token',
    pattern: '(shppa_[a-fA-F0-9]{32})',
    entropy: 2,
    keywords: ['shppa_'],
  },
  {
    name: 'shopify-shared-secret',
    pattern: '(shpss_[a-fA-F0-9]{32})',
    entropy: 2,
    keywords: ['shpss_'],
  },
  {
    name: 'slack-app-token',
    pattern: String.raw`(?i)(xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+)`,
    entropy: 2,
    keywords: ['xapp'],
    ignoresCase: true,
  },
  {
    name: 'slack-bot-token',
    pattern: '(xoxb-[0-9]{10,13}-[0-9]{10,13}[a-zA-Z0-9-]*)',
    entropy: 3,
    keywords: ['xoxb'],
  },
  {
    name: 'slack-config-access-token',
    pattern: String.raw`(?i)(xoxe.xox[bp]-\d-[A-Z0-9]{163,166})`,
    entropy: 2,
    keywords: ['xoxe.xoxb-', 'xoxe.xoxp-'],
    ignoresCase: true,
  },
  {
    name: 'slack-config-refresh-token',
    pattern: String.raw`(?i)(xoxe-\d-[A-Z0-9]{146})`,
    entropy: 2,
    keywords: ['xoxe-'],
    ignoresCase: true,
  },
  {
    name: 'slack-legacy-bot-token',
    pattern: '(xoxb-[0-9]{8,14}-[a-zA-Z0-9]{18,26})',
    entropy: 2,
    keywords: ['xoxb'],
  },
  {
    name: 'slack-legacy-token',
    pattern: String.raw`(xox[os]-\d+-\d+-\d+-[a-fA-F\d]+)`,
    entropy: 2,
    keywords: ['xoxo', 'xoxs'],
    ignoresCase: true,
  },
  {
    name: 'slack-legacy-workspace-token',
    pattern: String.raw`(xox[ar]-(?:\d-)?[0-9a-zA-Z]{8,48})`,
    entropy: 2,
    keywords: ['xoxa', 'xoxr'],
    ignoresCase: true,
  },
  {
    name: 'slack-user-token',
    pattern: '(xox[pe](?:-[0-9]{10,13}){3}-[a-zA-Z0-9-]{28,34})',
    entropy: 2,
    keywords: ['xoxp-', 'xoxe-'],
    ignoresCase: true,
  },
  {
    name: 'slack-webhook-url',
    pattern: '((?:https?://)?hooks.slack.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,56})',
    keywords: ['hooks.slack.com'],
  },
  {
    name: 'square-access-token',
    pattern: String.raw`(?:\b|\\[nrt])((?:EAAA|sq0atp-)[\w-]{22,60})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['sq0atp-', 'EAAA'],
  },
  {
    name: 'stripe-access-token',
    pattern: String.raw`(?:\b|\\[nrt])((?:sk|rk)_(?:test|live|prod)_[a-zA-Z0-9]{10,99})(?:[^A-Za-z0-9_]|$)`,
    entropy: 2,
    keywords: ['sk_test', 'sk_live', 'sk_prod', 'rk_test', 'rk_live', 'rk_prod'],
    ignoresCase: true,
  },
  {
    name: 'typeform-api-token',
    pattern: String.raw`(?i)(?:\b|\\[nrt])(tfp_[a-z0-9\-_\.=]{59})(?:[^A-Za-z0-9_]|$)`,
    keywords: ['tfp_'],
    ignoresCase: true,
  },
  {
    name: 'vault-batch-token',
    pattern: String.raw`(?:\b|\\[nrt])(hvb\.[\w-]{138,300})(?:[^A-Za-z0-9_]|$)`,
    entropy: 4,
    keywords: ['hvb.'],
  },
  {
    name: 'vault-service-token',
    pattern: String.raw`(?:\b|\\[nrt])((?:hvs\.[\w-]{90,120}|s\.(?i:[a-z0-9]{24})))(?:[^A-Za-z0-9_]|$)`,
    entropy: 3.5,
    keywords: ['hvs.'],
  },
];
