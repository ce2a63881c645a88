import { coversTool } from '../../plan/agents/tool-names';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { nearest } from '../diagnostics/suggest';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { listedNames } from '../shape/name-list';
import { AGENT_KEYS } from '../shape/vocabulary';
import { adviceInsteadOf, usualNameOf } from './foreign-tools';

/**
 * Reads agents in Markdown, as the common coding agents write theirs. Invariants: 1. what limits such an agent is kept or reported as an
 * error, never skipped; 2. everything else without a meaning here is skipped with a warning; 3. a key that is probably one of ours misspelt
 * is left to the reader of keys.
 */
export function translateForeignAgent(head: MappingNode, report: Report): MappingNode {
  const limited = entryOf(head, 'limits') !== undefined;
  const entries = head.entries.flatMap((entry): Entry[] => {
    const { key, keyAt, value } = entry;
    if (key === 'model' && value.kind === 'scalar' && value.text === 'inherit') return [];
    if (AGENT_KEYS.includes(key) && !isForeignMemory(entry)) return [entry];
    if (DENIED.includes(key)) return [];
    if (TURNS.includes(key) && !limited) {
      return [{ key: 'limits', keyAt, value: { kind: 'mapping', at: value.at, entries: [{ key: 'turns', keyAt, value }] } }];
    }
    if (limits(entry)) {
      reportLimit(
        `"${key}" limits what the agent may do`,
        keyAt,
        'list the tools that the agent may use under `tools`, and remove this key',
        report,
      );
    } else if (PASSED_OVER.has(key)) report('agent.passed-over', keyAt, `"${key}" means nothing here`, PASSED_OVER.get(key));
    else if (nearest(key, AGENT_KEYS) !== undefined) return [entry];
    else report('agent.passed-over', keyAt, `"${key}" means nothing here`, 'leave it out');
    return [];
  });
  return { ...head, entries };
}

const DENIED = ['disallowedTools', 'disallowed-tools'];
const TURNS = ['maxTurns', 'max_turns', 'maxSteps', 'steps'];

const PASSED_OVER: ReadonlyMap<string, string> = new Map([
  ...['color', 'mode', 'kind', 'hidden', 'temperature', 'top_p', 'effort', 'memory', 'background', 'target'].map(
    (key) => [key, 'leave it out'] as const,
  ),
  ['mcpServers', 'tool servers are defined under `mcp:` in thermidor.yaml; list mcp__server under `tools`'],
  ['mcp-servers', 'tool servers are defined under `mcp:` in thermidor.yaml; list mcp__server under `tools`'],
  ['isolation', 'an agent works in a folder of its step’s own, or in the step’s `cwd`'],
  ['timeout_mins', 'write `timeout: 10m`'],
]);

/** Whether `memory` is another program's: theirs names whose memory an agent has, ours names a file. */
function isForeignMemory({ key, value }: Entry): boolean {
  return key === 'memory' && value.kind === 'scalar' && ['user', 'project', 'local'].includes(value.text);
}

/** Whether a key takes something from the agent, unless its value says that it does not. */
function limits({ key, value }: Entry): boolean {
  const text = value.kind === 'scalar' ? value.text : undefined;
  if (key === 'readonly') return text !== 'false';
  if (key === 'permissionMode') return text === 'plan';
  return key === 'permission' || key === 'permissions' || key === 'hooks';
}

/** The tools of such a file by our names, without those that it denies. @param own names of an application's tools, which stay */
export function translateForeignTools(
  head: MappingNode,
  named: readonly Located<string>[],
  own: readonly string[],
  report: Report,
): Located<string>[] {
  const denials = DENIED.flatMap((key) => entryOf(head, key) ?? []);
  const denied = denials.flatMap((entry) => listedNames(entry, report) ?? []).map(({ value, at }) => ({ value: ourName(value), at }));
  const kept = named.flatMap((tool) => (own.includes(tool.value) ? [tool] : asOurTool(tool, report)));
  const left = kept.filter((tool) => !denied.some(({ value }) => coversTool(value, tool.value)));
  for (const { value, at } of denied) {
    const [base = value] = value.split('(');
    const touched = left.find((tool) => tool.value === ourName(base) || coversTool(tool.value, value));
    if (touched)
      reportLimit(`"${value}" takes away a part of "${touched.value}"`, at, 'list the tools that the agent may use, each by name', report);
  }
  return left;
}

function asOurTool({ value, at }: Located<string>, report: Report): Located<string>[] {
  const [base = value] = value.split('(');
  const advice = adviceInsteadOf(base);
  if (advice !== undefined) {
    report('agent.passed-over', at, `there is nothing like the tool "${base}" here`, advice);
    return [];
  }
  if (base === value || ourName(base) === base) return [{ value: ourName(value), at }];
  reportLimit(`"${value}" limits the tool`, at, `list "${ourName(base)}" to allow everything that the tool does, or remove it`, report);
  return [];
}

function reportLimit(what: string, at: SourceSpan, hint: string, report: Report): void {
  report('agent.limit-not-kept', at, `${what}, and this version cannot enforce that limit`, hint);
}

/** Our name for a tool: `mcp__server__*` is everything that a server has. */
function ourName(name: string): string {
  return name.startsWith('mcp__') && name.endsWith('__*') ? name.slice(0, -'__*'.length) : (usualNameOf(name) ?? name);
}
