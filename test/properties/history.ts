import { OTHER_ITEMS } from '../../kinds/for-each/run-stream';
import type { JournalEntry } from '../../plan/run/journal';
import type { StepState } from '../../plan/run/step-state';
import { formatPath, isWithin, parseAddress } from '../../plan/steps/address';

/** The comment of every answer with a forged seal. */
export const FORGED = 'this is not me';

/** The history of a run, as a reader knows it who has only the journal. */
export interface History {
  read(entry: JournalEntry): void;
  /** The state of a step by its path; undefined if the journal does not mention the step. */
  state(path: string): StepState | undefined;
  readonly steps: ReadonlyMap<string, Told>;
  readonly gates: ReadonlyMap<string, ToldGate>;
  readonly entries: readonly JournalEntry[];
  /** The approvals of actions of a category that people have given, by id. */
  readonly granted: ReadonlySet<string>;
  /** Whether the output of a round was superseded. */
  isSuperseded(path: string, round: number): boolean;
  readonly runState: string | undefined;
  /** Contradictions, which no journal may have. */
  readonly contradictions: readonly string[];
}

export interface Told {
  state: StepState;
  round: number;
}
export interface ToldGate {
  open: boolean;
  opened: number;
  closed: number;
  /** The decisions since the gate opened. */
  decisions: { choice: string; via: string }[];
}

export function createHistory(): History {
  const steps = new Map<string, Told>();
  const gates = new Map<string, ToldGate>();
  const superseded = new Map<string, number>();
  const granted = new Set<string>();
  const entries: JournalEntry[] = [];
  const contradictions: string[] = [];
  let runState: string | undefined;

  function step(name: string): { path: string; round: number } {
    const address = parseAddress(name);
    return address ? { path: formatPath(address.path), round: address.round } : { path: name, round: 1 };
  }

  function readStep(entry: Extract<JournalEntry, { kind: 'step' }>): void {
    const { path, round } = step(entry.step);
    const before = steps.get(path);
    if (before && round < before.round) contradictions.push(`${entry.step} is reported after its round ${before.round} had begun`);
    if (entry.state === 'superseded') {
      superseded.set(path, Math.max(round, superseded.get(path) ?? 0));
      steps.set(path, { state: 'pending', round: round + 1 });
      for (const [inner, told] of [...steps]) {
        if (!isWithin(inner, path)) continue;
        superseded.set(inner, Math.max(told.round, superseded.get(inner) ?? 0));
        steps.delete(inner);
      }
      return;
    }
    if (entry.state === 'running' && entry.reason?.startsWith('try ')) nextTry(path);
    if (entry.state === 'running' && entry.reason === OTHER_ITEMS)
      for (const inner of [...steps.keys()]) if (isWithin(inner, path)) steps.delete(inner);
    steps.set(path, { state: entry.state, round });
  }

  /** A container is tried again: its unfinished steps begin again. */
  function nextTry(path: string): void {
    for (const [inner, told] of [...steps]) if (isWithin(inner, path) && told.state !== 'done') steps.delete(inner);
  }

  function readGate(entry: Extract<JournalEntry, { kind: 'gate' }>): void {
    const gate = gates.get(entry.step) ?? { open: false, opened: 0, closed: 0, decisions: [] };
    gates.set(entry.step, gate);
    if (entry.event === 'opened') {
      if (gate.open) contradictions.push(`the gate of ${entry.step} opened twice`);
      gate.open = true;
      gate.opened += 1;
      gate.decisions = [];
      return;
    }
    if (!gate.open) contradictions.push(`the gate of ${entry.step} closed without being open`);
    gate.open = false;
    gate.closed += 1;
    const { length } = gate.decisions;
    const late = gate.decisions.filter(({ via }) => via === 'time-out').length;
    if (entry.reason === 'decided' && length === 0) contradictions.push(`the gate of ${entry.step} was decided by nobody`);
    if (entry.reason === 'timed-out' && late !== 1) contradictions.push(`the gate of ${entry.step} timed out ${late} times`);
    if (entry.reason === 'decided' && late > 0) contradictions.push(`the gate of ${entry.step} was decided and timed out`);
    const { path } = step(entry.step);
    const told = steps.get(path);
    if (told && (entry.reason === 'decided' || entry.reason === 'timed-out')) told.state = 'running';
  }

  function readApproval({ step: name, event, id }: Extract<JournalEntry, { kind: 'approval' }>): void {
    const last = gates.get(name)?.decisions.at(-1);
    if (event === 'granted' && last?.choice !== 'approve') contradictions.push(`${id} was granted by nobody`);
    if (event === 'granted' && granted.has(id)) contradictions.push(`${id} was granted twice`);
    if (event === 'used' && !granted.has(id)) contradictions.push(`${id} was used and never granted`);
    if (event === 'granted') granted.add(id);
  }

  let heard: JournalEntry | undefined;

  return {
    steps,
    gates,
    granted,
    entries,
    contradictions,
    get runState() {
      return runState;
    },
    state: (path) => steps.get(path)?.state,
    isSuperseded: (path, round) => round <= (superseded.get(path) ?? 0),
    read(entry) {
      const before = entries.at(-1);
      if (entry.seq !== (before?.seq ?? 0) + 1) contradictions.push(`entry ${entry.seq} follows ${before?.seq ?? 0}`);
      // Entries about work have the times of the work and are written when its report comes, so entries about others may be later.
      const earlier = entry.kind === 'step' ? entries.findLast((one) => one.kind === 'step' && one.step === entry.step) : heard;
      if (earlier && entry.at < earlier.at) contradictions.push(`entry ${entry.seq} is earlier than entry ${earlier.seq}`);
      if (entry.kind !== 'step') heard = entry;
      entries.push(entry);
      if (entry.kind === 'step') readStep(entry);
      else if (entry.kind === 'gate') readGate(entry);
      else if (entry.kind === 'run') runState = entry.state;
      else if (entry.kind === 'approval') readApproval(entry);
      else if (entry.kind === 'decision') {
        if (entry.decision.comment === FORGED) contradictions.push(`a seal that does not hold decided on ${entry.step}`);
        const gate = gates.get(entry.step);
        // An agent of a chain decides without a gate.
        if (!gate?.open && entry.decision.via !== 'agent') contradictions.push(`a decision on ${entry.step}, which is not open`);
        gate?.decisions.push({ choice: entry.decision.choice, via: entry.decision.via });
      } else if (entry.kind === 'signal' && entry.outcome === 'applied' && entry.name === 'retry') {
        const { path } = step(entry.reason?.replace(/^for /, '') ?? '');
        const told = steps.get(path);
        if (told) told.state = 'running';
        nextTry(path);
      }
    },
  };
}
