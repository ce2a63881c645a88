import type { RunContext } from '../run-context';
import type { Waits } from './waits';

/** How long nothing new begins because the execution is to close. */
const PATIENCE_MS = 10_000;
/**
 * From this `historyFill` on, a drain takes as long as it takes. The server closes a workflow whose history is some three times as large.
 */
const LAST_FILL = 4;

/**
 * Closes an execution whose history fills up: nothing new begins, and once every coroutine waits the next one takes over.
 *
 * What is at work may last for hours, such as a command that emits items while a loop works on them, and all else must not wait for it:
 * after `PATIENCE_MS` everything goes on, until history has grown as much again.
 */
export interface Drain {
  readonly isOn: boolean;
  /** Begins once history is full; `when-idle`: only while nothing is in progress. */
  ifDue(whenIdle?: 'when-idle'): void;
  /** To be called when every coroutine waits. */
  allWait(): void;
}

interface DrainPort {
  ctx: Pick<RunContext, 'now' | 'historyFill'>;
  waits: Pick<Waits, 'all' | 'alarm' | 'sleepToTheEnd'>;
  /** Whether the run, or the execution, has ended. */
  hasEnded(): boolean;
  begins(): void;
  /** Closes the execution. */
  close(): void;
  /** It was given up, and what may begin does. */
  givenUp(): void;
}

const OVERDUE = 'drain:overdue';

export function createDrain({ ctx, waits, hasEnded, begins, close, givenUp }: DrainPort): Drain {
  let isOn = false;
  /** How full history was when it was given up last. */
  let passed = 0;

  async function giveUpLater(fill: number): Promise<void> {
    waits.alarm(ctx.now() + PATIENCE_MS, '', OVERDUE);
    await waits.sleepToTheEnd(OVERDUE);
    if (hasEnded()) return;
    isOn = false;
    passed = fill;
    givenUp();
  }

  return {
    get isOn() {
      return isOn;
    },
    ifDue(whenIdle) {
      if (isOn || hasEnded()) return;
      const fill = ctx.historyFill();
      if (!(whenIdle ? waits.all : fill > passed)) return;
      isOn = true;
      begins();
      if (waits.all) close();
      // Waits end with `Cancelled` when the run ends.
      else if (fill < LAST_FILL) giveUpLater(fill).catch(() => undefined);
    },
    allWait() {
      // One that was given up is made good as soon as it costs nothing.
      if (isOn || passed > 0) close();
    },
  };
}
