import { BRIEF_RULES } from '../../kinds/brief/rules/rules';
import { CONSENSUS_RULES } from '../../kinds/consensus/rules/rules';
import { CONSULT_RULES } from '../../kinds/consult/rules/rules';
import { ESCALATE_RULES } from '../../kinds/escalate/rules/rules';
import { INCREMENTS_RULES } from '../../kinds/increments/rules/rules';
import { SWARM_RULES } from '../../kinds/swarm/rules/rules';
import { TRACKS_RULES } from '../../kinds/tracks/rules/rules';
import type { ArtifactRef } from '../run/artifact';
import type { StepInput } from '../steps/step-activity';
import type { Json } from '../text/json';
import { postMortem } from './post-mortem';

/**
 * Rules decide in a collaboration pattern: pure functions, which the activity `applyRule` runs over documents in the store. The whole
 * result is an artifact; control reads only its `values`.
 */
const RULES = {
  ...BRIEF_RULES,
  ...CONSENSUS_RULES,
  ...CONSULT_RULES,
  ...ESCALATE_RULES,
  ...INCREMENTS_RULES,
  ...SWARM_RULES,
  ...TRACKS_RULES,
  'post-mortem': postMortem,
};
export type RuleName = keyof typeof RULES;

/** What each rule is given, and the values that control reads. */
export type Rules = {
  [R in RuleName]: { given: Parameters<(typeof RULES)[R]>[0]; values: ReturnType<(typeof RULES)[R]>['values'] };
};

/** The input of a rule. */
export type RuleCall = { [R in RuleName]: { rule: R; given: Rules[R]['given'] } }[RuleName];

/** The result of a rule. `values` are part of the result, and few. */
export interface RuleResult<R extends RuleName = RuleName> {
  result: Json;
  values: Rules[R]['values'];
}

/** @param documents documents in the store, by the names under which the rule knows them */
export function applyRule({ rule, given }: RuleCall, documents: Readonly<Record<string, Json>>): RuleResult {
  if (!Object.hasOwn(RULES, rule)) throw new TypeError(`there is no rule ${JSON.stringify(rule)}`);
  const decide = RULES[rule] as (given: RuleCall['given'], documents: Readonly<Record<string, Json>>) => RuleResult;
  return decide(given, documents);
}

/** The activity's input. `as` names the result. */
export interface ApplyRuleInput {
  run: string;
  /** The address of a local call, which has no id to say it. */
  at?: string;
  as: string;
  call: RuleCall;
  documents?: Record<string, ArtifactRef>;
  /** What the step's own `matter` reads: it is rendered and becomes the document `matter`. */
  matter?: Pick<StepInput, 'inputs' | 'records' | 'loops' | 'end'>;
  /** A project: the categories that are granted to it for ever become the document `granted`. */
  grantsOf?: string;
}

export interface ApplyRuleOutput<R extends RuleName = RuleName> {
  artifact: ArtifactRef;
  values: Rules[R]['values'];
}
