import type { BriefRole, ProjectBrief } from '../../../plan/brief/brief';
import type { Template } from '../../../plan/expressions/expression';
import { joinTemplates } from '../../../plan/expressions/template-text';
import { duration } from '../../../plan/text/duration';
import type { BriefTexts } from '../model';
import { bullets } from './texts';
import { JUDGES } from './words';

/** What the compiler says of a brief, once: agents and people read the same words in each turn. */
export function briefTexts(brief: ProjectBrief): Record<keyof BriefTexts, Template> {
  const { sections, scopeLocked, deadline, authorized } = brief;
  const { objective, deliverables, constraints, toolsRequired, notes, context, acceptance, others } = sections;
  const may = authorized.length === 0 ? 'only reading files' : authorized.join(', ');
  const written = headed([
    ['Objective', objective],
    ['Deliverables', deliverables],
    ['Constraints', constraints],
    ['Tools required', toolsRequired],
    ['Notes and unknowns', notes],
  ]);
  const more = headed([
    ['Context', context],
    ['Acceptance', acceptance],
    ...others.map(([heading, text]) => [heading || 'Further', text] as const),
  ]);
  const scope = scopeLocked ? 'Refuse what the brief does not ask for.' : undefined;
  const rules = [
    `Without a question: ${may}.`,
    ...(deadline === undefined ? [] : [`The deadline is ${deadline}.`]),
    ...(scope === undefined ? [] : [scope]),
  ];
  return {
    brief: joinTemplates(
      [[`Project: ${brief.project}`], written, more, headed([['Authorised', bullets(rules)]])].filter((part) => part.length > 0),
      '\n\n',
    ),
    confirmation: joinTemplates(
      [
        written,
        headed([
          ['Authorised', may],
          ['Budgets', budgetText(brief)],
          ['Roles', runBy(brief)],
        ]),
      ],
      '\n\n',
    ),
    roles: [rolesText(brief)],
  };
}

function headed(parts: readonly (readonly [heading: string, text: string | Template | undefined])[]): Template {
  const written = parts.flatMap(([heading, text]): Template[] => {
    if (text === undefined || text === '') return [];
    return [joinTemplates([[`## ${heading}`], typeof text === 'string' ? [text] : text], '\n\n')];
  });
  return joinTemplates(written, '\n\n');
}

function budgetText({ budgets: { tokens, wallClockMs, toolCallsPerSubtask, retriesPerSubtask } }: ProjectBrief): string {
  const retries = `${retriesPerSubtask} ${retriesPerSubtask === 1 ? 'retry' : 'retries'}`;
  return `${tokens} tokens, ${duration(wallClockMs)}; for each sub-task ${toolCallsPerSubtask} calls of tools and ${retries}`;
}

/** `planner (anthropic, free), executor`. */
function runBy({ roles, tier }: ProjectBrief): string {
  const named = roles.length === 0 ? [{ id: 'one agent' }] : roles;
  return named.map((role: Partial<BriefRole> & { id: string }) => called(role, tier)).join(', ');
}

function called({ id, adapter, model, tier }: Partial<BriefRole> & { id: string }, usual: ProjectBrief['tier']): string {
  const facts = [adapter, model, tier ?? usual].filter((fact) => fact !== undefined);
  return facts.length === 0 ? id : `${id} (${facts.join(', ')})`;
}

/** Whom the planner may give sub-tasks to, if it has a choice. */
function rolesText({ roles }: ProjectBrief): string {
  const judges: readonly string[] = ['planner', ...JUDGES];
  const executing = roles.filter(({ id }) => !judges.includes(id));
  if (executing.length < 2) return '';
  // Only workers know what a registered role is for.
  const lines = executing.map(({ id, definition }) => (definition ? `\`${id}\`: ${definition.description}` : `\`${id}\``));
  return `A sub-task without a \`role\` goes to the executor.\n\n${bullets(lines)}`;
}
