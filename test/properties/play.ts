import { SPAWN_SIGNAL } from '../../plan/agents/spawned-agent';
import { AMOUNTS, type BudgetView } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import { INTERNAL_SIGNALS } from '../../plan/run/child';
import type { JournalEntry } from '../../plan/run/journal';
import type { Happening, RunEnd } from '../support/simulation/commands';
import { dice } from '../support/simulation/dice';
import type { SimulatedServer, Watcher, Work } from '../support/simulation/ports';
import { createServer } from '../support/simulation/server';
import type { SimulatedRun } from '../support/simulation/simulated-run';
import { type Auditor, createAuditor } from './auditor';
import { createBehaviour } from './behaviour';
import { type Crowd, createCrowd } from './people';
import { BETWEEN_VISITS_MS, rescue, whatTheyWaitFor } from './rescue';
import type { Scenario } from './scenario';

const START_MS = Date.UTC(2026, 0, 5, 7, 30);
/** This is enough for every case. A run with more of them goes in circles. */
const MOST_ACTIVATIONS = 3000;

/** The result of a case. */
export interface Played {
  violations: string[];
  /** The events with their times, for people. */
  schedule: string[];
  activations: number;
  /** By workflow id. */
  journals: Record<string, JournalEntry[]>;
  ends: Record<string, RunEnd | undefined>;
  paid: Record<string, number>;
  /** What the runs waited for after all events of the case. */
  waitedFor: string[];
}

export async function play(scenario: Scenario, crashes: ReadonlyMap<number, 'worker' | 'cache'>): Promise<Played> {
  const schedule: string[] = [];
  const violations: string[] = [];
  const auditors = new Map<string, Auditor>();
  const expected = new Map<string, number>();
  const since = (): string => `+${((server.agenda.now() - START_MS) / 1000).toFixed(1)}s`;
  const note = (text: string): void => void schedule.push(`${since()} ${text}`);
  const behaviour = createBehaviour(scenario, {
    nowMs: () => server.agenda.now(),
    wake: ({ workflowId }, stream) => void server.signal(workflowId, SPAWN_SIGNAL, { step: stream }),
  });

  function auditor(run: SimulatedRun): Auditor {
    const known = auditors.get(run.workflowId);
    if (known) return known;
    const made = createAuditor(scenario.children[run.workflowType] ?? scenario.plan, run.workflowId, behaviour);
    auditors.set(run.workflowId, made);
    return made;
  }

  const watcher: Watcher = {
    command: (run, command, inbound) => auditor(run).command(command, inbound),
    committed(run, inbound) {
      for (const entry of auditor(run).committed(inbound)) {
        note(`${run.workflowId} ${entry.seq} ${lineOf(entry)}`);
        crowd.read(run, entry);
      }
      if (server.activations > MOST_ACTIVATIONS) throw new Error(`the run goes in circles:\n${schedule.slice(0, 110).join('\n')}`);
    },
    rolledBack(run) {
      auditor(run).rolledBack();
      note(`${run.workflowId}: a workflow task is given up`);
    },
    crashed: (how) => note(how === 'worker' ? '*** the worker dies' : '*** a run falls out of the cache'),
    told(run, happening) {
      if (countsAsSignal(happening)) expected.set(run.workflowId, (expected.get(run.workflowId) ?? 0) + 1);
    },
  };
  const server: SimulatedServer = createServer({
    world: {
      local(run, name, input) {
        if (name !== 'journal') note(`${run.workflowId} ${name}`);
        return behaviour.local(run, name, input);
      },
      perform(run, command) {
        const work = behaviour.perform(run, command);
        note(`${run.workflowId} ${command.name} ${command.options.address}: ${comesTo(work)} after ${work.afterMs} ms`);
        return work;
      },
    },
    watcher,
    startMs: START_MS,
    crashes,
    together: (nowMs) => scenario.batches && dice(scenario.seed, 'together', nowMs).chance(0.5),
    ...defined({ activitiesPerExecution: scenario.activitiesPerExecution }),
  });
  const crowd: Crowd = createCrowd(scenario, server, note);
  const root = server.start({ workflowId: 'case', workflowType: scenario.plan.name, input: {} });
  crowd.begin(root);
  await server.work(BETWEEN_VISITS_MS);
  const waitedFor = await whatTheyWaitFor(server);
  for (const line of waitedFor) note(`waits for ${line}`);
  violations.push(...(await rescue(scenario, server, crowd, root)));
  await audit();
  // The replay is left out if a second play follows, whose interruptions replay everything.
  if (crashes.size > 0 || scenario.crashes === 0) await server.replayAll();
  return {
    violations,
    schedule,
    activations: server.activations,
    journals: Object.fromEntries([...auditors].map(([id, { history }]) => [id, [...history.entries]])),
    ends: Object.fromEntries([...server.runs].map(([id, { end }]) => [id, end])),
    paid: Object.fromEntries(behaviour.paid),
    waitedFor,
  };

  /** The number of orders for a child that had ended before it was woken, from its parent's journal. */
  function unheardBy(child: string): number {
    const reason = `child ${child} does not take it`;
    const entries = [...auditors.values()].flatMap(({ history }) => history.entries);
    return entries.filter((entry) => entry.kind === 'signal' && entry.reason?.startsWith(reason)).length;
  }

  async function audit(): Promise<void> {
    for (const [id, run] of server.runs) {
      const { violations: found, history, budgets, atEnd } = auditor(run);
      violations.push(...atEnd().map((what) => `${id}: ${what}`));
      if (run.end)
        for (const [step, budget] of budgets)
          violations.push(...stillReserved(budget).map((what) => `${id}: ${step || 'the run'} ends with ${what}`));
      const spent = id === 'case' && scenario.plan.budget?.tokens !== undefined ? budgets.get('')?.tokens?.spent : undefined;
      const used = [...behaviour.used.values()].reduce((sum, one) => sum + one, 0);
      if (run.end && spent !== undefined && (server.runs.size > 1 ? spent < used : spent !== used))
        violations.push(`${id}: has spent ${spent} tokens of ${used} used`);
      violations.push(...[...found, ...history.contradictions].map((text) => `${id}: ${text}`));
      if (!run.end) violations.push(`${id}: it never ends, whatever people do`);
      else if (run.end.kind === 'bug') violations.push(`${id}: ${bugOf(run.end.error)}`);
      for (const [step, { open }] of history.gates) if (open && run.end) violations.push(`${id}: the gate of ${step} was never closed`);
      const written = history.entries.filter(isAnswerToSignal).length - (crowd.appliedUpdates.get(id) ?? 0);
      const came = (expected.get(id) ?? 0) + (await behaviour.ordersTo(run)) - unheardBy(id);
      if (run.end && written !== came) violations.push(`${id}: of ${came} signals the journal accounts for ${written}`);
    }
  }
}

function comesTo(work: Work): string {
  if ('goOn' in work) return 'more';
  return work.outcome.kind === 'failure' ? work.outcome.code : work.outcome.kind;
}

function stillReserved(budget: BudgetView): string[] {
  return AMOUNTS.flatMap((kind) => (budget[kind]?.reserved ? [`${budget[kind].reserved} ${kind} reserved`] : []));
}

/** Signals that people sent. */
function countsAsSignal({ kind, ...happening }: Happening): boolean {
  return kind === 'signal' && 'name' in happening && !isInternal(happening.name);
}

function isAnswerToSignal(entry: JournalEntry): boolean {
  return entry.kind === 'signal' && !isInternal(entry.name) && !entry.reason?.startsWith('child ');
}

function isInternal(name: string): boolean {
  return (INTERNAL_SIGNALS as readonly string[]).includes(name);
}

function bugOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function lineOf(entry: JournalEntry): string {
  const { seq: _seq, at: _at, ...rest } = entry;
  return JSON.stringify(rest).slice(0, 240);
}
