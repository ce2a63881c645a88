import { SPAWN_SIGNAL } from '../../plan/agents/spawned-agent';
import { defined } from '../../plan/defined';
import type { ActivityName } from '../../plan/run/contract';
import type { RunInput } from '../../plan/run/run-input';
import type { RunMemo } from '../../plan/run/run-memo';
import type { RunResult } from '../../plan/run/run-result';
import { interpret } from '../interpreter/interpret';
import { isWithinAny } from '../interpreter/scheduling/place';
import { KIND_CODE } from '../kinds';
import { type Cancellable, Cancelled, type Inbound, type Publication, type RunContext, type RunInfo } from '../run-context';
import type { MemoryOptions } from './memory-run';
import type { VirtualClock } from './virtual-clock';

/** An in-memory execution's view of its surroundings. */
export interface MemoryPort extends Pick<RunContext, 'startChild' | 'signal' | 'cancelChild'> {
  info: RunInfo;
  clock: VirtualClock;
  perform: MemoryOptions['perform'];
  work?: MemoryOptions['work'];
  decide?: MemoryOptions['decide'];
  activitiesPerExecution?: number;
  historyIsFull?: MemoryOptions['historyIsFull'];
  stepEnded?: MemoryOptions['stepEnded'];
  listen(inbound: Inbound): void;
  publish(what: Publication): void;
}

/** Messages between a parent and its child are short, and how often one looks is its own business: no test counts it. */
const UNCOUNTED: ReadonlySet<ActivityName> = new Set(['say', 'hear', 'spawned', 'announce']);

/** What one execution passes to the next. */
export interface ContinuedAsNew {
  next: RunInput;
  memo: Pick<RunMemo, 'startedAt'>;
}

/** One execution of a run in memory: it ends with the run's result, or with the input of the next execution. */
export function execute(port: MemoryPort, input: RunInput): Promise<{ result: RunResult } | ContinuedAsNew> {
  const { clock, info } = port;
  let activities = 0;
  /** An execution that has handed over does nothing more, as on a server: the events it waited for never come. */
  let over = false;
  const never = new Promise<never>(() => undefined);
  let continueWith: (handed: ContinuedAsNew) => void = () => undefined;
  const continued = new Promise<ContinuedAsNew>((resolve) => {
    continueWith = resolve;
  });
  const pending = new Set<string>();
  const alarms = new Set<() => void>();
  const underWay = new Map<Cancellable<unknown>, string | undefined>();

  const context: RunContext = {
    info,
    now: clock.now,
    random: () => 0.5,
    activity(name, argument, options) {
      if (over) return never;
      const { address } = options;
      if (!UNCOUNTED.has(name)) activities += 1;
      if (address !== undefined && pending.has(address)) throw new TypeError(`duplicate pending activity id ${address}`);
      if (address !== undefined) pending.add(address);
      const abort = new AbortController();
      const wake = (other = { workflowId: info.workflowId, step: address ?? '' }) =>
        port.signal(other.workflowId, SPAWN_SIGNAL, { step: other.step });
      const work = port.perform({ name, input: argument, options, info, signal: abort.signal, clock, wake }) as Promise<never>;
      const call = cancellable(work, abort, () => {
        pending.delete(address ?? '');
        underWay.delete(call);
      });
      if (!options.kept) underWay.set(call, options.within);
      return call.promise;
    },
    async cancelActivities(place, itself) {
      const calls = [...underWay].flatMap(([call, within]) =>
        place === undefined || (within !== undefined && isWithinAny(within, place, itself)) ? [call] : [],
      );
      for (const call of calls) call.cancel();
      await Promise.allSettled(calls.map((call) => call.promise));
    },
    timer(ms) {
      let unset: () => void = () => undefined;
      const work = new Promise<void>((resolve) => {
        unset = clock.after(ms, resolve);
      });
      alarms.add(unset);
      return cancellable(work, new AbortController(), () => unset());
    },
    async startChild(child) {
      const { run, closed } = await port.startChild(child);
      return { run, closed: closed.then(() => (over ? never : undefined)) };
    },
    signal: port.signal,
    cancelChild: port.cancelChild,
    listen: port.listen,
    publish: (what) => {
      if (!over) port.publish(what);
    },
    historyFill: () =>
      port.historyIsFull?.(info)
        ? Number.POSITIVE_INFINITY
        : Math.floor(activities / (port.activitiesPerExecution ?? Number.POSITIVE_INFINITY)),
    continueAsNew(next, memo) {
      // Time continues in the next execution only.
      for (const unset of alarms) unset();
      over = true;
      continueWith({ next, memo });
      return never;
    },
    ...defined({ stepEnded: port.stepEnded }),
    handlersFinished: () => Promise.resolve(),
  };
  return Promise.race([
    interpret(context, input, { ...KIND_CODE, ...defined({ work: port.work, decide: port.decide }) }).then((result) => ({ result })),
    continued,
  ]);
}

function cancellable<T>(work: Promise<T>, abort: AbortController, done: () => void): Cancellable<T> {
  let rejectWork: () => void = () => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    rejectWork = () => reject(new Cancelled());
  });
  const promise = Promise.race([work, cancelled]).finally(done);
  return {
    promise,
    cancel() {
      abort.abort();
      rejectWork();
    },
  };
}
