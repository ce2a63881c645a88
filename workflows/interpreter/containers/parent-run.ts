import type { Amounts } from '../../../plan/budgets/budget';
import { defined, unlessEmpty } from '../../../plan/defined';
import { CHILD_SIGNAL, type ChildEnding, type ChildMessage } from '../../../plan/run/child';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { ParentRun } from '../../../plan/run/run-input';
import { interestedOfRun } from '../gates/four-eyes-record';
import { gateViews } from '../gates/gate-view';
import { heldStepViews } from '../inbound/held-steps';
import type { Run } from '../run';
import { runStateView } from '../state/run-state';
import { openRunMessages, type RunMessages } from './run-messages';

/** A child pipeline's side of the line to its parent. */

/** Reports gates and state to the parent, and, at the end, how it ended. A parent that is gone gets nothing. */
export interface ParentMessages {
  /** Called after gates or state may have changed; says nothing if they have not. */
  gates(): void;
  /** More of the parent's reservation is needed: that much in total. */
  short(amounts: Amounts): void;
  ended(news: ChildEndMessage): Promise<void>;
  /** The parent took a gate for answered: reports again what is open. */
  report(): void;
  /** A signal in the parent's name has come, which anybody can send. Returns whether there is a parent. */
  woken(): boolean;
  /** Works at once, or after a parent's message that is on its way: an order that ends the run gives the reason. */
  behindWords(work: () => void): void;
  /** Settles when no message is on its way: a run that ends leaves none unread. */
  drained(): Promise<void>;
  /** What an earlier execution had no time to say is said with the next report. */
  resume(): void;
}

type WithoutStep<T> = T extends unknown ? Omit<T, 'step'> : never;
export type ChildEndMessage = { kind: 'ended' } & ChildEnding;
type News = WithoutStep<ChildMessage>;

/** @param obey takes a word of the parent, as it was written */
export function messagesToParent(run: Run, obey: (word: unknown) => void): ParentMessages {
  const { parent } = run;
  let said = JSON.stringify({ gates: [], state: 'running' });
  const line = parent && openToParent(run, parent, obey);
  /** One after the other, so that they arrive in order. */
  let last: Promise<void> = Promise.resolve();

  async function say(...news: News[]): Promise<void> {
    if (!parent || !line) return;
    const { step } = parent;
    const all = news.map((one) => ({ step, ...one }));
    await reach(() => line.say(...all));
  }

  async function reach(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ThermidorFailure)) throw error;
      run.journal.add({ kind: 'signal', name: CHILD_SIGNAL, outcome: 'late', reason: `the parent is gone: ${error.message}` });
    }
  }

  function sayNext(news: News): void {
    last = last.then(() => say(news));
    run.background(() => last);
  }

  function sayGates(): void {
    if (!parent) return;
    const held = heldStepViews(run);
    const now = {
      gates: gateViews(run),
      state: runStateView(run),
      ...defined({ held: unlessEmpty(held) }),
    };
    const text = JSON.stringify(now);
    if (text === said) return;
    said = text;
    sayNext({ kind: 'gates', ...now });
  }

  return {
    gates: sayGates,
    short(amounts) {
      if (parent) sayNext({ kind: 'short', amounts });
    },
    report() {
      said = '';
      sayGates();
    },
    async ended(news) {
      if (!parent) return;
      await last;
      const { account } = run.state;
      const spent: News[] = account?.allowance
        ? [{ kind: 'spent', amounts: account.spent, ...defined({ unknownCost: account.unknownCost }) }]
        : [];
      await say(...spent, { ...news, eyes: interestedOfRun(run) });
    },
    woken() {
      line?.woken();
      return line !== undefined;
    },
    behindWords(work) {
      const { looking } = line ?? {};
      if (looking) run.background(() => looking.then(work));
      else work();
    },
    async drained() {
      while (line?.looking) await line.looking;
    },
    resume() {
      said = '';
    },
  };
}

function openToParent(run: Run, { workflowId, run: first, step }: ParentRun, take: (word: unknown) => void): RunMessages {
  run.state.fromParent ??= { read: 0 };
  return openRunMessages(run, {
    other: { workflowId, run: first },
    cursor: run.state.fromParent,
    wake: () => run.ctx.signal(workflowId, CHILD_SIGNAL, { step }),
    take,
  });
}
