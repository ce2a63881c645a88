import { defined } from '../../plan/defined';
import { writeExpr } from '../../plan/expressions/write-expression';
import { describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { RepeatStep } from '../../plan/steps/step';
import type { StepBase } from '../../plan/steps/step-base';
import { shortened } from '../../plan/text/shortened';

export interface ShownRepeat extends Omit<RepeatStep, keyof StepBase | 'until' | 'block'> {
  until: string;
}

export const REPEAT_DESCRIPTION: Description<RepeatStep, ShownRepeat> = {
  data: ({ until, max, roundVar, lastVar, onExhausted }, words) => ({
    kind: 'repeat',
    until: words.expression(until),
    max,
    roundVar,
    lastVar,
    ...defined({ onExhausted }),
  }),
  line: ({ until, max }) => `repeat until ${until}, at most ${max} ${max === 1 ? 'round' : 'rounds'}`,
  facts: ({ roundVar, lastVar, onExhausted }) => [
    ...fact('round', roundVar === 'round' ? undefined : roundVar),
    ...fact('last round', lastVar === 'last' ? undefined : lastVar),
    ...fact('on exhausted', onExhausted && describeActions(onExhausted)),
  ],
  label: ({ until, max }, view) =>
    stepLabel([
      `until ${shortened(writeExpr(until), MOST_CHARACTERS)}`,
      view?.iterations ? `${view.iterations.done}/${view.iterations.total}` : `at most ${max}`,
    ]),
  shape: 'frame',
  frame: 'loop',
};

/** A box in a graph has room for as much. */
const MOST_CHARACTERS = 60;
