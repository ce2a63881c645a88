import type { FolderAgents } from '../serving/folder-agents';
import { describeUnserved, unservedAgents } from '../serving/unserved-agents';
import type { Configuration } from '../settings/configuration';
import type { Check } from './check';

/** Which agents a worker on this machine could not ask. With a script each of them can be, so it is a warning. */
export async function checkAgents(
  { agents, broken }: FolderAgents,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): Promise<Check[]> {
  const unread = broken.map(
    (file): Check => ({ name: 'pipelines', state: 'warning', says: `${file} has mistakes`, hint: `thermidor validate ${file}` }),
  );
  const problems = await unservedAgents(agents, configuration, env);
  if (problems.length > 0) {
    const hint = 'until then `--live` refuses; use a script: --script NAME';
    return [...unread, ...problems.map((problem): Check => ({ name: 'agents', state: 'warning', says: describeUnserved(problem), hint }))];
  }
  if (agents.length === 0) return unread;
  const names = [...new Set(agents.map(({ agent }) => agent))].sort();
  return [...unread, { name: 'agents', state: 'ok', says: `nothing is missing for ${names.join(', ')}` }];
}
