import { covers, SHELL, withoutShell } from '../../plan/brief/category';
import { unreachable } from '../../plan/unreachable';
import { type SourceSpan, sourceText } from '../diagnostics/diagnostic';
import { type Made, madeNode } from '../read/made-node';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';

/** What a command line says of a brief, as typed. It wins over the file, and its mistakes are located at the flag. */
export interface BriefFlags {
  /** For roles that name none. */
  adapter?: string;
  model?: string;
  mode?: string;
  /** Separated by commas. */
  roles?: string;
  /** One agent, without a coordinator. */
  single?: true;
  workdir?: string;
  /** Nothing that needs `shell_exec` is authorised, and nobody can authorise it in this run. */
  noShell?: true;
  maxTokens?: string;
  maxMinutes?: string;
}

/** How a brief is started. */
export interface BriefStart {
  /** Its id, if the file has none. */
  id: string;
  flags?: BriefFlags;
  /** Only the planner is asked. */
  until?: 'plan';
  /** Nobody is asked about calls that nothing authorises. */
  noOperator?: true;
}

/** The brief as the flags change it. */
export function withFlags(brief: MappingNode, flags: BriefFlags): MappingNode {
  const { mode, workdir, roles, single, noShell, maxTokens, maxMinutes } = flags;
  let node = brief;
  if (mode !== undefined) node = withEntry(node, flagEntry('mode', '--mode', mode));
  if (workdir !== undefined) node = withEntry(node, flagEntry('workdir', '--workdir', workdir));
  if (roles !== undefined) node = withRoles(node, roles);
  if (single) node = withEntry(without(node, 'role_adapters'), flagEntry('roles', '--single', []));
  if (noShell) node = withShellTaken(node);
  if (maxTokens !== undefined) node = withBudget(node, flagEntry('max_tokens', '--max-tokens', numberOr(maxTokens)));
  if (maxMinutes !== undefined) node = withBudget(node, flagEntry('max_wall_clock_minutes', '--max-minutes', numberOr(maxMinutes)));
  return node;
}

/** The place of a flag's value. */
export function flagPlace(flag: string, value: string): SourceSpan {
  return { source: sourceText(flag, value), start: 0, end: value.length };
}

function flagEntry(key: string, flag: string, value: Made): Entry {
  const at = flagPlace(flag, String(value));
  return { key, keyAt: at, value: madeNode(value, at) };
}

/** Text that is no number stays text, so that the mistake names what was given. */
function numberOr(text: string): string | number {
  return /^[+-]?\d[\d_]*$/.test(text) ? Number(text.replaceAll('_', '')) : text;
}

function without(node: MappingNode, key: string): MappingNode {
  return { ...node, entries: node.entries.filter((entry) => entry.key !== key) };
}

function withEntry(node: MappingNode, entry: Entry): MappingNode {
  return { ...node, entries: [...without(node, entry.key).entries, entry] };
}

function withBudget(node: MappingNode, entry: Entry): MappingNode {
  const written = entryOf(node, 'budgets');
  // Budgets of another form are a mistake of the file.
  if (written && written.value.kind !== 'mapping') return node;
  const budgets: MappingNode = written?.value.kind === 'mapping' ? written.value : { kind: 'mapping', at: entry.keyAt, entries: [] };
  return withEntry(node, { key: 'budgets', keyAt: written?.keyAt ?? entry.keyAt, value: withEntry(budgets, entry) });
}

/** The roles of the flag, each run as the file says. */
function withRoles(node: MappingNode, given: string): MappingNode {
  const at = flagPlace('--roles', given);
  const names = given.split(',').map((name) => name.trim());
  const written = entryOf(node, 'roles')?.value;
  const entries = names.map((key): Entry => {
    const before = written?.kind === 'mapping' ? entryOf(written, key) : undefined;
    return { key, keyAt: at, value: before?.value ?? { kind: 'scalar', at, value: null, text: '', style: 'plain', indent: 0 } };
  });
  const roles = withEntry(node, { key: 'roles', keyAt: at, value: { kind: 'mapping', at, entries } });
  return withAdaptersOf(roles, names);
}

/** The brief with a step's own roles in place of its roles. What the step says of a role wins over the brief's `role_adapters`. */
export function withOwnRoles(node: MappingNode, roles: Entry): MappingNode {
  return withAdaptersOf(withEntry(node, roles), silentRoles(roles.value));
}

/** The roles of which a list, a text with commas or a mapping says no more than their names. */
function silentRoles(roles: SourceNode): string[] {
  switch (roles.kind) {
    case 'mapping':
      return roles.entries.flatMap(({ key, value }) => (value.kind === 'scalar' ? [key] : []));
    case 'sequence':
      return roles.items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : []));
    case 'scalar':
      return roles.text.split(',').map((name) => name.trim());
    default:
      return unreachable(roles);
  }
}

/** Without the overrides of other roles. */
function withAdaptersOf(node: MappingNode, roles: readonly string[]): MappingNode {
  const adapters = entryOf(node, 'role_adapters');
  if (adapters?.value.kind !== 'mapping') return node;
  const listed = adapters.value.entries.filter(({ key }) => roles.includes(key));
  return withEntry(node, { ...adapters, value: { ...adapters.value, entries: listed } });
}

/** What else `*` covers stays authorised. */
function withShellTaken(node: MappingNode): MappingNode {
  const costs = entryOf(node, 'authorized_costs');
  if (!costs) return node;
  const items = costs.value.kind === 'sequence' ? costs.value.items : [costs.value];
  const left = items.flatMap((item) => {
    if (item.kind !== 'scalar' || !covers(item.text, SHELL)) return [item];
    return withoutShell(item.text).map((one) => madeNode(one, item.at));
  });
  return withEntry(node, { ...costs, value: { kind: 'sequence', at: costs.value.at, items: left } });
}
