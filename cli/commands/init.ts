import { join, relative, resolve } from 'node:path';
import { shellWord } from '../../plan/text/shell-word';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { GALLERY, REPOSITORY_TEMPLATE } from '../init/gallery';
import { HELLO } from '../init/hello-template';
import { missingSettings } from '../init/missing-settings';
import { repositoryCommands, repositoryFolder } from '../init/repository';
import { readInitTemplate } from '../init/template-files';
import type { WorkingFolder } from '../init/working-folder';
import { SETTINGS_FILE, type WriteOutcome, writeFolder } from '../init/write-folder';
import type { Terminal } from '../terminal';

/** Writes a working folder. Files that already exist stay unchanged. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  if (options.flag('template')) return listGallery(terminal);
  const name = options.text('template');
  if (options.flag('repo') && name !== undefined && name !== REPOSITORY_TEMPLATE)
    throw usage(`--repo is the template "${REPOSITORY_TEMPLATE}"`, `leave one of --repo and --template ${name} out`);
  if (options.flag('repo') || name === REPOSITORY_TEMPLATE) return await prepareRepository(invocation);
  if (options.text('agent') !== undefined) throw usage('--agent goes with --repo', 'thermidor init --repo --agent NAME');
  const template = GALLERY.find((one) => one.name === name);
  if (name !== undefined && template === undefined) throw usage(`there is no template "${name}"`, 'thermidor init --template');
  const made = template === undefined ? HELLO : readInitTemplate(template);
  const folder = resolve(terminal.cwd, args[0] ?? '.');
  write(folder, made, terminal);
  const way = relative(terminal.cwd, folder);
  listLines('Try:', [...(way === '' ? [] : [`cd ${shellWord(way)}`]), ...made.commands], terminal);
  note(`Real models instead of the script: see "Going live" in ${SETTINGS_FILE}; \`thermidor doctor\` lists what is missing.`, terminal);
  return EXIT.done;
}

/** The repository that the folder is in gets a pipeline with a coding agent. */
async function prepareRepository(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const repository = await repositoryFolder(invocation);
  const outcomes = write(repository.root, repository.made, terminal);
  terminal.out(`\n${repository.notes.map((text) => `${text}\n`).join('')}`);
  const written = outcomes.flatMap(([path, outcome]) => (outcome === 'written' ? [path] : []));
  listLines(
    'A run refuses a checkout with changes, so commit these files first:',
    repositoryCommands(repository, terminal.cwd, written),
    terminal,
  );
  note('With --script a script plays the agent: no program is needed. docs/your-repository.md has the rest.', terminal);
  return EXIT.done;
}

function listGallery({ out, colors }: Terminal): number {
  const width = Math.max(...GALLERY.map(({ name }) => name.length));
  for (const { name, purpose } of GALLERY) out(`${colors.bold(name.padEnd(width))}  ${purpose}\n`);
  out(`\nTry:\n  thermidor init my-team --template ${GALLERY[0]?.name}\n`);
  return EXIT.done;
}

/** Reports what happened to each file, and what the pipeline needs in settings that already existed. */
function write(folder: string, made: WorkingFolder, terminal: Terminal): [path: string, outcome: WriteOutcome][] {
  const { out, colors } = terminal;
  const outcomes = writeFolder(folder, made);
  out(outcomes.map((one) => fileLine(...one, terminal)).join(''));
  const kept = outcomes.some(([path, outcome]) => path === SETTINGS_FILE && outcome === 'kept');
  const missing = kept ? missingSettings(join(folder, SETTINGS_FILE), made.settings) : undefined;
  if (missing === undefined) return outcomes;
  const what = `${SETTINGS_FILE} already exists and stays unchanged. Add what ${made.pipeline} needs:`;
  out(`\n${colors.yellow('!')} ${what}\n\n${missing.replaceAll(/^(?=.)/gm, '  ')}`);
  return outcomes;
}

function fileLine(path: string, outcome: WriteOutcome, { colors }: Terminal): string {
  if (outcome === 'written') return `${colors.green('+')} ${path}\n`;
  const other = outcome === 'kept' && path !== SETTINGS_FILE ? ', with other content' : '';
  return `${colors.dim('=')} ${path}${colors.dim(`  kept as it is${other}`)}\n`;
}

function listLines(title: string, lines: readonly string[], { out }: Terminal): void {
  out(`\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`);
}

function note(text: string, { out, colors }: Terminal): void {
  out(colors.dim(`\n${text}\n`));
}
