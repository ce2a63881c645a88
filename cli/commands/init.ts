import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { word } from '../rendering/answer';
import { FIRST_COMMANDS, WORKING_FOLDER } from '../working-folder';

/** Writes a working folder. A file that is there already stays as it is. */
export async function execute({ args, terminal }: Invocation): Promise<number> {
  const folder = resolve(terminal.cwd, args[0] ?? '.');
  const { colors, out } = terminal;
  for (const [name, content] of Object.entries(WORKING_FOLDER)) {
    const written = writeNew(join(folder, name), content);
    out(`${written ? colors.green('+') : colors.dim('=')} ${name}${written ? '' : colors.dim('  kept as it is')}\n`);
  }
  const way = relative(terminal.cwd, folder);
  const lines = [...(way === '' ? [] : [`cd ${word(way)}`]), ...FIRST_COMMANDS];
  out(`\nTry:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  out(colors.dim('\nReal models instead of the script: see "Going live" in thermidor.yaml; `thermidor doctor` tells what is missing.\n'));
  return EXIT.done;
}

function writeNew(path: string, content: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST') return false;
    throw new CommandFailure(
      EXIT.failed,
      'folder.unwritable',
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
