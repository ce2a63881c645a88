import type { ListedBoard } from '../../../plan/board/board-lines';
import { ToolRefusal } from '../../tool-ports';
import type { ToolUse } from '../tool';
import { boardOf } from './of-member';

/** The board as it is now. */
export async function listedBoard(use: ToolUse): Promise<ListedBoard> {
  const { text, refused } = await boardOf(use).decide({ kind: 'list_tasks' });
  if (refused) throw new ToolRefusal(text);
  // The run's own answer.
  return JSON.parse(text) as ListedBoard;
}
