import type { Found } from '../../tool-ports';
import type { Tool } from '../tool';
import { numberArgument, textArgument, toolPorts, withRefusals } from '../tool-arguments';
import { fitText } from '../truncate-result';
import { eventLoopYielder } from '../yield-event-loop';
import { shownName } from './file-text';
import { readGlob } from './glob';

const MOST_DEPTH = 32;
const DEFAULT_DEPTH = 3;
const MOST_LISTED = 1000;
/** How many entries are examined, listed or not. */
const MOST_SEEN = 20_000;

/** Names of files and folders, sorted. */
export const LIST_FILES: Tool = {
  description:
    "Lists files and folders (with / at the end) in the step's folder, sorted by name. With a pattern such as *.ts or src/**/*.ts only " +
    `matching files, at any depth; without one, ${DEFAULT_DEPTH} levels deep. .git and node_modules are not entered. At most ${MOST_LISTED} entries.`,
  parameters: {
    type: 'object',
    additionalProperties: false,
    properties: {
      path: { type: 'string', minLength: 1, description: "a folder, relative to the step's folder" },
      pattern: { type: 'string', minLength: 1, description: 'for paths relative to that folder; without "/", for names' },
      depth: { type: 'integer', minimum: 1, maximum: MOST_DEPTH, description: 'how many levels' },
    },
  },
  listedOnly: true,
  call: withRefusals(async (args, use) => {
    const [path, pattern] = [textArgument(args, 'path') ?? '.', textArgument(args, 'pattern')];
    const fits = pattern === undefined ? undefined : readGlob(pattern);
    const depth = numberArgument(args, 'depth') ?? (fits ? MOST_DEPTH : DEFAULT_DEPTH);
    const listed: string[] = [];
    const skipped: string[] = [];
    let [seen, isCut] = [0, false];
    const breathe = eventLoopYielder();
    for await (const found of toolPorts(use).files.walk({ folder: use.cwd, path }, depth, use.signal)) {
      await breathe();
      seen += 1;
      isCut = listed.length >= MOST_LISTED || seen > MOST_SEEN;
      if (isCut) break;
      if (found.kind === 'skipped') skipped.push(found.path);
      else if (!fits || (found.kind === 'file' && fits(found.below))) listed.push(shownFound(found));
    }
    const shown = fitText(listed);
    return { text: [...shown, ...notes({ shown: shown.length, isCut: isCut || shown.length < listed.length, skipped })].join('\n') };
  }),
};

function shownFound({ kind, path }: Found): string {
  const name = shownName(path);
  if (kind === 'folder') return `${name}/`;
  if (kind === 'file') return name;
  return `${name} (${kind === 'link' ? 'a symbolic link; not followed' : 'not a plain file'})`;
}

const SKIPPED_TOLD = 10;

function notes({ shown, isCut, skipped }: { shown: number; isCut: boolean; skipped: readonly string[] }): string[] {
  const said: string[] = [];
  if (isCut) said.push(`[${shown} entries shown, and there are more; name a folder deeper down, or a pattern]`);
  else if (shown === 0) said.push('[nothing found]');
  const names = skipped.slice(0, SKIPPED_TOLD).map(shownName).join(', ');
  if (skipped.length > 0) said.push(`[not entered: ${names}${skipped.length > SKIPPED_TOLD ? ', …' : ''}]`);
  return said;
}
