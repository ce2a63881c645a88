import type { AgentLimits } from '../../plan/plan';
import { duration } from '../../plan/text/duration';
import type { ListedAgent } from '../pipelines/agent-list';
import type { Colors } from '../terminal';
import { oneLine, pad } from './text/printable';

/** Agents for people: a head line each, and details below it. Unset fields are left out. */
export function renderAgents(agents: readonly ListedAgent[], colors: Colors): string {
  return agents.map((agent) => `${renderAgent(agent, colors)}\n`).join('\n');
}

const LABELS = 11;

function renderAgent(agent: ListedAgent, colors: Colors): string {
  const {
    id,
    title,
    description,
    file,
    line,
    tools,
    categories = {},
    skills = [],
    limits,
    schema,
    reportsTo,
    timeoutMs,
    pipelines,
    memory,
    consultants = {},
  } = agent;
  const lines = [`${colors.bold(id)}${title === undefined ? '' : `  ${oneLine(title)}`}  ${colors.dim(`${file}:${line}`)}`];
  const fact = (label: string, text: string | undefined): void => {
    if (text !== undefined && text !== '') lines.push(`  ${colors.dim(pad(label, LABELS))}${oneLine(text)}`);
  };
  fact('for', description);
  fact('run by', howRun(agent));
  fact('tools', tools === undefined ? 'the tools that reach nothing outside the run' : tools.join(', ') || 'none');
  for (const [category, named] of Object.entries(categories)) fact('asks for', `${category}: ${named.join(', ')}`);
  for (const { name, description: about } of skills) fact('skill', `${name}: ${about}`);
  fact('memory', memory);
  fact('limits', limits && describeLimits(limits));
  fact('timeout', timeoutMs === undefined ? undefined : duration(timeoutMs));
  fact('schema', schema && (schema.title ?? schema.sha256.slice(0, 12)));
  fact('may start', pipelines?.join(', '));
  for (const [topic, named] of Object.entries(consultants)) fact('consults', `${named} about ${topic}`);
  fact('reports to', reportsTo);
  fact('used by', describeUses(agent) || 'nothing');
  return lines.join('\n');
}

function howRun({ adapter, adapterFrom, model, modelAlias }: ListedAgent): string {
  const from = adapterFrom === 'default' ? ' (the default)' : '';
  const which = model === undefined ? ', no model named' : `, model ${model}`;
  return `${adapter}${from}${which}${modelAlias === undefined ? '' : ` (as "${modelAlias}")`}`;
}

function describeLimits({ turns, toolCalls, replyTokens, thinkingTokens }: AgentLimits): string {
  const parts = [
    [turns, 'turns'],
    [toolCalls, 'tool calls'],
    [replyTokens, 'tokens a reply'],
    [thinkingTokens, 'of them thought'],
  ] as const;
  return parts.flatMap(([value, what]) => (value === undefined ? [] : [`${value} ${what}`])).join(', ');
}

function describeUses({ uses }: ListedAgent): string {
  const described = uses.map(({ pipeline, owner, escalation, steps }) => {
    const roles = [...(owner ? ['owner'] : []), ...(escalation ? ['escalation'] : []), ...steps];
    return `${pipeline} (${roles.join(', ')})`;
  });
  return described.join('; ');
}
