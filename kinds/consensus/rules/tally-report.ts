import { defined, unlessEmpty } from '../../../plan/defined';
import { type BallotPaper, PROPOSAL_DOCUMENT, readVote } from '../../../plan/people/vote';
import { isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { type Tally, type TallyGiven, tallyVotes, whyNotCounted } from './tally';

/** The result of a round of votes, as the output of a consensus step (docs/patterns.md, CP-4). */

/** `decided`: all abstained, and somebody decided in their place. `overruled`: it had not passed, and somebody above let it pass. */
const CONSENSUS_OUTCOMES = ['passed', 'failed', 'too-few', 'all-abstained', 'decided', 'overruled'] as const;
export type ConsensusOutcome = (typeof CONSENSUS_OUTCOMES)[number];

/** The fields of a report that control reads. */
export type ReportValues = Pick<Tally, 'approvals' | 'rejections' | 'abstentions' | 'needed' | 'missing' | 'conditions'> & {
  passed: boolean;
  outcome: ConsensusOutcome;
  option?: string;
  /** Voters whose rejection blocks. Absent: no rejection blocks. */
  blocking?: string[];
};

/** Names of the documents that make a report. */
export const REPORT_DOCUMENT = 'report';
export const earlierDocument = (nth: number): string => `earlier-${nth}`;

/** The report on the votes so far, with the proposal and the reports of earlier rounds. */
export function reportTally(given: TallyGiven, documents: Readonly<Record<string, Json>>): Report {
  const tally = tallyVotes(given, documents);
  const earlier = Object.entries(documents).flatMap(([name, document]) => (/^earlier-\d+$/.test(name) ? [withoutEarlier(document)] : []));
  const result = { passed: tally.outcome === 'passed', ...tally, proposal: documents[PROPOSAL_DOCUMENT] ?? null, earlier };
  return { result, values: valuesOf(result) };
}

export interface ConcludeGiven {
  /** Who decides in place of those who abstain. The vote of an agent is the document of that name. */
  default?: BallotPaper & { by: string; vote?: Json };
}

/** The report of a round that others than its voters have decided: a stand-in for those who abstain, else somebody above. */
export function concludeReport({ default: standIn }: ConcludeGiven, documents: Readonly<Record<string, Json>>): Report {
  // The output of `reportTally`.
  const report = documents[REPORT_DOCUMENT] as ReportValues & JsonObject;
  if (!standIn) {
    const result = { ...report, passed: true, outcome: 'overruled' as const };
    return { result, values: valuesOf(result) };
  }
  const { by } = standIn;
  const vote = readVote(standIn.vote ?? documents['default']);
  const problem = 'problem' in vote ? vote.problem : whyNotCounted(vote, standIn);
  if ('problem' in vote || problem !== undefined) {
    const refused = [...listOf(report['refused']), { from: by, reason: problem ?? '' }];
    const result = { ...report, passed: false, refused };
    return { result, values: valuesOf(result) };
  }
  const conditions = [...new Set([...report.conditions, ...(vote.conditions ?? [])])];
  const decided = {
    passed: vote.vote === 'APPROVE',
    outcome: 'decided' as const,
    decided_by: by,
    decision: vote,
    ...defined({ option: vote.option }),
  };
  const result = { ...report, ...decided, conditions };
  return { result, values: valuesOf(result) };
}

interface Report {
  result: JsonObject;
  values: ReportValues;
}

function valuesOf(report: ReportValues): ReportValues {
  const { passed, outcome, approvals, rejections, abstentions, needed, missing, conditions, option, blocking = [] } = report;
  return {
    ...{ passed, outcome, approvals, rejections, abstentions, needed, missing, conditions },
    ...defined({ option, blocking: unlessEmpty(blocking) }),
  };
}

function withoutEarlier(document: Json): Json {
  if (!isJsonObject(document)) return document;
  const { earlier: _earlier, ...own } = document;
  return own;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

const COUNT = { type: 'integer' } as const;
const TEXTS = { type: 'array', items: { type: 'string' } } as const;

/** What expressions can know of the output. */
export const CONSENSUS_OUTPUT_SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    passed: { type: 'boolean' },
    outcome: { enum: [...CONSENSUS_OUTCOMES] },
    proposalId: { type: 'string' },
    proposal: {},
    option: { type: 'string' },
    ...{ approvals: COUNT, rejections: COUNT, abstentions: COUNT, needed: COUNT },
    ...{ conditions: TEXTS, missing: TEXTS, blocking: TEXTS },
    votes: { type: 'array', items: { type: 'object' } },
    refused: { type: 'array', items: { type: 'object' } },
    decided_by: { type: 'string' },
    decision: { type: 'object' },
    earlier: { type: 'array' },
  },
};
