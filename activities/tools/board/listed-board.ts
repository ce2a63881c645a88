import type { ListedBoard } from '../../../plan/board/board-lines';
import { ToolRefusal } from '../../tool-ports';
import type { ToolUse } from '../tool';
import { boardOf, saidAnswer } from './of-member';

/** The board as it is now. */
export async function listedBoard(use: ToolUse): Promise<ListedBoard> {
  const answer = await boardOf(use).decide({ kind: 'list_tasks' });
  if (answer.refused) throw new ToolRefusal(saidAnswer(answer).text);
  // The machine's own answer.
  const said: unknown = answer.said;
  return said as ListedBoard;
}
