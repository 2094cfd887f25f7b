/**
 * Makes declarations that stand on their own of those that tsc wrote: only what the entries reach is
 * left, and types that were inferred from schemas (`z.infer<...>`, `EventFrom<...>`) are written out, by tsc
 * again. Users need no zod, and see plain types. Each entry exports every type that it reaches, so that
 * users can name whatever they are given.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');

/** Of a folder of declarations; entries are files in it. */
export async function writePlainDeclarations(folder, entries) {
  const files = await readDeclarations(folder);
  const kept = findReached(files, entries);
  const plain = await writeOutInferred(kept, folder);
  await rm(folder, { recursive: true });
  for (const [file, statements] of kept) {
    const own = printFile(statements, files.get(file).imports, plain);
    const text = entries.includes(file) ? own + exportReached(files, file) : own;
    const [, foreign] = / from '((?!\.|node:)[^']*)'/.exec(text) ?? [];
    if (foreign) throw new Error(`the declarations in ${file} must not need ${foreign}`);
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
}

/** By their paths in the folder. */
async function readDeclarations(folder) {
  const names = await readdir(folder, { recursive: true });
  const files = new Map();
  for (const name of names.filter((each) => each.endsWith('.d.ts'))) {
    files.set(name, parseFile(await readFile(path.join(folder, name), 'utf8'), name));
  }
  return files;
}

const comment = String.raw`\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n`;

/**
 * tsc begins each statement at the margin, with a letter, and its comment before it; what else stands
 * at the margin, closing brackets and comments inside of a union, belongs to the statement before.
 */
const statement = new RegExp(
  `^(?:${comment})*[a-z].*\\n(?:[^a-z/].*\\n|\\n|${comment}(?![a-z]))*`,
  'gm',
);

function splitStatements(text) {
  const statements = text.match(statement) ?? [];
  if (statements.join('') !== text) throw new Error('declarations in a form that is not known');
  return statements;
}

function parseFile(whole, file) {
  const imports = new Map();
  const statements = [];
  for (const text of splitStatements(whole)) {
    const [, verb, isType, star, names, from] =
      /^(import|export)( type)? (?:\* as (\w+)|\{([^}]*)\})(?: from '([^']*)')?;/.exec(text) ?? [];
    if (verb === undefined) {
      statements.push(readStatement(text));
      continue;
    }
    const home = from && path.join(path.dirname(file), from.replace(/\.js$/, '.d.ts'));
    if (star) imports.set(star, { home, original: '*', from });
    for (const [, isTypeName, original, local = original] of (names ?? '').matchAll(
      /(type )?(\w+)(?: as (\w+))?/g,
    )) {
      const origin = { home, original, from };
      if (verb === 'import') imports.set(local, origin);
      else statements.push(readExport(local, origin, isType || isTypeName));
    }
  }
  return { imports, statements };
}

/** One name of an export statement, as a statement of its own. */
function readExport(name, { home, original, from }, isType) {
  const names = name === original ? name : `${original} as ${name}`;
  const place = from ? ` from '${from}'` : '';
  return {
    text: `export ${isType ? 'type ' : ''}{ ${names} }${place};\n`,
    name,
    words: from ? [] : [original],
    origin: from && { home, original },
  };
}

function readStatement(text) {
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, '').trimStart();
  const [, name] = /^(?:export )?(?:declare )?(?:abstract )?\w+ (\w+)/.exec(code) ?? [];
  const isInferred = /\bz\.|\bEventFrom</.test(code);
  return { text, name, words: new Set(code.match(/[\w$]+/g)), isInferred };
}

/** The statements to keep in each file, in their order. */
function findReached(files, entries) {
  const kept = new Map();
  function reach(file, name) {
    // Not of ours, such as a module of Node.
    if (!files.has(file)) return;
    const { imports, statements } = files.get(file);
    for (const statement of statements.filter((each) => each.name === name)) keep(file, statement);
    const imported = imports.get(name);
    if (imported) reach(imported.home, imported.original);
  }
  function keep(file, statement) {
    const own = kept.get(file) ?? new Set();
    if (own.has(statement)) return;
    kept.set(file, own.add(statement));
    // What it is inferred from is not needed any more when it is written out.
    if (statement.isInferred) return;
    for (const word of statement.words) reach(file, word);
    if (statement.origin) reach(statement.origin.home, statement.origin.original);
  }
  for (const entry of entries) {
    for (const statement of files.get(entry).statements) keep(entry, statement);
  }
  return new Map(
    [...kept].map(([file, own]) => [
      file,
      files.get(file).statements.filter((each) => own.has(each)),
    ]),
  );
}

/** Exports of the types that an entry reaches, and does not export itself. Throws if two have the same name. */
function exportReached(files, entry) {
  const own = new Set(files.get(entry).statements.map(({ name }) => name));
  const homes = new Map();
  for (const [file, statements] of findReached(files, [entry])) {
    for (const { text, name, origin } of statements) {
      if (file === entry || origin || !isTypeStatement(text) || own.has(name)) continue;
      if (homes.has(name)) throw new Error(`two public types have the name ${name}`);
      homes.set(name, file);
    }
  }
  const lines = [...homes].map(([name, file]) => {
    const from = path.relative(path.dirname(entry), file).replace(/\.d\.ts$/, '.js');
    return `export type { ${name} } from './${from}';\n`;
  });
  return lines.sort().join('');
}

function isTypeStatement(text) {
  return /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|enum) /m.test(text);
}

/** A type whose members are all visible; tsc prints no other one where it has to infer it. */
const probeHelpers = `
type Plain<T> = T extends (...args: never[]) => unknown ? T
  : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
declare function plain<T>(): Plain<T>;
`;

/** What stands in the place of inferred statements. */
async function writeOutInferred(kept, folder) {
  const inferred = [...kept].flatMap(([file, statements]) =>
    statements.filter(({ isInferred }) => isInferred).map((statement) => ({ file, statement })),
  );
  for (const { file, statement } of inferred) {
    if (/^export type \w+ = /m.test(statement.text)) continue;
    throw new Error(`${statement.name} in ${file} is public, and cannot be declared without zod`);
  }
  const probe = path.join(folder, 'probe.ts');
  const lines = inferred.flatMap(({ file, statement }, index) => [
    `import type { ${statement.name} as Type${index} } from './${file.replace('.d.ts', '.js')}';`,
    `export const type${index} = plain<Type${index}>();`,
  ]);
  await writeFile(probe, `${lines.join('\n')}${probeHelpers}`);
  await emitDeclarations(['--ignoreConfig', probe, ...probeOptions]);
  const printed = await readFile(path.join(folder, 'probe.d.ts'), 'utf8');
  const plain = new Map();
  for (const line of splitStatements(printed)) {
    const [, index, type] = /^export declare const type(\d+): ([\s\S]*);\n/.exec(line) ?? [];
    if (index === undefined) continue;
    const { statement } = inferred[index];
    const about = new RegExp(`^(?:${comment})*`).exec(statement.text)[0];
    plain.set(statement, `${about}export type ${statement.name} = ${type};\n`);
  }
  return plain;
}

const probeOptions = [
  ...['--declaration', '--emitDeclarationOnly', '--strict', '--exactOptionalPropertyTypes'],
  ...['--module', 'nodenext', '--target', 'es2023', '--skipLibCheck', '--types', 'node'],
];

/** Throws what tsc says. */
export async function emitDeclarations(commandLine) {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, ...commandLine], { cwd: root });
  } catch (error) {
    throw new Error(`the type declarations could not be written: ${error.stdout ?? error.message}`);
  }
}

function printFile(statements, imports, plain) {
  const texts = statements.map((statement) => plain.get(statement) ?? statement.text);
  const words = new Set(
    statements.filter((each) => !plain.has(each)).flatMap(({ words }) => [...words]),
  );
  const lines = [...imports]
    .filter(([local]) => words.has(local))
    .map(([local, { original, from }]) => {
      if (original === '*') return `import type * as ${local} from '${from}';\n`;
      const name = original === local ? local : `${original} as ${local}`;
      return `import type { ${name} } from '${from}';\n`;
    });
  return [...lines, ...texts].join('');
}
