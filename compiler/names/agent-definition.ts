import { contextProblem } from '../../plan/agents/agent-context';
import { defined, unlessEmpty } from '../../plan/defined';
import type { AgentDefinition, AgentLimits } from '../../plan/plan';
import type { Json } from '../../plan/text/json';
import { type Located, type Report, type SourceSpan, watched } from '../diagnostics/diagnostic';
import type { Installation } from '../installation';
import type { AGENT_LIMITS_ROWS } from '../language/mappings/agent';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys, headOf } from '../shape/keys';
import { memoryOf } from '../shape/memory';
import { checkName } from '../shape/names';
import { readRows } from '../shape/read-rows';
import type { SourceOf } from '../shape/source-of';
import { conflict, mappingOf, textOf } from '../shape/values';
import { AGENT_KEYS, AGENT_KEYS_LATER } from '../shape/vocabulary';
import { withoutPlaces } from '../shape/without-places';
import { adapterOf } from './agent-adapter';
import { AGENT_ROWS, type AgentSource, type AgentText } from './agent-text';
import { toolsByCategory, toolsOf } from './agent-tools';
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
  const { report, isClean } = watched(reading.report);
  const node = body ? translateForeignAgent(written.node, report) : written.node;
  checkKeys(node, { what: 'an agent', known: AGENT_KEYS, later: AGENT_KEYS_LATER, place: 'key of an agent' }, report);
  const source = readRows(node, AGENT_ROWS, 'an agent', { report });
  checkId(id, source, report);
  const [categories, context] = ['categories', 'context'].map((key) => entryOf(node, key));
  const byTopic = source.consultants && consultantsIn(source.consultants, report);
  const memory = memoryOf(source.memory);
  const tools = source.tools && toolsOf(source.tools, written, installation, report);
  const agent: LoadedAgent = {
    ...{ id, at },
    ...defined({
      context: context && readAgentContext(context, report),
      schema: source.schema && reading.schemas.named(source.schema),
      skills: unlessEmpty(reading.skills.of(source.skills ?? [], report)),
      pipelines: unlessEmpty(source.pipelines ?? []),
      consultants: unlessEmpty([...(byTopic ?? new Map()).values()]),
      reportsTo: source.reportsTo,
    }),
  };
  const definition: AgentDefinition = {
    ...{ id, role: readRole(written, node, report) ?? '' },
    ...defined({
      title: source.title?.value,
      description: source.description?.value.trim(),
      model: source.model?.value,
      adapter: adapterOf(source, installation, report),
      reportsTo: source.reportsTo?.value,
      timeoutMs: source.timeoutMs,
      tools,
      categories: categories && toolsByCategory(id, categories, tools, installation, report),
      memory: memory && { ...memory, file: memory.file.value },
      limits: source.limits && limitsOf(source.limits, report),
      consultants: byTopic && byTopic.size > 0 ? Object.fromEntries([...byTopic].map(([topic, { value }]) => [topic, value])) : undefined,
    }),
  };
  const isFaulty = agent.schema && 'faulty' in agent.schema;
  return isClean() && !isFaulty ? { ...agent, definition } : agent;
}

function checkId(id: string, { node, id: own }: AgentSource, report: Report): void {
  const key = entryOf(node, 'id') ? 'id' : 'name';
  if (own && own.value !== id)
    report('agent.wrong-id', own.at, `this is agent "${id}", not "${own.value}"`, `write \`${key}: ${id}\`, or remove it`);
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
function consultantsIn(written: NonNullable<AgentSource['consultants']>, report: Report): Map<string, Located<string>> {
  const at = written.get('__proto__')?.keyAt;
  if (at) report('names.reserved', at, 'a topic may not be called "__proto__"', 'choose another name');
  return new Map([...written].map(([topic, { value }]) => [topic, value]));
}

/** What one try may take. Thinking is part of the reply. */
function limitsOf(source: SourceOf<typeof AGENT_LIMITS_ROWS>, report: Report): AgentLimits | undefined {
  const { node, replyTokens, thinkingTokens } = source;
  const thinking = entryOf(node, 'thinking_tokens');
  if (thinking && replyTokens !== undefined && thinkingTokens !== undefined && thinkingTokens >= replyTokens) {
    const message = `"thinking_tokens" is ${thinkingTokens}, which leaves nothing of ${replyTokens} "reply_tokens" for the answer`;
    report('shape.out-of-range', thinking.value.at, message, 'make it less than `reply_tokens`');
  }
  const limits: AgentLimits = withoutPlaces(source);
  return Object.keys(limits).length > 0 ? limits : undefined;
}
