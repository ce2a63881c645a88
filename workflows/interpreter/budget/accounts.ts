import { hasRoleTeam } from '../../../kinds/questions';
import {
  type Allowance,
  AMOUNTS,
  type AmountKind,
  type Amounts,
  type AmountView,
  BUDGET_WORDS,
  type BudgetSpec,
  type BudgetView,
  type BudgetWord,
} from '../../../plan/budgets/budget';
import { chargedMicroUsd, chargedTokens, type Usage } from '../../../plan/budgets/usage';
import { isWithin } from '../../../plan/steps/address';
import type { Run } from '../run';
import { containerPath, type Frame, type Place, stepIdAt } from '../scheduling/place';
import { type AccountRecord, addRest, type Reservation } from './account-record';

/**
 * The accounts of budgets: one for the run, and one for each step that has a budget of its own, including everything within it.
 *
 * Invariants: 1. spending in an account counts in every account around it; 2. a reservation never brings spent and reserved amounts
 * together above a ceiling; 3. an account outlives the rounds of its step.
 */
export interface Account {
  /** The path of the step with the budget; `` for the run's. */
  path: string;
  ceilings: BudgetSpec;
  /** The current book; it is in state only once something has been entered (`openAccountRecord`), so that looking changes nothing. */
  book: AccountRecord;
  owner: { account?: AccountRecord };
  /** When its clock began, in milliseconds since the epoch. */
  sinceMs: number;
}

/** The accounts around a place, its own first, the run's last. Empty if nothing has a budget. */
export function accountsAround(run: Run, place: Place): Account[] {
  const accounts = accountsAbove(run, place.path);
  if (outermost(place).kind !== 'finally') return accounts;
  return accounts.map((account) => (account.path === '' ? timeless(account) : account));
}

/** The accounts above a path. */
export function accountsAbove(run: Run, path: string): Account[] {
  const accounts: Account[] = [];
  for (let at: string | undefined = path; at !== undefined; at = containerPath(at)) {
    const own = stepAccount(run, at, budgetAt(run, at));
    if (own) accounts.push(own);
  }
  const whole = runAccount(run);
  if (whole) accounts.push(whole);
  return accounts;
}

function outermost({ frame }: Place): Frame {
  return frame.container ? outermost(frame.container) : frame;
}

/** Clean-up runs without a time limit. */
function timeless(account: Account): Account {
  const { wallClockMs: _over, ...ceilings } = account.ceilings;
  return { ...account, ceilings };
}

/** Whether anything limits what an agent at this place may use. */
export function isBudgeted(run: Run, place: Place): boolean {
  if (run.plan.budget || run.state.account?.ceilings || run.state.account?.allowance) return true;
  for (let at: Place | undefined = place; at; at = at.frame.container) if (budgetAt(run, at.path)) return true;
  return false;
}

export function runAccount(run: Run): Account | undefined {
  const { account } = run.state;
  if (!run.plan.budget && !account?.ceilings && !account?.allowance) return undefined;
  const book = account ?? emptyBook();
  const ceilings = { ...run.plan.budget, ...wordsOf(run.plan.budget, book.allowance), ...book.ceilings };
  return { path: '', ceilings, book, owner: run.state, sinceMs: run.startedAtMs };
}

/** The stricter words of a run and its parent. */
function wordsOf(own: BudgetSpec = {}, given: Allowance = {}): Pick<BudgetSpec, BudgetWord> {
  const words: Pick<BudgetSpec, BudgetWord> = {};
  for (const key of BUDGET_WORDS) {
    const word = own[key] === 'hold' ? own[key] : (given[key] ?? own[key]);
    if (word) words[key] = word;
  }
  return words;
}

/** Whether a parent holds what its child's own budgets would allow, and nobody has permitted it since. */
export function isLimitedByParent({ path, ceilings, book }: Account, key: BudgetWord): boolean {
  return path === '' && book.allowance?.[key] === 'hold' && ceilings[key] === 'hold';
}

/** The budget of a step, and for a part what is left of one that spans turns: of each amount the smaller. */
export function budgetAt(run: Run, path: string): BudgetSpec | undefined {
  const own = run.steps.get(stepIdAt(path))?.step.budget;
  const given = run.state.records[path]?.brief?.ceilings;
  if (!own || !given) return own ?? given;
  const both: BudgetSpec = { ...given, ...own };
  for (const kind of AMOUNTS) {
    const least = Math.min(own[kind] ?? Number.POSITIVE_INFINITY, given[kind] ?? Number.POSITIVE_INFINITY);
    if (Number.isFinite(least)) both[kind] = least;
  }
  return both;
}

export function stepAccount(run: Run, path: string, budget: BudgetSpec | undefined): Account | undefined {
  if (!budget) return undefined;
  const record = run.record(path);
  const book = record.account ?? emptyBook();
  const startedAtMs = record.times?.startedAtMs ?? run.ctx.now();
  const { ofMs, forMs = 0, sinceMs = run.ctx.now() } = book.rest ?? {};
  const restedMs = ofMs === startedAtMs ? forMs + run.ctx.now() - sinceMs : 0;
  return { path, ceilings: { ...budget, ...book.ceilings }, book, owner: record, sinceMs: startedAtMs + restedMs };
}

/** The clock of a step's own budget rests while people take their time. To be called whenever that changes. */
export function restClock(run: Run, path: string, rests: boolean): void {
  const account = stepAccount(run, path, budgetAt(run, path));
  const ofMs = run.record(path).times?.startedAtMs;
  if (!account || ofMs === undefined || (!rests && !account.book.rest)) return;
  const book = openAccountRecord(account);
  if (book.rest?.ofMs !== ofMs) book.rest = { ofMs, forMs: 0 };
  addRest(book.rest, rests, run.ctx.now());
}

/** Whether a budget is that of a role team: its ceilings for a step are for a sub-task. */
export function isTeamsBudget(run: Run, account = ''): boolean {
  const step = run.steps.get(stepIdAt(account))?.step;
  return step !== undefined && hasRoleTeam(step);
}

/** The account of a step, or (``) the run's. */
export function accountAt(run: Run, path: string): Account {
  const budget = path === '' ? undefined : budgetAt(run, path);
  const own = path === '' ? runAccount(run) : stepAccount(run, path, budget);
  if (own) return own;
  // A run without a budget gets one now; its agents' usage so far counts.
  return { path: '', ceilings: {}, book: run.state.account ?? usedSoFar(run), owner: run.state, sinceMs: run.startedAtMs };
}

function usedSoFar(run: Run): AccountRecord {
  const book = emptyBook();
  for (const record of Object.values(run.state.records)) {
    for (const { usage } of [...(record.superseded ?? []), record]) {
      if (!usage) continue;
      const { tokens, costMicroUsd } = amountsOf(usage);
      book.spent.tokens += tokens;
      book.spent.costMicroUsd += costMicroUsd;
      if (usage.costMicroUsd === null) book.unknownCost = true;
    }
  }
  return book;
}

function emptyBook(): AccountRecord {
  return { spent: { tokens: 0, costMicroUsd: 0 } };
}

/** The account's record, for callers that enter something. An account without one gets it here. */
export function openAccountRecord({ owner, book }: Account): AccountRecord {
  owner.account ??= book;
  return owner.account;
}

/** The ceiling of an account for an amount, including its parent run's allowance. */
export function ceilingOf({ ceilings, book }: Account, kind: AmountKind): number | undefined {
  const [own, given] = [ceilings[kind], book.allowance?.[kind]];
  if (own === undefined || given === undefined) return own ?? given;
  return Math.min(own, given);
}

export function covers(account: Account, path: string): boolean {
  return account.path === '' || account.path === path || isWithin(path, account.path);
}

/** What is granted and not used yet. */
export function reservedTotal({ granted, charged }: Reservation, kind: AmountKind): number {
  return Math.max(0, (granted[kind] ?? 0) - charged[kind]);
}

/** What all reservations of an account hold and have not used yet. */
export function reservedBy({ holdings }: Pick<Run, 'holdings'>, account: Account, kind: AmountKind): number {
  let held = 0;
  for (const { path, hold } of holdings.values()) if (covers(account, path)) held += reservedTotal(hold, kind);
  return held;
}

/** What is neither spent nor reserved; below zero if a ceiling was overrun. */
export function remainingOf(run: Pick<Run, 'holdings'>, account: Account, kind: AmountKind): number {
  const ceiling = ceilingOf(account, kind);
  return ceiling === undefined ? Number.POSITIVE_INFINITY : ceiling - account.book.spent[kind] - reservedBy(run, account, kind);
}

export function amountsOf(usage: Usage): Required<Amounts> {
  return { tokens: chargedTokens(usage), costMicroUsd: chargedMicroUsd(usage) };
}

/** Enters a try's total usage so far in every account around it; what was entered before counts once. */
export function charge(accounts: readonly Account[], hold: Reservation, total: Required<Amounts>, unknownCost: boolean): void {
  for (const kind of AMOUNTS) {
    const more = Math.max(0, total[kind] - hold.charged[kind]);
    hold.charged[kind] += more;
    if (more > 0) for (const account of accounts) openAccountRecord(account).spent[kind] += more;
  }
  if (unknownCost) for (const account of accounts) openAccountRecord(account).unknownCost = true;
}

/** How long the clock of an account has run. */
export function spentMs({ state, ctx }: Run, { sinceMs }: Account): number {
  return Math.max(0, (state.endedAtMs ?? ctx.now()) - sinceMs);
}

export function viewOf(run: Run, account: Account): BudgetView {
  const { ceilings, book } = account;
  const view: BudgetView = {};
  for (const kind of AMOUNTS) {
    const ceiling = ceilingOf(account, kind);
    if (ceiling === undefined) continue;
    const reserved = reservedBy(run, account, kind);
    const spent = book.spent[kind];
    const amount: AmountView = { ceiling, spent, reserved, left: Math.max(0, ceiling - spent - reserved) };
    view[kind] = amount;
  }
  const { wallClockMs, toolCallsPerStep, retriesPerStep } = ceilings;
  if (wallClockMs !== undefined) {
    const spent = spentMs(run, account);
    view.wallClockMs = { ceiling: wallClockMs, spent, left: Math.max(0, wallClockMs - spent) };
  }
  if (toolCallsPerStep !== undefined) view.toolCallsPerStep = toolCallsPerStep;
  if (retriesPerStep !== undefined) view.retriesPerStep = retriesPerStep;
  if (book.unknownCost) view.unknownCost = true;
  return view;
}
