import type { ActivityName } from '../../../plan/contract';
import { ThermidorFailure } from '../../../plan/failure';
import type { Decision } from '../../../plan/gate';
import type { StepOutput } from '../../../plan/step-work';
import { type ActivityArgument, type ActivityOptions, type ActivityResult, Cancelled } from '../../run-context';
import { type AgentCall, callAgent } from '../agents/agent-call';
import type { AgentKeeps } from '../agents/agent-keeps';
import type { GateSpec } from '../gates/gate-spec';
import { decisionAt } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import { isOver, labelOf, type Place } from '../place';
import { type All, runAll } from './all';
import { type Loop, runLoop } from './loop';
import type { Entry, EntryKind, EntryOf, FailureRecord, Scope } from './memory';
import { type Part, type PartCall, type PartEnd, runPart } from './parts';
import { broughtBy, failureRecord, openLog, thrown } from './scope-log';

/**
 * What a step's straight-line code does, remembered: in a fresh execution the code runs again from its top and gets what its calls have
 * brought. Nothing is done twice.
 *
 * Invariants: 1. one call at a time; in parallel only in `all`; 2. kinds and keys of the calls are those of the log, in its order; 3. a
 * call
 * is in the log before it is waited for; 4. what can be decided in two ways is decided in a call, and remembered; 5. moments are absolute;
 * 6. an effect and the mark that it is done are one synchronous step; 7. once the place, its round or the run has ended, every call rejects
 * with `Cancelled`, and while an execution closes none returns; 8. a failure is remembered like a value, and `Cancelled` is none; 9. a scope
 * that has ended leaves one entry; 10. a new try has an empty log, and its calls new addresses.
 */
export interface StepContext {
  /** An activity. `ledger`: its record's name in the ledger, where the step may be cancelled meanwhile. */
  call<N extends ActivityName>(
    key: string,
    name: N,
    input: () => ActivityArgument<N>,
    options: ActivityOptions & { ledger?: string },
  ): Promise<ActivityResult<N>>;
  /** A synchronous effect, or a decision. Its value is plain JSON. */
  once<T>(key: string, effect: () => T): T;
  /** From the moment of the first call, in milliseconds. */
  sleep(key: string, ms: number): Promise<void>;
  /** The step's own question to people. */
  gate(key: string, spec: GateSpec): Promise<Decision>;
  /** Looks for what comes from outside each time that `sleeper` is woken; undefined where it does not come by `dueMs`. */
  awaited<T>(key: string, how: { sleeper: string; dueMs?: number }, look: () => T | undefined): Promise<T | undefined>;
  /** Work that knows by itself how it continues in another execution, and is left out once it is through. */
  through<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Something that outlives the execution that begins it: `first` there, and `again` in each that follows. */
  begun(key: string, first: () => Promise<void>, again: () => Promise<void>): Promise<void>;
  agent(key: string, call: Omit<AgentCall, 'keeps'>, adopted?: AgentKeeps): Promise<StepOutput>;
  /** A step that the plan has beneath this one, in a turn of its own. Fails with what the part failed with. */
  step(part: Part, call: PartCall): Promise<PartEnd>;
  all: All;
  loop: Loop;
  /** A failure as a value. */
  attempt<T>(work: () => Promise<T>): Promise<{ value: T } | { failure: FailureRecord }>;
  /** The code has ended: fails with `step.program-changed` where the log has more. */
  close(): void;
}

/** `caughtUp` is called once the code makes a call that has not ended yet. */
export function openContext(it: Interpreter, place: Place, scope: Scope, caughtUp?: () => void): StepContext {
  const { run } = it;
  const log = openLog(scope, () => run.name(place.path));

  function check(): void {
    if (isOver(place) || (run.ending && run.ending.kind !== 'continue')) throw new Cancelled();
  }

  function enter<K extends EntryKind>(fresh: EntryOf<K>): EntryOf<K> {
    check();
    const entry = log.enter<K>(fresh);
    if (isWaitedFor(entry)) caughtUp?.();
    return entry;
  }

  /** A pause that is over by now says so at once: of what comes behind it nothing is known yet. */
  function isWaitedFor(entry: Entry): boolean {
    return !entry.end && !(entry.kind === 'sleep' && entry.atMs <= run.ctx.now());
  }

  /** The promise of a call that is in progress, which marks how it ends. */
  function marked<T>(entry: Entry, work: Promise<T>, marks: (value: T) => void): Promise<T> {
    return work.then(
      (value) => {
        marks(value);
        return left() ?? value;
      },
      (error: unknown) => {
        if (!(error instanceof Cancelled)) entry.end = { failure: failureRecord(error) };
        const never = left();
        if (never) return never;
        throw error;
      },
    );
  }

  /** Back to the code; not while the execution closes, because the next one continues from the log. */
  function left(): Promise<never> | undefined {
    log.leave();
    if (run.ending?.kind === 'continue') return NEVER;
    check();
    return undefined;
  }

  function known<T>({ end }: Entry): Promise<T> | undefined {
    if (!end) return undefined;
    log.leave();
    return end.failure ? Promise.reject(thrown(end.failure)) : Promise.resolve(broughtBy<T>(end));
  }

  function asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return ask();
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Cancelled());
    }
  }

  const within: Within = {
    ...{ it, place, enter, known, marked },
    open: (at, inner, then) => openContext(it, at, inner, then),
  };

  return {
    call: (key, name, input, { ledger, ...options }) =>
      asked(() => {
        const entry = enter<'call'>({ kind: 'call', key, ...(ledger === undefined ? {} : { ledger }) });
        return (
          known(entry) ??
          marked(entry, run.activity(place, name, input(), options), (value) => {
            entry.end = { value };
          })
        );
      }),
    once<T>(key: string, effect: () => T): T {
      const entry = enter<'once'>({ kind: 'once', key });
      entry.end ??= { value: effect() };
      log.leave();
      return broughtBy<T>(entry.end);
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
            run.until(entry.atMs, labelOf(place)).then(() => undefined),
            due,
          )
        );
      }),
    gate: (key, spec) =>
      asked(() => {
        if (place.child)
          throw new ThermidorFailure('internal', 'a step asks one question at a time: a branch of `all` asks people by a part');
        const entry = enter<'gate'>({ kind: 'gate', key });
        const taken = (value: Decision): void => {
          entry.end = { value };
        };
        return known<Decision>(entry) ?? marked(entry, decisionAt(it, place, spec, taken), taken);
      }),
    awaited: <T>(key: string, { sleeper, dueMs }: { sleeper: string; dueMs?: number }, look: () => T | undefined) =>
      asked(() => {
        const entry = enter<'awaited'>({ kind: 'awaited', key, ...(dueMs === undefined ? {} : { dueMs }) });
        const wait = async (): Promise<T | undefined> => {
          for (;;) {
            const value = look();
            if (value !== undefined) {
              entry.end = { value };
              return value;
            }
            if (entry.dueMs === undefined) await run.sleepUntilWoken(sleeper, labelOf(place));
            else if (await run.until(entry.dueMs, labelOf(place), sleeper)) {
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
          const { errands, journalled } = entry.keeps;
          entry.end = { value };
          entry.keeps = { ...(errands ? { errands } : {}), ...(journalled === undefined ? {} : { journalled }) };
        };
        return known<StepOutput>(entry) ?? marked(entry, callAgent(it, place, { ...call, done, keeps: entry.keeps }), () => undefined);
      }),
    step: (part, call) => asked(() => runPart(within, part, call)),
    all: (key, branches, how) => asked(() => runAll(within, key, branches, how)),
    loop: (key, first, turn) => asked(() => runLoop(within, key, first, turn)),
    async attempt(work) {
      try {
        return { value: await work() };
      } catch (error) {
        check();
        return { failure: failureRecord(error) };
      }
    },
    close() {
      check();
      log.close();
    },
  };
}

const NEVER: Promise<never> = new Promise(() => undefined);

/** What the calls that hold other scopes build on. */
export interface Within {
  it: Interpreter;
  place: Place;
  enter<K extends EntryKind>(fresh: EntryOf<K>): EntryOf<K>;
  /** What an entry has brought already. */
  known<T>(entry: Entry): Promise<T> | undefined;
  marked<T>(entry: Entry, work: Promise<T>, marks: (value: T) => void): Promise<T>;
  open(place: Place, scope: Scope, caughtUp?: () => void): StepContext;
}
