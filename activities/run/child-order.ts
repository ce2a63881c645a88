import type { Allowance } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import { claimedStarter, readStarter, type Starter } from '../../plan/people/starter';
import type { ControlRef } from '../../plan/run/artifact';
import { readParentMessage } from '../../plan/run/child';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ParentRun, ScheduledFor, StartedFrom } from '../../plan/run/run-input';
import { field, type Json } from '../../plan/text/json';
import type { Ledger, RunKey } from '../../records/ledger';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import { messagesBeforeStart } from './run-messages';

/**
 * A run's order to its child. It is in the parent's ledger before the child starts, and the child takes it from there: anybody may have
 * typed the input of a workflow.
 */
export interface ChildOrder {
  /** Address of the `pipeline` step's try. */
  step: string;
  pipeline: string;
  plan: ControlRef<'plan'>;
  args: Record<string, Json>;
  /** The parent's own script: a run that is scripted is scripted all the way down. */
  script?: ControlRef<'script'>;
  /** The parent's own starter, from its record. */
  startedBy?: Starter | string;
  carried?: ControlRef<'carry'>;
  /** The day that its agents see: its parent's. ISO 8601. */
  scheduledAt?: string;
  /** Its parent's. */
  scheduled?: ScheduledFor;
  /** It may not begin before it gets its allowance. */
  budgeted?: true;
  /** Set if an agent starts it: a run of its own, for which nobody waits. */
  agent?: string;
}

/** An order with further data of the parent's ledger. */
export interface TakenOrder extends Omit<ChildOrder, 'step' | 'budgeted' | 'agent'> {
  parent?: ParentRun;
  /** Replaces a parent. */
  startedFrom?: StartedFrom;
  budget?: Allowance;
}

/**
 * Records an order. Each is for one run, so that nobody starts a child again under its id once it has ended.
 *
 * @param by the parent's execution: one that was reset orders its children again, from the same record
 */
export async function recordOrder(ledger: Ledger, parent: RunKey, child: string, order: ChildOrder, by = parent.run): Promise<void> {
  await ledger.putIfAbsent(parent, recordName(child), asJson(order));
  await ledger.append(parent, ordersLog(child), { by });
}

/** Fails with `input.invalid` if the run that is named as the parent has not ordered this one. */
export async function takeOrder(
  { ledger }: { ledger: Ledger },
  { key, workflowType }: { key: RunKey; workflowType: string },
  claim: Required<Omit<ParentRun, 'parent'>>,
): Promise<TakenOrder> {
  const { workflowId, run } = claim;
  const above: RunKey = { workflowId, run };
  // The ledger holds what `recordOrder` put there.
  const order = (await ledger.get(above, recordName(key.workflowId))) as ChildOrder | undefined;
  const granted = readParentMessage(await messagesBeforeStart(ledger, above, key.workflowId));
  const budget = granted?.kind === 'granted' ? granted.amounts : undefined;
  const unready = order?.budgeted && !budget;
  if (!order || order.step !== claim.step || order.pipeline !== workflowType || unready) {
    const problem = `"parent" is not a run that started ${workflowType} ${key.workflowId} at step "${claim.step}"`;
    throw new ThermidorFailure('input.invalid', `the workflow's input cannot be trusted: ${problem}`, { problems: [problem] });
  }
  await takeOnce(ledger, above, key);
  const { step, budgeted: _budgeted, agent, startedBy, ...rest } = order;
  // A seal is for the run that it started, and for no other.
  if (agent !== undefined) return { ...rest, ...unproven(startedBy), startedFrom: { workflowId, run, step, agent } };
  const grandparent = readRunRecord(await ledger.get(above, RUN_RECORD))?.parent;
  return {
    ...rest,
    ...defined({ startedBy }),
    parent: { workflowId, run, step, ...defined({ parent: grandparent }) },
    ...(budget && Object.keys(budget).length > 0 ? { budget } : {}),
  };
}

function unproven(startedBy: ChildOrder['startedBy']): Pick<ChildOrder, 'startedBy'> {
  const starter = readStarter(startedBy);
  if (!starter) return {};
  return { startedBy: starter.kind === 'person' ? claimedStarter(starter.name) : starter };
}

/** Fails with `input.invalid` if other runs have taken all orders. */
async function takeOnce(ledger: Ledger, parent: RunKey, { workflowId, run }: RunKey): Promise<void> {
  const named = async (log: string, name: string) => [...new Set((await ledger.lines(parent, log)).map((line) => field(line, name)))];
  const orders = (await named(ordersLog(workflowId), 'by')).length;
  const takers = async () => (await named(takersLog(workflowId), 'run')).slice(0, orders);
  const before = await takers();
  // The order in the log decides between two at once.
  if (!before.includes(run) && before.length < orders) await ledger.append(parent, takersLog(workflowId), { run });
  if ((await takers()).includes(run)) return;
  const problem = `"parent" has ordered ${workflowId} once, and another run has carried the order out: it is not started again`;
  throw new ThermidorFailure('input.invalid', `the workflow's input cannot be trusted: ${problem}`, { problems: [problem] });
}

function ordersLog(child: string): string {
  return `${recordName(child)}/orders`;
}

function takersLog(child: string): string {
  return `${recordName(child)}/takers`;
}

function recordName(child: string): string {
  return `child/${child}`;
}
