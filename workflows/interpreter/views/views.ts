import type { BudgetView } from '../../../plan/budgets/budget';
import { addUsage, type Usage } from '../../../plan/budgets/usage';
import { defined, ifDefined, unlessEmpty } from '../../../plan/defined';
import { MEMO_LETTERS, type RunMemo } from '../../../plan/run/run-memo';
import { type RoundView, type RunView, STATUS_PAGE, type StatusQuery, type StepView } from '../../../plan/run/status';
import { parseAddress, shortAddress } from '../../../plan/steps/address';
import { beginning } from '../../../plan/text/shortened';
import { type Account, budgetAt, runAccount, stepAccount, viewOf } from '../budget/accounts';
import { gateViews } from '../gates/gate-view';
import { heldStepViews } from '../inbound/held-steps';
import { undeliveredOf } from '../messages/notification-outbox';
import type { Run } from '../run';

import { exclusiveTurn } from '../scheduling/exclusive-turn';
import { itemNameAt } from '../state/item-name';
import { iterationsOf } from '../state/iterations';
import { KEEPS } from '../state/kept-by-kind';
import { childStateOf } from '../state/kind-state';
import { runStateView } from '../state/run-state';
import type { InterpreterState } from '../state/state';
import { roundOf, type StepRecord, type SupersededRound } from '../state/step-record';
import { kindViews } from './kind-views';
import { countSteps, type Listed, listSteps } from './listing';
import { storeWaitOf, waitsFor } from './waits-for';

/** Answers to queries: the state of a run as people and programs read it. */

export function runView(run: Run, query: StatusQuery): RunView {
  const { info } = run.ctx;
  const offset = Math.max(0, query.offset ?? 0);
  const limit = Math.min(STATUS_PAGE, Math.max(0, query.limit ?? STATUS_PAGE));
  const { ending } = run;
  const undelivered = undeliveredOf(run);
  const held = heldStepViews(run);
  const usage = run.index
    .paid(run.state.records)
    .flatMap((record) => [...(record.superseded ?? []), record])
    .reduce<Usage | undefined>((sum, round) => addUsage(sum, round.usage), undefined);
  return {
    run: info.workflowId,
    runId: info.runId,
    firstRunId: info.firstRunId,
    pipeline: run.plan.name,
    state: runStateView(run),
    startedAt: iso(run.startedAtMs),
    plan: run.opened.planRef,
    args: run.opened.args,
    steps: pageOf(run, offset, limit),
    offset,
    totalSteps: countSteps(run),
    gates: gateViews(run),
    ...defined({ held: unlessEmpty(held), paused: run.state.paused && pausedView(run.state.paused) }),
    ...defined({
      pausedForSwarm: pausedForSwarm(run),
      owner: run.plan.owner,
      startedBy: run.opened.startedBy,
      description: run.plan.description,
      endedAt: ifDefined(run.state.endedAtMs, iso),
      script: run.opened.script?.name,
      error: ending?.kind === 'failed' ? errorOf(ending) : undefined,
      reason: ending?.kind === 'rejected' || ending?.kind === 'cancelled' ? ending.reason : undefined,
      usage,
    }),
    ...budgetOf(run, runAccount(run)),
    ...defined({ undelivered: unlessEmpty(undelivered), raised: run.state.raised }),
  };
}

function pageOf(run: Run, offset: number, limit: number): StepView[] {
  const page: StepView[] = [];
  if (limit > 0) {
    for (const listed of listSteps(run, offset)) {
      page.push(stepView(run, listed));
      if (page.length === limit) break;
    }
  }
  return page;
}

function pausedForSwarm(run: Run): RunView['pausedForSwarm'] {
  const turn = exclusiveTurn(run.state);
  return turn?.pausesOthers ? { step: run.name(turn.path), since: iso(turn.atMs) } : undefined;
}

function pausedView({ atMs, ...rest }: NonNullable<InterpreterState['paused']>): NonNullable<RunView['paused']> {
  return { ...rest, ...defined({ since: ifDefined(atMs, iso) }) };
}

function errorOf(ending: { code: string; message: string; step?: string }): NonNullable<RunView['error']> {
  const { code, message, step } = ending;
  return { code, message, ...defined({ step }) };
}

/** Every step that is listed. */
export function stepViews(run: Run): StepView[] {
  return [...listSteps(run)].map((listed) => stepView(run, listed));
}

function stepView(run: Run, { path, step }: Listed): StepView {
  const record: StepRecord = run.state.records[path] ?? { state: 'pending', round: 1, try: 1 };
  const agent = 'agent' in step ? { agent: step.agent } : {};
  const waitingFor = waitsFor(run, path, step, record);
  const store = storeWaitOf(record);
  const loop = iterationsOf(record);
  const child = childStateOf(record);
  return {
    id: step.id,
    kind: step.kind,
    ...defined({ item: itemNameAt(run, path) }),
    ...agent,
    ...roundView(path, roundOf(record), record.state),
    ...defined({
      waitingFor,
      skipped: record.compared,
      storeSince: store && waitingFor === store.what ? iso(store.sinceMs) : undefined,
      iterations: loop && { done: loop.done, total: loop.total },
      remindAt: ifDefined(record.asked?.gate?.remindAtMs, iso),
      carried: record.carried && !record.carried.child ? { run: record.carried.run } : undefined,
      child: child?.workflowId,
    }),
    ...kindViews(step, record),
    ...worktreeOf(run, record),
    ...(run.state.records[path] ? budgetOf(run, stepAccount(run, path, budgetAt(run, path))) : {}),
    ...defined({
      decision: record.asked?.decision && pick(record.asked.decision),
      superseded: record.superseded?.map((round) => roundView(path, round, 'superseded')),
    }),
  };
}

function worktreeOf({ state }: Run, { output: { worktree } = {} }: StepRecord): Pick<StepView, 'worktree'> {
  if (!worktree) return {};
  const { lease } = state.worktrees?.[worktree.slot] ?? {};
  return { worktree: { ...worktree, ...defined({ host: lease?.host, branch: lease?.branch, epoch: lease?.epoch }) } };
}

function budgetOf(run: Run, account: Account | undefined): { budget?: BudgetView } {
  return account ? { budget: viewOf(run, account) } : {};
}

function pick({ choice, by, comment }: { choice: string; by?: string; comment?: string }): NonNullable<StepView['decision']> {
  return { choice, ...defined({ by, comment }) };
}

function roundView(path: string, round: SupersededRound, state: RoundView['state']): RoundView {
  const { startedAtMs, endedAtMs } = round.times ?? {};
  return {
    address: shortAddress({ path: parseAddress(path)?.path ?? [{ id: path }], round: round.round, try: round.try }),
    state,
    round: round.round,
    try: round.try,
    ...defined({
      startedAt: ifDefined(startedAtMs, iso),
      endedAt: ifDefined(endedAtMs, iso),
      artifact: round.artifact,
      verdict: round.verdict,
      usage: round.usage,
      error: round.error && { code: round.error.code, message: round.error.message },
      adapter: round.adapter,
    }),
  };
}

export function runMemo(run: Run): RunMemo {
  return {
    state: runStateView(run),
    ...defined({ owner: run.plan.owner, parent: run.parent?.workflowId }),
    gates: gateViews(run).map(({ shown: _shown, delegates: _delegates, question, ...rest }) => ({
      ...rest,
      question: beginning(question, MEMO_QUESTION_CHARACTERS),
    })),
    ...defined({ letters: unlessEmpty(lettersOf(run).slice(-MEMO_LETTERS)) }),
  };
}

function lettersOf(run: Run): NonNullable<RunMemo['letters']> {
  const letters = run.index.live(run.state.records).flatMap(([path, { kept }]) => {
    const own = (kept && KEEPS[kept.kind]?.letters?.(kept)) ?? [];
    return own.map((letter) => ({ step: run.name(path), ...letter }));
  });
  return letters.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
const MEMO_QUESTION_CHARACTERS = 500;

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
