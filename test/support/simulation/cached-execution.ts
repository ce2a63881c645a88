import { ThermidorFailure } from '../../../plan/run/failure';
import type { RunInput } from '../../../plan/run/run-input';
import { interpret } from '../../../workflows/interpreter/interpret';
import { isWithinAny } from '../../../workflows/interpreter/scheduling/place';
import { KIND_CODE } from '../../../workflows/kinds';
import { Cancelled, type Inbound, type RunContext, type RunInfo } from '../../../workflows/run-context';
import type { Activation, Command, Happening, Outcome, RunEnd } from './commands';
import { dice } from './dice';

/**
 * One life of an execution in a worker: from its first activation until the worker dies or forgets it. Its input alone decides what it
 * does, and the next life receives the same input again.
 */
export interface CachedExecution {
  /** Delivers happenings at one moment, and returns the commands that follow from them. */
  activate(now: number, happenings: readonly Happening[]): Promise<Command[]>;
  inbound(): Inbound;
  readonly begun: boolean;
}

export interface CachedExecutionOptions {
  info: RunInfo;
  input: RunInput;
  activitiesPerExecution?: number;
  /** Sees each command as it is given, before anything else happens. */
  watch?: (command: Command) => void;
  /** Gets the outcomes of updates. */
  answered?: (id: number, answer: { value: unknown } | { error: unknown }) => void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function startCachedExecution(life: CachedExecutionOptions): CachedExecution {
  const { info } = life;
  const chance = dice('execution', info.runId);
  const waiting = new Map<number, Waiting>();
  /** Activities that can be cancelled. */
  const underWay = new Map<number, { within: string | undefined; promise: Promise<unknown> }>();
  let now = 0;
  let next = 0;
  let activities = 0;
  let updates = 0;
  let idle: (() => void)[] = [];
  let issued: Command[] = [];
  let inbound: Inbound | undefined;

  function issue(command: Command): void {
    issued.push(command);
    life.watch?.(command);
  }

  function wait(make: (seq: number) => Command): { seq: number; promise: Promise<unknown> } {
    const seq = next++;
    const promise = new Promise<unknown>((resolve, reject) => waiting.set(seq, { resolve, reject }));
    issue(make(seq));
    return { seq, promise };
  }

  function settle(seq: number, outcome: Outcome): void {
    const one = waiting.get(seq);
    waiting.delete(seq);
    if (outcome.kind === 'value') one?.resolve(JSON.parse(outcome.json));
    else if (outcome.kind === 'cancelled') one?.reject(new Cancelled());
    else one?.reject(new ThermidorFailure(outcome.code, outcome.message, outcome.details, undefined, outcome.work));
  }

  const context: RunContext = {
    info,
    /** Every execution here began with the newest code. */
    now: () => now,
    random: () => chance.roll(),
    activity(name, input, options) {
      // Activities that only notify, store or load are not progress of a run, and do not fill a history here.
      if (!options.kept) activities += 1;
      const { seq, promise } = wait((at) => ({ kind: 'activity', seq: at, name, input: JSON.stringify(input), options: { ...options } }));
      if (!options.kept) {
        underWay.set(seq, { within: options.within, promise });
        const gone = (): void => void underWay.delete(seq);
        promise.then(gone, gone);
      }
      return promise as Promise<never>;
    },
    async cancelActivities(place, itself) {
      const off = [...underWay].filter(
        ([, { within }]) => place === undefined || (within !== undefined && isWithinAny(within, place, itself)),
      );
      for (const [seq] of off) issue({ kind: 'cancel', seq });
      await Promise.allSettled(off.map(([, { promise }]) => promise));
    },
    async startChild(child) {
      const closedSeq = next++;
      const closed = new Promise<void>((resolve) => waiting.set(closedSeq, { resolve: () => resolve(), reject: () => resolve() }));
      const run = await wait((seq) => ({ kind: 'child', seq, closedSeq, child: structuredClone(child) })).promise;
      return { run: run as string, closed };
    },
    async signal(workflowId, name, payload) {
      await wait((seq) => ({ kind: 'signal', seq, workflowId, name, payload: JSON.stringify(payload) })).promise;
    },
    cancelChild: (workflowId) => issue({ kind: 'cancelChild', workflowId }),
    timer(ms) {
      const { seq, promise } = wait((at) => ({ kind: 'timer', seq: at, ms }));
      return {
        promise: promise.then(() => undefined),
        cancel() {
          if (!waiting.has(seq)) return;
          issue({ kind: 'cancel', seq });
          settle(seq, { kind: 'cancelled' });
        },
      };
    },
    listen(handlers) {
      inbound = handlers;
    },
    publish({ memo, searchAttributes }) {
      if (memo || searchAttributes) issue({ kind: 'upsert', what: JSON.stringify({ memo, searchAttributes }) });
    },
    historyFill: () => Math.floor(activities / (life.activitiesPerExecution ?? Number.POSITIVE_INFINITY)),
    continueAsNew(input, memo) {
      issue({ kind: 'continue', input: structuredClone(input), memo });
      return new Promise<never>(() => undefined);
    },
    handlersFinished: () => new Promise<void>((resolve) => idle.push(resolve)),
  };

  function deliver(happening: Happening): void {
    if (happening.kind === 'settled') settle(happening.seq, happening.outcome);
    else if (happening.kind === 'cancel') handlers().cancel();
    else if (happening.kind === 'signal') handlers().signal(happening.name, structuredClone(happening.payload));
    else answer(happening);
  }

  function answer({ id, name, payload }: Extract<Happening, { kind: 'update' }>): void {
    updates += 1;
    // As with the SDK, the caller gets what a handler throws, at once or later.
    const answering = (async () => handlers().update(name, structuredClone(payload)))();
    answering.then(
      (value) => life.answered?.(id, { value }),
      (error: unknown) => life.answered?.(id, { error }),
    );
    const done = (): void => {
      updates -= 1;
    };
    answering.then(done, done);
  }

  function handlers(): Inbound {
    if (!inbound) throw new TypeError('the run does not listen yet');
    return inbound;
  }

  async function drain(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (idle.length > 0 && updates === 0) {
      const woken = idle;
      idle = [];
      for (const wake of woken) wake();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  return {
    get begun() {
      return inbound !== undefined;
    },
    inbound: handlers,
    async activate(at, happenings) {
      now = at;
      issued = [];
      if (!inbound) {
        void interpret(context, structuredClone(life.input), KIND_CODE).then(
          (result) => issue({ kind: 'end', end: { kind: 'result', result: structuredClone(result) } }),
          (error: unknown) => issue({ kind: 'end', end: endOf(error) }),
        );
      }
      for (const happening of happenings) deliver(happening);
      await drain();
      return issued;
    },
  };
}

function endOf(error: unknown): RunEnd {
  if (error instanceof Cancelled) return { kind: 'cancelled' };
  if (error instanceof ThermidorFailure && error.code !== 'internal') return { kind: 'failed', code: error.code, message: error.message };
  return { kind: 'bug', error };
}

/** A run has received the same input as before and has given other commands. On a server its workflow tasks would fail for ever. */
export class NonDeterminism extends Error {
  constructor(activation: Activation, at: number, said: readonly string[], says: readonly string[]) {
    super(
      `activation ${at} (${activation.happenings.map((happening) => happening.kind).join(', ') || 'start'}) replays otherwise\n` +
        `  said: ${said.join('\n        ') || 'nothing'}\n  says: ${says.join('\n        ') || 'nothing'}`,
    );
  }
}
