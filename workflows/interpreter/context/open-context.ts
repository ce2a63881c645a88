import { defined } from '../../../plan/defined';
import type { ActivityName } from '../../../plan/run/contract';
import { bug, ThermidorFailure } from '../../../plan/run/failure';
import type { StepOutput } from '../../../plan/steps/step-activity';
import { type ActivityArgument, type ActivityOptions, type ActivityResult, Cancelled } from '../../run-context';
import { callAgent } from '../agents/agent-call';
import { mayAsk } from '../gates/gate-queue';
import type { TakenDecision } from '../gates/gate-record';
import type { Interpreter } from '../interpreter';
import { isSuperseded, type Place, placeLabel } from '../scheduling/place';
import { atItsFiles, type Call } from '../worktrees/folder-activity';
import { workActivity } from '../worktrees/work-activity';
import { runAll } from './all';
import type { EntryKind, EntryOf, LogEntry, LogScope } from './attempt-log';
import { decisionAt } from './gate-call';
import { runLoop } from './loop';
import type { OpenScope } from './open-scope';
import { runPart } from './parts';
import { failureOfEntry, failureRecord, openLog, resultOfEntry } from './scope-log';
import type { CallOutcome, StepContext } from './step-context';

/** `caughtUp` is called once the code makes a call that has not ended yet. */
export function openContext(it: Interpreter, place: Place, scope: LogScope, caughtUp?: () => void): StepContext {
  const { run } = it;
  const log = openLog(scope, () => run.name(place.path));

  function check(): void {
    if (isSuperseded(place) || (run.ending && run.ending.kind !== 'continue')) throw new Cancelled();
  }

  function enter<K extends EntryKind>(fresh: EntryOf<K>): EntryOf<K> {
    check();
    const entry = log.enter<K>(fresh);
    if (isWaitedFor(entry)) caughtUp?.();
    return entry;
  }

  /** An elapsed pause ends at once: what follows it is not known yet. */
  function isWaitedFor(entry: LogEntry): boolean {
    return !entry.end && !(entry.kind === 'sleep' && entry.atMs <= run.ctx.now());
  }

  /** The promise of a call that is in progress, which marks how it ends. */
  function marked<T>(entry: LogEntry, work: Promise<T>, marks: (value: T) => void): Promise<T> {
    return work.then(
      (value) => {
        marks(value);
        return left() ?? value;
      },
      (error: unknown) => broken(entry, error),
    );
  }

  /** A step's work, wherever it is done. */
  function worked<N extends ActivityName, R>(
    call: Call<N>,
    done: (result: ActivityResult<N>) => R | Promise<never>,
    failed: (error: unknown) => Promise<never>,
  ): Promise<R> {
    const settled = (work: Promise<ActivityResult<N>>): Promise<R> =>
      work.then(done, (error: unknown) => {
        const elsewhere = atItsFiles(it, place, call, error);
        return elsewhere ? settled(elsewhere) : failed(error);
      });
    return settled(workActivity(it, place, call.name, call.input, call.options));
  }

  function broken(entry: LogEntry, error: unknown): Promise<never> {
    if (!(error instanceof Cancelled)) entry.end = { failure: failureRecord(error) };
    const never = left();
    if (never) return never;
    throw error;
  }

  /** Returns to the code; not while the execution closes, because the next one continues from the log. */
  function left(): Promise<never> | undefined {
    log.leave();
    if (run.ending?.kind === 'continue') return NEVER;
    check();
    return undefined;
  }

  function known<T>({ end }: LogEntry): Promise<T> | undefined {
    if (!end) return undefined;
    log.leave();
    return end.failure ? Promise.reject(failureOfEntry(end.failure)) : Promise.resolve(resultOfEntry<T>(end));
  }

  function asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return ask();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Cancelled());
    }
  }

  const within: OpenScope = {
    ...{ it, place, enter, known, marked },
    open: (at, inner, then) => openContext(it, at, inner, then),
  };

  return {
    call: (key, name, input, { ledger, ...options }) =>
      asked(() => {
        const localSinceMs = options.local ? run.ctx.now() : undefined;
        const entry = enter<'call'>({ kind: 'call', key, ...defined({ ledger, localSinceMs }) });
        return (
          known(entry) ??
          worked(
            { name, input: input(), options },
            (value) => {
              entry.end = { value };
              return left() ?? value;
            },
            (error) => broken(entry, error),
          )
        );
      }),
    callThen<N extends ActivityName, R>(
      key: string,
      name: N,
      input: () => ActivityArgument<N>,
      options: ActivityOptions,
      { done, failed }: CallOutcome<ActivityResult<N>, R>,
    ): Promise<R> {
      return asked(() => {
        const entry = enter<'call'>({ kind: 'call', key });
        return (
          known<R>(entry) ??
          worked(
            { name, input: input(), options },
            (result) => {
              const value = done(result);
              entry.end = { value };
              return left() ?? value;
            },
            (error) => {
              failed(error);
              return broken(entry, error);
            },
          )
        );
      });
    },
    once<T>(key: string, effect: () => T): T {
      const entry = enter<'once'>({ kind: 'once', key });
      entry.end ??= { value: effect() };
      log.leave();
      return resultOfEntry<T>(entry.end);
    },
    sleep: (key, ms) =>
      asked(() => {
        const entry = enter<'sleep'>({ kind: 'sleep', key, atMs: run.ctx.now() + ms });
        const due = () => {
          entry.end = {};
        };
        return (
          known<void>(entry) ??
          marked(
            entry,
            run.until(entry.atMs, placeLabel(place)).then(() => undefined),
            due,
          )
        );
      }),
    gate: (key, spec) =>
      asked(() => {
        if (!mayAsk(run, place)) throw bug('a step asks one question at a time: a branch of `all` asks people by a part');
        const entry = enter<'gate'>({ kind: 'gate', key });
        const taken = (value: TakenDecision): void => {
          entry.end = { value };
          spec.taken?.();
        };
        return known<TakenDecision>(entry) ?? marked(entry, decisionAt(it, place, spec, taken), taken);
      }),
    awaited: <T>(key: string, { sleeper, dueMs }: { sleeper: string; dueMs?: number }, look: () => T | undefined) =>
      asked(() => {
        const entry = enter<'awaited'>({ kind: 'awaited', key, ...defined({ dueMs }) });
        const wait = async (): Promise<T | undefined> => {
          for (;;) {
            const value = look();
            if (value !== undefined) {
              entry.end = { value };
              return value;
            }
            if (entry.dueMs === undefined) await run.sleepUntilWoken(sleeper, placeLabel(place));
            else if (await run.until(entry.dueMs, placeLabel(place), sleeper)) {
              entry.end = {};
              return undefined;
            }
          }
        };
        return known<T | undefined>(entry) ?? marked(entry, wait(), () => undefined);
      }),
    through: (key, work) =>
      asked(() => {
        const entry = enter<'through'>({ kind: 'through', key });
        return (
          known(entry) ??
          marked(entry, work(), (value) => {
            entry.end = { value };
          })
        );
      }),
    begun: (key, first, again) =>
      asked(() => {
        const known = scope.length;
        const entry = enter<'begun'>({ kind: 'begun', key });
        return marked(entry, scope.length > known ? first() : again(), () => {
          entry.end = {};
        });
      }),
    agent: (key, call, adopted = {}) =>
      asked(() => {
        const entry = enter<'agent'>({ kind: 'agent', key, ledger: call.address, keeps: { ...adopted } });
        const done = ({ journal: _told, ...value }: StepOutput): void => {
          const { runRequests, journalled } = entry.keeps;
          entry.end = { value };
          entry.keeps = defined({ runRequests, journalled });
        };
        const work = () => callAgent(it, place, { ...call, done, keeps: entry.keeps }, within.open);
        return known<StepOutput>(entry) ?? marked(entry, work(), () => undefined);
      }),
    step: (part, call) => asked(() => runPart(within, part, call)),
    all: (key, branches, how) => asked(() => runAll(within, key, branches, how)),
    loop: (key, first, turn) => asked(() => runLoop(within, key, first, turn)),
    async attempt(work) {
      try {
        return { value: await work() };
      } catch (error) {
        check();
        if (!(error instanceof ThermidorFailure)) throw error;
        return { failure: error };
      }
    },
    close() {
      check();
      log.close();
    },
  };
}

const NEVER: Promise<never> = new Promise(() => undefined);
