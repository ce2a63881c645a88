import type { ToolCall } from '../agents/tool';
import { builtInTool, serverEntry } from '../agents/tool-names';
import { field } from '../text/json';
import { type CostCategory, serverCategory } from './category';
import { runCategories } from './run-categories';

/**
 * What `thermidor.yaml` says of an application's own tools, and of servers of tools: categories by the name of a tool, `mcp__server` or
 * `mcp__server__tool`.
 */
export type ToolCosts = Readonly<Record<string, readonly CostCategory[]>>;

/** A tool of which nothing is known may do anything. */
const OF_UNKNOWN: readonly CostCategory[] = ['shell_exec'];

/**
 * The categories that a call has: by the table of our tools and by the settings, never by what a tool says of itself. A tool of a server
 * has `mcp_tool:server:tool`, and what the settings add. @returns each once
 */
export function categoriesOfCall({ tool, args }: Pick<ToolCall, 'tool' | 'args'>, settings: ToolCosts = {}): CostCategory[] {
  return [...new Set([...ownCategories(tool, args, settings), ...(listed(settings, tool) ?? [])])];
}

function ownCategories(tool: string, args: ToolCall['args'], settings: ToolCosts): readonly CostCategory[] {
  if (tool === 'run') return runCategories(wordsOf(field(args, 'argv')));
  const builtIn = builtInTool(tool);
  if (builtIn) return builtIn.costs;
  const entry = serverEntry(tool);
  if (entry?.tool === undefined) return listed(settings, tool) ?? OF_UNKNOWN;
  return [serverCategory(entry.server, entry.tool), ...(listed(settings, `mcp__${entry.server}`) ?? [])];
}

function listed(settings: ToolCosts, name: string): readonly CostCategory[] | undefined {
  return Object.hasOwn(settings, name) ? settings[name] : undefined;
}

function wordsOf(argv: unknown): string[] {
  return Array.isArray(argv) ? argv.filter((word) => typeof word === 'string') : [];
}
