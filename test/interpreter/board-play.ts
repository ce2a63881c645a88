import type { BoardRequest } from '../../plan/board/request';
import type { NewTask } from '../../plan/board/task';
import type { BoardStep } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { agent, approval } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type World, type WorldOptions } from '../support/world';

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
  /** Asks the board, as a tool does: pauses, and goes on with the answer. */
  ask(request: BoardRequest): Promise<Json>;
  /** Lets time pass. */
  takes(ms: number): Promise<void>;
}

export type Member = (work: Work) => Promise<Partial<StepOutput> | undefined> | Partial<StepOutput> | undefined;

export interface BoardOptions extends Omit<WorldOptions, 'steps' | 'openBoard'> {
  tasks?: NewTask[];
  step?: Partial<BoardStep>;
  /** What any member does in a WORK. @default completes the task that it was given */
  member?: Member;
  begin?: typeof runPlan;
}

export interface PlayedBoard {
  world: World;
  /** What each WORK began with, in order: `alice: <auto-claimed>…`. */
  works: string[];
  output(): Json | undefined;
}

/** A call that waits for its answer: the activity ends here, and is called again. */
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

export function playBoard({ tasks = [], step, member = completes, begin = runPlan, ...more }: BoardOptions = {}): PlayedBoard {
  const works: string[] = [];
  const begun = new Set<string>();
  // The transcript: answers that a call has taken.
  const answers = new Map<string, Json>();
  const behaviour = async (seen: Seen): Promise<StepOutput> => {
    const { input, call } = seen;
    const { address = '' } = call.options;
    for (const { id, said } of input.decisions ?? []) answers.set(id, said);
    const text = String(world.resultOf(input.inputs?.['work']?.sha256 ?? '') ?? '');
    const name = input.member?.name ?? '';
    if (!begun.has(address)) works.push(`${name}: ${text}`);
    begun.add(address);
    let calls = 0;
    const work: Work = {
      ...{ member: name, text, input, seen },
      async ask(request) {
        const id = `${address}/${++calls}`;
        const found = answers.get(id);
        if (found !== undefined) return found;
        throw new Paused({ paused: { kind: 'decision', asks: [{ id, agent: 'coder', request }] } });
      },
      async takes(ms) {
        const key = `${address}/${++calls}`;
        if (answers.has(key)) return;
        await new Promise<void>((ring) => void call.clock.after(ms, ring));
        answers.set(key, true);
      },
    };
    try {
      return { artifact: artifact(`${name}-${works.length}`), context: artifact(`context-${name}`), ...(await member(work)) };
    } catch (error) {
      if (error instanceof Paused) return error.output;
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
      return found?.kind === 'value' ? (found.value as Json) : undefined;
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
