import type { ControlRef } from '../../plan/artifact';
import type { Amounts } from '../../plan/budget';
import { readParentWord } from '../../plan/child';
import type { ParentRun } from '../../plan/contract';
import { ThermidorFailure } from '../../plan/failure';
import type { Json } from '../../plan/json';
import type { Starter } from '../../plan/starter';
import type { Ledger, RunKey } from '../ports';
import { asJson } from '../stored/stored-json';
import { saidBeforeStart } from './line';
import { RUN_RECORD, readRunRecord } from './run-record';

/**
 * What a run has its child do. It is in the parent's ledger before the child starts, and the child takes it from there: the input of
 * a workflow is what anybody may have typed.
 */
export interface ChildOrder {
  /** Address of the `pipeline` step's try. */
  step: string;
  pipeline: string;
  plan: ControlRef<'plan'>;
  args: Record<string, Json>;
  /** The parent's own script: a run that is scripted is scripted all the way down. */
  script?: ControlRef<'script'>;
  /** The parent's own, as its record has it. */
  startedBy?: Starter | string;
  carried?: ControlRef<'carry'>;
  /** The day that its agents are told: its parent's. ISO 8601. */
  scheduledAt?: string;
  /** It may not begin before it is said what it may use. */
  budgeted?: true;
}

/** An order with what the parent's ledger has beside it. */
export interface TakenOrder extends Omit<ChildOrder, 'step' | 'budgeted'> {
  parent: ParentRun;
  budget?: Amounts;
}

export async function recordOrder(ledger: Ledger, parent: RunKey, child: string, order: ChildOrder): Promise<void> {
  await ledger.putIfAbsent(parent, recordName(child), asJson(order));
}

/** Fails with `input.invalid` where the run that is named as the parent has not ordered this one. */
export async function takeOrder(
  { ledger }: { ledger: Ledger },
  { key, workflowType }: { key: RunKey; workflowType: string },
  claim: Required<Omit<ParentRun, 'parent'>>,
): Promise<TakenOrder> {
  const { workflowId, run } = claim;
  const above: RunKey = { workflowId, run };
  // The ledger holds what `recordOrder` put there.
  const order = (await ledger.get(above, recordName(key.workflowId))) as ChildOrder | undefined;
  const granted = readParentWord(await saidBeforeStart(ledger, above, key.workflowId));
  const budget = granted?.kind === 'granted' ? granted.amounts : undefined;
  const unready = order?.budgeted && !budget;
  if (!order || order.step !== claim.step || order.pipeline !== workflowType || unready) {
    const problem = `"parent" is no run that has started ${workflowType} ${key.workflowId} at step "${claim.step}"`;
    throw new ThermidorFailure('input.invalid', `the workflow's input is not to be believed: ${problem}`, { problems: [problem] });
  }
  const { step, budgeted: _budgeted, ...rest } = order;
  const grandparent = readRunRecord(await ledger.get(above, RUN_RECORD))?.parent;
  return {
    ...rest,
    parent: { workflowId, run, step, ...(typeof grandparent === 'object' ? { parent: grandparent } : {}) },
    ...(budget && Object.keys(budget).length > 0 ? { budget } : {}),
  };
}

function recordName(child: string): string {
  return `child/${child}`;
}
