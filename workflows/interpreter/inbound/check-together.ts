import { bug } from '../../../plan/run/failure';
import type { Run } from '../run';
import { type Deferred, deferred } from '../scheduling/deferred';
import type { NotApplied } from './planned-command';

/**
 * Checks by activities of messages that anybody can send in any number: messages during a check wait, and the next one takes all of them
 * together. So a flood fills neither the run's history nor its memory.
 *
 * Invariants: 1. for each kind one activity at a time is in progress; 2. answers come in the order of the messages; 3. waiting messages are
 * in state as well (`pending-signals.ts`), so the execution may close at any time.
 */
export interface CheckKind<T, R> {
  /** How many one activity takes. */
  most: number;
  /** Answers for the first messages, in their order: for all, or for as many as one activity had time for. */
  perform(run: Run, all: readonly T[]): Promise<readonly R[]>;
}

/** How many of one kind may wait. */
const WAITING = 4096;
/** The most JSON that one activity takes, in addition to the first message. */
const CHARACTERS = 250_000;

interface Waiting {
  what: unknown;
  characters: number;
  answer: Deferred<unknown>;
}

interface Line {
  waiting: Waiting[];
  isBusy: boolean;
}

const linesOf = new WeakMap<Run, Map<object, Line>>();

/** Refuses if too many wait. Otherwise rejects with the activity's failure. */
export function checkTogether<T, R>(run: Run, kind: CheckKind<T, R>, what: T): Promise<R> | NotApplied {
  const lines = linesOf.get(run) ?? new Map<object, Line>();
  linesOf.set(run, lines);
  const line = lines.get(kind) ?? { waiting: [], isBusy: false };
  lines.set(kind, line);
  if (line.waiting.length >= WAITING)
    return { outcome: 'unavailable', reason: `${WAITING} messages are being checked already: send it again later` };
  const answer = deferred<R>();
  line.waiting.push({ what, characters: JSON.stringify(what).length, answer: answer as Deferred<unknown> });
  if (!line.isBusy) void work(run, kind, line);
  return answer.promise;
}

/** Whether something of the kind is being checked: what comes now is checked after it. */
export function isChecking<T, R>(run: Run, kind: CheckKind<T, R>): boolean {
  return (linesOf.get(run)?.get(kind)?.waiting.length ?? 0) > 0;
}

async function work<T, R>(run: Run, { most, perform }: CheckKind<T, R>, line: Line): Promise<void> {
  line.isBusy = true;
  // Messages of the same task are checked with the first.
  await Promise.resolve();
  while (line.waiting.length > 0) {
    const all = line.waiting.slice(0, fitting(line.waiting, most));
    try {
      const answers = await perform(
        run,
        all.map(({ what }) => what as T),
      );
      if (answers.length === 0) throw bug('the check answered nothing');
      const checked = line.waiting.splice(0, Math.min(answers.length, all.length));
      for (const [i, { answer }] of checked.entries()) answer.resolve(answers[i]);
    } catch (error) {
      for (const { answer } of line.waiting.splice(0, all.length)) answer.reject(error as Error);
    }
  }
  line.isBusy = false;
}

function fitting(waiting: readonly Waiting[], most: number): number {
  let characters = 0;
  const end = waiting.slice(0, most).findIndex((one, at) => {
    characters += one.characters;
    return at > 0 && characters > CHARACTERS;
  });
  return end < 0 ? Math.min(most, waiting.length) : end;
}
