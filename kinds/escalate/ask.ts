import { defined } from '../../plan/defined';
import { RECORD_DOCUMENT } from '../../plan/patterns/called';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { partOf } from '../../workflows/interpreter/patterns/parts';
import type { EscalationStep } from './levels';
import { APPLY_PART, WORKAROUND_PART } from './model';
import type { DiagnoseGiven, EscalationMove } from './rules/diagnose';
import type { EscalationPosition } from './state';

/** The result of asking: an agent's document, a person's decision, or why there is neither. `claims`: it says that the issue is solved. */
export interface Said extends Pick<DiagnoseGiven, 'person' | 'failed'> {
  answer?: ArtifactRef;
  claims: boolean;
}

/** Asks the member whose attempt it is, with all earlier answers. */
export async function askLevel(step: EscalationStep, ctx: StepContext, { turn, move, record }: EscalationPosition): Promise<Said> {
  const { it, place } = step;
  const part = partOf(it, place, partOfMove(step, move));
  const asked = await ctx.attempt(() => ctx.step(part, { turn, given: { [RECORD_DOCUMENT]: record } }));
  if ('failure' in asked) return { failed: `gave no answer: ${asked.failure.code}: ${asked.failure.message}`, claims: false };
  const isPerson = move.kind === 'ask' && place.step.levels[move.level]?.kind === 'person';
  return isPerson ? saidByPerson(asked.value) : saidByAgent(asked.value);
}

function partOfMove({ place }: EscalationStep, move: EscalationMove): string {
  if (move.kind === 'apply') return APPLY_PART;
  if (move.kind === 'workaround') return WORKAROUND_PART;
  return place.step.levels[move.level]?.part ?? '';
}

function saidByAgent({ artifact, values = {}, state }: PartEnd): Said {
  if (!artifact) return { failed: `gave no answer: it was ${state}`, claims: false };
  return { answer: artifact, claims: values['solved'] === true };
}

function saidByPerson({ values = {} }: PartEnd): Said {
  const [choice, by, comment] = ['decision', 'by', 'comment'].map((key) => values[key]);
  return {
    person: {
      choice: typeof choice === 'string' ? choice : 'abort',
      ...defined({ by: typeof by === 'string' ? by : undefined, comment: typeof comment === 'string' ? comment : undefined }),
    },
    claims: choice === 'solved',
  };
}
