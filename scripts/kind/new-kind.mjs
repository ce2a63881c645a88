import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE, ROLES, TABLES, TEST } from './tables.mjs';

/** What stops the generator before it has written anything: a name, or a table that is not as it expects. */
export class Refused extends Error {}

/** Every file that a new kind of step needs, by its path below `root`: new ones, and tables with its lines. Writes nothing. */
export function newKind(root, name) {
  checkName(root, name);
  const spelled = speller(name);
  const template = (file) => spelled(readFileSync(new URL(`files/${file}.txt`, import.meta.url), 'utf8'));
  const files = new Map();
  for (const role of ROLES) files.set(spelled(`kinds/__folder__/${role}.ts`), template(role));
  files.set(spelled(TEST), template('test'));
  files.set(spelled(PAGE), template('page'));
  const taken = [...files.keys()].find((file) => existsSync(join(root, file)));
  if (taken) throw new Refused(`${taken} exists`);
  for (const table of TABLES) files.set(table.file, withLines(readTable(root, table.file), table, spelled));
  return files;
}

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const LONGEST_NAME = 40;

function checkName(root, name) {
  if (!NAME.test(name) || name.length > LONGEST_NAME) {
    throw new Refused(
      `"${name}" is no name of a kind: write lower-case words with "_" between them, such as for_each, ${LONGEST_NAME} characters at most`,
    );
  }
  if (existsSync(join(root, 'kinds', name.replaceAll('_', '-')))) throw new Refused(`the kind "${name}" exists`);
  const language = [...sources(root, 'compiler/language'), ...sources(root, 'kinds').filter(([file]) => file.endsWith('/keys.ts'))];
  const word = new RegExp(`(key: |aliases: \\[.*|types: \\[.*|[kK]eys: \\[.*)'${name}'`);
  const key = language.find(([, text]) => word.test(text));
  if (key) throw new Refused(`"${name}" is a key or a word of the language: see ${key[0]}`);
  const asked = new RegExp(`kind [!=]==? '${name}'|case '${name}':`);
  for (const room of ['plan', 'compiler', 'workflows', 'activities', 'worker', 'client', 'cli']) {
    const other = sources(root, room).find(([, text]) => asked.test(text));
    if (other) throw new Refused(`"${name}" is a kind of something else: see ${other[0]}`);
  }
}

function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')]);
}

/** Puts the name in: `for_each`, `ForEach`, `forEach`, `FOR_EACH` and the folder `for-each`. */
function speller(name) {
  const camel = name.replace(/(^|_)(.)/g, (_, _between, first) => first.toUpperCase());
  const lower = camel[0].toLowerCase() + camel.slice(1);
  const spellings = { kind: name, Kind: camel, camel: lower, KIND: name.toUpperCase(), folder: name.replaceAll('_', '-') };
  return (text) => text.replace(/__(kind|Kind|camel|KIND|folder)__/g, (_, spelling) => spellings[spelling]);
}

function readTable(root, file) {
  if (!existsSync(join(root, file))) throw new Refused(`${file} is not there; scripts/kind/tables.mjs names it`);
  return readFileSync(join(root, file), 'utf8');
}

function withLines(text, { file, imports, rows }, spelled) {
  let made = text;
  if (imports) {
    const line = spelled(imports);
    for (const [identifier] of line.matchAll(/\b(?!import|type|from)\w+(?=[ ,])/g)) {
      if (new RegExp(`\\b${identifier}\\b`).test(text)) throw new Refused(`${file} has a "${identifier}" already: choose another name`);
    }
    made = made.replace(/^import /m, () => `${line}\nimport `);
    if (made === text) throw new Refused(`${file} imports nothing; scripts/kind/tables.mjs expects a table with imports`);
  }
  for (const row of rows) made = withRow(made, row, file, spelled);
  return made;
}

function withRow(text, { union, object, list, before, add }, file, spelled) {
  const row = spelled(add);
  if (before) return insertBefore(text, before, row, file);
  const head = union ?? object ?? list;
  const [above, behind] = halves(text, list ? head : `${head}\n`, file);
  // In front of others, which may be in one line with the end of the list.
  if (list) return `${above}${head}\n  ${row}\n${behind}`;
  const at = text.length - behind.length;
  const end = behind.search(union ? /;\n/ : /^\}/m);
  if (end < 0) throw new Refused(`${file}: "${head}" has no end; scripts/kind/tables.mjs must say where the line belongs`);
  return `${text.slice(0, at + end)}${union ? `\n  | ${row}` : `  ${row}\n`}${text.slice(at + end)}`;
}

function insertBefore(text, line, added, file) {
  const [above, behind] = halves(text, line, file);
  return `${above}${added}${line}${behind}`;
}

/** What precedes and what follows the text, which must occur once. */
function halves(text, mark, file) {
  const parts = text.split(mark);
  if (parts.length === 2) return parts;
  const found = parts.length === 1 ? 'has no' : `has ${parts.length - 1} times`;
  throw new Refused(`${file} ${found} ${JSON.stringify(mark)}; scripts/kind/tables.mjs must say where the line belongs`);
}
