import type { CandidateOutcome, SubmitCandidateInput, SubmittedCandidate } from '../../plan/queue/landing';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { MergeStep, Step } from '../../plan/steps/step';
import { agent, forEach, withParts } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { carry, rerun } from './carrying';
import { type Program, programs } from './program';

/** A step whose parts work in its worktree, as those of a brief, a swarm and an escalation do. */

const team = withParts('team', [agent('team_one', { worktree: { of: 'team' } }), agent('team_two', { worktree: { of: 'team' } })], {
  worktree: {},
});
const merge: MergeStep = { kind: 'merge', id: 'land', from: ['team'], into: ['main'] };
const works: StepBehaviour = ({ call, input: { worktree } }) => ({
  artifact: artifact(call.options.address ?? ''),
  ...(worktree ? { worktree: { slot: worktree.slot, epoch: worktree.epoch, commit: call.options.address ?? '' } } : {}),
});
const inTurn: Program = async (ctx, { part }) => {
  await ctx.step(part('team_one'), { turn: 1 });
  await ctx.step(part('team_two'), { turn: 2 });
};

function options() {
  const offered: string[][] = [];
  return {
    offered,
    work: programs({ team: inTurn }),
    steps: { team_one: works, team_two: works, after: works },
    lists: { each: [1, 2] },
    submit({ input: { from } }: { input: SubmitCandidateInput }): SubmittedCandidate {
      offered.push([from.slot, from.commit]);
      return { queue: 'queue:/repository#main', ticket: offered.length, outcome: { kind: 'merged', result: from.commit } };
    },
    outcome: (): CandidateOutcome => ({}),
  } satisfies WorldOptions & { offered: string[][] };
}

async function played(steps: Step[]): Promise<{ world: World; offered: string[][] }> {
  const own = options();
  const world = runPlan(planOf(steps), own);
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  return { world, offered: own.offered };
}

it('is what a merge takes of the step', async () => {
  expect((await played([team, merge])).offered).toEqual([['team', 'team[2]/team_two#1~1']]);
});

it('is what a merge takes of each item of a loop', async () => {
  const { offered } = await played([forEach('each', [team]), merge]);
  expect(offered).toEqual([0, 1].map((n) => [`each[${n}]/team`, `each[${n}]/team[2]/team_two#1~1`]));
});

it('comes back to the parts, on top of the branch', async () => {
  const own = options();
  const returned: TicketOutcome = { kind: 'conflict', onto: 'head-2', paths: ['a.txt'] };
  const submit = (seen: Parameters<typeof own.submit>[0]): SubmittedCandidate => ({
    ...own.submit(seen),
    ...(own.offered.length === 1 ? { outcome: returned } : {}),
  });
  const world = runPlan(planOf([team, merge]), { ...own, submit });
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.seen.flatMap(({ input: { worktree } }) => (worktree ? [worktree.onto] : []))).toEqual([
    ...[undefined, undefined],
    ...['head-2', 'head-2'],
  ]);
});

it('is what a rerun of a later step finds there', async () => {
  const steps = [team, agent('after', { worktree: { of: 'team' } })];
  const { world } = await played(steps);
  const { carry: carried } = carry(world, 'after');
  expect(carried.worktrees).toMatchObject({ team: { commit: 'team[2]/team_two#1~1' } });
  const again = rerun(planOf(steps), carried, options());
  await expect(again.result).resolves.toMatchObject({ status: 'completed' });
  expect(again.order()).toEqual(['after#1~1']);
});
