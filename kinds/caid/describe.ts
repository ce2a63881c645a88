import { defined } from '../../plan/defined';
import { isTemplate } from '../../plan/expressions/expression';
import type { Description, Words } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { CaidStep } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import type { Isolation, VerifyPolicy } from './rules/team';

export interface ShownCaid {
  kind: 'caid';
  prompt?: string;
  into: string;
  repo?: string;
  engineers: number;
  verify: VerifyPolicy;
  isolation: Isolation;
  limits: CaidStep['limits'];
  testEach?: string;
  testEnd?: string;
  restricted: string[];
}

const VERIFIED_BY: Readonly<Record<VerifyPolicy, string | undefined>> = {
  self: undefined,
  gate: undefined,
  manager: 'the manager, then the tests of the merged tree',
  efficient: 'its engineer, and the tests of the merged tree where that is another',
  human: 'a person, then the tests of the merged tree',
};

const KEPT_APART_BY: Readonly<Record<Isolation, string | undefined>> = {
  worktree: undefined,
  shared: 'words alone: all engineers work in one checkout',
  single: undefined,
};

export const CAID_DESCRIPTION: Description<CaidStep, ShownCaid> = {
  data: ({ prompt, into, repo, engineers, verify, isolation, limits, testEach, testEnd, restricted }, words) => ({
    kind: 'caid',
    ...{ into, engineers, verify, isolation, limits, restricted },
    ...goalOf(words.blob(prompt), words),
    ...(repo ? { repo: words.text(repo) } : {}),
    ...defined({ testEach, testEnd }),
  }),
  line: ({ engineers, into }) => `a manager and ${engineers} ${engineers === 1 ? 'engineer' : 'engineers'}, merged into ${into}`,
  facts: ({ prompt, repo, limits, testEach, testEnd, restricted, verify, isolation }) => [
    ...fact('to build', prompt),
    ...fact('repository', repo),
    ...fact('test of each merge', testEach ?? 'the acceptance commands of what is merged'),
    ...fact('test in the end', testEnd),
    ...fact('restricted', restricted.length > 0 ? restricted.join(', ') : undefined),
    ...fact('verified by', VERIFIED_BY[verify]),
    ...fact('kept apart by', KEPT_APART_BY[isolation]),
    ...fact('limits', `${limits.rounds} rounds, ${limits.returns} returns of a task`),
  ],
  label: ({ engineers }) => stepLabel([`${engineers} ${engineers === 1 ? 'engineer' : 'engineers'}`]),
  shape: 'frame',
  frame: 'loop',
};

function goalOf(template: Json | undefined, words: Words): { prompt?: string } {
  return isTemplate(template) ? { prompt: words.readable(template) } : {};
}
