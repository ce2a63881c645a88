import { contentDigest } from '../../../activities/gates/content-digest';
import { checkSchema } from '../../../activities/schemas/schema-check';
import type { Toolbox } from '../../../activities/toolbox';
import type { MemberBoard, OutgoingMessage, ToolAnswer, ToolUse } from '../../../activities/tools/tool';
import type { MemberWork } from '../../../plan/board/member-work';
import { LEAD } from '../../../plan/board/message';
import type { BoardAnswer, BoardRequest } from '../../../plan/board/request';
import type { NewTask } from '../../../plan/board/task';
import type { ArtifactRef } from '../../../plan/run/artifact';
import type { JsonObject } from '../../../plan/text/json';
import { member, opened, PROMPT } from '../../board/board';
import { toolBench, toolNamed } from '../tool-use';

/** A member at work, with a real board behind its tools; its messages arrive at once. */
export interface AtWork {
  board: ReturnType<typeof opened>;
  asked: BoardRequest[];
  sent: OutgoingMessage[];
  /** How often a tool has looked into the inbox. */
  looks: number;
  toolbox: Toolbox;
  /** As an agent calls a tool: what breaks its schema does not reach it. */
  call(tool: string, args?: JsonObject): Promise<ToolAnswer>;
  stored(text: string): Promise<ArtifactRef>;
  textOf(ref: ArtifactRef | undefined): Promise<string | undefined>;
}

export interface AtWorkOptions {
  tasks?: readonly NewTask[];
  me?: string;
  mask?: ToolUse['mask'];
  /** The board says this to whatever is asked. */
  answer?: BoardAnswer;
  /** It has failed before. */
  gone?: string;
  /** Whose store it has. */
  stores?: Pick<AtWork, 'toolbox'>;
}

/** The lead, alice, who is a coder, and bob, who is a critic: all work, and nobody has a task. */
export function atWork({ tasks = [], me = 'alice', answer, gone, stores, mask = (text) => text }: AtWorkOptions = {}): AtWork {
  const board = opened(
    [
      member(LEAD, { isLead: true, agent: 'chief', prompt: PROMPT }),
      member('alice', { role: 'coder', prompt: PROMPT }),
      member('bob', { role: 'critic', prompt: PROMPT }),
    ],
    tasks,
  );
  if (gone !== undefined) board.crash(gone);
  const bench = toolBench(stores ? { toolbox: { artifacts: stores.toolbox.artifacts } } : {});
  const own = board.member(me);
  const work: MemberWork = {
    ...{ name: me, team: 'crew', context: [], maxTurns: 50, inbox: 'team/work-1/inbox' },
    ...(own.isLead ? { isLead: true, spawns: ['coder'] } : {}),
    others: board.state.members
      .filter(({ name }) => name !== me)
      .map(({ name, status, isLead }) => ({ name, status, ...(isLead ? { isLead } : {}) })),
  };
  const asked: BoardRequest[] = [];
  const sent: OutgoingMessage[] = [];
  let calls = 0;
  const port = (id: string): MemberBoard => ({
    me: work,
    async decide(request) {
      asked.push(request);
      if (answer) return answer;
      board.ask(me, request, id);
      if (!board.answer) throw new Error('the answer comes later');
      return board.answer;
    },
    send(message) {
      sent.push(message);
      board.tell({ kind: 'sent', message: { id, from: me, at: '2026-01-01T00:00:00.000Z', ...message } });
      return { text: '{"status":"sent"}' };
    },
    async inbox() {
      it.looks += 1;
      return board.member(me).inbox;
    },
  });
  const it: AtWork = {
    ...{ board, asked, sent, looks: 0, toolbox: bench.toolbox },
    async call(name, args = {}) {
      const { parameters } = toolNamed(name);
      const broken = await checkSchema(bench.toolbox, contentDigest(parameters).sha256, parameters, args);
      if (broken) return { text: [...broken.missingFields, ...broken.problems].join('; '), refused: true };
      const id = `call-${++calls}`;
      return await bench.call(name, args, { board: port(id), mask, idempotencyKey: id });
    },
    stored: (text) => bench.toolbox.artifacts.put(text, { mediaType: 'text/plain' }),
    textOf: async (ref) => ref && (await bench.toolbox.artifacts.get(ref)).toString('utf8'),
  };
  return it;
}
