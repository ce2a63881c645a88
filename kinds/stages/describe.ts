import type { ActivityKey } from '../../plan/control';
import { fact, into, placeData, placeFacts } from '../../plan/describing';
import type { Description, ShownPlace } from '../../plan/description';
import { isLate, type Stage } from '../../plan/stage';
import { describeStages } from '../../plan/write-stages';
import type { StagesStep } from './model';

export interface ShownStages extends ShownPlace {
  kind: 'stages';
  pipe: string;
  /** The stages at which a person is asked. */
  asks: string[];
}

export const STAGES_DESCRIPTION: Description<StagesStep, ShownStages> = {
  data: (step, words) => ({
    kind: 'stages',
    pipe: describeStages(step.stages, words.text),
    asks: step.stages.flatMap(({ name }) => (name === 'approve' || name === 'ask' ? [name] : [])),
    ...placeData(step, words),
  }),
  line: (data) => `pipe${data.asks.length === 0 ? '' : `, in which a person is asked: ${data.asks.join(', ')}`}${into(data)}`,
  facts: (data) => [...fact('pipe', data.pipe), ...placeFacts(data)],
  // A whole plan says which stages; what enters history leaves them out.
  label: ({ stages }: Omit<StagesStep, ActivityKey> & { stages?: readonly Stage[] }) =>
    stages?.map((stage) => (isLate(stage) ? '…' : stage.name)).join(' | ') ?? 'pipe',
  shape: 'program',
};
