import type { MemberBoard, OutgoingMessage, ToolAnswer } from '../../../activities/tools/tool';
import type { BoardMessage } from '../../../plan/board/message';
import type { BoardAnswer, BoardRequest } from '../../../plan/board/request';
import type { Json, JsonObject } from '../../../plan/text/json';
import { type ToolBench, toolBench } from '../tool-use';

/** Tools of a member, and what they have asked of its board. */
export interface BoardBench extends ToolBench {
  asked: BoardRequest[];
  sent: OutgoingMessage[];
  calls(tool: string, args?: JsonObject): Promise<ToolAnswer>;
}

interface Options {
  me?: Partial<MemberBoard['me']>;
  inbox?: BoardMessage[];
  answer?: (request: BoardRequest) => BoardAnswer;
}

export const TEAM: Json = {
  ...{ completed: 1, total: 2 },
  tasks: [
    { id: 2, subject: 'Write the parser', status: 'in_progress', owner: 'alice' },
    { id: 1, subject: 'Write the lexer', status: 'completed' },
  ],
  members: [
    { name: 'alice', role: 'coder', status: 'working' },
    { name: 'dave', status: 'idle' },
    { name: 'carol', status: 'shutdown' },
    { name: 'erin', status: 'failed' },
  ],
};

export function boardBench({ me, inbox = [], answer }: Options = {}): BoardBench {
  const asked: BoardRequest[] = [];
  const sent: OutgoingMessage[] = [];
  const board: MemberBoard = {
    me: {
      ...{ name: 'alice', role: 'coder', team: 'web', context: [], inbox: 'inbox', maxTurns: 50 },
      others: [{ name: 'bob', status: 'idle' }],
      ...me,
    },
    async decide(request) {
      asked.push(request);
      return answer?.(request) ?? { said: request.kind === 'list_tasks' ? TEAM : { ok: true } };
    },
    send(message) {
      sent.push(message);
      return { text: 'sent' };
    },
    inbox: async () => inbox,
  };
  const bench = toolBench();
  return { ...bench, asked, sent, calls: (tool, args = {}) => bench.call(tool, args, { board }) };
}
