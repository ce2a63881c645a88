import { contextProblem } from '../../plan/agents/agent-context';
import type { AgentDefinition } from '../../plan/plan';
import type { Json } from '../../plan/text/json';
import { severityOf } from '../diagnostics/codes';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import type { Installation } from '../installation';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys, headOf } from '../shape/keys';
import { readMemory } from '../shape/memory';
import { listedNames } from '../shape/name-list';
import { checkName } from '../shape/names';
import { conflict, durationOf, mappingOf, textOf } from '../shape/values';
import { AGENT_KEYS, AGENT_KEYS_LATER } from '../shape/vocabulary';
import { readAdapter } from './agent-adapter';
import { readLimits } from './agent-limits';
import type { AgentText } from './agent-text';
import { readTools, toolsByCategory } from './agent-tools';
import { translateForeignAgent } from './foreign-agent';
import type { LoadedSchema, Schemas } from './schemas';
import type { LoadedSkill, Skills } from './skills';

export interface LoadedAgent {
  id: string;
  /** Absent if the definition has mistakes. Schema and skills are kept apart until they are frozen. */
  definition?: AgentDefinition;
  reportsTo?: Located<string>;
  /** The context for all agents, if this agent owns the pipeline. */
  context?: Record<string, Located<Json>>;
  schema?: LoadedSchema;
  skills?: readonly LoadedSkill[];
  /** The pipelines that it may start, as written. */
  pipelines?: readonly Located<string>[];
  /** The agents whose advice it may ask for. */
  consultants?: readonly Located<string>[];
  /** Where the definition begins. */
  at: SourceSpan;
}

/** What readers of definitions use to look things up. */
export interface AgentReading {
  installation: Installation;
  schemas: Schemas;
  skills: Skills;
  report: Report;
}

export function readAgentDefinition(written: AgentText, reading: AgentReading): LoadedAgent {
  const { id, at, body } = written;
  const { installation } = reading;
  let clean = true;
  const report: Report = (...mistake) => {
    if (severityOf(mistake[0]) === 'error') clean = false;
    reading.report(...mistake);
  };
  const node = body ? translateForeignAgent(written.node, report) : written.node;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  checkKeys(node, { what: 'an agent', known: AGENT_KEYS, later: AGENT_KEYS_LATER, place: 'key of an agent' }, report);
  checkId(id, node, report);
  const agent: LoadedAgent = { id, at };
  const definition: AgentDefinition = { id, role: readRole(written, node, report) ?? '' };
  const [title, description, model, reportsTo] = ['title', 'description', 'model', 'reports_to'].map((key) => {
    const entry = get(key);
    return entry && textOf(entry, report);
  });
  if (title) definition.title = title.value;
  if (description) definition.description = description.value.trim();
  if (model) definition.model = model.value;
  const adapter = readAdapter(node, installation, report);
  if (adapter !== undefined) definition.adapter = adapter;
  if (reportsTo) definition.reportsTo = reportsTo.value;
  const [timeout, categories, limits, schema, skills, context, pipelines, learned, consultants] = [
    'timeout',
    'categories',
    'limits',
    'schema',
    'skills',
    'context',
    'pipelines',
    'memory',
    'consultants',
  ].map(get);
  if (context) agent.context = readAgentContext(context, report);
  const timeoutMs = timeout && durationOf(timeout, report);
  if (timeoutMs !== undefined) definition.timeoutMs = timeoutMs;
  const tools = readTools(written, node, installation, report);
  if (tools) definition.tools = tools;
  const kept = categories && toolsByCategory(id, categories, tools, installation, report);
  if (kept) definition.categories = kept;
  const memory = learned && readMemory(learned, report);
  if (memory) definition.memory = { ...memory, file: memory.file.value };
  const most = limits && readLimits(limits, report);
  if (most) definition.limits = most;
  if (schema) agent.schema = reading.schemas.named(schema);
  const loaded = skills && reading.skills.of(skills, report);
  if (loaded && loaded.length > 0) agent.skills = loaded;
  const startable = pipelines && listedNames(pipelines, report);
  if (startable && startable.length > 0) agent.pipelines = startable;
  const byTopic = consultants && readConsultants(consultants, report);
  if (byTopic && byTopic.length > 0) {
    agent.consultants = byTopic.map(([, name]) => name);
    definition.consultants = Object.fromEntries(byTopic.map(([topic, { value }]) => [topic, value]));
  }
  if (agent.schema && 'faulty' in agent.schema) clean = false;
  if (clean) agent.definition = definition;
  if (reportsTo) agent.reportsTo = reportsTo;
  return agent;
}

function checkId(id: string, node: MappingNode, report: Report): void {
  const [one, other] = [entryOf(node, 'id'), entryOf(node, 'name')];
  if (one && other) conflict(one, other, report);
  const entry = one ?? other;
  const own = entry && textOf(entry, report);
  if (own && own.value !== id)
    report('agent.wrong-id', own.at, `this is agent "${id}", not "${own.value}"`, `write \`${entry.key}: ${id}\`, or remove it`);
}

function readRole({ id, at, body }: AgentText, node: MappingNode, report: Report): string | undefined {
  const [role, instructions] = [entryOf(node, 'role'), entryOf(node, 'instructions')];
  if (role && instructions) conflict(role, instructions, report);
  const entry = role ?? instructions;
  const hasBody = body !== undefined && body.value !== '';
  if (entry && hasBody) {
    const what = `"${entry.key}" cannot be combined with the text below, which is the agent’s instructions`;
    report('shape.conflicting-keys', entry.keyAt, what, 'keep one of the two');
  }
  if (entry) return textOf(entry, report)?.value;
  if (hasBody) return body.value;
  const hint = body ? 'write its instructions below the keys' : 'add `role:`, its standing instructions';
  report('shape.missing-key', node.entries.length > 0 ? headOf(node) : at, `agent "${id}" has no "role"`, hint);
  return undefined;
}

/** The context that an owner's file gives all agents of its runs: names that are also args, which override them, and plain values. */
function readAgentContext(entry: Entry, report: Report): Record<string, Located<Json>> {
  const node = mappingOf(entry, report, 'a mapping such as {market: BTC/USDT}');
  const context: Record<string, Located<Json>> = {};
  for (const { key, keyAt, value } of node?.entries ?? []) {
    if (checkName({ value: key, at: keyAt }, 'arg', report)) context[key] = { value: jsonOf(value), at: keyAt };
  }
  const tooLong = contextProblem(Object.fromEntries(Object.entries(context).map(([name, { value }]) => [name, value])));
  if (tooLong === undefined) return context;
  report('shape.out-of-range', entry.keyAt, `"context" ${tooLong}`, 'put long texts into an agent’s `role`, a skill or an arg');
  return {};
}

/** Agents by topic. */
function readConsultants(entry: Entry, report: Report): [topic: string, agent: Located<string>][] {
  const node = mappingOf(entry, report, 'a mapping of topics to agents such as {security: sec_agent}');
  return (node?.entries ?? []).flatMap((item): [string, Located<string>][] => {
    const agent = textOf(item, report);
    if (item.key === '__proto__') report('names.reserved', item.keyAt, 'a topic may not be called "__proto__"', 'choose another name');
    return agent && item.key !== '__proto__' ? [[item.key, agent]] : [];
  });
}
