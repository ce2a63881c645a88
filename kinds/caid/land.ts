import { defined } from '../../plan/defined';
import type { Offer } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { pathsMeet } from '../../plan/text/paths-meet';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { landCandidate } from '../../workflows/interpreter/merging/land-candidate';
import { othersFiles, unitOf } from './assignment';
import { returnedBy, wordsOfOutcome } from './returned';
import { taskOf, taskWith } from './state';
import { isContradicted, landingSleeper, mendedTarget } from './target-red';
import { comesBack, isShared, note, partPath, stateOf, type Team, tell, whoHas } from './team';
import { keptGreen } from './tests-of-merge';

/** An engineer's result for an assignment. */
export interface AssignmentResult extends Pick<Offer, 'from'> {
  /** The number of the assignment. */
  number: number;
  assignment: ArtifactRef;
  /** Its engineer reports that it has tested it, and is believed. */
  selfTested?: true;
}

/**
 * Offers a candidate to the merge queue, and reports the outcome to the machine. If the tests of a merge are those of everything merged so
 * far, candidates are offered one by one: what lands meanwhile would not be in them. If the target is red by itself, the candidate is
 * offered again: once a person has fixed that, or at once if an engineer who was believed may have made it red.
 */
export async function land(team: Team, ctx: StepContext, id: string, result: AssignmentResult): Promise<void> {
  await ctx.loop<null, null>('landing', null, async (turn, _state, time) => {
    const mayBelieve = turn.once('believing', () => stateOf(team).wasRed === undefined);
    const outcome = await offered(team, turn, id, result, time);
    if (outcome.kind === 'red' && outcome.isTargets) {
      const isOwn = mayBelieve && turn.once('contradicted', () => isContradicted(team, id));
      if (!isOwn) await mendedTarget(team, turn, id, outcome);
      return { next: null };
    }
    const back = outcome.kind === 'merged' ? undefined : returnedBy(outcome, (path) => ownerOf(team, id, path));
    turn.once('outcome', () => {
      givesTurn(team, id);
      if (outcome.kind === 'merged') {
        note(team, 'merged', { task: id, ...whoHas(team, id), commit: outcome.result });
        pointOut(team, id, outcome.remarks);
        tell(team, {
          kind: 'merged',
          task: id,
          result: outcome.result,
          ...defined({ order: outcome.order, isGreen: outcome.green, isBelieved: result.selfTested }),
        });
        tellEngineers(team, id);
      } else if (back) {
        if (outcome.kind === 'unrelated') forgetWork(team, id);
        comesBack(team, id, back);
      }
    });
    if (outcome.kind !== 'merged' && !back)
      throw new ThermidorFailure(
        'merge.refused',
        `what ${whoHas(team, id).engineer} has made of ${id} cannot be merged: ${wordsOfOutcome(outcome)}`,
      );
    return { done: null };
  });
}

/** Remarks on merged work: the manager reads them in the end, and people in the report. */
function pointOut(team: Team, id: string, remarks: readonly string[] = []): void {
  for (const reason of remarks) note(team, 'warned', { task: id, ...whoHas(team, id), reason });
  if (remarks.length > 0) taskOf(stateOf(team), id).remarks = [...remarks];
}

async function offered(
  team: Team,
  ctx: StepContext,
  id: string,
  { from, number, assignment, selfTested }: AssignmentResult,
  time: number,
): Promise<TicketOutcome> {
  const { it, place } = team;
  const { into, testEach } = place.step;
  if (testEach === undefined) await ctx.awaited('turn', { sleeper: landingSleeper(team) }, () => takesTurn(team, id));
  const offer = ctx.once('offer', () => offerOf(team, id));
  const key = time === 1 ? `land-${number}` : `land-${number}-${time}`;
  return await landCandidate(it, place, ctx, key, {
    from,
    into,
    restrictedBy: assignment,
    ...offer,
    ...defined({ selfTested }),
    ...ofShared(team),
  });
}

/**
 * Candidates of one checkout build on each other, which only merges keep; and a candidate's work may have landed with another's, when it
 * has yet to show that it is complete.
 */
function ofShared(team: Team): Pick<Offer, 'strategy' | 'allowEmpty'> {
  return isShared(team) ? { strategy: 'merge', allowEmpty: true } : {};
}

/** A target without common history cannot be merged into: the engineer begins anew. */
function forgetWork(team: Team, id: string): void {
  const task = taskOf(stateOf(team), id);
  delete task.commit;
  delete task.slot;
}

/**
 * The tests of a candidate: its own acceptance command, and the test of each merge, by which the target has to be green without it. If the
 * whole was red by that test, it is known to be red, and one candidate after the other fixes it.
 */
function offerOf(team: Team, id: string): Omit<Offer, 'from' | 'into'> {
  const { testEach, testEnd } = team.place.step;
  const { wasRed, tasks } = stateOf(team);
  const { title, acceptance } = unitOf(team, id);
  const each = testEach ?? allOf(tasks.flatMap((task) => (task.stage === 'merged' ? commandOf(team, task.id) : [])));
  const baseline = wasRed && testEach !== undefined && testEach === testEnd ? undefined : each;
  return {
    ...{ title: `${id}: ${title}`, author: whoHas(team, id).engineer },
    ...defined({ test: acceptance?.command, baseline }),
    ...keptGreen(team, wasRed),
    ...defined({ allowEmpty: taskOf(stateOf(team), id).mayStay }),
  };
}

function commandOf(team: Team, id: string): string[] {
  const command = unitOf(team, id).acceptance?.command;
  return command === undefined ? [] : [command];
}

function allOf(commands: readonly string[]): string | undefined {
  const [first, ...others] = new Set(commands);
  return others.length === 0 ? first : [first, ...others].map((command) => `(${command}\n)`).join(' && ');
}

/** The task that owns a path in addition to this one, including the tasks within it. */
function ownerOf(team: Team, id: string, path: string): string | undefined {
  const unit = othersFiles(team, id).find((owned) => pathsMeet(owned.path, path))?.unit;
  return unit === undefined ? undefined : taskWith(stateOf(team), unit).id;
}

function takesTurn(team: Team, id: string): true | undefined {
  const state = stateOf(team);
  if (state.landing !== undefined && state.landing !== id && taskOf(state, state.landing).stage === 'submitted') return undefined;
  state.landing = id;
  return true;
}

function givesTurn(team: Team, id: string): void {
  const state = stateOf(team);
  if (state.landing !== id) return;
  delete state.landing;
  team.it.run.wake(landingSleeper(team));
}

const MOST_TASKS = 20;

/**
 * The target has moved: each working engineer gets that as a message with its next turn or try, one replacing the previous one. Its
 * worktree stays unchanged for as long; its next attempt begins on top of the target.
 */
function tellEngineers(team: Team, merged: string): void {
  const { it, place } = team;
  const state = stateOf(team);
  const newest = state.merged.slice(-MOST_TASKS);
  const files = taskOf(state, merged).files.join(', ');
  const content = `The branch ${place.step.into} is at ${state.head} now: ${merged} is merged (${files}). All that is merged: ${newest.join(', ')}. You need not do anything about it: ${isShared(team) ? 'you work in the same checkout' : 'your next attempt begins there'}.`;
  for (const { stage, number = 0, id } of state.tasks) {
    if (stage !== 'working' || id === merged) continue;
    const record = it.run.state.records[partPath(team, 'engineer', number)];
    if (!record) continue;
    const others = (record.brief?.messages ?? []).filter(({ from }) => from !== place.step.id);
    const message = { from: place.step.id, content, at: new Date(it.run.ctx.now()).toISOString() };
    record.brief = { ...record.brief, messages: [...others, message] };
  }
}
