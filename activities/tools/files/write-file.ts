import type { Tool } from '../tool';
import { requiredText, toolPorts, withRefusals } from '../tool-arguments';
import { FILE_BYTES, requireSize, shownName } from './file-text';

/** Writes completely or not at all. Writing twice for one call gives the same file. */
export const WRITE_FILE: Tool = {
  description:
    "Writes a text file in the step's folder. An existing file is replaced, and missing folders are created. " +
    `At most ${FILE_BYTES} bytes. To change a part of a file, edit_file is safer.`,
  parameters: {
    type: 'object',
    required: ['path', 'content'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', minLength: 1, description: "relative to the step's folder" },
      content: { type: 'string' },
    },
  },
  listedOnly: true,
  call: withRefusals(async (args, use) => {
    const [path, content] = [requiredText(args, 'path'), requiredText(args, 'content')];
    requireSize(content);
    await toolPorts(use).files.write({ folder: use.cwd, path }, content);
    // Does not say whether it existed before: repeated after a crash, that would be another answer.
    return { text: `wrote ${shownName(path)}: ${Buffer.byteLength(content)} bytes` };
  }),
};
