import type { ReadMessages, RunMessage, RunRef } from '../../../plan/run/run-messages';
import type { Json } from '../../../plan/text/json';
import type { RunContext } from '../../run-context';
import type { Run } from '../run';
import { SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';

/**
 * One end of the line between a run and its parent or child (plan/run/run-messages.ts).
 *
 * Invariants: 1. a message is in the sender's ledger before the other is woken; 2. a wake only causes a look into the other's ledger; 3.
 * messages found there are taken once, in order: `cursor` is in state; 4. at most one look is in progress, with one to follow.
 */
export interface RunMessages {
  /** Settles when the other is woken. Fails with `child.lost` if it is not running: it can still read the message. */
  say(...says: object[]): Promise<void>;
  /** Settles when everything said so far has woken the other. */
  silent(): Promise<unknown>;
  /** Settles when everything that was there at the time of the call is taken. */
  hear(): Promise<void>;
  /** A wake has come: looks in the background. */
  woken(): void;
  /** The look that is in progress. */
  readonly looking: Promise<void> | undefined;
}

export interface MessageEnd {
  other: RunRef;
  /** Lines of the other's log that have been read. */
  cursor: { read: number };
  wake(): Promise<void>;
  take(says: Json): void;
}

const LOCAL = { local: true, kept: true, startToCloseMs: SHORT_ACTIVITY_MS } as const;

export function openRunMessages(run: Run, { other, cursor, wake, take }: MessageEnd): RunMessages {
  const { ctx } = run;
  let said = 0;
  let last: Promise<unknown> = Promise.resolve();
  let looking: Promise<void> | undefined;
  let again = false;

  async function look(): Promise<void> {
    try {
      do {
        again = false;
        const input = { run: ctx.info.firstRunId, from: other, after: cursor.read };
        const { says, next, more }: ReadMessages = await ctx.activity('hear', input, LOCAL);
        cursor.read = next;
        for (const one of says) take(one);
        again ||= more === true;
      } while (again);
    } finally {
      looking = undefined;
    }
  }

  function hear(): Promise<void> {
    if (looking) again = true;
    else looking = look();
    return looking;
  }

  return {
    say(...says) {
      const lines: RunMessage[] = says.map((one) => {
        said += 1;
        return { by: ctx.info.runId, n: said, for: other.run, says: one as Json };
      });
      const turn = last.then(async () => {
        await write(ctx, other.workflowId, lines);
        await wake();
      });
      // The next message follows, whatever became of this one, whose sender gets the error.
      last = turn.catch(() => undefined);
      return turn;
    },
    silent: () => last,
    hear,
    get looking() {
      return looking;
    },
    woken() {
      if (looking) again = true;
      else run.background(hear);
    },
  };
}

/** Sends to a run that has not started, and whose run id is not known: the last message counts. */
export function sendBeforeStart(ctx: RunContext, workflowId: string, says: object): Promise<void> {
  return write(ctx, workflowId, [{ by: ctx.info.runId, n: 0, says: says as Json }]);
}

function write(ctx: RunContext, to: string, said: RunMessage[]): Promise<void> {
  return ctx.activity('say', { run: ctx.info.firstRunId, to, said }, LOCAL);
}
