import { AMOUNTS, type AmountKind, type BudgetSpec } from '../../../plan/budgets/budget';
import type { SignalPayload } from '../../../plan/run/signal';
import { formatPath, parseAddress } from '../../../plan/steps/address';
import { duration } from '../../../plan/text/duration';
import { planChildDecision } from '../containers/child-runs';
import { childGates, openGates } from '../gates/gate-view';
import { decisionOf, gateWakeKey } from '../gates/gates';
import type { MessageSource, NotApplied, PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import { type Account, accountAt, budgetAt, ceilingOf, openAccountRecord, reservedBy, spentMs } from './accounts';
import { wakeBudgetWaiters } from './reservation';

/**
 * New ceilings from an operator: for the budget that a gate asks about, for the named step, or else for the run. They are absolute, and
 * never below what is spent and reserved.
 */
export function planBudgetExtension(it: Interpreter, payload: SignalPayload, via: MessageSource): PlannedCommand {
  const { run } = it;
  const { ceilings } = payload;
  if (!ceilings || Object.keys(ceilings).length === 0)
    return { outcome: 'unreadable', reason: 'extend_budget needs at least one ceiling, such as {"tokens": 120000}' };
  const child = childGateFor(it, payload.step);
  if (child) return planChildDecision(it, child, 'extend_budget', forChild(payload, ceilings));
  const account = accountFor(it, payload.step);
  if ('outcome' in account) return account;
  const problem = belowWhatIsUsed(it, account, ceilings);
  if (problem !== undefined) return { outcome: 'refused', reason: problem };
  const step = account.path === '' ? {} : { step: run.name(account.path) };
  return {
    ...step,
    apply: () => {
      const book = openAccountRecord(account);
      book.ceilings = { ...book.ceilings, ...ceilings };
      const by = payload.by === undefined ? {} : { by: payload.by };
      run.journal.add({ kind: 'budget', event: 'extended', reason: describe(ceilings), ...step, ...by });
      for (const { path, gate } of openGates(run)) {
        if (gate.kind !== 'budget' || gate.account !== account.path) continue;
        gate.decision = decisionOf(run, gate, 'extend_budget', payload, via);
        run.wake(gateWakeKey(path));
      }
      wakeBudgetWaiters(it);
      it.changed('gates');
    },
  };
}

/** A budget gate of a child, if it is named or is the only one. */
function childGateFor({ run }: Interpreter, step: string | undefined): ReturnType<typeof childGates>[number] | undefined {
  const gates = childGates(run).filter(({ view }) => view.kind === 'budget');
  if (step !== undefined) return gates.find(({ view }) => view.step === step);
  const own = openGates(run).some(({ gate }) => gate.kind === 'budget');
  return own || gates.length > 1 ? undefined : gates[0];
}

/** Unchanged: the child reads it as if it had been sent there. */
function forChild(
  payload: SignalPayload,
  { tokens, costMicroUsd, wallClockMs, toolCallsPerStep, retriesPerStep, onUnknownCost, onUnlimited }: BudgetSpec,
): SignalPayload {
  const { ceilings: _read, ...rest } = payload;
  return {
    ...rest,
    ...given('tokens', tokens),
    ...given('usd', costMicroUsd === undefined ? undefined : costMicroUsd / 1_000_000),
    ...given('wall_clock', wallClockMs),
    ...given('tool_calls_per_step', toolCallsPerStep),
    ...given('retries_per_step', retriesPerStep),
    ...given('on_unknown_cost', onUnknownCost),
    ...given('on_unlimited', onUnlimited),
  };
}

function given(key: string, value: string | number | undefined): Record<string, string | number> {
  return value === undefined ? {} : { [key]: value };
}

function accountFor(it: Interpreter, step: string | undefined): Account | NotApplied {
  const { run } = it;
  if (step === undefined) {
    const paths = new Set(openGates(run).flatMap(({ gate }) => (gate.kind === 'budget' ? [gate.account ?? ''] : [])));
    const [only, another] = paths;
    if (another !== undefined) {
      const list = openGates(run).flatMap(({ path, gate }) => (gate.kind === 'budget' ? [run.name(path)] : []));
      return { outcome: 'misdirected', reason: `several budgets are reached, name one: ${list.join(', ')}` };
    }
    return accountAt(run, only ?? '');
  }
  const address = parseAddress(step);
  if (!address) return { outcome: 'misdirected', reason: `"${step}" is not the address of a step` };
  const path = formatPath(address.path);
  const gate = openGates(run).find((open) => open.gate.kind === 'budget' && (open.path === path || open.path.endsWith(`/${path}`)));
  if (gate) return accountAt(run, gate.gate.account ?? '');
  if (budgetAt(run, path) && Object.hasOwn(run.state.records, path)) return accountAt(run, path);
  return { outcome: 'misdirected', reason: `${step} has no budget of its own to raise` };
}

function belowWhatIsUsed({ run }: Interpreter, account: Account, ceilings: BudgetSpec): string | undefined {
  for (const kind of AMOUNTS) {
    const wanted = ceilings[kind];
    if (wanted === undefined) continue;
    const used = account.book.spent[kind] + reservedBy(run, account, kind);
    if (used > wanted) return tooLow(SHOWN_AS[kind], wanted, ceilingOf(account, kind), used, 'spent or reserved');
  }
  const { wallClockMs: wantedMs } = ceilings;
  const usedMs = spentMs(run, account);
  return wantedMs === undefined || usedMs <= wantedMs
    ? undefined
    : tooLow(duration, wantedMs, account.ceilings.wallClockMs, usedMs, 'spent');
}

const SHOWN_AS: Readonly<Record<AmountKind, (value: number) => string>> = {
  tokens: (value) => `${value} tokens`,
  costMicroUsd: (value) => `$${value / 1_000_000}`,
};

function tooLow(shown: (value: number) => string, wanted: number, now: number | undefined, used: number, how: string): string {
  const ceiling = now === undefined ? '' : `, and the ceiling is ${shown(now)}`;
  return `a ceiling of ${shown(wanted)} is too low: ${shown(used)} are ${how} already${ceiling}`;
}

function describe(ceilings: BudgetSpec): string {
  return Object.entries(ceilings)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ');
}
