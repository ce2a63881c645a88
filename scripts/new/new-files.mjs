import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANNEL } from './channel.mjs';
import { COMMAND } from './command.mjs';
import { KIND } from './kind.mjs';
import { TOOL } from './tool.mjs';

/** What stops the generator before it has written anything: a name, or a table that is not as it expects. */
export class Refused extends Error {}

const SCAFFOLDS = { kind: KIND, command: COMMAND, tool: TOOL, channel: CHANNEL };

export const THINGS = Object.keys(SCAFFOLDS);

/** The heading of the guide that says how to continue, and the test that writes what pages show of the table. */
export function continuation(thing) {
  const { guide, generates } = SCAFFOLDS[thing];
  return { guide, generates };
}

/**
 * Every file that a new kind, command, tool or channel needs, by its path below `root`: new ones, and tables with its lines. Writes
 * nothing.
 */
export function newFiles(root, thing, name) {
  const scaffold = SCAFFOLDS[thing];
  const spelled = speller(checked(thing, name));
  const files = new Map();
  for (const [file, template] of Object.entries(scaffold.files)) {
    files.set(spelled(file), spelled(readFileSync(new URL(`${thing}/${template}.txt`, import.meta.url), 'utf8')));
  }
  const taken = [...files.keys()].find((file) => existsSync(join(root, file)));
  if (taken) throw new Refused(`${taken} exists`);
  refuseTaken(root, name, scaffold.words, spelled);
  for (const table of scaffold.tables) files.set(table.file, withLines(readTable(root, table), table, spelled));
  return files;
}

const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const LONGEST_NAME = 40;

function checked(thing, name) {
  if (NAME.test(name) && name.length <= LONGEST_NAME) return name;
  throw new Refused(
    `"${name}" is no name of a ${thing}: write lower-case words with "_" between them, such as for_each, ${LONGEST_NAME} characters at most`,
  );
}

/** Refuses a name that means something already although no file is named after it. */
function refuseTaken(root, name, words, spelled) {
  for (const { rooms, pattern, is } of words) {
    const word = new RegExp(spelled(pattern), 'm');
    const found = rooms.flatMap((room) => sources(root, room)).find(([, text]) => word.test(text));
    if (found) throw new Refused(`"${name}" ${is}: see ${found[0]}`);
  }
}

function sources(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [`${folder}/${file}`, readFileSync(join(root, folder, file), 'utf8')]);
}

/** Puts the name in: `for_each`, `ForEach`, `forEach`, `FOR_EACH` and, as files and commands have it, `for-each`. */
function speller(name) {
  const camel = name.replace(/(^|_)(.)/g, (_, _between, first) => first.toUpperCase());
  const lower = camel[0].toLowerCase() + camel.slice(1);
  const spellings = { name, Name: camel, camel: lower, NAME: name.toUpperCase(), dashed: name.replaceAll('_', '-') };
  return (text) => text.replace(/__(name|Name|camel|NAME|dashed)__/g, (_, spelling) => spellings[spelling]);
}

function readTable(root, { file }) {
  if (!existsSync(join(root, file))) throw new Refused(`${file} is not there; a list in scripts/new/ names it`);
  return readFileSync(join(root, file), 'utf8');
}

/**
 * `imports` goes above the first import, from where the formatter sorts it in. Each of `rows` goes behind the last line of a `union`,
 * behind the last of the `lines` of an object or list, in front of a `list`, or `before` a text that occurs once.
 */
function withLines(text, { file, imports, rows }, spelled) {
  let made = text;
  if (imports) {
    const line = spelled(imports);
    for (const [identifier] of line.matchAll(/\b(?!(?:import|type|from|as)\b)\w+(?=[ ,])/g)) {
      if (new RegExp(`\\b${identifier}\\b`).test(text)) throw new Refused(`${file} has a "${identifier}" already: choose another name`);
    }
    made = made.replace(/^import /m, () => `${line}\nimport `);
    if (made === text) throw new Refused(`${file} imports nothing; scripts/new/ expects a table with imports`);
  }
  for (const row of rows) made = withRow(made, row, file, spelled);
  return made;
}

function withRow(text, { union, lines, list, before, add }, file, spelled) {
  const row = spelled(add);
  if (before) return insertBefore(text, before, row, file);
  const head = union ?? lines ?? list;
  const [above, behind] = halves(text, list ? head : `${head}\n`, file);
  // In front of others, which may be in one line with the end of the list.
  if (list) return `${above}${head}\n  ${row}\n${behind}`;
  const at = text.length - behind.length;
  const end = behind.search(union ? /;\n/ : /^[}\]]/m);
  if (end < 0) throw new Refused(`${file}: "${head}" has no end; scripts/new/ must say where the line belongs`);
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
  throw new Refused(`${file} ${found} ${JSON.stringify(mark)}; scripts/new/ must say where the line belongs`);
}
