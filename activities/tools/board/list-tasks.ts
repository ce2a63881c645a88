import { boardLines } from '../../../plan/board/board-lines';
import { listedBoard } from './listed-board';
import { memberTool } from './of-member';

export const LIST_TASKS = memberTool({
  description:
    'Shows the board as it is now: `[ ]` a task that waits, `[>]` one in progress, `[x]` a completed one; and who is in the team.',
  call: async (_, use) => ({ text: boardLines(await listedBoard(use)) }),
});
