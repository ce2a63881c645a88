import { coversTool, isServer } from '../../plan/agents/tool-names';
import type { Category } from '../../plan/people/category';
import type { AgentDefinition } from '../../plan/plan';
import type { Located, Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { Installation } from '../installation';
import type { Entry } from '../read/node';
import { readToolCategories } from '../shape/category';
import type { AgentText } from './agent-text';
import { translateForeignTools } from './foreign-agent';
import { checkToolName, isAlwaysThere, needsListing } from './tool-names';

/** The tools that an agent lists, each once; a Markdown file may use the names that coding agents have for them. */
export function toolsOf(named: Located<string>[], written: AgentText, installation: Installation, report: Report): string[] {
  const tools = written.body ? translateForeignTools(written.node, named, installation.tools ?? [], report) : named;
  for (const tool of tools) checkToolName(tool, `agent "${written.id}" lists the tool`, installation, report);
  return [...new Set(tools.map(({ value }) => value))];
}

/** The tools by category. Each must be one tool that the agent has, in one category: otherwise nobody could say whose approval it needs. */
export function toolsByCategory(
  id: string,
  entry: Entry,
  tools: readonly string[] | undefined,
  installation: Installation,
  report: Report,
): AgentDefinition['categories'] {
  const found: NonNullable<AgentDefinition['categories']> = {};
  const owners = new Map<string, Category>();
  for (const [category, named] of readToolCategories(entry, report)) {
    for (const tool of named) {
      const { value, at } = tool;
      const listed = tools ? tools.some((entry) => coversTool(entry, value)) : !needsListing(value);
      const has = listed || (isAlwaysThere(value) && tools?.length !== 0);
      if (isServer(value)) {
        const message = `"${category}" has "${value}", which is a whole server of tools`;
        report('tool.unknown', at, message, `name each tool: ${value}__TOOL`);
      } else if (!has) {
        const own = tools ?? [];
        const hint = didYouMean(value, own, own.length > 0 ? `it has ${own.join(', ')}` : 'list it under `tools`');
        report('agent.foreign-tool', at, `"${category}" has the tool "${value}", which agent "${id}" does not have`, hint);
      } else if (!tools) checkToolName(tool, `"${category}" has the tool`, installation, report);
      const other = owners.get(value);
      if (other !== undefined && other !== category)
        report('agent.ambiguous-tool', at, `the tool "${value}" is in "${other}" and in "${category}"`, 'keep it in one of the two');
      owners.set(value, category);
    }
    found[category] = [...new Set(named.map(({ value }) => value))];
  }
  return owners.size > 0 ? found : undefined;
}
