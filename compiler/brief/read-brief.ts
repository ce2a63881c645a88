import { defined } from '../../plan/defined';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { BRIEF_ROWS } from '../language/mappings/brief';
import { BRIEF_BUDGET_ROWS } from '../language/mappings/brief-budgets';
import { BRIEF_CLI_ROWS, BRIEF_ROLE_ROWS } from '../language/mappings/brief-roles';
import { type KeyRow, spellings } from '../language/row';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys, headOf } from '../shape/keys';
import { listedNames } from '../shape/name-list';
import { readRows } from '../shape/read-rows';
import type { SourceOf } from '../shape/source-of';
import { mappingOf, textOf, textsOf, wrongType } from '../shape/values';
import { PASSED_OVER, PASSED_OVER_OF_PROGRAMS, warnOfPassedOver, warnOfProgramKeys } from './passed-over';
import { readSections, type SectionsSource, type TextForm } from './read-sections';

/** A brief as written, every value with its place. `compiler/brief/resolve-brief.ts` makes the plan's of it. */
export interface BriefSource extends SourceOf<readonly PlainRow[]> {
  at: SourceSpan;
  project?: Located<string>;
  briefId?: Located<string>;
  deadline?: Located<string>;
  /** Absent: one agent. */
  roles?: { listed: readonly RoleSource[]; at: SourceSpan };
  /** Overrides of `role_adapters`, by role. */
  roleAdapters: readonly RoleSource[];
  budgets?: SourceOf<typeof BRIEF_BUDGET_ROWS>;
  cli?: SourceOf<typeof BRIEF_CLI_ROWS>;
  servers: readonly Located<string>[];
  sections: SectionsSource;
}

/** A role that a brief lists, and what is to run it. */
export interface RoleSource {
  id: Located<string>;
  runBy?: SourceOf<typeof BRIEF_ROLE_ROWS>;
}

type Row = (typeof BRIEF_ROWS)[number];
type PlainRow = Exclude<Row, { own: true }>;
const PLAIN_ROWS = BRIEF_ROWS.filter((row): row is PlainRow => !('own' in row));

/** They are read by code of their own, which takes them as they come. */
const REQUIRED = BRIEF_ROWS.filter((row) => 'required' in row);

const KNOWN: readonly string[] = [...spellings(BRIEF_ROWS), ...PASSED_OVER.map(({ key }) => key)];

/** Reads a brief within a pipeline (`template`), or what `briefNode` has made of a file (`literal`). */
export function readBrief(node: MappingNode, form: TextForm, report: Report): BriefSource {
  checkKeys(node, { what: 'a brief', known: KNOWN }, report);
  warnOfPassedOver(node, report);
  const get = (key: Row['key']): Entry | undefined => entryOf(node, key);
  readRows(node, REQUIRED, 'the brief', { report });
  const text = (key: Row['key']): Located<string> | undefined => {
    const entry = get(key);
    return entry && textOf(entry, report);
  };
  const [roles, servers] = [get('roles'), get('mcp_servers')];
  const { node: _, ...source } = readRows(node, PLAIN_ROWS, 'the brief', { report });
  return {
    ...source,
    node,
    at: headOf(node),
    ...defined({ project: text('project'), briefId: text('brief_id'), deadline: text('deadline') }),
    ...(roles ? { roles: { listed: rolesIn(roles, report), at: roles.keyAt } } : {}),
    roleAdapters: overrides(get('role_adapters'), report),
    ...defined({
      budgets: nested(get('budgets'), BRIEF_BUDGET_ROWS, [], report),
      cli: nested(get('cli'), BRIEF_CLI_ROWS, PASSED_OVER_OF_PROGRAMS, report),
    }),
    servers: (servers && textsOf(servers, report, 'a list such as ["files=npx server-files ./"]')) ?? [],
    sections: readSections(node, form, report),
  };
}

/** The roles of a list, of a text with commas, or of a mapping. */
function rolesIn(entry: Entry, report: Report): RoleSource[] {
  const { value } = entry;
  if (value.kind === 'mapping') return value.entries.map((role) => override(role, report));
  if (value.kind === 'scalar' && typeof value.value !== 'string') {
    wrongType(value, entry.key, 'a list such as [planner, executor], or a mapping of roles', report);
    return [];
  }
  return (listedNames(entry, report) ?? []).map((id) => ({ id }));
}

function overrides(entry: Entry | undefined, report: Report): RoleSource[] {
  const node = entry && mappingOf(entry, report, 'a mapping of roles such as {planner: {adapter: anthropic}}');
  return (node?.entries ?? []).map((role) => override(role, report));
}

function override(entry: Entry, report: Report): RoleSource {
  const id = { value: entry.key, at: entry.keyAt };
  if (entry.value.kind === 'scalar' && entry.value.value === null) return { id };
  return { id, ...defined({ runBy: nested(entry, BRIEF_ROLE_ROWS, PASSED_OVER_OF_PROGRAMS, report) }) };
}

/** A mapping within the brief. @param passedOver keys that are warned of */
function nested<const Rows extends readonly KeyRow[]>(
  entry: Entry | undefined,
  rows: Rows,
  passedOver: readonly string[],
  report: Report,
): SourceOf<Rows> | undefined {
  const node = entry && mappingOf(entry, report, `a mapping of ${spellings(rows).join(', ')}`);
  if (!entry || !node) return undefined;
  checkKeys(node, { what: `"${entry.key}"`, known: [...spellings(rows), ...passedOver] }, report);
  warnOfProgramKeys(node, report);
  return readRows(node, rows, `"${entry.key}"`, { report }) as SourceOf<Rows>;
}
