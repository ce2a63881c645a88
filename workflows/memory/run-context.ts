import type { Activities, ActivityName, RunInput, RunMemo, RunResult } from '../../plan/contract';
import type { SignalReceipt } from '../../plan/signal';
import { interpret } from '../interpreter/interpret';
import { type ActivityOptions, type Cancellable, Cancelled, type Inbound, type Publication, type RunContext } from '../run-context';
import { createVirtualClock, type VirtualClock } from './virtual-clock';

/**
 * Runs the interpreter in memory: for pipeline tests, dry runs and the tests of the interpreter itself. Time is virtual, and
 * whoever drives it decides when each activity settles. Three days without an approval pass in a millisecond.
 */
export interface MemoryRun {
  readonly clock: VirtualClock;
  readonly result: Promise<RunResult>;
  signal(name: string, payload?: unknown): void;
  update(name: string, payload?: unknown): Promise<SignalReceipt>;
  query(name: string, argument?: unknown): unknown;
  cancel(): void;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
  /** Lets time pass until nothing is left that waits for it, or `until` says enough. */
  elapse(until?: () => boolean): Promise<void>;
  readonly published: { details: string; memo?: RunMemo };
  /** Executions so far: one more with every continue-as-new. */
  readonly executions: number;
}

export interface MemoryCall {
  name: ActivityName;
  input: unknown;
  options: ActivityOptions;
  /** Aborted when the interpreter calls the activity off. */
  signal: AbortSignal;
  clock: VirtualClock;
}

export interface MemoryOptions {
  input?: RunInput;
  workflowType?: string;
  workflowId?: string;
  startMs?: number;
  /** Does what an activity does. */
  perform: <N extends ActivityName>(call: MemoryCall & { name: N; input: Parameters<Activities[N]>[0] }) => ReturnType<Activities[N]>;
  /** Activities after which an execution counts as full. Absent: never. */
  activitiesPerExecution?: number;
}

const SETTLED_ROUNDS = 3;

export function runInMemory(options: MemoryOptions): MemoryRun {
  const clock = createVirtualClock(options.startMs ?? Date.UTC(2026, 0, 5, 7, 30));
  const published: MemoryRun['published'] = { details: '' };
  let inbound: Inbound | undefined;
  let executions = 0;

  function execute(input: RunInput): Promise<RunResult> {
    executions += 1;
    let activities = 0;
    let next: RunInput | undefined;
    let goOn: () => void = () => undefined;
    const continued = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const pending = new Set<string>();
    const underWay = new Set<Cancellable<unknown>>();

    const context: RunContext = {
      info: {
        workflowId: options.workflowId ?? 'test-run',
        runId: `run-${executions}`,
        firstRunId: 'run-1',
        workflowType: options.workflowType ?? 'test_pipeline',
        startedAtMs: options.startMs ?? Date.UTC(2026, 0, 5, 7, 30),
        searchAttributes: [],
      },
      now: clock.now,
      random: () => 0.5,
      activity(name, input, callOptions) {
        activities += 1;
        const { address } = callOptions;
        if (address !== undefined && pending.has(address)) throw new TypeError(`duplicate pending activity id ${address}`);
        if (address !== undefined) pending.add(address);
        const abort = new AbortController();
        const work = options.perform({ name, input, options: callOptions, signal: abort.signal, clock }) as Promise<never>;
        const call = cancellable(work, abort, () => {
          pending.delete(address ?? '');
          underWay.delete(call);
        });
        if (!callOptions.kept) underWay.add(call);
        return call.promise;
      },
      async callOff() {
        const calls = [...underWay];
        for (const call of calls) call.cancel();
        await Promise.allSettled(calls.map((call) => call.promise));
      },
      timer(ms) {
        const abort = new AbortController();
        let unset: () => void = () => undefined;
        const work = new Promise<void>((resolve) => {
          unset = clock.after(ms, resolve);
        });
        return cancellable(work, abort, () => unset());
      },
      listen(handlers) {
        inbound = handlers;
      },
      publish: (what: Publication) => Object.assign(published, what),
      historyIsFull: () => options.activitiesPerExecution !== undefined && activities >= options.activitiesPerExecution,
      continueAsNew(fresh) {
        next = fresh;
        goOn();
        return new Promise<never>(() => undefined);
      },
      handlersFinished: () => Promise.resolve(),
    };
    const finished = interpret(context, input);
    return Promise.race([finished, continued]).then((result) => result ?? execute(next ?? {}));
  }

  const result = execute(options.input ?? {});
  // Whoever drives the run reads its result when they want to; until then a failure is not unhandled.
  result.catch(() => undefined);

  async function settle(): Promise<void> {
    for (let round = 0; round < SETTLED_ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve));
  }

  function handlers(): Inbound {
    if (!inbound) throw new TypeError('the run does not listen yet');
    return inbound;
  }

  return {
    clock,
    result,
    published,
    get executions() {
      return executions;
    },
    signal: (name, payload) => handlers().signal(name, payload),
    async update(name, payload) {
      handlers().checkUpdate(name, payload);
      return handlers().update(name, payload);
    },
    query: (name, argument) => handlers().query(name, argument),
    cancel: () => handlers().cancel(),
    settle,
    async elapse(until) {
      await settle();
      while (!until?.() && clock.tick()) await settle();
    },
  };
}

function cancellable<T>(work: Promise<T>, abort: AbortController, done: () => void): Cancellable<T> {
  let callOff: () => void = () => undefined;
  const cancelled = new Promise<never>((_, reject) => {
    callOff = () => reject(new Cancelled());
  });
  const promise = Promise.race([work, cancelled]).finally(done);
  return {
    promise,
    cancel() {
      abort.abort();
      callOff();
    },
  };
}
