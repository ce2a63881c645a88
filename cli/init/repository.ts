import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { didYouMean, listWords } from '../../compiler/diagnostics/suggest';
import type { AdapterSpec } from '../../plan/agents/adapter';
import { errorCode } from '../../plan/error-code';
import { shellWord } from '../../plan/text/shell-word';
import { adapterSpecs } from '../../worker/adapter-specs';
import type { Invocation } from '../command';
import { CommandFailure, EXIT, usage } from '../exit';
import { configurationOf } from '../settings/settings';
import { bestOf, type CodingAgent, findCodingAgents } from './coding-agents';
import { GALLERY, REPOSITORY_TEMPLATE } from './gallery';
import { readInitTemplate } from './template-files';
import type { WorkingFolder } from './working-folder';

/** The files that `init --repo` writes into a repository, and the text that it prints. */
export interface RepositoryFolder {
  /** The top of the repository. */
  root: string;
  made: WorkingFolder;
  /** Which program does the work, and what the program needs. */
  notes: readonly string[];
}

/** The program that runs the agent if none is installed: `doctor` says how to install it. */
const DEFAULT_AGENT = 'claude';

/** Makes the files for the repository that the folder is in. Fails with `usage`, `repository.missing` or `template.missing`. */
export async function repositoryFolder(invocation: Invocation): Promise<RepositoryFolder> {
  const { args, options, terminal } = invocation;
  const folder = resolve(terminal.cwd, args[0] ?? '.');
  const root = await topOf(folder, terminal.env);
  const specs = adapterSpecs(configurationOf({ options, terminal: { ...terminal, cwd: root } }).adapters.value);
  const named = options.text('agent');
  if (named !== undefined && specs.get(named)?.kind !== 'cli') throw unknownAgent(named, specs);
  const found = await findCodingAgents(specs, terminal.env);
  const agent = named ?? bestOf(found)?.name ?? DEFAULT_AGENT;
  const top = root === folder ? [] : [`The files are at the top of the repository: ${root}`];
  return { root, made: runBy(agent), notes: [...top, ...agentNotes(agent, named !== undefined, found)] };
}

const TEMPLATE = GALLERY.find(({ name }) => name === REPOSITORY_TEMPLATE) ?? { name: REPOSITORY_TEMPLATE, commands: [] };
const ADAPTER = /^adapter: claude$/m;
const AGENT_FILE = 'pipelines/agents/coder.yaml';

/** The template with the agent's program in its file. */
function runBy(adapter: string): WorkingFolder {
  const template = readInitTemplate(TEMPLATE);
  const file = template.files[AGENT_FILE] ?? '';
  if (!ADAPTER.test(file))
    throw new CommandFailure(EXIT.failed, 'template.missing', `${AGENT_FILE} of the template has no line "adapter: claude"`);
  return { ...template, files: { ...template.files, [AGENT_FILE]: file.replace(ADAPTER, () => `adapter: ${adapter}`) } };
}

/** The commands to type at the top of the repository: a run wants the new files to be committed. */
export function repositoryCommands({ root, made: { commands } }: RepositoryFolder, cwd: string, written: readonly string[]): string[] {
  const way = relative(cwd, root);
  return [
    ...(way === '' ? [] : [`cd ${shellWord(way)}`]),
    ...(written.length === 0 ? [] : [`git add ${written.map(shellWord).join(' ')}`, "git commit -m 'Add a pipeline with a coding agent'"]),
    ...commands,
  ];
}

async function topOf(folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (!existsSync(folder)) throw noRepository(`there is no folder ${folder}`);
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--show-toplevel'], { cwd: folder, env: { ...env, LC_ALL: 'C' } });
    // A folder's name may end in a line break of its own.
    return resolve(stdout.replace(/\n$/, ''));
  } catch (error) {
    const said = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim().split('\n')[0] : '';
    if (errorCode(error) === 'ENOENT') throw noRepository('git is not installed');
    throw noRepository(`${folder} is not in the checkout of a git repository${said ? ` (${said})` : ''}`);
  }
}

function noRepository(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, 'repository.missing', message, { hint: 'go to a repository, or make one: git init' });
}

function unknownAgent(named: string, specs: ReadonlyMap<string, AdapterSpec>): CommandFailure {
  const programs = [...specs].flatMap(([name, spec]) => (spec.kind === 'cli' ? [name] : []));
  return usage(`--agent names no coding agent's program: "${named}"`, didYouMean(named, programs, `it takes ${listWords(programs)}`));
}

function agentNotes(agent: string, isNamed: boolean, found: readonly CodingAgent[]): string[] {
  const change = 'To take another, change `adapter:` in pipelines/agents/coder.yaml.';
  const one = found.find(({ name }) => name === agent);
  const others = found.filter(({ name }) => name !== agent).map(({ name }) => name);
  if (one === undefined) {
    const what = isNamed ? `${agent} is not installed` : `No coding agent is installed, so the agent uses ${agent}`;
    return [`${what}; \`thermidor doctor\` says what is missing. ${change}`];
  }
  const login = one.loggedIn === false ? `; it is not logged in: run ${agent} once` : '';
  const also = others.length === 0 ? '' : ` Installed as well: ${others.join(', ')}.`;
  return [`The agent is run by ${agent}${login}.${also}${also === '' ? '' : ` ${change}`}`];
}
