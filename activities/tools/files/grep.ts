import type { Found, OpenSearch, SearchedLine, ToolPorts } from '../../tool-ports';
import type { Tool, ToolUse } from '../tool';
import { numberArgument, requiredText, textArgument, toolPorts, withRefusals } from '../tool-arguments';
import { fitText } from '../truncate-result';
import { eventLoopYielder } from '../yield-event-loop';
import { FILE_BYTES, readText, shownName } from './file-text';
import { type Glob, readGlob } from './glob';

const MOST_HITS = 200;
const MOST_CONTEXT = 10;
const MOST_FILES = 5000;
/** How many files are examined, searched or not. */
const MOST_SEEN = 50_000;
const MOST_DEPTH = 32;

/** What was searched and what was not: nothing is left out silently. */
interface Tally {
  rows: string[];
  hits: number;
  files: number;
  large: string[];
  noText: number;
  skipped: string[];
  ended?: 'enough' | 'late' | 'many';
}

/** Lines of files that match an expression, as `path:line:text`. The expression never runs in the worker's own thread. */
export const GREP: Tool = {
  description:
    "Finds lines in text files of the step's folder by a regular expression (JavaScript's), as path:line:text; lines around them as " +
    `path-line-text. .git and node_modules are not searched. At most ${MOST_HITS} matching lines.`,
  parameters: {
    type: 'object',
    required: ['pattern'],
    additionalProperties: false,
    properties: {
      pattern: { type: 'string', minLength: 1 },
      path: { type: 'string', minLength: 1, description: "a folder or a file, relative to the step's folder" },
      glob: { type: 'string', minLength: 1, description: 'searches only matching files, such as *.ts' },
      ignore_case: { type: 'boolean' },
      context: { type: 'integer', minimum: 0, maximum: MOST_CONTEXT, description: 'lines to show before and after each' },
    },
  },
  listedOnly: true,
  call: withRefusals(async (args, use) => {
    const ports = toolPorts(use);
    const glob = textArgument(args, 'glob');
    const fits = glob === undefined ? undefined : readGlob(glob);
    const search = ports.lines.open({ pattern: requiredText(args, 'pattern'), ignoreCase: args['ignore_case'] === true }, use.signal);
    const tally: Tally = { rows: [], hits: 0, files: 0, large: [], noText: 0, skipped: [] };
    try {
      const path = textArgument(args, 'path') ?? '.';
      for await (const { path: file, content } of filesAt(ports, use, path, fits, tally)) {
        await searchFile(search, tally, { file, content, context: numberArgument(args, 'context') ?? 0, mask: use.mask });
        if (tally.ended) break;
      }
    } finally {
      await search.close();
    }
    return { text: describeTally(tally) };
  }),
};

async function* filesAt({ files }: ToolPorts, { cwd, signal }: ToolUse, path: string, fits: Glob | undefined, tally: Tally) {
  const folder = cwd;
  let [seen, wanted] = [0, 0];
  const breathe = eventLoopYielder();
  for await (const found of startingAt(path)) {
    await breathe();
    seen += 1;
    if (found.kind === 'skipped') tally.skipped.push(found.path);
    const isWanted = found.kind === 'file' && (!fits || fits(found.below));
    wanted += isWanted ? 1 : 0;
    if (wanted > MOST_FILES || seen > MOST_SEEN) tally.ended = 'many';
    if (tally.ended) return;
    if (!isWanted) continue;
    signal.throwIfAborted();
    if ((found.sizeBytes ?? 0) > FILE_BYTES) tally.large.push(found.path);
    // A file that is gone, or unreadable, counts as one that is no text.
    else yield await files.read({ folder, path: found.path }, FILE_BYTES).catch(() => ({ path: found.path, content: undefined }));
  }

  async function* startingAt(from: string): AsyncGenerator<Found> {
    const name = await nameOfFile(from);
    if (name === undefined) yield* files.walk({ folder, path: from }, MOST_DEPTH, signal);
    else yield { kind: 'file', path: name, below: name.split('/').at(-1) ?? name };
  }

  /** Undefined if it is a folder: reading it is refused, as the walk will be if it is neither. */
  async function nameOfFile(from: string): Promise<string | undefined> {
    try {
      return (await files.read({ folder, path: from }, FILE_BYTES)).path;
    } catch {
      return undefined;
    }
  }
}

interface Searched {
  file: string;
  content: Buffer | undefined;
  context: number;
  mask(text: string): string;
}

async function searchFile(search: OpenSearch, tally: Tally, { file, content, context, mask }: Searched): Promise<void> {
  const read = content && readText(content);
  if (!read) {
    tally.noText += 1;
    return;
  }
  // The mask of a secret is searched, so that no pattern can ask for it letter by letter.
  const lines = await search.lines(mask(read.text), { most: MOST_HITS - tally.hits, context });
  if (!lines) {
    tally.ended = 'late';
    return;
  }
  tally.files += 1;
  tally.hits += lines.filter(({ hit }) => hit).length;
  tally.rows.push(...rowsOf(shownName(file), lines, context));
  if (tally.hits >= MOST_HITS) tally.ended = 'enough';
}

/** Groups of lines that are not consecutive are separated if there is context. */
function rowsOf(name: string, lines: readonly SearchedLine[], context: number): string[] {
  return lines.flatMap(({ line, text, hit }, i) => {
    const before = lines[i - 1];
    const apart = context > 0 && before && before.line < line - 1 ? ['--'] : [];
    const mark = hit ? ':' : '-';
    return [...apart, `${name}${mark}${line}${mark}${text}`];
  });
}

const NAMES_TOLD = 10;

function describeTally({ rows, hits, files, large, noText, skipped, ended }: Tally): string {
  const shown = fitText(rows);
  const said: string[] = [];
  if (shown.length < rows.length) said.push(`[${shown.length} of ${rows.length} lines shown; narrow it by path, glob or pattern]`);
  if (hits === 0) said.push(`[no line matches in ${files} files]`);
  if (ended === 'enough') said.push(`[stopped after ${MOST_HITS} matching lines; narrow it by path, glob or pattern]`);
  if (ended === 'late')
    said.push('[the search took too long and was stopped: there may be more; use a simpler pattern, or narrow it by path]');
  if (ended === 'many') said.push(`[stopped after ${MOST_FILES} files, or ${MOST_SEEN} names; narrow it by path or glob]`);
  if (noText > 0) said.push(`[${noText} files are not text or cannot be read]`);
  if (large.length > 0) said.push(`[over ${FILE_BYTES} bytes and not searched: ${names(large)}]`);
  if (skipped.length > 0) said.push(`[not searched: ${names(skipped)}]`);
  return [...shown, ...said].join('\n');
}

function names(paths: readonly string[]): string {
  return paths.slice(0, NAMES_TOLD).map(shownName).join(', ') + (paths.length > NAMES_TOLD ? ', …' : '');
}
