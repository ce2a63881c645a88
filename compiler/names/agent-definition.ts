import type { Category } from '../../plan/category';
import type { AgentDefinition } from '../../plan/plan';
import type { Located, Report, Spot } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readToolCategories } from '../shape/category';
import { checkKeys, requireKey } from '../shape/keys';
import { durationOf, namesOf, textOf } from '../shape/values';
import { AGENT_KEYS, AGENT_KEYS_LATER } from '../shape/vocabulary';

export interface LoadedAgent {
  id: string;
  /** Absent where the definition has mistakes. */
  definition?: AgentDefinition;
  reportsTo?: Located<string>;
}

/** What is written of one agent, under `agents:` or in its own file. */
export function readAgent(id: string, node: MappingNode, report: Report, keyAt?: Spot): LoadedAgent {
  let clean = true;
  const noted: Report = (...mistake) => {
    clean = false;
    report(...mistake);
  };
  const get = (key: string): Entry | undefined => entryOf(node, key);
  checkKeys(node, { what: 'an agent', known: AGENT_KEYS, later: AGENT_KEYS_LATER }, noted);
  if (node.entries.length > 0 || keyAt === undefined)
    requireKey(node, 'role', `agent "${id}"`, noted, 'add `role:`, its standing instructions');
  else noted('shape.missing-key', keyAt, `agent "${id}" has no "role"`, 'add `role:`, its standing instructions');
  const text = (key: string): Located<string> | undefined => {
    const entry = get(key);
    return entry && textOf(entry, noted);
  };
  const [ownId, title, role, model, adapter, reportsTo] = ['id', 'title', 'role', 'model', 'adapter', 'reports_to'].map(text);
  if (ownId && ownId.value !== id)
    noted('agent.wrong-id', ownId.at, `this is agent "${id}", not "${ownId.value}"`, `write \`id: ${id}\`, or leave it out`);
  const definition: AgentDefinition = { id, role: role?.value ?? '' };
  if (title) definition.title = title.value;
  if (model) definition.model = model.value;
  if (adapter) definition.adapter = adapter.value;
  if (reportsTo) definition.reportsTo = reportsTo.value;
  const timeout = get('timeout');
  const timeoutMs = timeout && durationOf(timeout, noted);
  if (timeoutMs !== undefined) definition.timeoutMs = timeoutMs;
  const tools = get('tools');
  const named = tools && namesOf(tools, noted);
  if (named) definition.tools = [...new Set(named.map((tool) => tool.value))];
  const categories = get('categories');
  const kept = categories && readToolCategories(categories, noted);
  if (kept && kept.size > 0) definition.categories = toolsByCategory(id, kept, definition.tools, noted);
  const agent: LoadedAgent = clean ? { id, definition } : { id };
  if (reportsTo) agent.reportsTo = reportsTo;
  return agent;
}

/** Each is a tool of the agent's, where those are listed, and of one category: else nobody could say whose yes it needs. */
function toolsByCategory(
  id: string,
  kept: ReadonlyMap<Category, readonly Located<string>[]>,
  tools: readonly string[] | undefined,
  report: Report,
): NonNullable<AgentDefinition['categories']> {
  const found: NonNullable<AgentDefinition['categories']> = {};
  const owners = new Map<string, Category>();
  for (const [category, named] of kept) {
    for (const { value, at } of named) {
      if (tools && !tools.includes(value)) {
        const hint = didYouMean(value, tools, `it has ${tools.length > 0 ? tools.join(', ') : 'none'}`);
        report('agent.foreign-tool', at, `"${category}" has the tool "${value}", which agent "${id}" does not have`, hint);
      }
      const other = owners.get(value);
      if (other !== undefined && other !== category)
        report('agent.ambiguous-tool', at, `the tool "${value}" is in "${other}" and in "${category}"`, 'keep it in one of the two');
      owners.set(value, category);
    }
    found[category] = [...new Set(named.map(({ value }) => value))];
  }
  return found;
}
