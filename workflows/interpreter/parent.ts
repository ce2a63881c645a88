import { CHILD_SIGNAL, type ChildNews, type ParentWord } from '../../plan/child';
import { ThermidorFailure } from '../../plan/failure';
import { isJsonObject } from '../../plan/json';
import { gateViews } from './gate-view';
import type { Run } from './run';
import { runState } from './run-state';

/** A child pipeline's side of the talk with its parent. */

/** Tells the parent of gates and state, and, at the end, how it ended. A parent that is gone is nobody to tell. */
export interface ParentLine {
  /** To be called after gates or state may have changed; says nothing where they have not. */
  gates(): void;
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
    const now = { gates: gateViews(run), state: runState(run) };
    const text = JSON.stringify(now);
    if (text === said) return;
    said = text;
    last = last.then(() => say({ step: parent.step, kind: 'gates', ...now }));
    run.background(() => last);
  }

  return {
    gates: sayGates,
    report() {
      said = '';
      sayGates();
    },
    async ended(news) {
      if (!parent) return;
      await last;
      await say({ step: parent.step, ...news });
    },
  };
}

export function readParentWord(payload: unknown): ParentWord | undefined {
  if (!isJsonObject(payload)) return undefined;
  const { kind, name, payload: inner, reason } = payload;
  if (kind === 'signal' && typeof name === 'string') return { kind, name, payload: inner ?? null };
  if (kind === 'cancel') return { kind, reason: typeof reason === 'string' ? reason : 'the parent was called off' };
  return kind === 'report' ? { kind } : undefined;
}
