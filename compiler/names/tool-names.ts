import { BUILT_IN_TOOLS, builtInTool, serverEntry } from '../../plan/agents/tool-names';
import type { Located, Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { Installation } from '../installation';
import { usualNameOf } from './foreign-tools';

/** Names of tools: the built-in ones, those of servers (`mcp__server__tool`, or `mcp__server` for all of one), and an application's own. */

const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,127}$/;

/**
 * Whether an agent has to list a tool to have it: it need not list one that reaches nothing beyond the run, or that an application adds for
 * all.
 */
export function needsListing(name: string): boolean {
  return name.startsWith('mcp__') || builtInTool(name)?.listedOnly === true;
}

/** Whether an agent has a tool whatever it lists. */
export function isAlwaysThere(name: string): boolean {
  return builtInTool(name)?.always === true;
}

/** Reports a tool that does not exist. @param whose in words: `agent "x" lists` */
export function checkToolName(
  { value, at }: Located<string>,
  whose: string,
  { tools, toolServers = [] }: Installation,
  report: Report,
): void {
  if (builtInTool(value) || tools?.includes(value)) return;
  const server = serverEntry(value)?.server;
  if (server !== undefined) {
    if (toolServers.length === 0 || toolServers.includes(server)) return;
    const hint = () => didYouMean(server, toolServers, 'tool servers are defined under `mcp:` in thermidor.yaml');
    report('tool.unknown', at, `${whose} "${value}", but the settings have no tool server "${server}"`, hint);
    return;
  }
  if (value.startsWith('mcp__')) {
    const hint = 'write `mcp__server__tool`, or `mcp__server` for all that the server has';
    report('tool.unknown', at, `${whose} "${value}", which is not the name of a server’s tool`, hint);
    return;
  }
  if (tools === undefined && TOOL_NAME.test(value)) return;
  report('tool.unknown', at, `${whose} "${value}", but there is no such tool`, () => hintFor(value, tools ?? []));
}

function hintFor(name: string, own: readonly string[]): string | undefined {
  const usual = usualNameOf(name);
  if (usual !== undefined) return `it is called "${usual}" here`;
  const known = [...BUILT_IN_TOOLS.map((tool) => tool.name), ...own];
  return didYouMean(name, known, `known: ${known.join(', ')}; mcp__server and mcp__server__tool`);
}
