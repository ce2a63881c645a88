import type { SpawnRequest } from '../../../plan/agents/spawned-agent';
import { isJsonObject } from '../../../plan/text/json';
import { budgetWakeKey } from '../budget/wake-key';
import { addressOfSpawned, type SpawnRecord } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import { gateQueueWakeKey } from '../gates/gate-queue';
import { gateWakeKey } from '../gates/gates';
import type { Interpreter } from '../interpreter';
import { ADMISSION, type Run } from '../run';
import { type Deferred, deferred } from '../scheduling/deferred';
import { isSuperseded, type Place, placeLabel } from '../scheduling/place';
import { slotWakeKey } from '../scheduling/slots';
import { SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import type { AgentCall } from './agent-call-spec';
import { admitSpawned, type CallAgent, endSpawned, resultOfSpawned } from './spawned-agent';

/**
 * The children of one call of an agent (docs/protocol.md, 4.2). They begin while their parent's activity continues: it writes each
 * request into its transcript and wakes its run, which looks there. A child's end is in the ledger before it is in state, so the parent
 * finds it before its next turn, or, if it has paused, when it is called again.
 *
 * Invariants: 1. a wake only causes a look, and at most one look is in progress, with one to follow; 2. a child is started once in an
 * execution, and again in the next unless it has a result: its own transcript continues; 3. a paused parent continues once a child has
 * ended that it was not called with; 4. no child outlives its parent's call.
 */
export interface SpawnedAgents {
  /** Children that have not ended continue, those that a try before has left too. */
  begin(): void;
  /** The parent's activity begins a turn. */
  begun(): void;
  /** The parent has paused for these. Returns those that it waits for: none if it only shares its budget. */
  admit(children: readonly SpawnRequest[], goesOn: boolean): string[];
  /** Waits until one of some children has ended. */
  untilOneEnds(ctx: StepContext, awaits: readonly string[]): Promise<void>;
  /** The call is in line for a slot of the fleet: waits until it is woken, or for a while. */
  untilTurn(ctx: StepContext): Promise<void>;
  /** The parent's call has failed: ends the living children. Settles when they have stopped; undefined if there are none. */
  endAll(): Promise<unknown> | undefined;
  /** The call is over. */
  close(): void;
}

/** A queued call that is not woken asks again: its waker may be gone. */
const WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/**
 * No local activity: wakes come in bursts, and each task that comes while local activities hold another open fails and begins again
 * (`temporal/held-task.ts`).
 */
const SHORT = { kept: true, startToCloseMs: SHORT_ACTIVITY_MS } as const;

/** The listeners that look when they are woken, by the address of the call. */
const listeners = new WeakMap<Run, Map<string, SpawnListener>>();
interface SpawnListener {
  woken(): void;
  /** It is in line for a slot of the fleet. */
  inLine: boolean;
}
/** Children that are running in this execution. */
const atWork = new WeakMap<SpawnRecord, { at: Place; ended: Deferred<void> }>();

/** A signal that anybody can send: if nobody listens at the address, there is nothing to look for. */
export function onSpawnSignal({ run }: Interpreter, payload: unknown): void {
  const step = isJsonObject(payload) ? payload['step'] : undefined;
  if (typeof step === 'string') wakeAt(run, step);
}

/** Wakes as an activity's signal does, for news that the run itself has for `address`. */
export function wakeAt(run: Run, address: string): void {
  listeners.get(run)?.get(address)?.woken();
}

/** Calls `woken` whenever an activity wakes the run for `address`, until the returned function is called. */
export function listenAt(run: Run, address: string, woken: () => void): () => void {
  const known = listeners.get(run) ?? new Map<string, SpawnListener>();
  listeners.set(run, known);
  const listener: SpawnListener = { woken, inLine: false };
  known.set(address, listener);
  return () => {
    if (known.get(address) === listener) known.delete(address);
  };
}

export function waitsForSlot(run: Run, address: string): boolean {
  return listeners.get(run)?.get(address)?.inLine === true;
}

/** @param also called whenever the activity wakes its run */
export function openSpawnedAgents(it: Interpreter, place: Place, call: AgentCall, perform: CallAgent, also?: () => void): SpawnedAgents {
  const { run } = it;
  const { ctx } = run;
  const { address, keeps } = call;
  const news = newsWakeKey(address);
  const line = lineWakeKey(address);
  let turnCame = false;
  let waits = 0;
  let looking = false;
  let again = false;
  /** The children that the parent's last call was given. */
  let announced = new Set<string>();

  const living = () => (keeps.spawned ?? []).filter(({ result }) => !result);
  const isOver = () => isSuperseded(place);

  async function look(): Promise<void> {
    looking = true;
    try {
      do {
        again = false;
        const input = { run: ctx.info.firstRunId, call: address, after: keeps.spawned?.length ?? 0 };
        const { children, more } = await ctx.activity('spawned', input, SHORT);
        take(children);
        again ||= more === true;
      } while (again);
    } finally {
      looking = false;
    }
  }

  function woken(): void {
    also?.();
    // Its activity may be about to report that it is in line.
    turnCame = true;
    if (listener.inLine) {
      run.wake(line);
      return;
    }
    again = looking;
    if (!looking) run.background(look);
  }

  function take(children: readonly SpawnRequest[]): void {
    if (isSuperseded(place) || (run.ending && run.ending.kind !== 'continue')) return;
    for (const child of admitSpawned(it, place, call, children)) start(child);
  }

  function start(child: SpawnRecord): void {
    if (atWork.has(child)) return;
    const at: Place = { ...place, child: { id: child.id, over: false } };
    const ended = deferred<void>();
    atWork.set(child, { at, ended });
    run.spawn(async () => {
      try {
        await it.slots.turn(run, child.id, at);
        const result = await resultOfSpawned(it, at, child, call.agent, perform);
        await ctx.activity('announce', { run: ctx.info.firstRunId, result }, SHORT);
        endSpawned(it, at, call.agent, child, result);
      } finally {
        atWork.delete(child);
        it.slots.give(child.id);
        ended.resolve();
        // Even if the child was cancelled, steps may be waiting for its slot.
        it.pump();
      }
      it.pump();
      run.wake(news);
    });
  }

  const known = listeners.get(run) ?? new Map<string, SpawnListener>();
  const listener: SpawnListener = { woken, inLine: false };
  listeners.set(run, known);
  known.set(address, listener);

  return {
    begin() {
      for (const child of living()) start(child);
    },
    begun() {
      announced = endedIn(keeps.spawned);
    },
    admit(children, goesOn) {
      take(children);
      return goesOn ? [] : children.flatMap(({ id }) => (announced.has(id) ? [] : [id]));
    },
    async untilOneEnds(log, awaits) {
      if (awaits.length === 0) return;
      const allLive = () => awaits.every((id) => living().some((child) => child.id === id));
      if (allLive()) it.rest(place);
      await log.awaited('news', { sleeper: news }, () => (allLive() && !isOver() ? undefined : true));
      it.resume(place);
    },
    async untilTurn(log) {
      const came = () => {
        const hasCome = turnCame || isOver();
        turnCame = false;
        return hasCome || undefined;
      };
      listener.inLine = !turnCame;
      it.changed();
      const ms = Math.min(LONGEST_WAIT_MS, WAIT_MS * 2 ** waits);
      waits += 1;
      try {
        await log.awaited('line', { sleeper: line, dueMs: ctx.now() + ms }, came);
      } finally {
        listener.inLine = false;
        it.changed();
      }
    },
    endAll() {
      const ends = living().flatMap((child) => {
        const { at, ended } = atWork.get(child) ?? {};
        return at && ended ? [{ at, ended, child }] : [];
      });
      if (ends.length === 0) return undefined;
      return Promise.all(ends.map(({ at, ended, child }) => cancelSpawned(run, at, child).then(() => ended.promise)));
    },
    close() {
      known.delete(address);
    },
  };
}

/** Cancels activities by their label; waits for budget, a person, a child or a slot by their wake key. */
function cancelSpawned(run: Run, at: Place, record: SpawnRecord): Promise<void> {
  const { path, child } = at;
  if (child) {
    child.over = true;
    const call = addressOfSpawned(record);
    const own = [budgetWakeKey(call), slotWakeKey(child.id), newsWakeKey(call), lineWakeKey(call)];
    for (const name of [...own, gateWakeKey(path), gateQueueWakeKey(path)]) run.wake(name);
    run.wake(ADMISSION);
  }
  return run.ctx.cancelActivities(placeLabel(at), 'itself');
}

/** The key that wakes a parent whose child has ended. */
function newsWakeKey(address: string): string {
  return `spawned:${address}`;
}

/** The key that wakes a call in line for a slot of the fleet. */
function lineWakeKey(address: string): string {
  return `line:${address}`;
}

function endedIn(spawned: readonly SpawnRecord[] = []): Set<string> {
  return new Set(spawned.flatMap(({ id, result }) => (result ? [id] : [])));
}
