import { type ProposeGiven, type ProposeValues, propose, valuesOfProposal } from '../../kinds/consensus/rules/proposal';
import type { TallyGiven } from '../../kinds/consensus/rules/tally';
import { type ConcludeGiven, concludeReport, type ReportValues, reportTally } from '../../kinds/consensus/rules/tally-report';
import { type AdviseGiven, type AdviseValues, type AskGiven, type AskValues, advise, askAdvice } from '../../kinds/consult/rules/advise';
import { type DiagnoseGiven, type DiagnoseValues, diagnose, openIssue } from '../../kinds/escalate/rules/diagnose';
import { type AssignGiven, assignIncrement } from '../../kinds/increments/rules/assignment';
import { divideIntoIncrements, type IncrementsValues } from '../../kinds/increments/rules/increments';
import {
  type BestGiven,
  type BestValues,
  type CandidateGiven,
  candidateOf,
  chooseDiagnosis,
  type GatherGiven,
  type GatherValues,
  gatherSwarm,
  type JudgeGiven,
  type JudgeValues,
  judgeFix,
  namedPaths,
  overruleSwarm,
  type PathsGiven,
} from '../../kinds/swarm/rules/turns';
import { type AlignGiven, type AlignmentValues, alignTracks, valuesOfAlignment } from '../../kinds/tracks/rules/alignment';
import { reportTracks, type TracksReportGiven, type TracksReportValues } from '../../kinds/tracks/rules/report';
import type { ArtifactRef } from '../run/artifact';
import type { StepInput } from '../steps/step-activity';
import type { Json } from '../text/json';
import { unreachable } from '../unreachable';
import { type PostMortemGiven, type PostMortemValues, postMortem } from './post-mortem';

/**
 * Rules decide in a collaboration pattern: pure functions, one file each, which the activity `applyRule` runs over documents in the store.
 * The whole result is an artifact; control reads only its `values`. Another rule is one line in each of the two types.
 */
export interface Rules {
  propose: { given: ProposeGiven; values: ProposeValues };
  tally: { given: TallyGiven; values: ReportValues };
  conclude: { given: ConcludeGiven; values: ReportValues };
  'post-mortem': { given: PostMortemGiven; values: PostMortemValues };
  align: { given: AlignGiven; values: AlignmentValues };
  'report-tracks': { given: TracksReportGiven; values: TracksReportValues };
  issue: { given: Record<string, never>; values: { issue: string } };
  diagnose: { given: DiagnoseGiven; values: DiagnoseValues };
  ask: { given: AskGiven; values: AskValues };
  advise: { given: AdviseGiven; values: AdviseValues };
  gatherSwarm: { given: GatherGiven; values: GatherValues };
  namedPaths: { given: PathsGiven; values: { count: number } };
  chooseDiagnosis: { given: BestGiven; values: BestValues };
  candidateOf: { given: CandidateGiven; values: Record<string, never> };
  judgeFix: { given: JudgeGiven; values: JudgeValues };
  overruleSwarm: { given: Record<string, never>; values: Record<string, never> };
  divide: { given: Record<string, never>; values: IncrementsValues };
  assign: { given: AssignGiven; values: Record<string, never> };
}
export type RuleName = keyof Rules;

/** The input of a rule. */
export type RuleCall = { [R in RuleName]: { rule: R; given: Rules[R]['given'] } }[RuleName];

/** The result of a rule. `values` are part of the result, and few. */
export interface RuleResult<R extends RuleName = RuleName> {
  result: Json;
  values: Rules[R]['values'];
}

/** @param documents documents in the store, by the names under which the rule knows them */
export function applyRule(call: RuleCall, documents: Readonly<Record<string, Json>>): RuleResult {
  switch (call.rule) {
    case 'propose': {
      const proposal = propose(call.given, documents);
      return { result: proposal, values: valuesOfProposal(proposal) };
    }
    case 'tally':
      return reportTally(call.given, documents);
    case 'conclude':
      return concludeReport(call.given, documents);
    case 'post-mortem':
      return postMortem(call.given, documents);
    case 'align': {
      const alignment = alignTracks(call.given, documents);
      return { result: alignment, values: valuesOfAlignment(alignment) };
    }
    case 'report-tracks': {
      const report = reportTracks(call.given, documents);
      return { result: report, values: { status: report.status } };
    }
    case 'issue':
      return openIssue(documents);
    case 'diagnose':
      return diagnose(call.given, documents);
    case 'ask':
      return askAdvice(call.given, documents);
    case 'advise':
      return advise(call.given, documents);
    case 'gatherSwarm':
      return gatherSwarm(call.given, documents);
    case 'namedPaths':
      return namedPaths(call.given, documents);
    case 'chooseDiagnosis':
      return chooseDiagnosis(call.given, documents);
    case 'candidateOf':
      return candidateOf(call.given, documents);
    case 'judgeFix':
      return judgeFix(call.given, documents);
    case 'overruleSwarm':
      return overruleSwarm(documents);
    case 'divide':
      return divideIntoIncrements(documents['matter'] ?? null);
    case 'assign':
      return { result: assignIncrement(call.given, documents), values: {} };
    default:
      return unreachable(call);
  }
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
}

export interface ApplyRuleOutput<R extends RuleName = RuleName> {
  artifact: ArtifactRef;
  values: Rules[R]['values'];
}
