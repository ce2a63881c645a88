import type { ArtifactRef } from '../../plan/run/artifact';
import { unreachable } from '../../plan/unreachable';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { closeWorktreesOf } from '../../workflows/interpreter/worktrees/close-worktrees';
import { carryWork } from './carry';
import type { AssignmentResult } from './land';
import { recordOf } from './result';
import { partOf, partPath, stored, type Team } from './team';

/** A reviewer's refusal of a candidate before it is offered; undefined if there is none. The gate tests it in any case. */
export async function refusedBefore(team: Team, ctx: StepContext, result: AssignmentResult): Promise<string | undefined> {
  const { verify } = team.place.step;
  switch (verify) {
    case 'self':
    case 'efficient':
    case 'gate':
      return undefined;
    case 'human':
      return await refusedByPerson(team, ctx, result);
    case 'manager':
      return await refusedByManager(team, ctx, result);
    default:
      return unreachable(verify);
  }
}

async function refusedByPerson(team: Team, ctx: StepContext, { number, assignment }: AssignmentResult): Promise<string | undefined> {
  const { values } = await ctx.step(partOf(team, 'approve'), { turn: number, given: { question: assignment } });
  return values?.['approved'] === true ? undefined : said(values?.['comment'], 'a person has refused it');
}

async function refusedByManager(team: Team, ctx: StepContext, { number, assignment, from }: AssignmentResult): Promise<string | undefined> {
  const record: ArtifactRef = await stored(team, ctx, `team-${number}`, () => recordOf(team));
  const path = partPath(team, 'check', number);
  ctx.once('shown', () => carryWork(team, from, path));
  const { values } = await ctx.step(partOf(team, 'check'), { turn: number, given: { assignment, team: record } });
  await ctx.through('checked', () => closeWorktreesOf(team.it, [path]));
  return values?.['accepted'] === true ? undefined : said(values?.['summary'], 'the manager has refused it');
}

function said(text: unknown, otherwise: string): string {
  return typeof text === 'string' && text !== '' ? text : otherwise;
}

/** Whether it reports that tests have run, and none has failed. The report counts only if the policy is to believe it. */
export function hasTested({ values }: PartEnd): boolean {
  const [passed, failed] = [values?.['tests.passed'], values?.['tests.failed']];
  return values?.['status'] === 'done' && typeof passed === 'number' && passed > 0 && failed === 0;
}
