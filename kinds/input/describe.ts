import { gateData, gateFacts, labelOf, whereAsked } from '../../plan/describing';
import type { Description, ShownGate } from '../../plan/description';
import type { InputStep } from './model';

export interface ShownInput extends ShownGate {
  kind: 'input';
}

export const INPUT_DESCRIPTION: Description<InputStep, ShownInput> = {
  data(step, words) {
    const schema = step.responseSchema === undefined ? undefined : words.blob(step.responseSchema);
    return {
      kind: 'input',
      ...gateData(step, words),
      choices: ['respond'],
      ...(step.subject === undefined ? {} : { subject: words.readable(step.subject) }),
      ...(schema === undefined ? {} : { responseSchema: schema }),
      ...(step.defaults === undefined ? {} : { defaults: step.defaults }),
    };
  },
  line: (data) => `a person gives a value${whereAsked(data)}`,
  facts: gateFacts,
  label: ({ channel }) => labelOf(['asks for a value', channel]),
  shape: 'person',
};
