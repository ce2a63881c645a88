import { contentDigest } from '../../activities/gates/content-digest';
import { type AuthorityNow, GRANT_CHOICES, type GrantAnswer, type GrantChoice } from '../../plan/brief/authority';
import { COST_CATEGORIES, type CostCategory } from '../../plan/brief/category';
import { BUILT_IN_ROLES, type Role } from '../../plan/brief/role';
import type { JsonObject } from '../../plan/text/json';

/** Role scope × authorisation × operator: what becomes of a call. The page is made of it, and a test proves it. */

/** A category of a server's tool. */
export const LAB = 'mcp_tool:lab:weigh';
export const CATEGORIES: readonly CostCategory[] = [...COST_CATEGORIES, LAB];

const TESTER: Role = {
  ...{ id: 'tester', description: 'tests', promptOverlay: 'You test.' },
  ...{ toolCategories: ['shell_exec', 'mcp_tool:lab:*'], allowReadFile: true },
};
export const ROLES: readonly Role[] = [...Object.values(BUILT_IN_ROLES), TESTER];

/** By hand: what each role may use at most. */
export const HAS: Readonly<Record<string, readonly CostCategory[]>> = {
  planner: [],
  executor: CATEGORIES,
  reviewer: ['filesystem_read'],
  critic: ['filesystem_read'],
  tester: ['filesystem_read', 'shell_exec', LAB],
};

export function toolOf(category: CostCategory): string {
  return category === LAB ? 'mcp__lab__weigh' : `own_${category}`;
}

export function answerTo(tool: string, args: JsonObject, choice: GrantChoice, more: Partial<GrantAnswer> = {}): GrantAnswer {
  const contentSha256 = contentDigest({ tool, args }).sha256;
  return { id: 'lead#1~1/grant-1', contentSha256, categories: ['git_push'], choice, at: '2026-11-29T10:00:00.000Z', by: 'ann', ...more };
}

export type Outcome = 'made' | 'asked' | 'refused';

interface Situation {
  given(category: CostCategory): Partial<AuthorityNow>;
  /** For a category that the role has, and that is not always authorised. */
  outcome: Outcome;
  /** The same once more in the run. */
  again: string;
}

const AGAIN: Readonly<Record<GrantChoice, string>> = {
  once: 'asked again',
  run: 'made',
  always: 'made, in later runs of the project too',
  deny: 'refused, if it is the same call; else asked',
};

/** Ways in which a call may be authorised, or not. An answer for the run comes back to the agent as a grant of the run. */
export const SITUATIONS: Readonly<Record<string, Situation>> = {
  'the brief authorises it': { given: (category) => ({ authorised: [category] }), outcome: 'made', again: 'made' },
  'only other categories are authorised': {
    given: (category) => ({ authorised: CATEGORIES.filter((one) => one !== category) }),
    outcome: 'asked',
    again: 'as the answer says',
  },
  'there is no operator': { given: () => ({ noOperator: true }), outcome: 'refused', again: 'refused' },
  ...Object.fromEntries(
    GRANT_CHOICES.map((choice) => [
      `the operator answers \`${choice}\``,
      {
        given: (category: CostCategory): Partial<AuthorityNow> =>
          choice === 'run' ? { granted: [category] } : { answers: [answerTo(toolOf(category), {}, choice, { categories: [category] })] },
        outcome: choice === 'deny' ? ('refused' as const) : ('made' as const),
        again: AGAIN[choice],
      },
    ]),
  ),
};
