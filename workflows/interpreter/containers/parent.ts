import type { Amounts } from '../../../plan/budget';
import { CHILD_SIGNAL, type ChildNews, type ParentWord, readAmounts } from '../../../plan/child';
import { ThermidorFailure } from '../../../plan/failure';
import { isJsonObject } from '../../../plan/json';
import { gateViews } from '../gates/gate-view';
import { heldViews } from '../orders/held';
import type { Run } from '../run';
import { runState } from '../state/run-state';

/** A child pipeline's side of the talk with its parent. */

/** Tells the parent of gates and state, and, at the end, how it ended. A parent that is gone is nobody to tell. */
export interface ParentLine {
  /** To be called after gates or state may have changed; says nothing where they have not. */
  gates(): void;
  /** More is needed of what the parent has reserved: so much in all. */
  short(amounts: Amounts): void;
  ended(news: ChildEnd): Promise<void>;
  /** The parent has forgotten, or never heard: says all again. */
  report(): void;
}

type WithoutStep<T> = T extends unknown ? Omit<T, 'step'> : never;
export type ChildEnd = WithoutStep<Extract<ChildNews, { kind: 'ended' }>>;

export function lineToParent(run: Run): ParentLine {
  const { parent } = run;
  let said = JSON.stringify({ gates: [], state: 'running' });
  /** One after the other, so that they come in order. */
  let last: Promise<void> = Promise.resolve();

  async function say(news: ChildNews): Promise<void> {
    if (!parent) return;
    try {
      await run.ctx.signal(parent.workflowId, CHILD_SIGNAL, news);
    } catch (error) {
      if (!(error instanceof ThermidorFailure)) throw error;
      run.journal.add({ kind: 'signal', name: CHILD_SIGNAL, outcome: 'late', reason: `the parent is gone: ${error.message}` });
    }
  }

  function sayGates(): void {
    if (!parent) return;
    const held = heldViews(run);
    const now = {
      gates: gateViews(run),
      state: runState(run),
      ...(held.length > 0 && run.ctx.patched('held-in-child') ? { held } : {}),
    };
    const text = JSON.stringify(now);
    if (text === said) return;
    said = text;
    last = last.then(() => say({ step: parent.step, kind: 'gates', ...now }));
    run.background(() => last);
  }

  return {
    gates: sayGates,
    short(amounts) {
      if (!parent) return;
      const news: ChildNews = { step: parent.step, kind: 'short', amounts };
      last = last.then(() => say(news));
      run.background(() => last);
    },
    report() {
      said = '';
      sayGates();
    },
    async ended(news) {
      if (!parent) return;
      await last;
      const { account } = run.state;
      if (account?.allowance)
        await say({ step: parent.step, kind: 'spent', amounts: account.spent, ...(account.unknownCost ? { unknownCost: true } : {}) });
      await say({ step: parent.step, ...news });
    },
  };
}

export function readParentWord(payload: unknown): ParentWord | undefined {
  if (!isJsonObject(payload)) return undefined;
  const { kind, name, payload: inner, reason, sealedFor } = payload;
  if (kind === 'signal' && typeof name === 'string')
    return { kind, name, payload: inner ?? null, ...(typeof sealedFor === 'string' ? { sealedFor } : {}) };
  if (kind === 'cancel') return { kind, reason: typeof reason === 'string' ? reason : 'the parent was called off' };
  if (kind === 'granted') {
    const amounts = readAmounts(payload['amounts']);
    return amounts && { kind, amounts };
  }
  return kind === 'report' ? { kind } : undefined;
}
