import { givenData, givenFacts } from '../../plan/steps/agent-description';
import type { Description } from '../../plan/steps/description';
import type { Json } from '../../plan/text/json';
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
