import type { CoordinatorWord, Phase } from '../../plan/brief/note';
import type { StepState } from '../../plan/run/step-state';
import type { KindView } from '../../plan/steps/kind-view';
import type { CoordinatorEnd, Halt, Judge, SubTaskState } from './rules/words';

/** A brief as people see it while it is worked and afterwards. */
export interface BriefView {
  project: string;
  briefId?: string;
  state: CoordinatorWord;
  phase: Phase;
  subtasks: SubTaskView[];
  /** The id of the sub-task that is assigned. Absent until the plan is confirmed. */
  current?: string;
  /** Requests to agents so far, repairs and further tries too. */
  calls: number;
  /** Why a person is asked. */
  halt?: Pick<Halt, 'why' | 'by' | 'reason'>;
  over?: CoordinatorEnd;
}

export interface SubTaskView extends Pick<SubTaskState, 'id' | 'title' | 'role' | 'stage' | 'attempts' | 'isLetPass'> {
  /** The verdicts on its last execution. */
  verdicts?: Partial<Record<Judge, string>>;
}

/** `execute: 2 of 5, "parser"`, or how it ended. */
export function describeBrief({ state, subtasks, current, halt, over }: BriefView): string {
  const letPass = subtasks.filter(({ isLetPass }) => isLetPass).length;
  const passed = letPass === 0 ? 'every sub-task has passed' : `every sub-task has passed, ${letPass} of them by a person`;
  if (over !== undefined) return over === 'success' ? passed : ENDS[over];
  const at = subtasks.findIndex(({ id }) => id === current);
  const whole = state === 'dispatch' ? ': the plan' : '';
  const about = at === -1 ? whole : `: ${at + 1} of ${subtasks.length}, ${JSON.stringify(current)}`;
  return `${state}${about}${halt ? `; ${halt.by}: ${halt.reason}` : ''}`;
}

const ENDS = {
  incomplete: 'sub-tasks were skipped',
  stopped: 'a person has stopped it',
  planned: 'there is a plan',
  unplanned: 'there is no plan',
} as const;

const STATES: Readonly<Record<SubTaskView['stage'], StepState>> = {
  open: 'pending',
  working: 'running',
  passed: 'done',
  skipped: 'skipped',
};

export const BRIEF_VIEW: KindView<'brief', BriefView> = {
  key: 'brief',
  awaits: ({ halt, over }) => (halt && over === undefined ? `a person: ${halt.reason}` : undefined),
  current: describeBrief,
  facts: (view) => [describeBrief(view)],
  news: describeBrief,
  isUntimed: true,
  items: ({ subtasks }) =>
    subtasks.map(({ id, title, role, stage, attempts }) => ({
      ...{ id, state: STATES[stage], words: attempts > 1 ? `${title} (attempt ${attempts})` : title, by: role ?? 'executor' },
    })),
};
