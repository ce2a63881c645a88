import { asksAgent } from '../../../kinds/questions';
import { mergedContext } from '../../../plan/agents/agent-context';
import { type Plan, timezoneOf } from '../../../plan/plan';
import type { Step } from '../../../plan/steps/step';
import type { Json } from '../../../plan/text/json';
import { jsonText } from '../../../plan/text/json-text';
import { zonedTime } from '../../../plan/text/zoned-time';
import type { LoadedRun } from '../../run/loaded-run';
import { section } from './prompt';

/** Facts of an open run, for an agent at one of its steps. `begunAt`: the day that counts for it is another one (`MemberWork`). */
export function runFactsFor({ plan, steps, record }: LoadedRun, stepId: string, begunAt?: string): string {
  const { args, startedAt, scheduledAt = startedAt } = record;
  return renderFacts({ plan, args, at: begunAt ?? scheduledAt, steps, stepId });
}

/** What every agent of a run knows of it, whatever its task. */
export interface RunFacts {
  plan: Pick<Plan, 'name' | 'description' | 'trigger' | 'timezone' | 'context'>;
  args: Readonly<Record<string, Json>>;
  /** When the run was due, or started, or a member of a standing team began its work; ISO 8601. Absent: it is not known yet. */
  at?: string;
  steps: ReadonlyMap<string, Step>;
  stepId: string;
}

/**
 * The section that opens each task: the pipeline, the day by the clock of the trigger's time zone, and the context, in which an arg
 * is before the value of the same name. Pure; it stays the same over all executions, retries and requests of a run,
 * or of a member's work.
 */
export function renderFacts({ plan, args, at, steps, stepId }: RunFacts): string {
  const { name, description, context } = plan;
  const timezone = timezoneOf(plan);
  const facts = Object.entries(mergedContext(context, args)).map(([key, value]) => `${key}: ${wordsOf(value)}`);
  const lines = [
    `Pipeline: ${name}${description === undefined ? '' : `. ${description}`}`,
    `Date: ${at === undefined ? '⟨the day of the run⟩' : dayAndTime(at, timezone)} (${timezone})`,
    ...facts,
    ...factsOfStep(stepId, steps),
  ];
  return section('Run', lines.join('\n'));
}

/** The purpose of the step: in its author's words, and by its readers. */
function factsOfStep(id: string, steps: RunFacts['steps']): string[] {
  const description = steps.get(id)?.description;
  const readers = [...steps.values()].filter(({ inputs }) => inputs?.includes(id)).map(nameOf);
  const shown = readers.length > MOST_READERS ? [...readers.slice(0, MOST_READERS), `${readers.length - MOST_READERS} more`] : readers;
  return [
    `Step: ${id}${description === undefined ? '' : `. ${description}`}`,
    ...(shown.length > 0 ? [`Its output goes to: ${shown.join(', ')}`] : []),
  ];
}

const MOST_READERS = 20;

function nameOf(step: Step): string {
  return asksAgent(step) ? `${step.id} (${step.agent})` : step.id;
}

function wordsOf(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value);
}

/** `2026-11-23, Monday, 07:30`. */
function dayAndTime(at: string, timeZone: string): string {
  const { day, weekday, time } = zonedTime(new Date(at), timeZone);
  return `${day}, ${weekday}, ${time}`;
}
