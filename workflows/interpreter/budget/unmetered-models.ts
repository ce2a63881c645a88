import type { BudgetShort } from '../../../plan/budgets/budget';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { accountsAround, openAccountRecord } from './accounts';
import { askUntilAllowed } from './budget-gate';
import { decidingAccount } from './reservation';

/** Requests of stages to a model, with why they cannot be kept within a ceiling. */
const UNCOUNTED = [
  ['onUnlimited', { kind: 'unlimited', adapter: 'llm.invoke' }],
  ['onUnknownCost', { kind: 'unknownCost', model: 'llm.invoke' }],
] as const satisfies readonly (readonly [string, BudgetShort])[];

/** A step that asks a model itself begins under a ceiling only if budgets allow it; its cost is unknown then. */
export async function requireMeteredModels(it: Interpreter, place: Place, ctx: StepContext): Promise<void> {
  const { run } = it;
  const key = `${run.address(place.path)}/uncounted`;
  const holder = { key, place, hold: { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } } };
  await askUntilAllowed(it, ctx, 'countable', holder, () => {
    for (const [word, short] of UNCOUNTED) {
      const around = accountsAround(run, place);
      const account = decidingAccount(around, word);
      if (account && account.ceilings[word] !== 'allow') return { account: account.path, short };
    }
    return undefined;
  });
  ctx.once('uncounted', () => {
    for (const account of accountsAround(run, place)) openAccountRecord(account).unknownCost = true;
  });
}
