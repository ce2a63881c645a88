import { DESCRIPTIONS } from '../../kinds/descriptions';
import { readBudgetOrder } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import type { SignalPayload } from '../../plan/run/signal';
import type { RunView } from '../../plan/run/status';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { budgetLines } from '../rendering/budget';
import { pathOfStep } from '../rendering/step-tree';
import { orderedBy, sendOrder } from '../session/send-order';
import { withSession } from '../session/with-session';
import { configurationOf } from '../settings/settings';
import { currentView } from './status';

/** Ceilings by the option's name, which commander derives from the flag: the key of `extend_budget`. */
const CEILINGS = [
  ['tokens', 'tokens', 'number'],
  ['usd', 'usd', 'number'],
  ['wallClock', 'wall_clock', 'text'],
  ['toolCalls', 'tool_calls_per_step', 'number'],
  ['retries', 'retries_per_step', 'number'],
  ['onUnknownCost', 'on_unknown_cost', 'text'],
  ['onUnlimited', 'on_unlimited', 'text'],
] as const;

/** Sets new absolute ceilings of the run or of one step; without any, shows the budgets. */
export async function execute(invocation: Invocation): Promise<number> {
  const order = ceilingsOf(invocation);
  if (Object.keys(order).length === 0) return show(invocation);
  const read = readBudgetOrder(order);
  if ('problem' in read) throw usage(read.problem, 'e.g. --tokens 120000 --usd 5 --wall-clock 2h');
  const step = invocation.options.text('step');
  const payload: SignalPayload & Record<string, unknown> = {
    ...orderedBy(invocation, configurationOf(invocation).user.value),
    ...defined({ step }),
    ...order,
  };
  return sendOrder(invocation, { name: 'extend_budget', payload, moves: true });
}

function ceilingsOf({ options }: Invocation): Record<string, string | number> {
  const order: Record<string, string | number> = {};
  for (const [option, key, kind] of CEILINGS) {
    const text = options.text(option);
    if (text !== undefined) order[key] = kind === 'text' || text.trim() === '' ? text : numberOr(text);
  }
  return order;
}

/** Text that is no number stays text, so that the check names the given value. */
function numberOr(text: string): string | number {
  const value = Number(text.replaceAll('_', ''));
  return Number.isNaN(value) ? text : value;
}

async function show(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  return withSession(invocation, 'answers', async (session) => {
    const view = await currentView(session, args[0] ?? '');
    const { run } = view;
    const budgets = budgetsOf(view, options.text('step'));
    if (options.flag('json')) terminal.out(`${JSON.stringify({ run, budgets }, null, 2)}\n`);
    else if (budgets.length === 0) terminal.err(`${run} has no budget; give it one with: thermidor budget ${run} --tokens 120000\n`);
    else for (const { at, budget, each } of budgets) terminal.out(budgetLines(at, budget, terminal.colors, each));
    return EXIT.done;
  });
}

function budgetsOf(view: RunView, step: string | undefined): { at: string; budget: NonNullable<RunView['budget']>; each?: string }[] {
  const own = view.budget === undefined || step !== undefined ? [] : [{ at: 'run', budget: view.budget }];
  const steps = view.steps.flatMap(({ id, kind, address, budget }) =>
    budget === undefined ? [] : [{ at: pathOfStep({ id, address }), budget, ...defined({ each: DESCRIPTIONS[kind].each }) }],
  );
  return [...own, ...steps.filter(({ at }) => step === undefined || at === step || at.endsWith(`/${step}`))];
}
