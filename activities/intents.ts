import { ThermidorFailure } from '../plan/run/failure';
import { type Address, formatPath } from '../plan/steps/address';
import { addressOfCall } from '../plan/steps/call-address';
import type { Step } from '../plan/steps/step';
import type { Begins } from '../plan/steps/step-activity';
import type { Ledger, RecordLog } from '../records/ledger';
import { type ActivityCall, requireAddress } from './activity-call';

/**
 * The record log of effects that are parallel within one step: commands, whichever chain they were in, and stages of pipes. Any caller
 * finds an effect in the same log by its name.
 */
export function effectLog(address: Address): string {
  return logBeside(address, 'commands');
}

/** The record log of messages to channels. The run's own messages belong to no step. */
export function messageLog(call: Pick<ActivityCall, 'id'>): string {
  const address = addressOfCall(call);
  return address ? logBeside(address, 'messages') : 'messages';
}

function logBeside({ path }: Address, name: string): string {
  const container = formatPath(path.slice(0, -1));
  return container === '' ? name : `${container}/${name}`;
}

/**
 * Does work whose effects first record their beginning in the ledger (`RecordLog.begin`). An earlier worker on the same call begins no more
 * of them.
 */
export async function withIntents<T>(
  { ledger }: { ledger: Ledger },
  call: ActivityCall,
  work: (intents: RecordLog) => Promise<T>,
  log = effectLog(requireAddress(call)),
): Promise<T> {
  const intents = await ledger.recordLog(call.key, log);
  try {
    await intents.claim([call.id], call.scheduledAtMs);
    return await work(intents);
  } finally {
    await intents.close();
  }
}

/** The record log of work that continues where it was. */
function workLog(address: Address): string {
  return logBeside(address, 'work');
}

/** The beginnings that the activity of a call would report if it ended now: the first one, and each after the loss of a worker. */
export async function begunSoFar(call: string, address: Address, logOf: (name: string) => Promise<RecordLog>): Promise<readonly number[]> {
  const effects = await logOf(effectLog(address));
  const { begun } = begunAgain(effects, call);
  if (begun) return begun;
  const { begun: continued } = begunAfterLoss(await logOf(workLog(address)), call);
  return continued ?? [];
}

/** The beginnings to report if it has begun more than once. */
export function begunAgain(intents: Pick<RecordLog, 'begins'>, name: string): Begins {
  const begun = intents.begins(name);
  return begun.length > 1 ? { begun: [...begun] } : {};
}

/** Gathers the beginnings of work that consists of several effects: the first of all, and each repetition. */
export function gatherBegins(): { add(begins: Begins): void; all(): Begins } {
  const again: number[] = [];
  let first: number | undefined;
  return {
    add({ begun = [] }) {
      first = Math.min(first ?? Number.POSITIVE_INFINITY, ...begun.slice(0, 1));
      again.push(...begun.slice(1));
    },
    all: () => (first === undefined || again.length === 0 ? {} : { begun: [first, ...again.sort((a, b) => a - b)] }),
  };
}

/** Adds to a failure when its work had begun. */
export function failedWithBegins(error: unknown, begins: Begins): unknown {
  if (!begins.begun || !(error instanceof ThermidorFailure)) return error;
  const { code, message, details, retryAfterMs, work, located } = error;
  return new ThermidorFailure(code, message, details, retryAfterMs, { ...work, ...begins }, located);
}

/** An effect that has begun. */
export interface NotedBegin {
  hasBegun: boolean;
  begins: Begins;
  /** Called when this process sees it end without a record: beginning after that is no repetition. */
  over(): Promise<void>;
}

/**
 * Records that something begins that may end and be retried, such as a message to a channel that is down. `begins` has the beginnings after
 * the loss of a worker.
 */
export async function noteBegin(log: RecordLog, name: string): Promise<NotedBegin> {
  const [over, again] = [`${name}/over`, `${name}/again`];
  const hasBegun = await log.begin(name);
  for (let lost = log.begins(name).length - 1 - log.begins(over).length; lost > 0; lost--) {
    await log.begin(over);
    if (lost === 1) await log.begin(again);
  }
  return {
    hasBegun,
    begins: begunAfterLoss(log, name),
    // If it cannot be recorded, the worst is one entry too many.
    over: () =>
      log.begin(over).then(
        () => undefined,
        () => undefined,
      ),
  };
}

/** What `noteBegin` has noted. */
function begunAfterLoss(log: Pick<RecordLog, 'begins'>, name: string): Begins {
  const [first] = log.begins(name);
  const times = log.begins(`${name}/again`);
  return first === undefined || times.length === 0 ? {} : { begun: [first, ...times] };
}

/** Whether a call's work has ended by itself: work that a stopping worker ends has not. */
export function endsHere({ signal, isCancelled }: Pick<ActivityCall, 'signal' | 'isCancelled'>): boolean {
  return !signal.aborted || isCancelled?.() === true;
}

/**
 * Does work that continues where it was, such as an agent's from its transcript, and reports when a worker took it over from one that was
 * lost or stopped.
 */
export async function withNotedBegins<T extends Begins>(
  { ledger }: { ledger: Ledger },
  call: ActivityCall,
  work: () => Promise<T>,
): Promise<T> {
  const log = await ledger.recordLog(call.key, workLog(requireAddress(call)));
  try {
    await log.claim([call.id], call.scheduledAtMs);
    const { begins, over } = await noteBegin(log, call.id);
    try {
      const result = await work();
      await over();
      return { ...result, ...begins };
    } catch (error) {
      if (endsHere(call)) await over();
      throw failedWithBegins(error, begins);
    }
  } finally {
    await log.close();
  }
}

/**
 * An effect whose worker was lost is done again, except for an action of a category: that may have been done, and one approval is for one
 * action.
 */
export function requireFirst({ id, category }: Pick<Step, 'id' | 'category'>, hasBegun: boolean): void {
  if (!hasBegun || category === undefined) return;
  const message = `step "${id}" is of category ${category}, and its worker was lost during it: the action may have been done`;
  throw new ThermidorFailure('action.unknown', message, { step: id, category });
}
