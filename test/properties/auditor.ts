import { REVIEW_DOCUMENT } from '../../kinds/increments/rules/assignment';
import { AMOUNTS, type AmountKind, type BudgetView } from '../../plan/budgets/budget';
import type { Plan } from '../../plan/plan';
import type { JournalEntry, JournalView } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import { isSettled, type StepState } from '../../plan/run/step-state';
import { formatPath, parseAddress, stepIdOf } from '../../plan/steps/address';
import type { Json } from '../../plan/text/json';
import { field, isJsonObject } from '../../plan/text/json';
import type { Inbound } from '../../workflows/run-context';
import type { Command } from '../support/simulation/commands';
import type { Behaviour } from './behaviour';
import { createHistory, type History } from './history';
import { beside, indexPlan, type PlanIndex } from './plan-index';
import { auditItems, auditStreams } from './stream-audit';
import { auditUnrouted } from './unrouted-audit';

type ActivityCommand = Extract<Command, { kind: 'activity' }>;

/**
 * Watches one run: reads its journal while it is written, and compares every command with the journal at that moment.
 */
export interface Auditor {
  command(command: Command, inbound: Inbound): void;
  /** Returns the entries that are new in the journal since the last call. */
  committed(inbound: Inbound): JournalEntry[];
  rolledBack(): void;
  readonly history: History;
  readonly violations: string[];
  /** The violations of the run, once it is over. */
  atEnd(): string[];
  /** The budgets when the run was last seen; the run's own is under ``. */
  readonly budgets: ReadonlyMap<string, BudgetView>;
}

export function createAuditor(plan: Plan, workflowId: string, behaviour: Behaviour): Auditor {
  const index = indexPlan(plan);
  const violations: string[] = [];
  let history = createHistory();
  let kept = 0;
  /** The activity for which each approval was used. */
  const usedFor = new Map<string, string>();
  /** The run's budget before anybody changed it. */
  let atFirst: BudgetView | undefined;
  const budgets = new Map<string, BudgetView>();

  function look(inbound: Inbound): void {
    const last = history.entries.at(-1)?.seq ?? 0;
    for (const entry of (inbound.query('journal', { after: last }) as JournalView).entries) {
      auditNeeds(index, history, violations, entry);
      history.read(structuredClone(entry));
    }
  }

  function auditActivity({ name, options, input }: ActivityCommand): void {
    const { address: id } = options;
    if (id === undefined) return;
    const key = `${workflowId} ${id}`;
    auditLeave(name, id, JSON.parse(input) as Json);
    violations.push(...auditUnrouted(index, history, { id, input: JSON.parse(input) as Json }));
    violations.push(...auditItems(behaviour.streams, workflowId, id, JSON.parse(input) as Json));
    if (behaviour.brought.has(key) && !isRepeatable(name, id)) violations.push(`${id} is asked for what it has brought already`);
    for (const { sha256, at } of artifactsIn(JSON.parse(input) as Json)) {
      const origin = behaviour.origins.get(sha256);
      const from = origin?.run === workflowId ? parseAddress(origin.address.replace(/(~\d+)\/.*$/, '$1')) : undefined;
      if (from && history.isSuperseded(formatPath(from.path), from.round))
        violations.push(`${name} ${id} reads ${origin?.address}, which is superseded (${at})`);
    }
  }

  /** No action of a category is done without a person's yes to it, and each yes is for one action. */
  function auditLeave(name: ActivityCommand['name'], id: string, input: Json): void {
    const place = DOING.includes(name) ? parseAddress(id.replace(/(?<=~\d+)\/input$/, '')) : undefined;
    const category = place && index.step(stepIdOf(place))?.category;
    if (category === undefined) return;
    const given = field(input, 'approvals');
    const yes = (Array.isArray(given) ? given : []).find((one) => field(one, 'category') === category && field(one, 'approved') === true);
    const approval = yes === undefined ? undefined : String(field(yes, 'id'));
    if (approval === undefined || !history.granted.has(approval)) violations.push(`${name} ${id} does what nobody has approved`);
    else if ((usedFor.get(approval) ?? id) !== id) violations.push(`${approval} is used by ${usedFor.get(approval)} and by ${id}`);
    else usedFor.set(approval, id);
  }

  return {
    violations,
    budgets,
    atEnd: () => auditStreams(index, history, behaviour.streams, workflowId),
    get history() {
      return history;
    },
    command(command, inbound) {
      if (command.kind !== 'activity' || OPENING.includes(command.name)) return;
      look(inbound);
      auditActivity(command);
    },
    committed(inbound) {
      const view = inbound.query('status', {}) as RunView;
      if (view.plan === undefined) return [];
      look(inbound);
      auditStates(history, view, violations);
      atFirst ??= view.budget ?? {};
      const first = atFirst;
      auditBudget('the run', view.budget, (kind) => first[kind] !== undefined, violations);
      budgets.clear();
      if (view.budget) budgets.set('', view.budget);
      for (const { id, address, budget } of view.steps) {
        if (budget) budgets.set(address, budget);
        const own = index.step(id)?.budget;
        auditBudget(address, budget, (kind) => own?.[kind] !== undefined, violations);
      }
      const fresh = history.entries.slice(kept);
      kept = history.entries.length;
      return fresh;
    },
    rolledBack() {
      const committed = history.entries.slice(0, kept);
      history = createHistory();
      for (const entry of committed) history.read(entry);
    },
  };
}

/** No step begins while something that it depends on is not settled in its current round. */
function auditNeeds(index: PlanIndex, history: History, violations: string[], entry: JournalEntry): void {
  if (entry.kind !== 'step' || entry.state !== 'running' || entry.reason !== undefined) return;
  const place = parseAddress(entry.step);
  for (const id of place ? index.needs(stepIdOf(place)) : []) {
    const path = place ? beside(place, id) : id;
    const state = history.state(path) ?? 'pending';
    if (!isSettled(state)) violations.push(`${entry.step} begins while ${path}, which it depends on, is ${state}`);
  }
}

/** The status of each step follows from the journal. A step may change between waiting and working without an entry. */
function auditStates(history: History, view: RunView, violations: string[]): void {
  for (const { address, state, round } of view.steps) {
    const path = formatPath(parseAddress(address)?.path ?? []);
    const told = history.steps.get(path) ?? { state: 'pending' as const, round };
    if (plain(told.state) !== plain(state)) violations.push(`${address} is ${state}; the journal has it ${told.state}`);
    else if (state !== 'pending' && told.round !== round) violations.push(`${address} is reported as round ${told.round}`);
  }
}

/**
 * The sum of what is spent and what is reserved never exceeds the ceiling. A new ceiling does not count for work that was in progress when
 * somebody set it.
 */
function auditBudget(whose: string, budget: BudgetView | undefined, capped: Capped, violations: string[]): void {
  for (const kind of AMOUNTS) {
    const amount = budget?.[kind];
    if (!amount || !capped(kind)) continue;
    const { spent, reserved, ceiling } = amount;
    if (spent + reserved > ceiling) violations.push(`${whose} has spent ${spent} ${kind} and reserved ${reserved} of ${ceiling}`);
  }
}
type Capped = (kind: AmountKind) => boolean;

function plain(state: StepState): StepState {
  return state === 'waiting' ? 'running' : state;
}

/** References to artifacts in an input, except those to a step's own earlier work. */
function artifactsIn(value: Json, at = ''): { sha256: string; at: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => artifactsIn(item, `${at}[${i}]`));
  if (!isJsonObject(value)) return [];
  const { sha256 } = value;
  if (typeof sha256 === 'string') return [{ sha256, at }];
  return Object.entries(value).flatMap(([key, inner]) => (BEFORE.includes(key) ? [] : artifactsIn(inner, `${at}.${key}`)));
}
/** These activities have no effect, or the ledger prevents a second one. A try may call a step for more than one reason. */
function isRepeatable(name: string, id: string): boolean {
  return name === 'gate' || name === 'notify' || (name === 'compose' && id.includes('/issue-'));
}
/** No journal can be read before these activities. The state of a resumed run is checked while it opens. */
const OPENING: readonly string[] = ['openRun', 'loadState', 'checkProofs', 'checkResponses', 'emitItems'];
/** The activities of a step itself, at its own address. */
const DOING: readonly string[] = ['agent', 'command', 'notify', 'childInput'];
const BEFORE: readonly string[] = ['previous', 'findings', 'note', 'escalation', 'judgedBefore', REVIEW_DOCUMENT];
