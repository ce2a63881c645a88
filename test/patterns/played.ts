import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { artifact, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/** Questions of tests about any pattern that was played in memory. */

type Played = { world: World };

export const red = new ThermidorFailure('command.failed', 'exit code 1');

/** Waits until nothing more happens without a move of the clock. */
export async function settled({ world }: Played): Promise<void> {
  for (let i = 0; i < 12; i++) await world.settle();
}

/** Expects that nothing was started twice. */
export function unique({ world }: Played): void {
  const starts = world.order();
  expect(new Set(starts).size).toBe(starts.length);
}

/** The decision of a rule that became the output of a step. @param composed the addresses at which the step's output is composed */
export function ruledOutput(world: World, composed: RegExp): JsonObject {
  const output = Object.entries(world.composed).findLast(([address]) => composed.test(address))?.[1];
  const sha256 = output?.kind === 'artifact' ? output.artifact.sha256 : '';
  const found = Object.entries(world.ruled).find(([address]) => artifact(address).sha256 === sha256)?.[1];
  return isJsonObject(found) ? found : {};
}

/** Fails `times` times, and then succeeds. */
export function failsAtFirst(times: number): StepBehaviour {
  let left = times;
  return ({ call }): StepOutput => {
    if (left-- > 0) throw red;
    return { artifact: artifact(call.options.address ?? '') };
  };
}

/** Answers after `ms` milliseconds. */
export function later({ call }: Seen, ms: number, then: () => StepOutput | Promise<StepOutput>): Promise<StepOutput> {
  return new Promise((resolve, reject) => {
    call.clock.after(ms, () => {
      try {
        resolve(then());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}

export interface PlayOptions extends Omit<WorldOptions, 'steps'> {
  /** Replaces the work of parts, and adds that of other steps. */
  steps?: WorldOptions['steps'];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

/** What a part does when it is asked: its own kind of answer, a failure, or never an answer, at once or later. */
export type Answered<Own> = Own | 'silence' | Error | { after: number; says: Answered<Own> };
/** One answer, or several in the order of the questions: the last is repeated. */
export type Says<Own> = Answered<Own> | readonly Answered<Own>[];

/** A question to a part, and how its answer is stored. */
export interface Question {
  seen: Seen;
  part: string;
  put(document: Json, values?: JsonObject): StepOutput;
}

interface AskingStep<Own> {
  id: string;
  parts: readonly string[];
  /** @param time how often the part was asked before */
  says(part: string, time: number): Says<Own>;
  answer(question: Question, said: Own): StepOutput | Promise<StepOutput>;
  /** The ends of the addresses at which its output is composed, as a pattern. @default compose */
  composed?: string;
}

export interface PlayedStep {
  world: World;
  plan: Plan;
  output(): JsonObject;
  feedback(type?: string): Extract<JournalEntry, { kind: 'pattern' }>[];
  /** What was started, by turn and part. */
  started(): string[];
}

/** Plays a step of a plan in memory: a test chooses the answers of its parts. */
export function playStep<Own>(
  plan: Plan,
  { id, parts, says, answer, composed = 'compose' }: AskingStep<Own>,
  { steps, begin = runPlan, ...options }: PlayOptions,
): PlayedStep {
  const stored = new Map<string, Json>();
  const asked = new Map<string, number>();
  const behaviours = parts.map((part): [string, StepBehaviour] => [
    `${id}_${part}`,
    (seen) => {
      const time = asked.get(part) ?? 0;
      asked.set(part, time + 1);
      const said = says(part, time);
      return given(seen, part, Array.isArray(said) ? said[Math.min(time, said.length - 1)] : said);
    },
  ]);
  function given(seen: Seen, part: string, said: Answered<Own>): StepOutput | Promise<StepOutput> {
    if (said === 'silence') return new Promise(() => undefined);
    if (said instanceof Error) throw said;
    if (isLater(said)) return later(seen, said.after, () => given(seen, part, said.says));
    return answer({ seen, part, put: (document, values) => put(seen, document, values) }, said);
  }
  function put({ call }: Seen, document: Json, values: JsonObject = {}): StepOutput {
    const ref = artifact(`said-${call.options.address}`);
    stored.set(ref.sha256, document);
    return { artifact: ref, values };
  }
  const world = begin(plan, {
    compose(from, address) {
      if (from.kind === 'artifact') return { artifact: from.artifact };
      if (from.kind === 'value') stored.set(artifact(address).sha256, from.value);
      return { artifact: artifact(address) };
    },
    ...options,
    documents: (sha256) => stored.get(sha256) ?? options.documents?.(sha256),
    steps: { ...Object.fromEntries(behaviours), ...steps },
  });
  return {
    world,
    plan,
    output: () => ruledOutput(world, new RegExp(`${id}#\\d+~\\d+/${composed}$`)),
    feedback: (type) =>
      world.journal().flatMap((entry) => (entry.kind === 'pattern' && (type === undefined || entry.type === type) ? [entry] : [])),
    started: () => world.order().map((address) => address.replace(new RegExp(`${id}\\[(\\d+)\\]/${id}_`), '$1 ').replace(/#1~1$/, '')),
  };
}

function isLater<Own>(said: Own | { after: number; says: Answered<Own> }): said is { after: number; says: Answered<Own> } {
  return typeof said === 'object' && said !== null && 'after' in said && 'says' in said;
}
