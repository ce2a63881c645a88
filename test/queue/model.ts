import type { AdvancedTarget, MergedCandidates, MergedPart, Tested } from '../../plan/queue/queue-activities';
import { DEFAULT_QUEUE_SETTINGS, type QueueSettings } from '../../plan/queue/queue-settings';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { QueueEffect, QueueEvent } from '../../workflows/queue/events';
import { handle } from '../../workflows/queue/machine';
import { emptyQueue, type QueueState } from '../../workflows/queue/queue-state';

/** A repository in memory. The name of a commit lists what was merged into it, in order, separated by commas. */
export interface ModelCandidate {
  name: string;
  priority?: 1 | 2 | 3 | 4 | 5;
  /** Its tests fail on every base. */
  red?: true;
  restricted?: true;
  marked?: true;
  /** It conflicts with a base that has one of these. */
  conflicts?: readonly string[];
  /** It merges onto a base that has one of these, and then tests fail. */
  breaks?: readonly string[];
}

interface Pending {
  effect: Exclude<QueueEffect, { kind: 'cancel' }>;
  cancelled?: true;
}

const TARGET = { repository: '/r', refsIn: 'repository', branch: 'main' } as const;

export class QueueModel {
  state: QueueState = emptyQueue();
  target = '';
  /** Each value that the target has had. */
  readonly history: string[] = [''];
  readonly outcomes = new Map<string, TicketOutcome[]>();
  readonly candidates = new Map<string, ModelCandidate>();
  readonly pending: Pending[] = [];
  /** Results that refs keep. A result that is merged again is a different commit, because it is a second later. */
  readonly kept = new Map<string, number>();
  tests = 0;
  private readonly settings: QueueSettings;
  private draining = false;

  constructor(settings: Partial<QueueSettings> = {}) {
    this.settings = { ...DEFAULT_QUEUE_SETTINGS, ...settings };
  }

  ask(...candidates: ModelCandidate[]): void {
    for (const candidate of candidates) {
      this.candidates.set(candidate.name, candidate);
      this.event({ kind: 'asked', asked: { workflowId: 'w', run: 'r', name: candidate.name } });
    }
  }

  event(event: QueueEvent): void {
    for (const effect of handle(this.state, event, this.draining)) {
      if (effect.kind !== 'cancel') this.pending.push({ effect });
      else for (const one of this.pending) if (isOf(one.effect, effect.attempt)) one.cancelled = true;
    }
  }

  /** Somebody else moves the branch. */
  person(name: string): void {
    this.candidates.set(name, { name });
    this.move(`${this.target},${name}`);
  }

  /** Settles one piece of the work in progress, by default the oldest. */
  settle(index = 0): boolean {
    const [work] = this.pending.splice(index, 1);
    if (!work) return false;
    const event = this.done(work);
    if (event) this.event(event);
    return true;
  }

  settleAll(): void {
    for (let i = 0; this.settle(); i++) if (i > 100_000) throw new Error('the queue does not come to rest');
  }

  /** The execution should end soon. */
  drain(): void {
    this.draining = true;
  }

  /** Plays the end of an execution: work in progress ends, and none begins. */
  continueAsNew(): void {
    this.drain();
    this.settleAll();
    this.draining = false;
    // An execution passes its state on as JSON alone.
    this.state = JSON.parse(JSON.stringify(this.state));
    this.event({ kind: 'started' });
  }

  outcomeOf(name: string): TicketOutcome | undefined {
    return this.outcomes.get(name)?.[0];
  }

  /** Whether a commit passes the tests. */
  isGreen(commit: string): boolean {
    const names = commit.split(',').filter(Boolean);
    return names.every((name) => {
      const { red, breaks = [] } = this.candidates.get(name) ?? {};
      return !red && !breaks.some((other) => names.includes(other));
    });
  }

  private done({ effect, cancelled }: Pending): QueueEvent | undefined {
    switch (effect.kind) {
      case 'admit': {
        const ticket = this.state.tickets.find(({ number }) => number === effect.ticket);
        if (!ticket) return undefined;
        const { name, priority = 3 } = this.candidate(effect.ticket);
        const candidate = { candidate: name, title: name, author: 'a', priority };
        return { kind: 'admitted', ticket: effect.ticket, admission: { kind: 'admitted', target: TARGET, candidate } };
      }
      case 'settings':
        return { kind: 'settings', settings: this.settings };
      case 'conclude':
        for (const { number, outcome, asked } of this.state.ending) {
          if (!effect.tickets.includes(number)) continue;
          this.outcomes.set(asked.name, [...(this.outcomes.get(asked.name) ?? []), outcome]);
        }
        for (const commit of effect.commits) {
          const left = (this.kept.get(commit) ?? 0) - 1;
          if (left > 0) this.kept.set(commit, left);
          else this.kept.delete(commit);
        }
        return { kind: 'concluded', tickets: effect.tickets, at: 'now' };
      default:
        return cancelled ? undefined : this.attempted(effect.kind, effect.attempt);
    }
  }

  private attempted(kind: 'merge' | 'test' | 'advance', number: number): QueueEvent {
    const attempt = this.state.line.find((one) => one.number === number);
    if (!attempt) throw new Error(`attempt ${number} is called on, but not in the line`);
    switch (kind) {
      case 'merge':
        return { kind: 'merged', attempt: number, answer: this.keeping(this.merged(attempt.below ?? this.target, attempt.tickets)) };
      case 'test':
        if (!this.kept.has(attempt.within ?? attempt.merged!.result)) throw new Error(`attempt ${number} tests what no ref keeps`);
        return { kind: 'tested', attempt: number, answer: this.tested(attempt.merged!.result) };
      case 'advance':
        return { kind: 'advanced', attempt: number, answer: this.advanced(attempt.merged!.onto, attempt.merged!.result) };
    }
  }

  private keeping(answer: MergedCandidates): MergedCandidates {
    const { onto, result } = answer;
    if (result !== onto) this.kept.set(result, (this.kept.get(result) ?? 0) + 1);
    return answer;
  }

  private merged(onto: string, tickets: readonly number[]): MergedCandidates {
    let result = onto;
    const parts = tickets.map((ticket): MergedPart => {
      const { name, restricted, marked, conflicts = [] } = this.candidate(ticket);
      const there = result.split(',');
      if (restricted) return { ticket, kind: 'restricted', paths: ['lock'] };
      if (marked) return { ticket, kind: 'markers', paths: ['a'] };
      if (there.includes(name)) return { ticket, kind: 'already' };
      if (conflicts.some((other) => there.includes(other))) return { ticket, kind: 'conflict', paths: ['file'] };
      result = `${result},${name}`;
      return { ticket, kind: 'merged', commit: result };
    });
    return { onto, result, parts };
  }

  private tested(result: string): Tested {
    this.tests++;
    return this.isGreen(result) ? { kind: 'green' } : { kind: 'red', of: 'queue', reason: 'exit code 1', tail: '' };
  }

  private advanced(from: string, to: string): AdvancedTarget {
    if (this.target !== from) return { kind: 'stale' };
    this.move(to);
    return { kind: 'moved' };
  }

  private move(to: string): void {
    this.target = to;
    this.history.push(to);
  }

  private candidate(ticket: number): ModelCandidate {
    const open = this.state.tickets.find(({ number }) => number === ticket);
    const candidate = open && this.candidates.get(open.asked.name);
    if (!candidate) throw new Error(`ticket ${ticket} is at work, but not open`);
    return candidate;
  }
}

function isOf(effect: Pending['effect'], attempt: number): boolean {
  return 'attempt' in effect && effect.attempt === attempt;
}
