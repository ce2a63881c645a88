import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { word } from '../rendering/answer';
import type { Terminal } from '../terminal';
import { FIRST_COMMANDS, WORKING_FOLDER } from '../working-folder';

/** Writes a working folder. A file that is there already stays as it is. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  if (options.flag('repo')) return await prepareRepository(invocation);
  if (options.text('agent') !== undefined) throw usage('--agent goes with --repo', 'thermidor init --repo --agent NAME');
  const folder = resolve(terminal.cwd, args[0] ?? '.');
  const { colors, out } = terminal;
  writeFiles(folder, WORKING_FOLDER, terminal);
  const way = relative(terminal.cwd, folder);
  const lines = [...(way === '' ? [] : [`cd ${word(way)}`]), ...FIRST_COMMANDS];
  out(`\nTry:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  out(colors.dim('\nReal models instead of the script: see "Going live" in thermidor.yaml; `thermidor doctor` tells what is missing.\n'));
  return EXIT.done;
}

/** The repository that the folder lies in gets a pipeline with a coding agent. */
async function prepareRepository(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { out, colors } = terminal;
  const { repositoryCommands, repositoryFolder } = require('../init/repository') as typeof import('../init/repository');
  const { root, files, notes } = await repositoryFolder(invocation);
  const written = writeFiles(
    root,
    { ...files, 'thermidor.yaml': (WORKING_FOLDER['thermidor.yaml'] ?? '').replace('run hello', 'run coding-agent') },
    terminal,
  );
  out(`\n${notes.map((note) => `${note}\n`).join('')}`);
  const lines = repositoryCommands(root, terminal.cwd, written);
  out(`\nA run refuses a checkout with changes, so commit these files first:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  out(colors.dim('\nWith --script a script stands in for the agent: no program is needed. docs/your-repository.md has the rest.\n'));
  return EXIT.done;
}

/** Names of those that were not there before. */
function writeFiles(folder: string, files: Readonly<Record<string, string>>, { out, colors }: Terminal): string[] {
  return Object.entries(files).flatMap(([name, content]) => {
    const written = writeNew(join(folder, name), content);
    out(`${written ? colors.green('+') : colors.dim('=')} ${name}${written ? '' : colors.dim('  kept as it is')}\n`);
    return written ? [name] : [];
  });
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
