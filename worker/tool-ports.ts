import { ThreadLineSearch } from '../activities/adapters/threads/line-search';
import { DirectPages } from '../activities/adapters/web-pages/direct-pages';
import { DiskWorkFolders } from '../activities/adapters/work-folder/work-folders';
import type { ToolPorts } from '../activities/tool-ports';
import type { ToolSettings } from '../plan/agents/adapter';

/** How the tools of this worker's agents reach the outside. */
export function createToolPorts({ fetchPrivate = [] }: ToolSettings, stateDir: string): ToolPorts {
  return {
    files: new DiskWorkFolders(stateDir),
    lines: new ThreadLineSearch(),
    web: new DirectPages({ allowPrivate: fetchPrivate }),
    variables: (names) => Object.fromEntries(names.flatMap((name) => setIn(process.env, name))),
  };
}

function setIn(environment: NodeJS.ProcessEnv, name: string): [name: string, value: string][] {
  const value = environment[name];
  return value === undefined ? [] : [[name, value]];
}
