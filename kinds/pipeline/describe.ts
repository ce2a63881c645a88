import { givenData, givenFacts } from '../../plan/describing-agents';
import type { Description } from '../../plan/description';
import type { Json } from '../../plan/json';
import type { PipelineStep } from './model';

export interface ShownChild {
  kind: 'pipeline';
  pipeline: string;
  args: Record<string, Json>;
}

export const PIPELINE_DESCRIPTION: Description<PipelineStep, ShownChild> = {
  data: (step, words) => ({
    kind: 'pipeline',
    pipeline: step.pipeline,
    args: step.with === undefined ? {} : givenData(words.blob(step.with), words),
  }),
  line: ({ pipeline }) => `pipeline ${pipeline}, as a run of its own`,
  facts: ({ args }) => givenFacts('arg', args),
  label: ({ pipeline }) => `pipeline ${pipeline}`,
  shape: 'child',
};
