import { type BriefBudgets, type BriefRole, type BriefSections, DEFAULT_BRIEF_BUDGETS, type ProjectBrief } from '../../plan/brief/brief';
import { BRIEF_ID } from '../../plan/brief/brief-run';
import { ANY_CATEGORY, serverOf } from '../../plan/brief/category';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import { joinTemplates, trimTemplate } from '../../plan/expressions/template-text';
import type { Report } from '../diagnostics/diagnostic';
import { severityOf } from '../diagnostics/severity';
import { didYouMean } from '../diagnostics/suggest';
import type { TemplateSyntax } from '../expression/syntax';
import type { Installation } from '../installation';
import { knownCategories } from '../names/cost-categories';
import { loadRoles } from '../names/roles';
import { entryOf } from '../read/node';
import type { Sources } from '../sources';
import type { BriefStart } from './flags';
import { checkCount, MOST } from './limits';
import { FOREIGN_COSTS } from './passed-over';
import type { BriefSource } from './read-brief';
import { rolesOf } from './resolve-roles';
import { runAlone } from './role-adapter';
import type { SectionKey } from './sections';
import { serversOf } from './tool-servers';

/** Where a brief is resolved. */
export interface BriefReading {
  /** The brief's file, or that of the pipeline it is in: roles lie next to it. */
  file: string;
  sources: Sources;
  installation: Installation;
  report: Report;
  /** Looks up the names of a text. Undefined if one is unknown, which is reported. */
  template(syntax: TemplateSyntax): Template | undefined;
  /** How its file is started. */
  start?: BriefStart;
}

/** The brief as it goes into the plan. Undefined if something in it is wrong, all of which is reported. */
export function resolveBrief(source: BriefSource, reading: BriefReading): ProjectBrief | undefined {
  let clean = true;
  const report: Report = (...mistake) => {
    if (severityOf(mistake[0]) === 'error') clean = false;
    reading.report(...mistake);
  };
  const { file, sources, installation, start } = reading;
  checkIds(source, installation, report);
  checkWorkdir(source, installation, report);
  const toolServers = serversOf(source.servers, report);
  const authorized = authorizedBy(source, Object.keys(toolServers), installation, report);
  const adapters = { source, authorized, installation, report, ...defined({ flags: start?.flags }) };
  const roles: BriefRole[] = rolesOf(adapters, loadRoles(file, sources, installation, report));
  const sections = sectionsOf(source, reading);
  const constraints = entryOf(source.node, 'constraints');
  if (!constraints || (constraints.value.kind === 'scalar' && constraints.value.faulty))
    report(
      'brief.no-constraints',
      constraints?.keyAt ?? source.at,
      'the brief has no constraints',
      'say what the work must keep to, in a section "Constraints"',
    );
  const alone = roles.length === 0 ? runAlone(adapters) : {};
  const { project, briefId, deadline, cli, tier, workdir, askTimeoutMs, scopeLocked = false, mode = 'gated' } = source;
  const { objective, deliverables } = sections;
  if (!clean || !project || objective === undefined || deliverables === undefined) return undefined;
  const program = { ...defined({ adapter: cli?.binary?.value, timeoutMs: cli?.timeoutMs, tier: cli?.tier }), ...alone };
  return {
    ...{ project: project.value, scopeLocked, mode, authorized, roles, budgets: budgetsOf(source) },
    sections: { ...sections, objective, deliverables },
    ...defined({
      ...{ briefId: briefId?.value ?? start?.id, deadline: deadline?.value, workdir: workdir?.value, tier, askTimeoutMs },
      program: Object.keys(program).length > 0 ? program : undefined,
      toolServers: Object.keys(toolServers).length > 0 ? toolServers : undefined,
    }),
  };
}

const PROJECT = /^[a-z0-9][a-z0-9-]{0,63}$/;

function checkIds({ project, briefId, deadline }: BriefSource, { today }: Installation, report: Report): void {
  if (project && !PROJECT.test(project.value)) {
    const kebab = project.value
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 64);
    const hint = 'write lower-case letters, digits and hyphens, 64 at most';
    report('brief.bad-id', project.at, `"project" is "${project.value}"`, kebab === '' ? hint : `${hint}, such as \`${kebab}\``);
  }
  if (briefId && !BRIEF_ID.test(briefId.value))
    report('brief.bad-id', briefId.at, `"brief_id" is "${briefId.value}"`, 'write a date, and letters or digits behind it: 2031-05-17-A1');
  if (!deadline) return;
  if (!isDay(deadline.value))
    report('brief.bad-id', deadline.at, `"deadline" is "${deadline.value}", which is no day`, 'write it as 2031-05-17');
  else if (today !== undefined && deadline.value < today)
    report('brief.deadline-passed', deadline.at, `the deadline ${deadline.value} has passed`, 'move it, or remove it: nothing ends by it');
}

/** A warning: the worker may be on another machine, and there the folder may be, or be made by a step before this one. */
function checkWorkdir({ workdir }: BriefSource, { hasFolder }: Installation, report: Report): void {
  if (workdir === undefined || hasFolder?.(workdir.value) !== false) return;
  const hint = 'make it, or correct the path: it starts at the folder in which the worker is started';
  report('brief.no-workdir', workdir.at, `there is no folder "${workdir.value}" on this machine`, hint);
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function authorizedBy({ authorizedCosts = [] }: BriefSource, own: readonly string[], installation: Installation, report: Report): string[] {
  checkCount('authorized_costs', authorizedCosts, MOST.authorized, report);
  const ours = authorizedCosts.filter(({ value, at }) => {
    if (!FOREIGN_COSTS.has(value)) return true;
    report('brief.passed-over', at, `"${value}" authorises nothing here`, `write \`${FOREIGN_COSTS.get(value)}\` if that is meant`);
    return false;
  });
  const known = [...own, ...(installation.toolServers ?? [])];
  for (const { value, at } of ours) {
    if (value === ANY_CATEGORY)
      report('brief.authorises-all', at, 'the brief authorises everything, and nobody is asked', 'name what the work needs');
    const server = serverOf(value);
    if (server === undefined || known.length === 0 || known.includes(server)) continue;
    const hint = didYouMean(server, known, 'servers are listed under `mcp_servers`, or under `mcp` of thermidor.yaml');
    report('brief.unknown-server', at, `there is no server of tools "${server}"`, hint);
  }
  return knownCategories(ours, 'the brief authorises', report);
}

const MINUTE_MS = 60_000;

function budgetsOf({ budgets }: BriefSource): BriefBudgets {
  const { tokens, wallClockMs, toolCallsPerSubtask, retriesPerSubtask } = DEFAULT_BRIEF_BUDGETS;
  return {
    tokens: budgets?.maxTokens ?? tokens,
    wallClockMs: budgets?.maxWallClockMinutes === undefined ? wallClockMs : budgets.maxWallClockMinutes * MINUTE_MS,
    toolCallsPerSubtask: budgets?.maxToolCallsPerSubtask ?? toolCallsPerSubtask,
    retriesPerSubtask: budgets?.maxRetriesPerSubtask ?? retriesPerSubtask,
  };
}

function sectionsOf({ sections }: BriefSource, { template }: BriefReading): Partial<BriefSections> & Pick<BriefSections, 'others'> {
  const text = (key: SectionKey): Template | undefined => {
    const { texts = [], isList } = sections.known[key] ?? {};
    const lines = texts.flatMap((syntax): Template[] => {
      const line = template(syntax);
      return line ? [joinTemplates([[isList ? '- ' : ''], trimTemplate(line)], '')] : [];
    });
    return lines.length === 0 ? undefined : joinTemplates(lines, '\n');
  };
  const others = sections.others.flatMap(([heading, syntax]): [string, Template][] => {
    const found = template(syntax);
    return found ? [[heading, trimTemplate(found)]] : [];
  });
  return {
    ...defined({
      objective: text('objective'),
      deliverables: text('deliverables'),
      constraints: text('constraints'),
      toolsRequired: text('tools_required'),
      notes: text('notes'),
      context: text('context'),
      acceptance: text('acceptance'),
    }),
    others,
  };
}
