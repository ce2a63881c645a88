import { defined } from '../../plan/defined';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { PostMortemStep } from '../../plan/steps/step';
import type { Occasion } from './rules/spec';

export interface ShownPostMortem {
  kind: 'post_mortem';
  occasion: Occasion;
  asked: string[];
  /** Whether only agents that had work are asked. */
  takers: boolean;
  answersWithinMs: number;
  write?: string;
  memory?: string;
  guidelines?: string;
}

const OCCASION_WORDS: Readonly<Record<Occasion, string>> = {
  always: 'whatever happened',
  notable: 'after trouble; without it nobody is asked',
  asked: 'if a person asks for it',
};

export const POST_MORTEM_DESCRIPTION: Description<PostMortemStep, ShownPostMortem> = {
  data: ({ occasion, asked, takers, timeoutMs, files }) => ({
    ...{ kind: 'post_mortem', occasion, asked: asked.map(({ agent }) => agent), takers: takers === true, answersWithinMs: timeoutMs },
    ...defined(files),
  }),
  line: ({ asked, occasion }) => `a post-mortem${who(asked)}, ${OCCASION_WORDS[occasion]}`,
  facts: ({ takers, write, memory, guidelines, asked }) => [
    ...fact('asked', takers && asked.length > 0 ? 'those who had work in the run' : undefined),
    ...fact('report', write),
    ...fact('memory', memory),
    ...fact('guidelines', guidelines),
  ],
  label: ({ occasion, asked }) =>
    stepLabel([occasion === 'always' ? false : `when ${occasion}`, asked.length > 0 && `${asked.length} asked`]),
  shape: 'frame',
  frame: 'post-mortem',
};

function who(asked: readonly string[]): string {
  return asked.length > 0 ? ` by ${asked.join(', ')}` : '';
}
