/**
 * Builds the page of the HTML report: one file with everything in it but the data, which
 * src/reporters/html/ writes where the marker is.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { asciiOnly } from './ascii-only.mjs';
import { thirdPartyLicenses } from './bundled-packages.mjs';

const root = path.resolve(import.meta.dirname, '..');
const sources = path.join(root, 'src/report-ui');

/** What runs in the browser; types of anything else leave no trace in the bundle. */
const mayContain = new RegExp(
  [
    '/src/(report-ui|report-data|base/statistics|analysis/(story|tools))/',
    String.raw`/src/(analysis/(pass-rates|figure-text|blocked-calls|summary/summary)|base/(text|json|errors)|journal/left-out)\.`,
    '/node_modules/preact/',
    '^\0rolldown/',
  ].join('|'),
);

/** Writes the page, and tells of which modules it is made. */
export async function buildReportPage(folder) {
  const [{ code, moduleIds }, styles] = await Promise.all([bundleScript(), bundleStyles()]);
  const surplus = moduleIds.filter((id) => !mayContain.test(id));
  if (surplus.length > 0) throw new Error(`the report must not contain ${surplus.join(', ')}`);
  // A report goes where the licences file of the package does not.
  const licenses = (await thirdPartyLicenses(moduleIds)).replace(/-{2,}/g, '');
  await writeFile(path.join(folder, 'report-page.html'), pageOf(code, styles, licenses));
  return moduleIds;
}

async function bundleScript() {
  const bundler = await rolldown({
    cwd: root,
    input: path.join(sources, 'main.tsx'),
    platform: 'browser',
    transform: {
      target: 'es2022',
      define: { 'process.env.NODE_ENV': '"production"' },
    },
    onLog(level, log) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
      if (level !== 'debug') console.error(`${level}: ${log.message}`);
    },
  });
  const { output } = await bundler.generate({
    format: 'iife',
    minify: true,
    comments: { annotation: false, jsdoc: false, legal: false },
    codeSplitting: false,
  });
  await bundler.close();
  const [chunk] = output;
  // In a string or a pattern, where alone it can stand, this is the same.
  const code = asciiOnly(chunk.code)
    .trim()
    .replace(/<\/(?=script)/gi, '<\\/');
  return { ...chunk, code };
}

/**
 * Shown while a large file is read; what the script puts there takes its place. It stays where a
 * browser is too old even to understand the script.
 */
const whileEmpty =
  "#proctor-report:empty::before{content:'Reading the report, which needs a browser of 2024 or newer …'}\n";

async function bundleStyles() {
  const folder = path.join(sources, 'styles');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.css')).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return whileEmpty
    .concat(...texts)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

/** The policy names the two by their hashes: nothing else can run, whatever the data says. */
function pageOf(script, styles, licenses) {
  refuseWhatHtmlChanges(script, /<!--|\r|\0/);
  refuseWhatHtmlChanges(styles, /<\/|\r|\0/);
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(styles)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="proctor">
<link rel="icon" href="data:,">
<title><!--proctor:title--></title>
<style>${styles}</style>
</head>
<body>
<noscript><p>This report needs JavaScript to be shown. It loads nothing from anywhere.</p></noscript>
<div id="proctor-report"></div>
<!--proctor:data-->
<script>${script}</script>
<!--
${licenses.trim()}
-->
</body>
</html>
`;
}

/** The hash would be of another text than the one that the browser sees. */
function refuseWhatHtmlChanges(text, pattern) {
  const found = pattern.exec(text);
  if (found) throw new Error(`the report cannot hold ${JSON.stringify(found[0])}`);
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
