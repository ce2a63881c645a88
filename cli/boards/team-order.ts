import { extname } from 'node:path';
import { hasBoard } from '../../kinds/questions';
import { teamRunId } from '../../plan/board/team-run';
import type { Plan } from '../../plan/plan';
import type { Step } from '../../plan/steps/step';
import { readName } from '../../worker/pipeline-index';
import type { Invocation } from '../command';
import { CommandFailure, EXIT } from '../exit';
import { findPipeline } from '../pipelines/pipelines';
import { configurationOf } from '../settings/settings';
import { type OrderTerms, type RunOrder, readOrder } from '../starting/order';

/** A team as its file has it, checked, and the id of its runs. */
export interface TeamOrder extends RunOrder {
  team: string;
  run: string;
}

/** Everything that can be wrong with the file is found here. Fails as `readOrder`, and with `team.not-a-team`. */
export async function readTeam(invocation: Invocation, usual: Pick<OrderTerms, 'script'> = {}): Promise<TeamOrder> {
  const order = await readOrder(invocation, { ...usual, wanted: 'team', requires: requireTeam });
  const { name } = order.compiled.plan;
  return { ...order, team: name, run: teamRunId(name) };
}

function requireTeam({ compiled: { plan }, pipeline }: Pick<RunOrder, 'compiled' | 'pipeline'>): void {
  if (isTeam(plan)) return;
  throw new CommandFailure(EXIT.usage, 'team.not-a-team', `${pipeline.file} is a pipeline, not a team`, {
    hint: `start it with: thermidor run ${plan.name}`,
  });
}

/** A pipeline of one board that goes on until somebody stops it. */
export function isTeam({ block, finally: last }: Plan): boolean {
  const [step, ...others] = block.steps as readonly Step[];
  return step !== undefined && others.length === 0 && last === undefined && hasBoard(step) && step.until === 'stopped';
}

/** The name of a team by its file, or as it is given: a team may run whose file is gone. */
export function teamNamed({ args, options, terminal }: Invocation): string {
  const [given = ''] = args;
  if (extname(given) === '') return given;
  return readName(findPipeline(given, configurationOf({ options, terminal }), terminal.cwd).text) ?? given;
}
