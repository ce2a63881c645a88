import type { ArtifactRef } from '../../plan/run/artifact';
import type { JournalEntry, JournalView } from '../../plan/run/journal';
import type { RunView, StepView } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import { formatPath, parseAddress, pathIn } from '../../plan/steps/address';
import type { Verdict } from '../../plan/steps/verdict';
import type { MemoryArtifacts } from '../../records/memory/memory-store';
import type { MemoryRun } from '../../workflows/memory/memory-run';
import type { LoggedCall } from './call-log';
import type { PlayedTest } from './play-test';

/** What is known of one execution of a step, all of its rounds together. */
export interface StepFacts {
  /** The address without round and try: `loop[2]/ask`; after a `pipeline` step, the child's. */
  path: string;
  state: StepState;
  round: number;
  try: number;
  verdict?: Verdict;
  decision?: { choice: string; by?: string; comment?: string };
  /** Code of its last failure, if it settled with that. */
  error?: string;
  artifact?: ArtifactRef;
  /** Codes of all failures, in order. */
  failures: string[];
  calls: LoggedCall[];
}

/** How often its agent was asked, or how many commands it ran; commands that an agent runs meanwhile do not count. */
export function callsOf({ calls }: Pick<StepFacts, 'calls'>): number {
  const asked = calls.filter(({ kind }) => kind === 'agent').length;
  return asked > 0 ? asked : calls.length;
}

/** Everything a test can expect something of. */
export interface TestFacts {
  view: RunView;
  journal: JournalEntry[];
  /** Steps by path, in the order in which they first appeared. */
  steps: ReadonlyMap<string, StepFacts>;
  /** Steps as they started, with their round: `converge#2`. */
  starts: string[];
  /** Gates as they opened. */
  gates: { step: string; question: string }[];
}

type Queried = Pick<MemoryRun, 'query'>;

export function testFactsOf({ run, stores }: Pick<PlayedTest, 'run' | 'stores'>): TestFacts {
  const view = viewOf(run);
  const gathered: Gathered = { steps: new Map(), starts: [], gates: [] };
  const journal = gather(run, '', view, { run, artifacts: stores.artifacts, calls: stores.calls }, gathered);
  const inTime = (list: { at: string; text: string }[]): string[] => list.sort(byMoment).map(({ text }) => text);
  const starts = inTime(gathered.starts);
  const gates = gathered.gates.sort(byMoment).map(({ step, question }) => ({ step, question }));
  return { view, journal, steps: gathered.steps, starts, gates };
}

interface Gathered {
  steps: Map<string, StepFacts>;
  starts: { at: string; text: string }[];
  gates: { at: string; step: string; question: string }[];
}

interface Sources {
  run: Pick<MemoryRun, 'children'>;
  artifacts: MemoryArtifacts;
  calls: readonly LoggedCall[];
}

/** Gathers the facts of a run, and of the children that its steps started. Returns the run's own journal. */
function gather(of: Queried, prefix: string, view: RunView, sources: Sources, into: Gathered): JournalEntry[] {
  const journal = journalOf(of, view, sources.artifacts);
  const factsAt = (path: string): StepFacts => {
    const whole = `${prefix}${path}`;
    const known = into.steps.get(whole) ?? { path: whole, state: 'pending', round: 1, try: 1, failures: [], calls: [] };
    into.steps.set(whole, known);
    return known;
  };
  for (const step of view.steps) factsAt(pathIn(step.address));
  for (const entry of journal) noteEntry(entry, prefix, factsAt, into);
  for (const step of view.steps) noteView(step, factsAt(pathIn(step.address)));
  for (const call of sources.calls) if (call.workflowId === view.run) factsAt(call.path).calls.push(call);
  for (const { address, child } of view.steps) {
    const started = child === undefined ? undefined : sources.run.children.get(child);
    if (started) gather(started, `${prefix}${pathIn(address)}/`, viewOf(started), sources, into);
  }
  return journal;
}

function noteEntry(entry: JournalEntry, prefix: string, factsAt: (path: string) => StepFacts, into: Gathered): void {
  if (entry.kind === 'gate' && entry.event === 'opened')
    into.gates.push({ at: entry.at, step: `${prefix}${entry.step}`, question: entry.question ?? '' });
  if (entry.kind !== 'step') return;
  const address = parseAddress(entry.step);
  if (!address) return;
  const facts = factsAt(formatPath(address.path));
  facts.round = Math.max(facts.round, address.round);
  // A step that an operator skips has reported its failure when it was held.
  const isReported = entry.state === 'skipped' && facts.state === 'held';
  if (entry.error && !isReported) facts.failures.push(entry.error.code);
  const again = /^try (\d+) follows$/.exec(entry.reason ?? '');
  if (again) facts.try = Number(again[1]);
  else if (entry.state === 'running') {
    facts.try = 1;
    into.starts.push({ at: entry.at, text: `${prefix}${entry.step}` });
  }
  if (entry.state === 'superseded') return;
  facts.state = entry.state;
  if (entry.error && !again) facts.error = entry.error.code;
  if (entry.artifact) facts.artifact = entry.artifact;
}

/** Views know more than the journal, of the steps that they list. */
function noteView(step: StepView, facts: StepFacts): void {
  facts.state = step.state;
  facts.round = step.round;
  facts.try = step.try;
  if (step.artifact) facts.artifact = step.artifact;
  if (step.verdict) facts.verdict = step.verdict.verdict;
  if (step.decision) facts.decision = step.decision;
  if (step.error) facts.error = step.error.code;
}

function viewOf(run: Queried): RunView {
  const view = run.query('status') as RunView;
  while (view.steps.length < view.totalSteps) {
    const page = run.query('status', { offset: view.steps.length }) as RunView;
    if (page.steps.length === 0) break;
    view.steps.push(...page.steps);
  }
  return view;
}

/** A run that never opened has no journal. */
function journalOf(run: Queried, view: RunView, artifacts: MemoryArtifacts): JournalEntry[] {
  if (view.plan === undefined) return [];
  const journal: JournalEntry[] = [];
  for (;;) {
    const last = journal.at(-1)?.seq ?? 0;
    const { pages, entries } = run.query('journal', { after: last }) as JournalView;
    const flushed = pages.flatMap(({ ref }) => JSON.parse(artifacts.read(ref.sha256).toString()) as JournalEntry[]);
    const more = [...flushed, ...entries].filter(({ seq }) => seq > last);
    if (more.length === 0) return journal;
    journal.push(...more);
  }
}

function byMoment(a: { at: string }, b: { at: string }): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : 0;
}
