import type { AttemptScope } from '../../activities/agent/agent-session';
import { unreadMessages } from '../../activities/agent/member-messages';
import type { Transcript } from '../../activities/agent/transcript';
import type { DecisionAnswer } from '../../plan/agents/decision';
import { type AskedAtWork, answersLog, type Exchange, type SentMessage } from '../../plan/board/exchange';
import type { BoardMessage } from '../../plan/board/message';
import type { BoardRequest } from '../../plan/board/request';
import type { NewTask } from '../../plan/board/task';
import { defined, ifDefined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { BoardStep } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { field, type Json } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import { readRecordedConversation } from '../../records/transcripts/recorded-conversation';
import { transcriptLog } from '../../records/transcripts/transcript-log';
import { agent, approval } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type World, type WorldOptions } from '../support/world';
import { tokens } from './spending';

/** Boards in memory: a test says what each member does in a WORK. */

export function board(more: Partial<BoardStep> = {}): BoardStep {
  return {
    ...{ kind: 'board', id: 'team', team: 'research', members: [], tasks: { list: [] }, spawns: [] },
    parts: [
      agent('team_coder'),
      agent('team_tester'),
      approval('team_person', { onReject: [{ kind: 'continue' }], reads: [['approved'], ['comment']] }),
    ],
    ...{ mostMembers: 4, idleMs: 60_000, shutdownMs: 300_000, maxTurns: 50, attempts: 3, until: 'idle' },
    ...more,
  } as BoardStep;
}

export const coder = (name: string, role?: string) => ({ name, agent: 'coder', ...(role === undefined ? {} : { role }) });

export interface Work {
  member: string;
  /** What the WORK began with. */
  text: string;
  input: StepInput;
  seen: Seen;
  /** Asks the board, as a tool does: pauses and goes on with the answer, or waits for it. */
  ask(request: BoardRequest): Promise<Json>;
  /** Sends a message, as a tool does: it is recorded, and the run is woken. */
  send(message: Partial<SentMessage> & { content: string }): Promise<void>;
  /** What has come during this WORK, as a tool reads it. */
  inbox(): Promise<BoardMessage[]>;
  /** What its worktree is at when the call, or one that asks the board, ends. */
  leaves(commit: string): void;
  /** Uses tokens: it pauses for more than it has left, and ends if there are no more. */
  uses(tokens: number): Promise<void>;
  /** Lets time pass. */
  takes(ms: number): Promise<void>;
}

export type Member = (work: Work) => Promise<Partial<StepOutput> | undefined> | Partial<StepOutput> | undefined;

export interface BoardOptions extends Omit<WorldOptions, 'steps' | 'openBoard'> {
  tasks?: NewTask[];
  step?: Partial<BoardStep>;
  /** What any member does in a WORK. @default completes the task that it was given */
  member?: Member;
  /** The run learns of what members have sent and read from the ends of their calls alone: no wake arrives. */
  isDeaf?: true;
  /** Calls that ask the board wait for the answer, as those of an agent with tool servers do. */
  waits?: true;
  begin?: typeof runPlan;
}

export interface PlayedBoard {
  world: World;
  /** What each WORK began with, in order: `alice: <auto-claimed>…`. */
  works: string[];
  output(): Json | undefined;
}

/** So often a call looks for its answer before it pauses, without any time of the virtual clock. */
const LOOKS = 300;

/** A call that waits for its answer: the activity ends here, and is called again. Or the end of a WORK whose budget is used up. */
class Paused extends Error {
  constructor(readonly output: StepOutput) {
    super('paused');
  }
}

export const completes: Member = async ({ text, ask, takes }) => {
  const [, number] = /Task #(\d+)/.exec(text) ?? [];
  if (number === undefined) return undefined;
  await takes(1000);
  await ask({ kind: 'complete_task', task: Number(number), result: { text: `done ${number}` } });
  return undefined;
};

export const rows = (played: PlayedBoard, name: string): Json[] => {
  const found = field(played.output(), name);
  return Array.isArray(found) ? found : [];
};
export const notes = (played: PlayedBoard, event: string) =>
  played.world.journal().filter((entry) => entry.kind === 'board' && entry.event === event);
export const plan = (content: string, { member }: Work): BoardRequest => {
  const message = { id: 'p1', type: 'plan_approval' as const, from: member, to: 'lead', content, characters: content.length, at: '' };
  return { kind: 'submit_plan', message };
};
/** Each member does its own; who has nothing to do does its task. */
export const each =
  (byName: Record<string, (work: Work) => Promise<void>>): Member =>
  async (work) => {
    await byName[work.member]?.(work);
    return completes(work);
  };

export async function toTheEnd(played: PlayedBoard): Promise<void> {
  await played.world.completes();
}

export function playBoard({
  tasks = [],
  step,
  member = completes,
  isDeaf,
  waits,
  begin = runPlan,
  ...more
}: BoardOptions = {}): PlayedBoard {
  const works: string[] = [];
  const begun = new Set<string>();
  const trees = new Map<string, string>();
  // The transcript: answers that a call has taken.
  const answers = new Map<string, Json>();
  const spent = new Map<string, number>();
  const behaviour = async (seen: Seen): Promise<StepOutput> => {
    const { input, call } = seen;
    const { address = '' } = call.options;
    for (const { id, said } of input.decisions ?? []) answers.set(id, said);
    const text = String(world.resultOf(input.inputs?.['work']?.sha256 ?? '') ?? '');
    const name = input.member?.name ?? '';
    if (!begun.has(address)) works.push(`${name}: ${text}`);
    begun.add(address);
    let calls = 0;
    const key = { workflowId: call.info.workflowId, run: call.info.firstRunId };
    const recorded = async () => await readRecordedConversation(world.ledger, key, address);
    const exchange = async (exchanged: Exchange): Promise<void> => {
      await world.ledger.append(key, transcriptLog(address), asJson({ ask: 1, turn: { role: 'tool', text: '' }, effect: { exchanged } }));
      if (!isDeaf) void call.wake();
    };
    const used = () => ifDefined(spent.get(address), tokens);
    const askAtWork = async (asked: AskedAtWork): Promise<DecisionAnswer | undefined> => {
      const { request } = asked;
      if (!waits || isDeaf || request.kind === 'submit_plan' || (input.worktree && /complete|fail/.test(request.kind))) return undefined;
      await world.ledger.append(
        key,
        transcriptLog(address),
        asJson({ ask: 1, exchanged: { asked: { ...asked, ...defined({ used: used() }) } } }),
      );
      // A try that nobody needs any more reaches nobody.
      call.wake().catch(() => undefined);
      const log = answersLog(input.member?.inbox ?? '');
      for (let look = 0; look < LOOKS; look++) {
        const said: unknown = await world.ledger.lines(key, log);
        const found = (said as DecisionAnswer[]).find((one) => one.id === asked.id);
        if (!found) continue;
        // Its result.
        await world.ledger.append(key, transcriptLog(address), asJson({ ask: 1, turn: { role: 'tool', text: '' } }));
        answers.set(asked.id, found.said);
        return found;
      }
      return undefined;
    };
    const done = async (output: StepOutput): Promise<StepOutput> => {
      const exchanged = (await recorded()).exchanges().length;
      const { slot = '', epoch = 0, commit = '' } = input.worktree ?? {};
      const saved = input.worktree ? { worktree: { slot, epoch, commit: trees.get(slot) ?? commit } } : {};
      return {
        adapter: 'scripted',
        ...defined({ usage: used() }),
        ...output,
        ...saved,
        ...(exchanged > 0 ? { exchanged } : {}),
      };
    };
    const work: Work = {
      ...{ member: name, text, input, seen },
      async ask(request) {
        const id = `${address}/${++calls}`;
        const found = answers.get(id);
        if (found !== undefined) return found;
        const decided = await askAtWork({ id, request });
        if (decided) return decided.said;
        throw new Paused({ paused: { kind: 'decision', asks: [{ id, agent: 'coder', request }] } });
      },
      async send(message) {
        const id = `${address}/${++calls}`;
        if (answers.has(id)) return;
        answers.set(id, true);
        const at = new Date(call.clock.now()).toISOString();
        await exchange({ sent: { id, type: 'message', from: name, characters: message.content.length, at, ...message } });
      },
      async inbox() {
        const { ledger } = world;
        const artifacts = { get: async ({ sha256 }: ArtifactRef) => Buffer.from(String(world.resultOf(sha256))) };
        const scope = { input, call: { key }, toolbox: { ledger, artifacts } } as unknown as AttemptScope;
        const messages = await unreadMessages(scope, (await recorded()) as unknown as Transcript);
        if (messages.length > 0) await exchange({ read: messages.map(({ id }) => id) });
        return messages;
      },
      leaves: (commit) => void trees.set(input.worktree?.slot ?? '', commit),
      async uses(count) {
        const id = `${address}/${++calls}`;
        if (answers.has(id)) return;
        const needed = (spent.get(address) ?? 0) + count;
        const short = { kind: 'tokens', needed } as const;
        if (input.spent)
          throw new Paused({ artifact: artifact('spent'), context: artifact(`context-${name}`), workEnd: 'spent', short: input.spent });
        if ((input.budget?.tokens ?? needed) < needed) throw new Paused({ paused: { kind: 'budget', short } });
        answers.set(id, true);
        spent.set(address, needed);
      },
      async takes(ms) {
        const id = `${address}/${++calls}`;
        if (answers.has(id)) return;
        await new Promise<void>((ring) => void call.clock.after(ms, ring));
        answers.set(id, true);
      },
    };
    try {
      const output = await member(work);
      return await done({
        adapter: 'fake',
        artifact: artifact(`${name}-${works.length}`),
        context: artifact(`context-${name}`),
        ...output,
      });
    } catch (error) {
      if (error instanceof Paused) return await done(error.output);
      throw error;
    }
  };
  const planned = board(step);
  const world = begin(planOf([planned], { agents: agentsOf() }), {
    ...more,
    steps: { team_coder: behaviour, team_tester: behaviour },
    openBoard: () => ({ tasks, members: planned.members.map(({ prompt: _prompt, ...one }) => one) }),
  });
  return {
    world,
    works,
    output: () => {
      const found = Object.entries(world.composed).findLast(([address]) => /^team#.*\/compose$/.test(address))?.[1];
      return found?.kind === 'pages' ? found.value : undefined;
    },
  };
}

function agentsOf() {
  return {
    lead: { definition: 'd', reportsTo: 'human' },
    worker: { definition: 'd' },
    coder: { definition: 'd' },
    tester: { definition: 'd' },
  };
}
