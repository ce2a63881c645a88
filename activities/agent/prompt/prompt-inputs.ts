import { isJsonObject, type Json } from '../../../plan/text/json';
import { jsonText } from '../../../plan/text/json-text';
import { beginning } from '../../../plan/text/shortened';

/**
 * The outputs of earlier steps in an agent's prompt. A large one is cut by rule, and a note says how much of it is shown, and where the
 * whole is.
 *
 * Invariants: 1. the same inputs give the same text; 2. nothing is left out without a note; 3. JSON stays JSON as long as shortening its
 * long parts makes it fit.
 */

/** The limits of one input, and of all in one prompt, as written there: bytes of UTF-8. */
export const INPUT_BYTES = 64 * 1024;
export const INPUTS_BYTES = 256 * 1024;

/** The folder within the step's that whole inputs are laid out in, for agents that read files with tools of their own. */
export const INPUTS_FOLDER = '.thermidor-inputs';

export interface PromptInput {
  name: string;
  title?: string;
  /** JSON, or text as it is. */
  content: Json;
  /** The step whose whole output it is, if it is one. */
  step?: string;
  /** The input is not known yet: `content` is a placeholder, and its size means nothing. */
  isStandIn?: true;
}

/** Where the agent finds cut inputs in full: by the tool `read_artifact`, or as a file in its folder. Absent: nowhere. */
export type WholeInputs = 'tool' | 'file';

/** An input as it is in the prompt. */
export interface ShownInput {
  /** Name, title, size. */
  heading: string;
  /** What was left out, and where the whole is. */
  note?: string;
  content: Json;
}

/** A whole input, written where its note says. `path` is relative to the step's folder. */
export interface InputFile {
  path: string;
  text: string;
}

export function shownInputs(inputs: readonly PromptInput[], whole?: WholeInputs): ShownInput[] {
  const texts = inputs.map(({ content }) => asText(content));
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const rooms = share(sizes);
  return inputs.map((input, i) => {
    const [text = '', sizeBytes = 0, room = 0] = [texts[i], sizes[i], rooms[i]];
    const { name, title, content, isStandIn } = input;
    const facts = [...(title === undefined ? [] : [title]), ...(isStandIn ? [] : [`${sizeBytes} bytes`])];
    const heading = facts.length === 0 ? name : `${name} (${facts.join(', ')})`;
    if (sizeBytes <= room) return { heading, content };
    const shown = cutContent(content, text, room);
    const shownBytes = Buffer.byteLength(asText(shown));
    return { heading, note: `Cut: ${shownBytes} of ${sizeBytes} bytes are shown. ${whereWhole(input, i, whole)}`, content: shown };
  });
}

/** The inputs that are cut, for `whole: 'file'`. */
export function inputFiles(inputs: readonly PromptInput[]): InputFile[] {
  const texts = inputs.map(({ content }) => asText(content));
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const rooms = share(sizes);
  return inputs.flatMap((input, i) => ((sizes[i] ?? 0) <= (rooms[i] ?? 0) ? [] : [{ path: fileOf(input, i), text: texts[i] ?? '' }]));
}

function whereWhole(input: PromptInput, index: number, whole: WholeInputs | undefined): string {
  if (whole === 'file') return `The whole is in the file \`${fileOf(input, index)}\` in your folder.`;
  if (whole !== 'tool') return 'The rest cannot be seen from here.';
  if (input.step === undefined) return '`read_artifact {}` lists the artifacts that it was made of, which you can read in whole.';
  return `\`read_artifact ${JSON.stringify({ step: input.step })}\` gives the whole.`;
}

function fileOf({ name, content }: PromptInput, index: number): string {
  const safe = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  return `${INPUTS_FOLDER}/${index + 1}-${safe}.${typeof content === 'string' ? 'txt' : 'json'}`;
}

function asText(content: Json): string {
  return typeof content === 'string' ? content : jsonText(content, { step: '  ' });
}

/** Room for each. If not all fit, small ones get all they need, and the others equal shares. */
function share(sizes: readonly number[]): number[] {
  const wanted = sizes.map((size) => Math.min(size, INPUT_BYTES));
  let [left, open] = [INPUTS_BYTES, wanted.length];
  let level = INPUT_BYTES;
  for (const size of wanted.toSorted((a, b) => a - b)) {
    level = Math.floor(left / open);
    if (size > level) break;
    left -= size;
    open -= 1;
    level = INPUT_BYTES;
  }
  return wanted.map((size) => Math.min(size, level));
}

function cutContent(content: Json, text: string, room: number): Json {
  if (typeof content === 'string') return linesWithin(text, room);
  let shortened = text;
  for (const lengths of LENGTHS) {
    const value = shorten(content, lengths, 0);
    shortened = asText(value);
    if (Buffer.byteLength(shortened) <= room) return value;
  }
  return linesWithin(shortened, room);
}

interface Lengths {
  /** The limit of a text, in characters. */
  text: number;
  /** The limit of a list; a mapping may have four times as many. */
  items: number;
}

/** From the most that may be shown to the least. */
const LENGTHS: readonly Lengths[] = [
  { text: 8000, items: 500 },
  { text: 4000, items: 200 },
  { text: 2000, items: 100 },
  { text: 1000, items: 50 },
  { text: 500, items: 25 },
  { text: 250, items: 12 },
  { text: 120, items: 6 },
  { text: 60, items: 3 },
];
const DEEPEST = 20;

/** The same value with long parts shortened; a note replaces each omitted part. */
function shorten(value: Json, lengths: Lengths, depth: number): Json {
  const { text, items } = lengths;
  if (typeof value === 'string')
    return value.length <= text ? value : `${beginning(value, text)}… (${value.length - text} more characters)`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return '… (nested deeper)';
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((item) => shorten(item, lengths, depth + 1));
    return value.length <= items ? kept : [...kept, `… (${value.length - items} more of ${value.length} items)`];
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  const kept = entries.slice(0, items * 4).map(([key, item]): [string, Json] => [key, shorten(item, lengths, depth + 1)]);
  if (kept.length < entries.length) kept.push(['…', `(${entries.length - kept.length} more of ${entries.length} fields)`]);
  return Object.fromEntries(kept);
}

/** As many whole lines from the beginning as fit; if the first line is longer, its beginning. */
function linesWithin(text: string, room: number): string {
  const bytes = Buffer.from(beginning(text, room));
  if (bytes.byteLength <= room && text.length <= room) return text;
  let end = Math.min(room, bytes.byteLength);
  // Not within a character: its further bytes begin with the bits 10.
  while (end > 0 && end < bytes.byteLength && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const kept = bytes.subarray(0, end).toString('utf8');
  const line = kept.lastIndexOf('\n');
  return line > 0 ? kept.slice(0, line) : kept;
}
