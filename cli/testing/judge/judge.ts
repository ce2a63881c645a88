import type { Expectation, ExpectedGate, PipelineTest } from '../../../compiler/test-file/test-file';
import type { GateView } from '../../../plan/people/gate';
import type { Json } from '../../../plan/text/json';
import { names } from '../people';
import type { PlayedTest } from '../play-test';
import { runOutput, storedContent } from '../stored-content';
import { callsOf, type TestFacts } from '../test-facts';
import type { Failing } from './failing';
import { judgeJournal } from './journal';
import { judgeCounts, judgeErrors, judgeStep } from './steps';
import { gotten, judgeValue } from './values';

/** The expectations of a test that were not met, in the order of docs/testing.md. */
export function judge({ expect }: PipelineTest, played: PlayedTest, facts: TestFacts): Failing[] {
  const { view } = facts;
  const content = storedContent(played.stores.artifacts);
  return [
    ...judgeEnd(expect, facts),
    ...judgeOutput(expect, runOutput(played)),
    ...(expect.steps ?? []).flatMap((step) => judgeStep(step, facts, content)),
    ...judgeOrder(expect.order, facts),
    ...judgeCounts('calls', expect.calls, facts, callsOf, 'sum'),
    ...judgeCounts('rounds', expect.rounds, facts, ({ round }) => round, 'most'),
    ...judgeErrors(expect.errors, facts),
    ...judgeJournal(expect, facts.journal),
    ...judgeExpectedGates(expect.gates, facts),
    ...judgeOpenGates(expect.open, view.gates),
    ...judgeElapsed(expect.elapsed, played.elapsedMs),
    ...judgeMissing(expect, facts),
  ];
}

function judgeEnd({ status, reason, error }: Expectation, { view }: TestFacts): Failing[] {
  const found: Failing[] = [];
  const ofRun = view.error ? `${view.error.code}: ${view.error.message}` : view.reason;
  const why = ofRun === undefined ? {} : { note: ofRun };
  if (status && !status.includes(view.state)) {
    const [only, ...more] = status;
    found.push({ what: 'status', expected: more.length > 0 ? status : (only ?? ''), got: view.state, ...why });
  }
  if (reason !== undefined && !view.reason?.includes(reason)) found.push({ what: 'reason', expected: reason, ...gotten(view.reason) });
  if (error?.code !== undefined && error.code !== view.error?.code)
    found.push({ what: 'error.code', expected: error.code, ...gotten(view.error?.code), ...why });
  if (error?.step !== undefined && error.step !== view.error?.step)
    found.push({ what: 'error.step', expected: error.step, ...gotten(view.error?.step) });
  if (error?.message !== undefined && !view.error?.message.includes(error.message))
    found.push({ what: 'error.message', expected: error.message, ...gotten(view.error?.message) });
  return found;
}

function judgeOutput({ output, outputHas }: Expectation, got: Json | undefined): Failing[] {
  return [...judgeValue('output', output, got), ...judgeValue('output_has', outputHas, got, true)];
}

function judgeElapsed(elapsed: Expectation['elapsed'], gotMs: number): Failing[] {
  if (!elapsed || (gotMs >= elapsed.leastMs && gotMs <= elapsed.mostMs)) return [];
  const { leastMs, mostMs } = elapsed;
  const most = mostMs === Number.MAX_SAFE_INTEGER ? '' : ` to ${exactly(mostMs)}`;
  const expected = leastMs === mostMs ? exactly(leastMs) : `from ${exactly(leastMs)}${most}`;
  return [{ what: 'elapsed', expected, got: exactly(gotMs) }];
}

/** A request for which neither script nor test has an answer is a mistake in the test, however the pipeline handles the failure. */
function judgeMissing({ error, errors, steps }: Expectation, { journal }: TestFacts): Failing[] {
  const expected = [error?.code, ...(errors ?? []).flatMap(([, codes]) => codes), ...(steps ?? []).map((step) => step.error)];
  if (expected.includes('script.no-reply')) return [];
  const said = new Set(
    journal.flatMap((entry) => (entry.kind === 'step' && entry.error?.code === 'script.no-reply' ? [entry.error.message] : [])),
  );
  return [...said].map((message) => ({ what: 'stand-ins', expected: 'a reply for every request', got: message }));
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const;

/** `1d 2h 5s 700ms`: a duration as one would write it in a test, unit by unit. */
function exactly(ms: number): string {
  let left = ms;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 ? [`${count}${unit}`] : [];
  });
  return parts.join(' ') || '0s';
}

/** All gates that opened, in order, and no other. */
function judgeExpectedGates(expected: readonly ExpectedGate[] | undefined, { gates }: TestFacts): Failing[] {
  if (!expected) return [];
  const opened = gates.map(({ step }) => step);
  const wanted = expected.map(({ step }) => step);
  const same = wanted.length === opened.length && wanted.every((step, i) => names(step, opened[i] ?? ''));
  if (!same) return [{ what: 'gates', expected: wanted, got: opened }];
  return expected.flatMap(({ question }, i): Failing[] => {
    const got = gates[i]?.question ?? '';
    return question === undefined || got.includes(question) ? [] : [{ what: `gates.${wanted[i]}.question`, expected: question, got }];
  });
}

/** The gates that are open at the end, in any order. */
function judgeOpenGates(expected: readonly string[] | undefined, gates: readonly Pick<GateView, 'step'>[]): Failing[] {
  if (!expected) return [];
  const open = gates.map(({ step }) => step);
  const same = expected.length === open.length && expected.every((step) => open.some((gate) => names(step, gate)));
  return same ? [] : [{ what: 'open', expected: [...expected], got: open }];
}

/**
 * Whether steps started in the expected order, others between them or not. A step without a round means its first start; those of one group
 * may start in any order, after all of the previous group.
 */
function judgeOrder(expected: Expectation['order'], { starts }: TestFacts): Failing[] {
  if (!expected) return [];
  const flat = expected.map((group) => (group.length === 1 ? (group[0] ?? '') : group));
  const failing = (note: string): Failing[] => [{ what: 'order', expected: flat, got: starts, note }];
  let after = -1;
  let before = '';
  for (const group of expected) {
    let last = after;
    for (const step of group) {
      const at = starts.findIndex((start) => names(step, start));
      if (at < 0) return failing(`${step} never started`);
      if (at <= after) return failing(`${step} started before ${before}`);
      if (at > last) last = at;
    }
    after = last;
    before = starts[after] ?? '';
  }
  return [];
}
