import { PROPOSAL_DOCUMENT, VOTE_WORDS } from '../../plan/people/vote';
import type { Step } from '../../plan/steps/step';
import { field, type Json } from '../../plan/text/json';
import { type Dice, dice } from '../support/simulation/dice';

/** The subjects of patterns, and the answers of agents in them: good answers, useless ones, and some that only a schema would refuse. */

const OPTIONS = ['a', 'b', 'c'];
const TASKS = ['t0', 't1', 't2', 't3'];

/** The answer of a part. `given` has the documents of the part, by name. Undefined if its answer has no form. */
export function answerOf(step: Step | undefined, seed: number, where: string, given: (name: string) => Json | undefined): Json | undefined {
  const chance = dice(seed, 'answer', where);
  const form = formOf(step);
  if (form === undefined) return undefined;
  if (chance.chance(0.06)) return chance.pick<Json>(['I would rather not say', null, {}, [1, 2]]);
  // Either all voters of a vote abstain, or hardly any of them.
  const together = dice(seed, 'mood', where.replace(/\/[^/]*$/, ''));
  switch (form) {
    case 'Vote.json':
      return voteOn(given(PROPOSAL_DOCUMENT) ?? null, chance, together.chance(0.2));
    case 'Proposal.json':
      return { title: 'once more', ...(chance.chance(0.5) ? { options: optionsOf(chance) } : {}) };
    case 'Escalation.json':
      return levelAnswer(chance);
    case 'Advice.json':
      return {
        ...{
          recommendation: chance.pick(['a', 'b', 'something else']),
          rationale: 'because',
          confidence: chance.pick([0.2, 0.5, 0.8, 0.95]),
        },
        ...(chance.chance(0.1) ? { design_conflict: 'it contradicts the design' } : {}),
      };
    case 'Alignment.json':
      return chance.chance(0.5)
        ? { status: 'ALIGNED' }
        : { status: 'MISALIGNED', adjust: chance.pick(['a', 'b', 'both', 'neither']), conflicts: ['they differ'] };
    case 'Diagnosis.json':
      return {
        root_cause: 'the cause',
        confidence: chance.pick([0.1, 0.5, 0.9]),
        fix_suggestion: chance.pick(['do this', 'do that', 'change a.ts']),
      };
    case 'Fix.json':
      return { applied: chance.chance(0.7) };
    case 'Increment_Report.json':
      return { summary: 'done', blocked: chance.chance(0.2) ? chance.some(TASKS, 0.5) : [] };
    case 'Validation.json':
      return {
        verdict: chance.pick(['pass', 'pass', 'revise']),
        ...(chance.chance(0.5) ? { suggestion: 'mend a.ts', findings: { high: [{ file: 'a.ts', description: 'it is wrong' }] } } : {}),
      };
    case 'Retrospective.json':
      return {
        went_well: chance.some(OPTIONS, 0.5),
        difficult: chance.some(OPTIONS, 0.5),
        suggestions: [],
        patterns: chance.some(OPTIONS, 0.3),
      };
    default:
      return undefined;
  }
}

function formOf(step: Step | undefined): string | undefined {
  if (step?.id.startsWith('post_mortem_')) return 'Retrospective.json';
  return step && 'output' in step ? step.output?.name : undefined;
}

function voteOn(proposal: Json, chance: Dice, abstains: boolean): Json {
  const options = field(proposal, 'options');
  const ids = Array.isArray(options) ? options.flatMap((option) => field(option, 'id') ?? []) : [];
  const vote = abstains ? 'ABSTAIN' : chance.pick(['APPROVE', 'APPROVE', ...VOTE_WORDS] as const);
  return {
    ...{ proposalId: chance.chance(0.93) ? (field(proposal, 'id') ?? null) : 'another', vote },
    rationale: chance.chance(0.95) ? 'because' : ' ',
    ...(vote === 'REJECT' && chance.chance(0.3) ? { blocking: true } : {}),
    ...(ids.length > 0 && chance.chance(0.9) ? { option: chance.pickAny([...ids, 'nowhere']) ?? null } : {}),
    ...(chance.chance(0.5) ? { confidence: chance.roll() } : {}),
  };
}

function levelAnswer(chance: Dice): Json {
  return {
    ...{ solved: chance.chance(0.25), diagnosis: 'so it seems' },
    ...(chance.chance(0.4) ? { recommendation: 'do it so' } : {}),
    ...(chance.chance(0.15) ? { redefined_task: 'another task' } : {}),
    ...(chance.chance(0.1) ? { root_cause: 'the plan' } : {}),
  };
}

/** Sometimes two options have the same id, so no vote is possible. */
function optionsOf(chance: Dice): Json {
  const ids = chance.chance(0.1) ? ['a', 'a'] : OPTIONS.slice(0, chance.whole(1, 3));
  return ids.map((id) => ({ id, description: `option ${id}` }));
}

/** The subject of a step, in place of its templates. */
export function matterOf(step: Step | undefined, chance: Dice): Json {
  switch (step?.kind) {
    case 'consensus':
      return { title: 'Shall we?', ...(chance.chance(0.5) ? { options: optionsOf(chance) } : {}) };
    case 'increments':
      return chance.chance(0.95) ? tasksOf(chance) : chance.pick<Json>([[], [{ id: 't0', depends_on: ['t0'] }], null]);
    case 'consult':
      return { question: chance.chance(0.95) ? 'Which one?' : '', options: chance.chance(0.5) ? ['a', 'b'] : [] };
    default:
      return chance.chance(0.95) ? 'It is red.' : null;
  }
}

/** Tasks, each of which depends on some of those before it. */
function tasksOf(chance: Dice): Json {
  const ids = TASKS.slice(0, chance.whole(1, TASKS.length));
  return ids.map((id, i) => ({ id, title: id, depends_on: chance.some(ids.slice(0, i), 0.5) }));
}
