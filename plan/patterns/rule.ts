import type { ArtifactRef } from '../run/artifact';
import type { Json } from '../text/json';
import { unreachable } from '../unreachable';
import { type TallyGiven, type TallyValues, tallyVotes, valuesOfTally } from './tally';

/**
 * What decides in a collaboration pattern is a rule: a pure function, a file each, which the activity `applyRule` runs over documents in the store. The whole of what
 * it says is an artifact; control reads its `values` alone. Another rule is a line in each of the two.
 */
export interface Rules {
  tally: { given: TallyGiven; values: TallyValues };
}
export type RuleName = keyof Rules;

/** What a rule is asked. */
export type RuleCall = { [R in RuleName]: { rule: R; given: Rules[R]['given'] } }[RuleName];

/** What a rule says. `values` are part of the result, and few. */
export interface RuleResult<R extends RuleName = RuleName> {
  result: Json;
  values: Rules[R]['values'];
}

/** @param documents what is in the store, by the names under which the rule knows them */
export function applyRule(call: RuleCall, documents: Readonly<Record<string, Json>>): RuleResult {
  switch (call.rule) {
    case 'tally': {
      const tally = tallyVotes(call.given, documents);
      return { result: tally, values: valuesOfTally(tally) };
    }
    default:
      return unreachable(call.rule);
  }
}

/** The activity's input. `as` names the result. */
export interface ApplyRuleInput {
  run: string;
  as: string;
  call: RuleCall;
  documents?: Record<string, ArtifactRef>;
}

export interface ApplyRuleOutput<R extends RuleName = RuleName> {
  artifact: ArtifactRef;
  values: Rules[R]['values'];
}
