import type { DecisionAnswer } from '../../../plan/agents/decision';
import { answersLog, type Exchange } from '../../../plan/board/exchange';
import type { Usage } from '../../../plan/budgets/usage';
import type { StepOutput } from '../../../plan/steps/step-activity';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import type { AgentCall } from './agent-call-spec';

/**
 * What a member of a board sends, reads and asks while it works. Its activity records that in its transcript and wakes its run, which
 * looks there. The kind of the step around it takes each up once, and what it decides goes where the activity looks.
 *
 * Invariants: 1. a wake only causes a look, and at most one look is in progress, with one to follow; 2. taking an exchange up and the mark
 * that it is known are one synchronous step; 3. the call ends when all of them are taken up; 4. what a try that has failed
 * still asks is not decided.
 */
export interface Exchanges {
  woken(): void;
  /** Looks until everything is taken up that is recorded by now. */
  untilTaken(): Promise<void>;
  /** The activity has failed: what it has sent and read is taken up. */
  failed(): Promise<void>;
  /** The activity has ended: the call is done once everything is taken up. */
  ended(ctx: StepContext, output: StepOutput): Promise<StepOutput>;
}

/** No local activity, because wakes come in bursts (`spawned-agents.ts`). */
const SHORT = { kept: true, startToCloseMs: SHORT_ACTIVITY_MS } as const;

/**
 * Undefined for an agent that is no member: it costs nothing.
 *
 * @param charge enters what the agent has used by then
 */
export function openExchanges(it: Interpreter, place: Place, call: AgentCall, charge: (used: Usage) => void): Exchanges | undefined {
  const { run } = it;
  const { address, keeps } = call;
  const { member } = run.record(place.path).brief ?? {};
  if (place.child || !member) return undefined;
  const log = answersLog(member.inbox);
  let looking: Promise<void> | undefined;
  let again = false;
  let isOver = false;

  async function look(): Promise<void> {
    try {
      do {
        again = false;
        const after = keeps.exchanged ?? 0;
        const input = { run: run.ctx.info.firstRunId, call: address, after };
        const { exchanges, more } = await run.ctx.activity('exchanged', input, SHORT);
        if (run.ending && run.ending.kind !== 'continue') return;
        keeps.exchanged = after + exchanges.length;
        const answers = takeUp(exchanges);
        if (answers.length > 0) await run.ctx.activity('post', { run: input.run, log, lines: answers }, SHORT);
        again ||= more === true;
      } while (again);
    } finally {
      looking = undefined;
    }
  }

  function takeUp(exchanges: readonly Exchange[]): DecisionAnswer[] {
    if (exchanges.length === 0) return [];
    for (const { asked } of exchanges) if (asked?.used) charge(asked.used);
    return it.kinds.exchanged(it, place, isOver ? exchanges.map(({ asked: _nobody, ...exchange }) => exchange) : exchanges);
  }

  function untilTaken(): Promise<void> {
    again = looking !== undefined;
    looking ??= look();
    return looking;
  }

  return {
    woken: () => run.background(untilTaken),
    untilTaken,
    failed() {
      isOver = true;
      return untilTaken();
    },
    async ended(ctx, output) {
      if (!hasExchanges(call, output)) return output;
      await ctx.through('exchanged', untilTaken);
      call.done?.(output);
      return output;
    },
  };
}

/** Whether the activity has recorded more than the run knows. */
export function hasExchanges({ keeps }: AgentCall, { exchanged = 0 }: StepOutput): boolean {
  return exchanged > (keeps.exchanged ?? 0);
}
