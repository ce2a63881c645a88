import type { Execution } from './execution';
import { onOneLine, type Ranked } from './rank-texts';

/** Kinds of trouble, and suggestions, that are recommended at most. */
const MOST = 3;

/** Recommendations from a run's execution and from what several of its agents suggest. Pure: no agent is asked for it. */
export function recommend({ execution_summary, troubles, root_causes }: Execution, suggestions: readonly Ranked[]): string[] {
  const { total_tasks, fix_cycles, escalations } = execution_summary;
  const shared = suggestions.filter(({ times }) => times > 1).slice(0, MOST);
  return [
    ...shared.map(({ text, times }) => `${times} agents suggest: ${text}`),
    ...troubles
      .slice(0, MOST)
      .map(({ step, code, message, times }) => `Prevent ${code} in ${step} (${timesOf(times)}): ${onOneLine(message, 300)}`),
    ...root_causes.slice(0, MOST).map(({ prevention }) => onOneLine(prevention)),
    ...(fix_cycles >= 2 && 2 * fix_cycles >= total_tasks
      ? [`Say before the work what it is judged by: ${fix_cycles} of its results came back, in ${total_tasks} tasks.`]
      : []),
    ...(escalations > 0 ? [`Decide earlier what was escalated ${timesOf(escalations)}.`] : []),
  ];
}

function timesOf(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}
