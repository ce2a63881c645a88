import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure, EXIT } from '../exit';
import { PACKAGE_ROOT } from '../package-root';

/** The template `coding-agent`: a pipeline with a coding agent that works in the repository it lies in. */

const ADAPTER = /^adapter: claude$/m;
const AGENT_FILE = 'pipelines/agents/coder.yaml';

/** @param adapter which the agent is run by */
export function codingAgentFiles(adapter: string): Record<string, string> {
  const files = templateFiles(join(PACKAGE_ROOT, 'examples', 'templates', 'coding-agent'));
  const agent = files[AGENT_FILE];
  if (agent === undefined || !ADAPTER.test(agent)) throw missing(`${AGENT_FILE} has no line "adapter: claude"`);
  return { ...files, [AGENT_FILE]: agent.replace(ADAPTER, () => `adapter: ${adapter}`) };
}

function templateFiles(folder: string): Record<string, string> {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    const files = names.filter((name) => statSync(join(folder, name)).isFile());
    return Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]));
  } catch (error) {
    throw missing(error instanceof Error ? error.message : String(error));
  }
}

function missing(why: string): CommandFailure {
  const hint = 'they belong to the package, in examples/templates/: install it again';
  return new CommandFailure(EXIT.failed, 'template.missing', `the files of the template cannot be read: ${why}`, { hint });
}
