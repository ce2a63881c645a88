import { partOfMember } from '../../compiler/lower/parts/members';
import { checkPartIds, given, partBase, partPrompt } from '../../compiler/lower/parts/part-steps';
import type { StepContext } from '../../compiler/lower/step-context';
import type { BoardStep } from '../../plan/steps/step';
import { PERSON_PART } from './model';

type Part = BoardStep['parts'][number];

/** The parts that the step runs in turns: one for each agent that members may run as, and the question to a person. */
export function partsOf({ agents, maxTurns }: { agents: readonly string[]; maxTurns: number }, here: StepContext): Part[] {
  const works = agents.map((agent) => ({ agent, part: partOfMember({ name: agent }) }));
  checkPartIds(here, [
    ...works.map(({ agent, part }) => ({ part, called: `the work of ${agent}` })),
    { part: PERSON_PART, called: 'the question to a person' },
  ]);
  return [
    ...works.map(({ agent, part }): Part => {
      const prompt = partPrompt(here, part, [given('work')]);
      return { ...partBase(here, part), kind: 'agent', agent, turns: maxTurns, prompt };
    }),
    {
      ...partBase(here, PERSON_PART),
      kind: 'approval',
      prompt: [QUESTION, given('question')],
      onReject: [{ kind: 'continue' }],
      reads: [['approved'], ['comment']],
    },
  ];
}

/** The question says what follows from each answer. */
const QUESTION = 'The team asks:\n\n';
