import { AMOUNTS, type BudgetSpec } from '../../plan/budgets/budget';
import { priceOf } from '../../plan/budgets/price';
import { defined } from '../../plan/defined';
import type { Located, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { BUDGET_ROWS } from '../language/mappings/file';
import type { LoadedAgent } from '../names/agent-definition';
import type { SourceOf } from '../shape/source-of';
import type { StepPosition } from '../step-positions';
import { programOf } from './agents/agent-program';
import type { LowerContext } from './lower-context';

const CEILINGS = [
  ['tokens', 'tokens'],
  ['costMicroUsd', 'usd'],
  ['wallClockMs', 'wall_clock'],
  ['toolCallsPerStep', 'tool_calls_per_step'],
  ['retriesPerStep', 'retries_per_step'],
] as const;

const MICRO_USD = 1_000_000;

/** Ceilings in the plan's words: dollars become whole millionths. */
export function budgetOf({ usd, ...written }: SourceOf<typeof BUDGET_ROWS>): BudgetSpec {
  const { tokens, wallClockMs, toolCallsPerStep, retriesPerStep, onUnknownCost, onUnlimited } = written;
  const costMicroUsd = usd === undefined ? undefined : Math.max(1, Math.round(usd * MICRO_USD));
  return defined({ tokens, costMicroUsd, wallClockMs, toolCallsPerStep, retriesPerStep, onUnknownCost, onUnlimited });
}

/** Reports a ceiling above the run's: the run's would be reached before. */
export function checkStepBudget(value: BudgetSpec, at: SourceSpan, context: LowerContext): void {
  const { budget } = context.pipeline;
  if (budget) checkWithin({ of: 'the step', value, at }, { of: 'run', value: budgetOf(budget) }, context);
}

/** Reports a ceiling above one around it, by which it is never reached. */
export function checkWithin(
  { of, value, at }: { of: string; value: BudgetSpec; at: SourceSpan },
  around: { of: 'run' | 'step'; value: BudgetSpec },
  { report }: LowerContext,
): void {
  const above = CEILINGS.filter(([key]) => (value[key] ?? 0) > (around.value[key] ?? Number.POSITIVE_INFINITY)).map(
    ([, name]) => `"${name}"`,
  );
  if (above.length === 0) return;
  const which = `${above.join(' and ')} of ${of} ${above.length === 1 ? 'is' : 'are'} above the ${around.of}’s`;
  report('budget.above-run', at, `${which}, which ${above.length === 1 ? 'is' : 'are'} reached first`, 'lower or remove it');
}

/**
 * Reports an agent that a ceiling cannot limit: a program's replies cannot be held to what a ceiling leaves.
 */
export function checkLimited(agent: LoadedAgent, at: Located<string>['at'], place: StepPosition, context: LowerContext): void {
  const program = programOf(agent, context);
  if (program === undefined) return;
  const budgets = budgetsOver(place, context);
  if (!budgets.some((budget) => AMOUNTS.some((kind) => budget[kind] !== undefined))) return;
  if (budgets.find(({ onUnlimited }) => onUnlimited !== undefined)?.onUnlimited === 'allow') return;
  const message = `the replies of agent "${agent.id}" cannot be limited, because the program "${program}" gives them: the run is held before the agent is asked`;
  context.report(
    'budget.unlimited',
    at,
    message,
    'write `on_unlimited: allow` in the budget; it may then overshoot by the reply in flight',
  );
}

/** Warns of a model that is not in the price table under a ceiling in dollars: its cost is unknown. An empty table proves nothing. */
export function checkCost(agent: LoadedAgent, at: Located<string>['at'], place: StepPosition, context: LowerContext): void {
  const { installation, report } = context;
  const { prices, models: aliases = {} } = installation;
  const named = agent.definition?.model;
  const model = named !== undefined && Object.hasOwn(aliases, named) ? aliases[named]?.model : named;
  const known = Object.keys(prices.models);
  if (known.length === 0 || model === undefined || priceOf(model, prices)) return;
  const budgets = budgetsOver(place, context);
  if (!budgets.some(({ costMicroUsd }) => costMicroUsd !== undefined)) return;
  const allowed = budgets.find(({ onUnknownCost }) => onUnknownCost !== undefined)?.onUnknownCost === 'allow';
  const what = allowed ? 'the agent runs, and its cost counts as unknown' : 'the run is held before the agent is asked';
  const hint = `${allowed ? 'add' : 'write `on_unknown_cost: allow`, or add'} the model under \`prices:\` in thermidor.yaml`;
  const message = `what agent "${agent.id}" costs is unknown, because "${model}" has no price: ${what}`;
  report('budget.unknown-cost', at, message, () => didYouMean(model, known, hint));
}

/** The budgets over an agent of a step, innermost first, the run's last. */
function budgetsOver(place: StepPosition, { pipeline }: LowerContext): BudgetSpec[] {
  return [...budgetsAround(place), ...(pipeline.budget ? [budgetOf(pipeline.budget)] : [])];
}

/** That of each task which the step gives out, and the budgets of the step and its holders. */
function* budgetsAround(place: StepPosition): Generator<BudgetSpec> {
  const { work } = place.step;
  if (work && 'taskBudget' in work && work.taskBudget) yield budgetOf(work.taskBudget);
  for (let at: StepPosition | undefined = place; at; at = at.block.holder) if (at.step.budget) yield budgetOf(at.step.budget);
}
