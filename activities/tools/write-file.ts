import { FILE_BYTES, requireSize, shownName } from './file-text';
import type { Tool } from './tool';
import { needed, outside, refusing } from './tool-port';

/** Whole or not at all. Written twice for one call, it is the same file. */
export const WRITE_FILE: Tool = {
  description:
    "Writes a text file in the step's folder, replacing one that is there. Folders are made. " +
    `At most ${FILE_BYTES} bytes. To change a part of a file, edit_file is safer.`,
  parameters: {
    type: 'object',
    required: ['path', 'content'],
    additionalProperties: false,
    properties: {
      path: { type: 'string', minLength: 1, description: "from the step's folder on" },
      content: { type: 'string' },
    },
  },
  listedOnly: true,
  call: refusing(async (args, use) => {
    const [path, content] = [needed(args, 'path'), needed(args, 'content')];
    requireSize(content);
    await outside(use).files.write({ folder: use.cwd, path }, content);
    // Not whether it was there before: called again after a crash, that would be another answer.
    return { text: `wrote ${shownName(path)}: ${Buffer.byteLength(content)} bytes` };
  }),
};
