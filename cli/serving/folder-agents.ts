import { PipelineIndex } from '../../worker/pipeline-index';
import { CommandFailure } from '../exit';
import { queuesIn } from '../pipelines/child-plans';
import { compilerInstallation } from '../pipelines/installation';
import { compile, type PipelineFile, readPipeline } from '../pipelines/pipelines';
import type { Configuration } from '../settings/configuration';
import { type AskedAgent, agentsOf } from './asked-agents';

/** The agents that the pipelines of the folders ask, and the files that do not compile. */
export interface FolderAgents {
  agents: AskedAgent[];
  broken: string[];
  /** That their steps name. */
  queues: string[];
}

/** Compiles every pipeline that is found by name: nothing is asked of anybody. */
export async function folderAgents(configuration: Configuration, cwd: string): Promise<FolderAgents> {
  const paths = new Set([...new PipelineIndex(configuration.pipelines.value).files().values()].flat());
  const installation = compilerInstallation(configuration);
  const found: FolderAgents = { agents: [], broken: [], queues: [] };
  for (const path of [...paths].sort()) {
    const file = readable(path, cwd);
    const compiled = file && compile(file, { installation });
    if (compiled?.plan === undefined) found.broken.push(file?.file ?? path);
    else {
      const blob = (digest: string): string | undefined => compiled.blobs.get(digest)?.content;
      found.agents.push(...(await agentsOf(compiled.plan, async (digest) => blob(digest))));
      found.queues.push(...queuesIn(compiled.plan, blob));
    }
  }
  const once = new Map(found.agents.map((agent) => [JSON.stringify(agent), agent]));
  return { ...found, agents: [...once.values()], queues: [...new Set(found.queues)].sort() };
}

/** Undefined if the file cannot be read: nobody has asked for this one in particular. */
function readable(path: string, cwd: string): PipelineFile | undefined {
  try {
    return readPipeline(path, cwd);
  } catch (error) {
    if (error instanceof CommandFailure) return undefined;
    throw error;
  }
}
