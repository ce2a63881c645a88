import type { Template } from '../../plan/expressions/expression';
import { writeTemplate } from '../../plan/expressions/write-expression';
import { isLateStage, type Stage } from '../../plan/stages/stage';
import type { ActivityKey } from '../../plan/steps/control';
import type { Description, ShownPlace } from '../../plan/steps/description';
import { fact, outputFacts, placeData, placeFacts } from '../../plan/steps/description-parts';
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
  line: (data) => `pipe${data.asks.length === 0 ? '' : `, in which a person is asked: ${data.asks.join(', ')}`}${outputFacts(data)}`,
  facts: (data) => [...fact('pipe', data.pipe), ...placeFacts(data)],
  // The whole plan names the stages; the part that enters history leaves them out.
  label: ({ stages }: Omit<StagesStep, ActivityKey> & { stages?: readonly Stage[] }) =>
    stages?.map((stage) => (isLateStage(stage) ? '…' : stage.name)).join(' | ') ?? 'pipe',
  shape: 'program',
};

/** Stages of a pipe as they are written, divided by `|`. `text` writes a word that has references in it. */
function describeStages(stages: readonly Stage[], text: (template: Template) => string = writeTemplate): string {
  return stages.map((stage) => describeStage(stage, text)).join(' | ');
}

function describeStage(stage: Stage, text: (template: Template) => string): string {
  if (isLateStage(stage)) return [stage.name, ...stage.rest].map((one) => quoted(text(one))).join(' ');
  const { name, words, flags } = stage;
  const options = Object.entries(flags).map(([flag, value]) => (value.length === 0 ? `--${flag}` : `--${flag} ${quoted(text(value))}`));
  return [name, ...options, ...words.map((one) => quoted(text(one)))].join(' ');
}

/** The word unquoted if a pipe reads it unchanged. */
function quoted(word: string): string {
  if (word !== '' && !/[\s|'"\\]/.test(word)) return word;
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
