// Imports go one way, from the top of this table down (docs/architecture.md says why).

/** What has nothing to do with MCP, then files, journal and protocol. */
const foundation = ['base', 'config', 'journal', 'mcp', 'tokens', 'limits'];
const parts = ['plan', 'agents', 'proxy', 'steps', 'assertions', 'prices'];
/** Made of several parts: what steps ask for, and cannot do themselves. */
const services = ['judge', 'extensions', 'sources'];
const wholes = ['run', 'results'];
/** Made of results: what people and other programs get to see. */
const views = ['analysis', 'report-data', 'reporters'];

/** Each room of src/, and the other rooms that it may import from. */
const allowedImports = {
  // What other programs call: a thin layer over the engine, the results and what they say.
  library: [...views, ...wholes, ...services, ...parts, ...foundation],

  cli: [...views, 'queue', ...wholes, ...services, ...parts, ...foundation],

  reporters: ['report-data', 'analysis', 'results', ...foundation],
  // Runs in a browser. Of results it has types only, and of analysis what needs no Node: the build checks that.
  'report-ui': ['report-data', 'analysis', 'results', 'journal', 'base'],
  'report-data': ['analysis', 'results', ...foundation],
  analysis: ['results', ...foundation],

  // A check whose task runs are done by other machines.
  queue: ['run', ...views, ...wholes, ...services, ...parts, ...foundation],

  // The engine: it writes results and runs reporters besides.
  run: ['reporters', 'analysis', 'results', ...services, ...parts, ...foundation],
  results: [...parts, ...foundation],

  judge: [...parts, ...foundation],
  extensions: [...parts, ...foundation],
  // It shares the cache and the lock file.
  sources: ['extensions', ...parts, ...foundation],

  plan: foundation,
  agents: foundation,
  proxy: foundation,
  steps: foundation,
  assertions: foundation,
  prices: foundation,

  config: ['base'],
  journal: ['base', 'config'],
  mcp: ['base'],
  tokens: ['base'],
  limits: ['base'],
  base: [],

  // Runs inside the programs of others: it has to stay small.
  'extension-kit': ['base', 'config', 'mcp'],

  // Types only, which the build checks: the launcher loads src/cli/main.ts when it needs it.
  launcher: ['cli', 'base'],
};

const rooms = Object.keys(allowedImports);
const testFile = '\\.test\\.ts$';
/** What tests share; it may import from every room. */
const testing = '^testing/';
const packagesForTests = '^node_modules/(vitest|@vitest|fast-check)/';
const nameWithoutIdea = '(^|/)(utils?|helpers?|common|misc)(/|\\.[^/]+$)';

const anyOf = (names) => `(${names.join('|')})`;

const roomRules = Object.entries(allowedImports).map(([room, allowed]) => ({
  name: `${room}-imports-only-what-it-may`,
  severity: 'error',
  comment: `src/${room} may import from: ${allowed.join(', ') || 'no other room'}`,
  from: { path: `^src/${room}/` },
  to: { path: '^src/[^/]+/', pathNot: `^src/${anyOf([room, ...allowed])}/` },
}));

const otherRules = [
  {
    name: 'every-room-is-in-the-table',
    comment: 'a new room of src/ has to say what it may import: add it to allowedImports',
    from: { path: '^src/[^/]+/', pathNot: `^src/${anyOf(rooms)}/` },
    to: {},
  },
  {
    name: 'library-does-not-import-the-command-line',
    comment: 'src/index.ts may import from any room but cli and launcher',
    from: { path: '^src/index\\.ts$' },
    to: { path: '^src/(cli|launcher)/' },
  },
  {
    name: 'extension-entry-imports-the-kit-alone',
    comment: 'src/extension.ts is loaded by the extensions of others',
    from: { path: '^src/extension\\.ts$' },
    to: { pathNot: '^src/extension-kit/' },
  },
  {
    name: 'rooms-do-not-import-the-library-entry',
    comment: 'src/index.ts and src/extension.ts are for users of the package',
    from: { path: '^src/[^/]+/' },
    to: { path: '^src/(index|extension)\\.ts$' },
  },
  {
    name: 'no-circles',
    from: {},
    to: { circular: true },
  },
  {
    name: 'product-does-not-import-tests',
    comment: 'only a test may import from testing/, bench/, scripts/, a test or a testing package',
    from: { path: '^src/', pathNot: testFile },
    to: { path: [testing, '^(bench|scripts)/', testFile, packagesForTests] },
  },
  {
    name: 'source-does-not-import-end-to-end-tests',
    comment: 'what unit and end-to-end tests share is in testing/',
    from: { path: '^src/' },
    to: { path: '^test/' },
  },
  {
    name: 'only-declared-packages',
    comment: 'every package that is imported stands in package.json',
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolvable-imports',
    from: {},
    to: { couldNotResolve: true },
  },
  ...[
    { from: { path: nameWithoutIdea }, to: {} },
    { from: {}, to: { path: nameWithoutIdea, pathNot: '^node_modules/' } },
    { from: { path: nameWithoutIdea, orphan: true }, to: {} },
  ].map((where) => ({
    name: 'files-are-named-after-an-idea',
    comment: 'no utils, helpers, common or misc: a shared idea gets a file with its name',
    ...where,
  })),
].map((rule) => ({ severity: 'error', ...rule }));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [...roomRules, ...otherRules],
  options: {
    // dependency-cruiser cannot use TypeScript 7, which has no JavaScript API.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // Nor can swc, as it is called there, read JSX: scripts/build-report-page.mjs looks at those files.
    exclude: { path: ['^dist/', '^test/fixtures/', '\\.tsx$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
