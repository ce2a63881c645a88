import { defined, unlessEmpty } from '../../plan/defined';
import type { FeedbackData } from '../../plan/patterns/feedback';
import { reviewFindings } from '../../plan/patterns/review-findings';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { filesOfFindings, findingsOf } from '../../plan/steps/findings';
import { verdictOf } from '../../plan/steps/verdict';
import { duration } from '../../plan/text/duration';
import { field, type Json } from '../../plan/text/json';
import { beginning, ending } from '../../plan/text/shortened';
import { isAgentsOwn } from '../../workflows/interpreter/agents/own-failure';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { PartCall, PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { partOf, stored } from '../../workflows/interpreter/patterns/parts';
import { type Attempt, type DeliveryStep, leaseOf } from './delivery-step';
import { EXECUTOR_PART, VALIDATOR_PART } from './model';
import { GATES_DOCUMENT } from './prompts';
import { INCREMENT_DOCUMENT } from './rules/assignment';
import type { AttemptEnd, FailedGate } from './rules/delivery';
import type { IncrementGate } from './rules/words';

/** How an attempt ended. `review`: the validator's findings, for the executor; `judged`: its verdict, for the journal. */
export interface Tried extends AttemptEnd {
  review?: ArtifactRef;
  judged?: Pick<FeedbackData['review_result'], 'verdict' | 'said' | 'findings'>;
}

/**
 * The executor does the tasks, then the gates are checked in order, then the validator judges.
 *
 * Invariants: 1. an attempt whose executor has failed, or whose syntax is not clean, is checked no further; 2. the validator sees work that
 * passed the gates, and failing tests of the increment; 3. a failure that is no gate’s, such as of a repository or a budget, is the step's
 * own.
 */
export async function tryIncrement(step: DeliveryStep, ctx: StepContext, attempt: Attempt, increment: ArtifactRef): Promise<Tried> {
  const { it, place } = step;
  const { turn, tasks } = attempt;
  const given = { [INCREMENT_DOCUMENT]: increment };
  // A merge has brought the step's work back, to be put on top of its branch.
  const { onto } = it.run.record(place.path).brief ?? {};
  const call = { turn, given, ...defined({ onto }) };
  const done = await inTime(step, ctx, EXECUTOR_PART, call, tasks.length * place.step.taskTimeoutMs);
  const commit = ctx.once('commit', () => leaseOf(step).commit);
  const broken = 'failed' in done ? done.failed : whyUndone(done.value, tasks);
  if (broken) return { commit, failed: [broken], affectedFiles: [] };
  const undone = textsIn(field('value' in done ? done.value.values : undefined, 'blocked')).filter((id) => tasks.includes(id));
  const failed: FailedGate[] = [];
  for (const gate of place.step.gates) {
    const tried = await ctx.attempt(() => ctx.step(partOf(it, place, gate), { turn, given }));
    if (!('failure' in tried)) continue;
    failed.push(failedGate(gate, tried.failure));
    if (gate === 'syntax_clean') break;
  }
  // It includes a gate's changes, but not a validator's.
  const left = ctx.once('left', () => leaseOf(step).commit);
  const judged = needsJudge(step, failed) ? await judge(step, ctx, attempt, { increment, failed }) : {};
  const all = [...failed, ...(judged.failed ? [judged.failed] : [])];
  const named = filesNamed(all.flatMap(({ message, output }) => [message, ...(output === undefined ? [] : [output])]).join('\n'));
  return {
    ...judged.said,
    commit: left,
    failed: all,
    undone,
    affectedFiles: [...new Set([...(judged.files ?? []), ...named])].slice(0, MOST_FILES),
  };
}

const MOST_FILES = 50;
/** The limit of a gate's output. */
const MOST_OUTPUT = 4000;

function needsJudge({ place: { step } }: DeliveryStep, failed: readonly FailedGate[]): boolean {
  return step.validator !== undefined && failed.every(({ gate }) => gate === 'increment_tests_pass');
}

interface Judged {
  failed?: FailedGate;
  files?: string[];
  said?: Pick<Tried, 'review' | 'suggestion' | 'judged'>;
}

/** CP-2 within an increment: the executor gets the findings, and puts them right. */
async function judge(
  step: DeliveryStep,
  ctx: StepContext,
  { turn }: Attempt,
  { increment, failed }: { increment: ArtifactRef; failed: readonly FailedGate[] },
): Promise<Judged> {
  const { it, place } = step;
  const gates = await stored(it, place, ctx, `gates-${turn}`, () => [...failed]);
  const given = { [INCREMENT_DOCUMENT]: increment, [GATES_DOCUMENT]: gates };
  const done = await inTime(step, ctx, VALIDATOR_PART, { turn, given }, place.step.taskTimeoutMs);
  if ('failed' in done) return done;
  const { values = {}, artifact } = done.value;
  const judged = verdictOf(values);
  const told = judged ? { judged: { verdict: judged.verdict, ...defined({ said: judged.said }), findings: reviewFindings(values) } } : {};
  if (judged?.verdict === 'pass') return { said: told };
  const suggestion = field(values, 'suggestion');
  const said = { ...told, ...defined({ review: artifact, suggestion: typeof suggestion === 'string' ? suggestion : undefined }) };
  const message = typeof suggestion === 'string' ? suggestion : 'its findings say what to fix';
  return { failed: { gate: 'validator', message }, files: filesOfFindings(findingsOf(values)), said };
}

/** A part with a time limit of its own: if its agent does not finish in time, or fails by itself, the attempt has failed. */
async function inTime(
  { it, place }: DeliveryStep,
  ctx: StepContext,
  name: typeof EXECUTOR_PART | typeof VALIDATOR_PART,
  call: PartCall,
  timeoutMs: number,
): Promise<{ value: PartEnd } | { failed: FailedGate }> {
  const { ended, failed } = await ctx.all(name, { [name]: { part: partOf(it, place, name), ...call } }, { timeoutMs });
  const failure = failed[name];
  if (failure && !isAgentsOwn(failure.code)) throw failureOfEntry(failure);
  if (failure) return { failed: { gate: name, message: failure.message } };
  const value = ended[name] as PartEnd | undefined;
  return value ? { value } : { failed: { gate: name, message: `the ${name} has not ended within ${duration(timeoutMs)}` } };
}

/** An executor that can do none of its tasks has done nothing that gates could check. */
function whyUndone({ values }: PartEnd, tasks: readonly string[]): FailedGate | undefined {
  const blocked = textsIn(field(values, 'blocked'));
  if (!tasks.every((id) => blocked.includes(id))) return undefined;
  const summary = field(values, 'summary');
  return { gate: 'executor', message: typeof summary === 'string' ? summary : 'none of its tasks can be done' };
}

/** Failures of a command that count as the gate's: any other is the step's failure. */
const OF_GATES: readonly FailureCode[] = ['command.failed', 'command.timeout', 'output.too-large'];

function failedGate(gate: IncrementGate, failure: ThermidorFailure): FailedGate {
  if (!OF_GATES.includes(failure.code)) throw failure;
  const printed = ['stdout', 'stderr'].flatMap((key) => field(failure.details, key) ?? []).filter((text) => typeof text === 'string');
  const output = ending(printed.join('\n').trim(), MOST_OUTPUT);
  return { gate, message: beginning(failure.message, MOST_OUTPUT), ...defined({ output: unlessEmpty(output) }) };
}

function textsIn(value: Json | undefined): string[] {
  return (Array.isArray(value) ? value : []).filter((text) => typeof text === 'string');
}

/**
 * The files that a program's output names, each once, in order: paths from the folder that it ran in, with an ending. Of packages that are
 * installed it says nothing.
 */
export function filesNamed(text: string): string[] {
  const found = new Set<string>();
  for (const [, path = ''] of text.matchAll(PATH)) if (!/(^|\/)node_modules\//.test(path)) found.add(path.replace(/^\.\//, ''));
  return [...found];
}

/** Not within an absolute path, a URL or another word: `src/a.ts`, or `a.ts:3` and `a.ts(3,1)`, followed by the line. */
const PATH =
  /(?<![\w./\\:@~-])((?:\.\/)?(?:[\w@-][\w.@-]*\/)+[\w.@-]*\.[A-Za-z]\w{0,5}(?![\w/\\])|[\w@-][\w.@-]*\.[A-Za-z]\w{0,5}(?=[:(]\d))/g;
