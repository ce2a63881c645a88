import { defined } from '../../plan/defined';
import type { Description, ShownGate } from '../../plan/steps/description';
import { channelOfGate, gateData, gateFacts, stepLabel } from '../../plan/steps/description-parts';
import type { InputStep } from './model';

export interface DescribedInput extends ShownGate {
  kind: 'input';
}

export const INPUT_DESCRIPTION: Description<InputStep, DescribedInput> = {
  data(step, words) {
    const schema = step.responseSchema === undefined ? undefined : words.blob(step.responseSchema);
    return {
      kind: 'input',
      ...gateData(step, words),
      choices: ['respond'],
      ...defined({ subject: step.subject && words.readable(step.subject), responseSchema: schema, defaults: step.defaults }),
    };
  },
  line: (data) => `a person gives a value${channelOfGate(data)}`,
  facts: gateFacts,
  label: ({ channel }) => stepLabel(['asks for a value', channel]),
  shape: 'person',
};
