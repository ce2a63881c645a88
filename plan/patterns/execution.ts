import type { JournalEntry } from '../run/journal';
import { pathIn } from '../steps/address';
import { field } from '../text/json';
import { cutAfter } from '../text/shortened';

/**
 * What a run's own journal says of it: the execution summary of a post-mortem, and what each agent has done (docs/patterns.md, CP-10).
 * Pages come one by one, in order, so that a long journal is never in memory as a whole.
 *
 * Invariants: 1. only the run's own entries count, never an agent's words; 2. the number of errors kept is bounded, however long the run
 * was;
 * 3. work that is sent back counts once, whether the journal has it as `fix_required`, as the task of a new round, or as both. The same
 * holds for escalations.
 */
export type ExecutionSummary = {
  /** Steps that have begun or were skipped, each iteration separately; containers do not count. */
  total_tasks: number;
  completed: number;
  /** Envelopes between agents, and between agents and people. */
  total_messages: number;
  escalations: number;
  /** Work that came back to its author. */
  fix_cycles: number;
  /** Tries that failed. */
  errors: number;
};

export type AgentExecution = {
  agent: string;
  tasks: number;
  completed: number;
  fix_cycles: number;
  messages: number;
  /** `step: code: message`, each once, the first of them. */
  errors: string[];
};

/** A kind of failure, and how often it happened. */
export type Trouble = {
  step: string;
  code: string;
  message: string;
  times: number;
};

export type RootCause = {
  cause: string;
  /** How to prevent it the next time. */
  prevention: string;
};

export type Execution = {
  execution_summary: ExecutionSummary;
  /** Agents in the order in which they were first asked. */
  agents: AgentExecution[];
  /** The most frequent first. */
  troubles: Trouble[];
  /** Root causes found by swarms and escalations. */
  root_causes: RootCause[];
};

/** The limit of kinds of trouble, and of root causes. */
const MOST_TROUBLES = 50;
const MOST_CAUSES = 20;
const MOST_ERRORS_OF_AGENT = 5;
const MESSAGE_CHARACTERS = 500;

/** The state of reading a journal. `isTask`: whether a step, by its path, is work of its own and counts. */
export interface Mining {
  readonly isTask: (path: string) => boolean;
  /** Tasks by path: whether they are done, and by whom. */
  readonly tasks: Map<string, { done: boolean; agent?: string }>;
  readonly agents: Map<string, AgentExecution>;
  readonly troubles: Map<string, Trouble>;
  readonly causes: Map<string, RootCause>;
  /** Work sent back by its receiver, and escalations by step: as signals of a pattern, and as envelopes. */
  readonly fixes: Map<string, Twofold>;
  readonly escalations: Map<string, Twofold>;
  messages: number;
  errors: number;
}

interface Twofold {
  signals: number;
  envelopes: number;
}

export function openMining(isTask: Mining['isTask']): Mining {
  const [tasks, agents, troubles, causes, fixes, escalations] = [new Map(), new Map(), new Map(), new Map(), new Map(), new Map()];
  return { isTask, tasks, agents, troubles, causes, fixes, escalations, messages: 0, errors: 0 };
}

export function mineEntry(mining: Mining, entry: JournalEntry): void {
  switch (entry.kind) {
    case 'step':
      mineStep(mining, entry);
      return;
    case 'envelope':
      mineEnvelope(mining, entry);
      return;
    case 'pattern':
      mineSignal(mining, entry);
      return;
    case 'team':
      if (entry.event === 'returned') twofold(mining.fixes, `team ${entry.engineer ?? entry.step}`).signals += 1;
      return;
    default:
  }
}

export function minedExecution(mining: Mining): Execution {
  const tasks = [...mining.tasks.values()];
  const troubles = [...mining.troubles.values()].sort((a, b) => b.times - a.times);
  return {
    execution_summary: {
      total_tasks: tasks.length,
      completed: tasks.filter(({ done }) => done).length,
      total_messages: mining.messages,
      escalations: total(mining.escalations),
      fix_cycles: total(mining.fixes),
      errors: mining.errors,
    },
    agents: [...mining.agents.values()].map((agent) => {
      const own = tasks.filter((task) => task.agent === agent.agent);
      const fixes = mining.fixes.get(agent.agent);
      return { ...agent, tasks: own.length, completed: own.filter(({ done }) => done).length, fix_cycles: fixes ? larger(fixes) : 0 };
    }),
    troubles,
    root_causes: [...mining.causes.values()],
  };
}

/** Whether a run had trouble that is worth a retrospective. */
export function isNotable({ escalations, fix_cycles, errors }: ExecutionSummary, end: string): boolean {
  return end !== 'completed' || escalations > 0 || fix_cycles > 0 || errors > 0;
}

function mineStep(mining: Mining, { step, state, error }: Extract<JournalEntry, { kind: 'step' }>): void {
  const path = pathIn(step);
  if (!mining.isTask(path)) return;
  const task = mining.tasks.get(path) ?? { done: false };
  task.done = state === 'done';
  mining.tasks.set(path, task);
  if (!error) return;
  mining.errors += 1;
  const message = cutAfter(error.message, MESSAGE_CHARACTERS);
  const key = `${path} ${error.code}`;
  const trouble = mining.troubles.get(key) ?? { step: path, code: error.code, message, times: 0 };
  trouble.times += 1;
  if (mining.troubles.size < MOST_TROUBLES || mining.troubles.has(key)) mining.troubles.set(key, trouble);
  const agent = task.agent === undefined ? undefined : mining.agents.get(task.agent);
  const said = `${path}: ${error.code}: ${message}`;
  if (agent && agent.errors.length < MOST_ERRORS_OF_AGENT && !agent.errors.includes(said)) agent.errors.push(said);
}

function mineEnvelope(mining: Mining, { step, envelope }: Extract<JournalEntry, { kind: 'envelope' }>): void {
  const { from, to, intent, payload } = envelope;
  mining.messages += 1;
  if (intent === 'escalate') twofold(mining.escalations, step === undefined ? '' : pathIn(step)).envelopes += 1;
  if (step === undefined || (intent !== 'assign_task' && intent !== 'review_request')) {
    for (const name of [from, to]) {
      const known = mining.agents.get(name);
      if (known) known.messages += 1;
    }
    return;
  }
  const path = pathIn(step);
  if (!mining.isTask(path)) return;
  const agent = mining.agents.get(to) ?? { agent: to, tasks: 0, completed: 0, fix_cycles: 0, messages: 0, errors: [] };
  agent.messages += 1;
  mining.agents.set(to, agent);
  const task = mining.tasks.get(path) ?? { done: false };
  mining.tasks.set(path, { ...task, agent: to });
  if (intent === 'assign_task' && field(payload, 'findings') !== undefined) twofold(mining.fixes, to).envelopes += 1;
}

function mineSignal(mining: Mining, entry: Extract<JournalEntry, { kind: 'pattern' }>): void {
  const path = pathIn(entry.step);
  if (entry.refused !== undefined) return;
  switch (entry.type) {
    case 'fix_required':
      twofold(mining.fixes, entry.to ?? path).signals += 1;
      return;
    case 'escalate': {
      twofold(mining.escalations, path).signals += 1;
      for (const { diagnosis, recommendation } of entry.data.diagnosis_chain)
        if (diagnosis !== undefined && recommendation !== undefined) addCause(mining, diagnosis, recommendation);
      return;
    }
    case 'swarm_diagnosis':
      addCause(mining, entry.data.root_cause, entry.data.fix_suggestion);
      return;
    default:
  }
}

function addCause({ causes }: Mining, cause: string, prevention: string): void {
  if (causes.size < MOST_CAUSES)
    causes.set(cause, { cause: cutAfter(cause, MESSAGE_CHARACTERS), prevention: cutAfter(prevention, MESSAGE_CHARACTERS) });
}

function twofold(counts: Map<string, Twofold>, key: string): Twofold {
  const count = counts.get(key) ?? { signals: 0, envelopes: 0 };
  counts.set(key, count);
  return count;
}

function larger({ signals, envelopes }: Twofold): number {
  return Math.max(signals, envelopes);
}

function total(counts: ReadonlyMap<string, Twofold>): number {
  return [...counts.values()].reduce((sum, count) => sum + larger(count), 0);
}
