import { describeFault, type Fault, WHOLE_REPLY } from '../../plan/agents/reply-fault';
import { type Asked, readHandOff } from '../../plan/brief/read-hand-off';
import { defined } from '../../plan/defined';
import type { FailureCode } from '../../plan/run/failure';
import { VERDICT_WORDS, type VerdictRecord, verdictOf } from '../../plan/steps/verdict';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { withoutMark } from '../../plan/text/lines';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import { MISSING } from '../json-schema';
import { type CheckedBy, checkSchema, firstFaults, isMissingField } from '../schemas/schema-check';
import { admittedGaps } from './admitted-gaps';
import { type DeliveredPlan, undeliverable } from './delivered-plan';

/** An agent's answer; `cut` if it could not finish, `empty` if its service gave no reply. */
export interface Reply {
  text: string;
  cut?: true;
  empty?: true;
}

/** The requirements of a reply. */
export interface ReplyForm {
  json: boolean;
  schema?: { digest: string; value: Json };
  verdict: boolean;
  /** The steps and agents to whose work a review may send back. Absent: `revise_target` is not checked. */
  targets?: readonly string[];
  /** Where the reply has the plan that is delivered. */
  delivered?: DeliveredPlan;
  /** Whether it may be empty: allowed for an agent that has called tools, whose work may be in its files. */
  mayBeEmpty?: boolean;
  /** Whatever it says is good, also nothing. */
  isFree?: true;
  /** It is a hand-off of this kind, with text around it as the agent likes. */
  handOff?: Asked;
}

export type CheckedReply =
  /** `text` is stored: the reply as the agent wrote it, without surrounding text. */
  | { kind: 'good'; text: string; value: Json; json: boolean; verdict?: VerdictRecord }
  | {
      kind: 'bad';
      code: Extract<FailureCode, 'reply.invalid' | 'reply.no-verdict'>;
      /** Never empty. */
      faults: Fault[];
      /** A note that there is more, or may be. */
      more?: string;
    };

export type InvalidReply = Extract<CheckedReply, { kind: 'bad' }>;

/** Reads and checks a reply. Agent output is untrusted: it is parsed and compared, nothing else. */
export async function checkReply(by: CheckedBy, { text: reply, cut, empty }: Reply, form: ReplyForm): Promise<CheckedReply> {
  if (form.isFree) return { kind: 'good', text: reply, value: reply, json: false };
  if (cut) return bad('reply.invalid', [{ path: WHOLE_REPLY, reason: 'was truncated at the limit of one reply: give a shorter one' }]);
  if (empty || (reply.trim() === '' && (!form.mayBeEmpty || form.handOff)))
    return bad('reply.invalid', [{ path: WHOLE_REPLY, reason: 'is empty' }]);
  if (form.handOff) {
    const read = readHandOff(reply, form.handOff);
    return 'faults' in read ? bad('reply.invalid', read.faults) : { kind: 'good', text: reply, value: reply, json: false };
  }
  const parsed = parseReply(reply);
  if (!form.json) {
    const value = parsed?.value ?? reply;
    const faults = [...(parsed ? admittedGaps(parsed.value, undefined) : []), ...undeliverableIn(value, form)];
    if (faults.length > 0) return bad('reply.invalid', faults);
    return parsed ? { kind: 'good', ...parsed, json: true } : { kind: 'good', text: reply, value, json: false };
  }
  if (!parsed) return bad('reply.invalid', [{ path: WHOLE_REPLY, reason: whyNotJson(reply) }]);
  if (!isJsonObject(parsed.value)) return bad('reply.invalid', [{ path: WHOLE_REPLY, reason: 'is JSON, but not an object' }]);
  const broken = form.schema ? await checkSchema(by, form.schema.digest, form.schema.value, parsed.value) : undefined;
  const faults = [
    ...(broken?.faults ?? []),
    ...admittedGaps(parsed.value, form.schema?.value),
    ...unknownTarget(parsed.value, form),
    ...undeliverableIn(parsed.value, form),
  ];
  if (faults.length > 0) return bad('reply.invalid', faults, broken?.more);
  if (!form.verdict) return { kind: 'good', ...parsed, json: true };
  const verdict = verdictOf(parsed.value);
  if (verdict) return { kind: 'good', ...parsed, json: true, verdict };
  const said = field(parsed.value, 'verdict');
  if (said === undefined) return bad('reply.no-verdict', [{ path: 'verdict', reason: MISSING }]);
  return bad('reply.no-verdict', [{ path: 'verdict', reason: `must be ${VERDICT_WORDS.join(', ')}, not ${JSON.stringify(said)}` }]);
}

/** The `missing_fields` of an unusable reply: every faulty place. */
export function missingFieldsOf({ faults }: Pick<InvalidReply, 'faults'>): string[] {
  return [...new Set(faults.map(({ path }) => path))];
}

/** One line that names the faults. */
export function describeInvalid(bad: InvalidReply): string {
  const { faults } = bad;
  const missing = faults.filter(isMissingField).map(({ path }) => path);
  const others = faults.filter((fault) => !isMissingField(fault)).map(describeFault);
  if (bad.more !== undefined) others.push(bad.more);
  return [...(missing.length > 0 ? [`missing fields: ${missing.join(', ')}`] : []), ...others].join('; ');
}

/** The request for a repair. */
export function repairPrompt(bad: InvalidReply, { json, handOff }: Pick<ReplyForm, 'json' | 'handOff'>): string {
  const faults = bad.faults.map((fault) => `- ${describeFault(fault)}`);
  // The whole reply is no field of it.
  const fields = missingFieldsOf(bad).filter((path) => path !== WHOLE_REPLY);
  const list = fields.length > 0 ? [`missing_fields: ${JSON.stringify(fields)}`] : [];
  const more = bad.more === undefined ? [] : [`- ${bad.more}`];
  return [
    'Your reply cannot be used.',
    ...list,
    ...faults,
    ...more,
    `Send the whole answer again, complete${json ? ', as one JSON object and nothing else' : handOff ? ', with one fenced `json` block at its end' : ''}.`,
  ].join('\n');
}

function bad(code: InvalidReply['code'], faults: Fault[], more?: string): CheckedReply {
  return { kind: 'bad', code, faults: firstFaults(faults), ...defined({ more }) };
}

/** A block of JSON and nothing next to it. */
const FENCE_BEGIN = /^```(?:[ \t]*(?:json|JSON))?[ \t]*\r?\n/;
const FENCE_END = /\n[ \t]*```$/;

/**
 * The reply as JSON: the whole of it, or one fenced block that is the whole of it. With text next to either it is not JSON
 * (docs/protocol.md).
 */
function parseReply(reply: string): { text: string; value: Json } | undefined {
  const whole = withoutMark(reply).trim();
  const inner = FENCE_BEGIN.test(whole) && FENCE_END.test(whole) ? whole.replace(FENCE_BEGIN, '').replace(FENCE_END, '').trim() : whole;
  return parseJson(inner);
}

/** Text next to an object would be lost, so the reply is requested again (docs/protocol.md). */
function whyNotJson(reply: string): string {
  const inner = reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1);
  return inner.length < reply.trim().length && parseJson(inner)
    ? 'has text next to its JSON: the answer must be the object alone'
    : 'is not JSON';
}

/** Undefined if the text is not JSON, or is nested too deeply to go through. */
function parseJson(text: string): { text: string; value: Json } | undefined {
  const value = parseUntrustedJson(text);
  return value === undefined ? undefined : { text, value };
}

function undeliverableIn(reply: Json, { delivered }: ReplyForm): Fault[] {
  return delivered ? undeliverable(reply, delivered) : [];
}

/** Work without a known author could not be fixed by the right one. */
function unknownTarget(reply: Json, { targets }: ReplyForm): Fault[] {
  const named = field(reply, 'revise_target');
  const isNone = named === undefined || named === null || (typeof named === 'string' && named.trim() === '');
  if (targets === undefined || isNone || (typeof named === 'string' && targets.includes(named))) return [];
  if (verdictOf(reply)?.verdict !== 'revise') return [];
  return [{ path: 'revise_target', reason: `must be a step or an agent before the review: ${targets.join(', ')}` }];
}
