import { createHash } from 'node:crypto';
import { field } from '../../../plan/text/json';
import { ToolRefusal } from '../../tool-ports';
import type { Tool, ToolUse } from '../tool';
import { requiredText, toolPorts, withRefusals } from '../tool-arguments';
import { FILE_BYTES, requireBytes, requireText, shownName } from './file-text';

const PLACES_SHOWN = 10;
/** How many places one call replaces. */
const MOST_PLACES = 10_000;

/**
 * Replaces a passage that occurs in the file exactly once, or all occurrences.
 *
 * The new content is in the ledger before it is written. So after a crash between that and the record of the answer, the same call finds
 * the file with the new content and answers accordingly: it replaces nothing a second time, even if the new text contains the old one. A
 * file that somebody else has changed since it was read is not replaced.
 */
export const EDIT_FILE: Tool = {
  description:
    "Replaces a passage of a text file in the step's folder. `old` must occur there exactly as it is given, blanks and line ends " +
    'included (line numbers are not part of it), and exactly once unless `all` is true.',
  parameters: {
    type: 'object',
    required: ['path', 'old', 'new'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', minLength: 1, description: "relative to the step's folder" },
      old: { type: 'string', minLength: 1 },
      new: { type: 'string' },
      all: { type: 'boolean', description: 'replaces every occurrence' },
    },
  },
  listedOnly: true,
  call: withRefusals(async (args, use) => {
    const place = { folder: use.cwd, path: requiredText(args, 'path') };
    const { files } = toolPorts(use);
    const { path, content, version } = await files.read(place, FILE_BYTES);
    const done = await editDone(use, content);
    if (done !== undefined) return { text: done };
    const edited = edit(path, content, { old: requiredText(args, 'old'), next: requiredText(args, 'new'), all: args['all'] === true });
    await use.toolbox.ledger.append(use.run.key, editLog(use), { after: digest(edited.text), report: edited.report });
    await use.requireOwn();
    await files.write(place, edited.text, { ifStill: version });
    return { text: edited.report };
  }),
};

interface Edit {
  old: string;
  next: string;
  all: boolean;
}

function edit(path: string, content: Buffer, wanted: Edit): { text: string; report: string } {
  const { text, isBroken, isUtf16 } = requireText(path, content);
  const name = shownName(path);
  if (isBroken) throw new ToolRefusal(`${name} contains bytes that are not UTF-8, and an edit would corrupt them`);
  if (isUtf16) throw new ToolRefusal(`${name} is UTF-16, and an edit would make it UTF-8: write the whole file again if you want that`);
  const { old, next } = inLineEndsOf(text, wanted);
  if (old === next) throw new ToolRefusal('`old` and `new` are the same');
  if (hasHalf(old) || hasHalf(next)) throw new ToolRefusal('`old` and `new` must be made of whole characters');
  const places = placesOf(text, old);
  const where = `in line ${shownLines(text, places)}`;
  if (places.length === 0) throw new ToolRefusal(`\`old\` does not occur in ${name}; read the file again and give the exact passage`);
  if (places.length > MOST_PLACES)
    throw new ToolRefusal(
      `\`old\` occurs more than ${MOST_PLACES} times in ${name}; give more of the text around it, or write the whole file`,
    );
  if (places.length > 1 && !wanted.all)
    throw new ToolRefusal(`\`old\` occurs ${places.length} times in ${name}, ${where}; give more of the text around it, or \`all\``);
  // Checked before it is made: a long text in very many places may exceed the limit.
  requireBytes(content.byteLength + places.length * (Buffer.byteLength(next) - Buffer.byteLength(old)));
  const edited = text.split(old).join(next);
  return { text: edited, report: `replaced ${places.length === 1 ? 'it once' : `it ${places.length} times`} in ${name}, ${where}` };
}

/** Half of a character of two units, which no file can hold. */
function hasHalf(text: string): boolean {
  return Buffer.from(text).toString() !== text;
}

/** Agents write plain newlines, whatever the file has. */
function inLineEndsOf(text: string, { old, next }: Edit): Pick<Edit, 'old' | 'next'> {
  const isOther = text.includes('\r\n') && !text.includes(old) && !old.includes('\r');
  return isOther ? { old: old.replaceAll('\n', '\r\n'), next: next.replace(/\r?\n/g, '\r\n') } : { old, next };
}

/** At most one more than the limit. */
function placesOf(text: string, old: string): number[] {
  const places: number[] = [];
  for (let from = text.indexOf(old); from !== -1 && places.length <= MOST_PLACES; from = text.indexOf(old, from + old.length))
    places.push(from);
  return places;
}

function shownLines(text: string, places: readonly number[]): string {
  let [line, from] = [1, 0];
  const lines = places.slice(0, PLACES_SHOWN).map((place) => {
    line += text.slice(from, place).split('\n').length - 1;
    from = place;
    return String(line);
  });
  return lines.join(', ') + (places.length > PLACES_SHOWN ? ', …' : '');
}

/** The answer, or the intended one, if this very call has brought the file to its content. */
async function editDone(use: ToolUse, content: Buffer): Promise<string | undefined> {
  const now = digest(content);
  const lines = await use.toolbox.ledger.lines(use.run.key, editLog(use));
  const report = field(
    lines.find((line) => field(line, 'after') === now),
    'report',
  );
  return typeof report === 'string' ? report : undefined;
}

function editLog({ idempotencyKey }: ToolUse): string {
  return `${idempotencyKey}/edit`;
}

function digest(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
