import { pathsMeet } from '../../plan/caid/shared-paths';
import type { OfferedCommit } from '../../plan/queue/landing';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import { taskOf } from '../../workflows/interpreter/caid/team-state';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { landCandidate } from '../../workflows/interpreter/merging/land-candidate';
import { othersFiles, unitOf } from './assignment';
import { returnedBy, wordsOfOutcome } from './returned';
import { comesBack, note, stateOf, type Team, tell, whoHas } from './team';

/** What an engineer has left of an assignment. */
export interface Candidate {
  from: OfferedCommit;
  /** Of the assignment. */
  number: number;
  assignment: ArtifactRef;
}

/**
 * Offers a candidate to the merge queue, and says to the machine what became of it. Where the tests of a merge are those of all that is merged so
 * far, candidates go one by one: what lands meanwhile would not be in them.
 */
export async function land(team: Team, ctx: StepContext, id: string, { from, number, assignment }: Candidate): Promise<void> {
  const { it, place } = team;
  const { into, testEach } = place.step;
  if (testEach === undefined) await ctx.awaited('turn', { sleeper: queueSleeper(team) }, () => takesTurn(team, id));
  const candidate = ctx.once('offer', () => offerOf(team, id));
  const outcome = await landCandidate(it, place, ctx, `land-${number}`, { from, into, restrictedBy: assignment, ...candidate });
  const back = outcome.kind === 'merged' ? undefined : returnedBy(outcome, (path) => ownerOf(team, id, path));
  ctx.once('outcome', () => {
    givesTurn(team, id);
    if (outcome.kind === 'merged') {
      note(team, 'merged', { task: id, ...whoHas(team, id), commit: outcome.result });
      tell(team, { kind: 'merged', task: id, result: outcome.result });
    } else if (back) comesBack(team, id, back);
  });
  if (outcome.kind !== 'merged' && !back)
    throw new ThermidorFailure(
      'merge.refused',
      `what ${whoHas(team, id).engineer} has made of ${id} cannot be merged: ${wordsOfOutcome(outcome)}`,
    );
}

function offerOf(team: Team, id: string): { title: string; author: string; test?: string } {
  const { title } = unitOf(team, id);
  const test = testOf(team, id);
  return { title: `${id}: ${title}`, author: whoHas(team, id).engineer, ...(test === undefined ? {} : { test }) };
}

/** The task that owns a path beside this one, with what it is done within. */
function ownerOf(team: Team, id: string, path: string): string | undefined {
  const unit = othersFiles(team, id).find((owned) => pathsMeet(owned.path, path))?.unit;
  return stateOf(team).tasks.find(({ holds }) => unit !== undefined && holds?.includes(unit))?.id ?? unit;
}

/** Its own acceptance command, beside what each merge is tested by. */
function testOf(team: Team, id: string): string | undefined {
  const { testEach } = team.place.step;
  const state = stateOf(team);
  const own = unitOf(team, id).acceptance?.command;
  const before =
    testEach === undefined
      ? state.tasks.flatMap(({ stage, id: other }) => (stage === 'merged' ? (unitOf(team, other).acceptance?.command ?? []) : []))
      : [testEach];
  const commands = [...new Set([...before, ...(own === undefined ? [] : [own])])];
  if (commands.length === 0) return undefined;
  return commands.length === 1 ? commands[0] : commands.map((command) => `(${command}\n)`).join(' && ');
}

function queueSleeper({ place }: Team): string {
  return `caid:${place.path}:landing`;
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
  team.it.run.wake(queueSleeper(team));
}
