import { CATEGORIES, type Category } from '../../../plan/people/category';
import { APPROVALS_CHANNEL, type Plan } from '../../../plan/plan';
import type { SourceSpan } from '../../diagnostics/diagnostic';
import { ANYONE } from '../../language/patterns';
import type { LoadedAgent } from '../../names/agent-definition';
import type { WhoSource } from '../../shape/source-parts';
import type { LowerContext } from '../lower-context';
import { anyoneIn, approversIn } from './people';

/** If nobody is named, anybody may say yes. That is seldom meant, so the compiler warns; `approvers: anyone` says that it is. */
export function warnMissingApprover(id: string, at: SourceSpan, { approvers, channel }: WhoSource, { report }: LowerContext): void {
  if (anyoneIn(approvers)) return;
  report('gate.no-approver', at, `anyone may decide at "${id}": nobody is named`, hintFor('approvers: [chairman]', channel?.value));
}

function hintFor(here: string, channel: string | undefined): string {
  const there = `; in thermidor.yaml, channels: {"${channel}": {approvers: [chairman]}} names them for the whole channel`;
  return `write ${here}${channel === undefined ? '' : there}; if it is meant, write approvers: ${ANYONE}`;
}

/** Who approves actions of a category that steps or tools of agents perform: as the file says, else the people of `#approvals`. */
export function everyApproval(
  written: Plan['requiresApproval'],
  agents: Iterable<LoadedAgent>,
  context: LowerContext,
): Plan['requiresApproval'] {
  const policies = { ...written };
  for (const [category, at] of categoriesIn(agents, context)) {
    const approvers = approversIn(APPROVALS_CHANNEL, context);
    if (approvers) policies[category] ??= { approvers };
    if (policies[category]?.approvers || anyoneIn(context.pipeline.requiresApproval?.get(category)?.approvers)) continue;
    const hint = hintFor(`requires_approval: {${category}: {approvers: [chairman]}}`, policies[category]?.channel ?? APPROVALS_CHANNEL);
    context.report('gate.no-approver', at, `anyone may approve actions of the category ${category}: nobody is named`, hint);
  }
  return Object.keys(policies).length > 0 ? policies : undefined;
}

/** The first place of each category. */
function categoriesIn(agents: Iterable<LoadedAgent>, { places }: LowerContext): Map<Category, SourceSpan> {
  const found = new Map<Category, SourceSpan>();
  for (const { step } of places.byId.values()) if (step.category && !found.has(step.category)) found.set(step.category, step.at);
  for (const { definition, at } of agents)
    for (const category of CATEGORIES) if (definition?.categories?.[category] && !found.has(category)) found.set(category, at);
  return found;
}
