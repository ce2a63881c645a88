import { defined } from '../../plan/defined';
import type { OfferedCommit } from '../../plan/queue/landing';
import { bug, type ThermidorFailure } from '../../plan/run/failure';
import { field } from '../../plan/text/json';
import { beginning } from '../../plan/text/shortened';
import { isAgentsOwn } from '../../workflows/interpreter/agents/own-failure';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { offeredBy } from '../../workflows/interpreter/merging/offered-commits';
import { closeWorktreesOf } from '../../workflows/interpreter/worktrees/close-worktrees';
import { assignmentOf } from './assignment';
import { carryWork } from './carry';
import { type AssignmentResult, land } from './land';
import type { Returned } from './rules/assignment';
import { engineerName, type TeamState, taskOf } from './state';
import { comesBack, isShared, note, partOf, partPath, stateOf, stored, type Team, taskSleeper, tell, whoHas } from './team';
import { hasTested, refusedBefore } from './verify';

/** A task's coroutine: waits until the machine assigns it, and does so again for each time that it comes back. */
export async function doTask(team: Team, ctx: StepContext, id: string): Promise<void> {
  await ctx.loop<null, null>('attempts', null, async (turn) => {
    const next = await turn.awaited('next', { sleeper: taskSleeper(team, id) }, () => nextOf(stateOf(team), id));
    if (!next || next.kind === 'end') return { done: null };
    const tried = await turn.attempt(() => (next.kind === 'work' ? attempt(team, turn, id, next) : askPerson(team, turn, id)));
    if (!('failure' in tried)) return { next: null };
    // The others finish their current work.
    turn.once('broken', () => tell(team, { kind: 'broken', task: id }));
    throw tried.failure;
  });
}

interface Assigned {
  kind: 'work';
  number: number;
  engineer: string;
  attempt: number;
}

function nextOf(state: TeamState, id: string): Assigned | { kind: 'ask' } | { kind: 'end' } | undefined {
  const { stage, number = 0, author = 0, attempt } = taskOf(state, id);
  if (stage === 'working') return { kind: 'work', number, engineer: engineerName(author), attempt };
  if (stage === 'asking') return { kind: 'ask' };
  const isOver = stage === 'merged' || stage === 'held' || stage === 'dropped' || state.over !== undefined;
  return isOver ? { kind: 'end' } : undefined;
}

/** One assignment: the engineer works in its worktree, or in the shared one, and the result is offered to the merge queue. */
async function attempt(team: Team, ctx: StepContext, id: string, { number }: Assigned): Promise<void> {
  const { it } = team;
  // The target may move while the assignment is stored: its text and the worktree must have the same commit.
  const base = ctx.once('base', () => stateOf(team).head);
  const assignment = await stored(team, ctx, `assignment-${number}`, () => ({ ...assignmentOf(team, id, base) }));
  const path = partPath(team, 'engineer', number);
  const onto = ctx.once('brought', () => (hasWork(team, id, path) ? base : null));
  const done = await ctx.attempt(() =>
    ctx.step(partOf(team, 'engineer'), { turn: number, given: { assignment }, ...defined({ onto: onto ?? undefined }) }),
  );
  const from = ctx.once('candidate', (): OfferedCommit | null => candidateOf(team, id, path));
  ctx.once('summary', () => keptSummary(team, id, done));
  const back = notOffered(id, done, from);
  if (back || !from) ctx.once('returned', () => comesBack(team, id, back ?? NOTHING));
  else
    await offer(team, ctx, id, {
      from,
      number,
      assignment,
      ...('value' in done && isSelfTested(team, done.value) ? { selfTested: true } : {}),
    });
  if (!isShared(team)) await ctx.through('closed', () => closeWorktreesOf(it, [from?.slot ?? path]));
}

/** Whether an earlier attempt's work comes along, to be brought on top of the target. In the shared checkout it is there already. */
function hasWork(team: Team, id: string, path: string): boolean {
  if (isShared(team)) return true;
  const { slot, commit } = taskOf(stateOf(team), id);
  if (slot === undefined || commit === undefined) return false;
  carryWork(team, { slot, commit }, path);
  return true;
}

const NOTHING: Returned = { reason: 'empty', message: 'nothing was changed' };

function candidateOf(team: Team, id: string, path: string): OfferedCommit | null {
  const { run } = team.it;
  const offered = offeredBy(run, path);
  if (!offered) return null;
  const state = stateOf(team);
  const task = taskOf(state, id);
  const before = task.commit;
  Object.assign(task, { commit: offered.commit, slot: offered.slot });
  const { base } = run.state.worktrees?.[offered.slot]?.lease ?? {};
  if (offered.commit === base) return task.mayStay ? offered : null;
  // The same commit would come back again.
  if (offered.commit === before) return null;
  state.isChanged = true;
  return offered;
}

function keptSummary(team: Team, id: string, done: { value: PartEnd } | { failure: ThermidorFailure }): void {
  const said = 'value' in done ? field(done.value.values, 'summary') : undefined;
  if (typeof said === 'string') taskOf(stateOf(team), id).summary = beginning(said, MOST_SUMMARY);
}

/** The limit of an engineer's summary in state. */
const MOST_SUMMARY = 300;

/** In a shared checkout others' later writes are in the candidate, too; and no report of the whole is believed once it was red. */
function isSelfTested(team: Team, end: PartEnd): boolean {
  return team.place.step.verify === 'efficient' && !isShared(team) && !stateOf(team).wasRed && hasTested(end);
}

/** Why an engineer's result is no candidate. A failure that is not the engineer's own is thrown. */
function notOffered(
  id: string,
  done: { value: PartEnd } | { failure: ThermidorFailure },
  from: OfferedCommit | null,
): Returned | undefined {
  if ('failure' in done) {
    const { code, message } = done.failure;
    if (!isAgentsOwn(code)) throw done.failure;
    return { reason: 'failed', message };
  }
  const { values } = done.value;
  if (field(values, 'status') === 'blocked') {
    const summary = field(values, 'summary');
    return { reason: 'failed', message: typeof summary === 'string' ? summary : 'the engineer is blocked' };
  }
  const wrong = wrongReport(id, values);
  if (wrong) return wrong;
  return from ? undefined : NOTHING;
}

/** Contradictions of a report to its own candidate. */
function wrongReport(id: string, values: PartEnd['values']): Returned | undefined {
  const [task, failed, command] = [values?.['task_id'], values?.['tests.failed'], values?.['tests.command']];
  if (typeof task === 'string' && task !== id)
    return { reason: 'failed', message: `the report is about task ${JSON.stringify(beginning(task, MOST_NAME))}, but ${id} was assigned` };
  if (typeof failed !== 'number' || failed === 0) return undefined;
  const by = typeof command === 'string' && command !== '' ? ` of ${JSON.stringify(beginning(command, MOST_NAME))}` : '';
  return {
    reason: 'red',
    message: `its engineer reports that ${failed} ${failed === 1 ? 'test' : 'tests'}${by} ${failed === 1 ? 'fails' : 'fail'}`,
  };
}

/** How much of a name in a report is in a message. */
const MOST_NAME = 200;

async function offer(team: Team, ctx: StepContext, id: string, result: AssignmentResult): Promise<void> {
  const { from } = result;
  ctx.once('submitted', () => {
    note(team, 'submitted', { task: id, ...whoHas(team, id), commit: from.commit });
    tell(team, { kind: 'submitted', task: id });
  });
  const no = await refusedBefore(team, ctx, result);
  if (no !== undefined) ctx.once('returned', () => comesBack(team, id, { reason: 'review', message: no }));
  else await land(team, ctx, id, result);
}

/** Its turn is that of its last assignment, which had no question of this kind. */
async function askPerson(team: Team, ctx: StepContext, id: string): Promise<void> {
  const number = ctx.once('number', () => taskOf(stateOf(team), id).number ?? 0);
  if (number === 0) throw bug(`task ${id} was never assigned`);
  const question = await stored(team, ctx, `question-${number}`, () => ({ ...assignmentOf(team, id, stateOf(team).head) }));
  const { values } = await ctx.step(partOf(team, 'person'), { turn: number, given: { question } });
  ctx.once('decided', () => {
    const choice = values?.['approved'] === true ? 'again' : 'drop';
    if (choice === 'drop') note(team, 'dropped', { task: id, reason: 'a person leaves it out' });
    tell(team, { kind: 'decided', task: id, choice });
  });
}
