import type { Tool } from '../tool';
import { numberArgument, requiredText, toolPorts, withRefusals } from '../tool-arguments';
import { fitText, RESULT_CHARACTERS, shortLine } from '../truncate-result';
import { FILE_BYTES, linesOfText, requireText } from './file-text';

const LINES = 2000;
const LINE_CHARACTERS = 2000;

/** Lines with their numbers, from the requested one. Text only; bytes that are not UTF-8 are replaced, with a note. */
export const READ_FILE: Tool = {
  description:
    "Reads a text file in the step's folder. Each line is shown after its number and a tab, which are not part of the file. " +
    `At most ${LINES} lines or ${RESULT_CHARACTERS} characters at a time; a note at the end says where to continue.`,
  parameters: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', minLength: 1, description: "relative to the step's folder" },
      offset: { type: 'integer', minimum: 1, description: 'the first line to show; the first of a file is 1' },
      limit: { type: 'integer', minimum: 1, maximum: LINES, description: 'how many lines' },
    },
  },
  listedOnly: true,
  call: withRefusals(async (args, use) => {
    const place = { folder: use.cwd, path: requiredText(args, 'path') };
    const { path, content } = await toolPorts(use).files.read(place, FILE_BYTES);
    const { text, isBroken } = requireText(path, content);
    const lines = linesOfText(use.mask(text));
    const first = numberArgument(args, 'offset') ?? 1;
    const asked = lines.slice(first - 1, first - 1 + (numberArgument(args, 'limit') ?? LINES));
    const shown = fitText(asked.map((line, i) => `${first + i}\t${shortLine(line, LINE_CHARACTERS)}`));
    return { text: [...shown, ...notes(lines.length, first, shown.length, { isBroken, isCrlf: text.includes('\r\n') })].join('\n') };
  }),
};

function notes(count: number, first: number, shown: number, { isBroken, isCrlf }: { isBroken: boolean; isCrlf: boolean }): string[] {
  const said: string[] = [];
  const last = first + shown - 1;
  if (count === 0) said.push('[the file is empty]');
  else if (first > count) said.push(`[the file has ${count} lines]`);
  else if (last < count) said.push(`[lines ${first} to ${last} of ${count}; continue with offset ${last + 1}]`);
  if (isBroken) said.push('[some bytes are not UTF-8 and are shown as �]');
  if (isCrlf) said.push('[lines end in CRLF]');
  return said;
}
