import type { AwaitedTicket } from '../../../plan/queue/landing';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isSettled } from '../../../plan/run/step-state';
import { isJsonObject } from '../../../plan/text/json';
import { Cancelled } from '../../run-context';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';

/**
 * The open tickets of a run at merge queues, by the names of their submissions, and the tasks that it has given to teams. What nobody waits
 * for any more is withdrawn, so that nothing lands and no task is begun without a run's knowledge: when its step is superseded, when the
 * run ends, and when a fresh execution finds that its step has moved on.
 */

/** How long the end of a run waits for it, all tries together. */
const WITHDRAW_MS = 60_000;

export function openTicket(run: Run, name: string, fresh: AwaitedTicket): AwaitedTicket {
  run.state.tickets = { ...run.state.tickets, [name]: fresh };
  return fresh;
}

export function closeTicket(it: Interpreter, name: string): void {
  const { [name]: _closed, ...rest } = it.run.state.tickets ?? {};
  if (Object.keys(rest).length > 0) it.run.state.tickets = rest;
  else delete it.run.state.tickets;
  it.changed();
}

/** What a step waits for, in words; undefined if it has no ticket. */
export function ticketsAt({ state }: Run, path: string): string | undefined {
  const open = Object.values(state.tickets ?? {}).filter(({ path: of, team, ticket }) => of === path && (ticket ?? team) !== undefined);
  const [first, ...more] = open;
  if (!first) return undefined;
  if (first.team !== undefined)
    return first.ticket === undefined ? `the team ${first.team} to take the task` : `task #${first.ticket} of the team ${first.team}`;
  const others = more.length === 0 ? '' : ` and ${more.length} more ${more.length === 1 ? 'ticket' : 'tickets'}`;
  return `ticket ${first.ticket} of ${first.queue}${others}`;
}

/** A signal in the name of a queue or a team, which anybody can send. It only makes the run look into a ledger. */
export function onQueueSignal({ run }: Interpreter, payload: unknown): void {
  const name = isJsonObject(payload) ? payload['name'] : undefined;
  if (typeof name !== 'string' || !Object.hasOwn(run.state.tickets ?? {}, name)) return;
  const ticket = run.state.tickets?.[name];
  if (ticket) ticket.woken = true;
  run.wake(ticketWakeKey(name));
}

export function ticketWakeKey(name: string): string {
  return `ticket:${name}`;
}

export function withdrawSoon(it: Interpreter, name: string): void {
  it.run.background(() => withdraw(it, name));
}

/** Tickets whose step was superseded while the earlier execution closed. */
export function resumeWithdrawals(it: Interpreter): void {
  const { run } = it;
  for (const [name, { path, address }] of Object.entries(run.state.tickets ?? {})) {
    const record = run.state.records[path];
    if (!record || isSettled(record.state) || run.address(path) !== address) withdrawSoon(it, name);
  }
}

/** The tickets of a run that ends. */
export async function withdrawAll(it: Interpreter): Promise<void> {
  await Promise.all(Object.keys(it.run.state.tickets ?? {}).map((name) => withdraw(it, name)));
}

/** What a run is withdrawing: a step that fails ends its run, and both withdraw. */
const underWay = new WeakMap<Run, Map<string, Promise<void>>>();

function withdraw(it: Interpreter, name: string): Promise<void> {
  const known = underWay.get(it.run) ?? new Map<string, Promise<void>>();
  underWay.set(it.run, known);
  const before = known.get(name);
  if (before) return before;
  const work = withdrawn(it, name).then(() => void known.delete(name));
  known.set(name, work);
  return work;
}

/** A queue or a team that does not answer delays nobody: the journal says so. */
async function withdrawn(it: Interpreter, name: string): Promise<void> {
  const { run } = it;
  const { path, queue, team } = run.state.tickets?.[name] ?? {};
  if (path === undefined) return;
  try {
    await run.ctx.activity(
      team === undefined ? 'withdrawCandidate' : 'withdrawTask',
      { run: run.ctx.info.firstRunId, name },
      { address: `${name}/withdraw`, kept: true, startToCloseMs: SHORT_ACTIVITY_MS, scheduleToCloseMs: WITHDRAW_MS },
    );
  } catch (error) {
    if (!(error instanceof ThermidorFailure || error instanceof Cancelled)) throw error;
    const what = team === undefined ? `the ticket of ${name}` : 'a task';
    const where = team === undefined ? (queue ?? 'its merge queue') : `the board of the team ${team}`;
    const reason = `${what} could not be taken out of ${where}: ${error.message}`;
    run.journal.add({ kind: 'signal', name: 'drop', outcome: 'refused', reason });
  }
  closeTicket(it, name);
}
