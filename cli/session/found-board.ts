import { findTeam } from '../../client/find-team';
import { readBoards, readStatus } from '../../client/read-run';
import type { BoardDetails, BoardQuery } from '../../plan/board/board-details';
import { asText } from '../../plan/expressions/evaluate';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { RunView } from '../../plan/run/status';
import { usage } from '../exit';
import { recordsOf } from '../settings/records';
import type { Session } from './session';
import { shownContent } from './shown-content';

/** The board of a team, or of a step of a run. */
export interface FoundBoard {
  run: string;
  board: BoardDetails;
  view: Pick<RunView, 'run' | 'firstRunId'>;
}

/** @param named a team's name, or a run as other commands take it; without it the newest run */
export async function lookUpBoard(
  { client }: Session,
  named: string | undefined,
  { step, ...query }: BoardQuery & { step?: string } = {},
): Promise<FoundBoard> {
  const { run } = await findTeam(client, named);
  const boards = await readBoards(client, run, query);
  const fits = step === undefined ? boards : boards.filter((one) => one.step === step || one.step.endsWith(`/${step}`));
  const open = fits.filter(({ over }) => over === undefined);
  const [board, another] = open.length > 0 ? open : fits;
  const list = boards.map((one) => one.step).join(', ');
  if (!board)
    throw usage(
      `run "${run}" has no board${step === undefined ? '' : ` in "${step}"`}`,
      list === '' ? 'a board opens when its step begins' : `boards: ${list}`,
    );
  if (another) throw usage(`run "${run}" has several boards`, `name the step of one with --step: ${list}`);
  return { run, board, view: await readStatus(client, run) };
}

/** Reads what the board has in the store, without the run's secrets. */
export async function wholeText(
  { configuration }: Session,
  view: FoundBoard['view'],
): Promise<(ref: ArtifactRef | undefined) => Promise<string | undefined>> {
  const { read } = await shownContent(recordsOf(configuration), view);
  return async (ref) => (ref === undefined ? undefined : asText(await read(ref), 'indented'));
}
