import { join, relative, resolve } from 'node:path';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { GALLERY } from '../init/gallery';
import { HELLO } from '../init/hello';
import { missingSettings } from '../init/missing-settings';
import { readTemplate } from '../init/template-files';
import type { WorkingFolder } from '../init/working-folder';
import { type Outcome, SETTINGS_FILE, writeFolder } from '../init/write-folder';
import { word } from '../rendering/answer';
import type { Terminal } from '../terminal';

/** Writes a working folder. A file that is there already stays as it is. */
export async function execute({ args, options, terminal }: Invocation): Promise<number> {
  if (options.flag('template')) return listGallery(terminal);
  const name = options.text('template');
  const template = GALLERY.find((one) => one.name === name);
  if (name !== undefined && template === undefined) throw usage(`there is no template "${name}"`, 'thermidor init --template');
  const made = template === undefined ? HELLO : readTemplate(template);
  const folder = resolve(terminal.cwd, args[0] ?? '.');
  const outcomes = writeFolder(folder, made);
  terminal.out(outcomes.map((one) => fileLine(...one, terminal)).join(''));
  tellMissing(folder, made, outcomes, terminal);
  tellCommands(relative(terminal.cwd, folder), made.commands, terminal);
  return EXIT.done;
}

function listGallery({ out, colors }: Terminal): number {
  const width = Math.max(...GALLERY.map(({ name }) => name.length));
  for (const { name, purpose } of GALLERY) out(`${colors.bold(name.padEnd(width))}  ${purpose}\n`);
  out(`\nTry:\n  thermidor init my-team --template ${GALLERY[0]?.name}\n`);
  return EXIT.done;
}

function fileLine(path: string, outcome: Outcome, { colors }: Terminal): string {
  if (outcome === 'written') return `${colors.green('+')} ${path}\n`;
  const other = outcome === 'kept' && path !== SETTINGS_FILE ? ', and says something else' : '';
  return `${colors.dim('=')} ${path}${colors.dim(`  kept as it is${other}`)}\n`;
}

/** What the pipeline needs in settings that were there before. */
function tellMissing(
  folder: string,
  { pipeline, settings }: WorkingFolder,
  outcomes: readonly [string, Outcome][],
  { out, colors }: Terminal,
): void {
  const kept = outcomes.some(([path, outcome]) => path === SETTINGS_FILE && outcome === 'kept');
  const missing = kept ? missingSettings(join(folder, SETTINGS_FILE), settings) : undefined;
  if (missing === undefined) return;
  out(
    `\n${colors.yellow('!')} ${SETTINGS_FILE} is yours and stays as it is. Add what ${pipeline} needs:\n\n${missing.replaceAll(/^(?=.)/gm, '  ')}`,
  );
}

function tellCommands(way: string, commands: readonly string[], { out, colors }: Terminal): void {
  const lines = [...(way === '' ? [] : [`cd ${word(way)}`]), ...commands];
  out(`\nTry:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  out(
    colors.dim(`\nReal models instead of the script: see "Going live" in ${SETTINGS_FILE}; \`thermidor doctor\` tells what is missing.\n`),
  );
}
