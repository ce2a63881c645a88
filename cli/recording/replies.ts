import type { Reply } from '../../activities/agent/reply';
import { replyFromTurns } from '../../activities/agent/reply-from-turns';
import type { ScriptedCall, ScriptedOutcome, ScriptedReply } from '../../plan/agents/script';
import type { ToolCall } from '../../plan/agents/tool';
import { builtInTool } from '../../plan/agents/tool-names';
import { addUsage, settledUsages, TOKEN_KINDS, type Usage } from '../../plan/budgets/usage';
import { defined, unlessEmpty } from '../../plan/defined';
import { FAILURES, isFailureCode } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import { canonicalText, jsonIn, jsonText, parseJson } from '../../plan/text/json-text';
import type { RecordedCall } from '../../records/transcripts/recorded-call';
import { type Turn, turnsOfRequest } from '../../records/transcripts/turn';
import type { CallPlace } from './call-place';

/**
 * The replies of a call, as a script gives them: one for each request, with all tool calls that the agent made before its reply. Delays are
 * left out, and so are tries that Temporal repeated until one worked.
 *
 * Invariants: 1. a reply is played back to the letter, so its result is the same; 2. what reaches beyond the run is never done again: its
 * result is in the script.
 *
 * @param fate why a request has no reply, if the call's own record does not say
 */
export function scriptedReplies(
  { asks, failed }: RecordedCall,
  { place }: CallPlace,
  fate: (ask: number) => ScriptedOutcome | undefined = () => undefined,
): ScriptedReply[] {
  const at = { round: place.round, try: place.try, ...(place.iterations.length > 0 ? { iteration: [...place.iterations] } : {}) };
  const failure = failed && failureOf(failed);
  if (asks.length === 0) return failure ? [{ ...at, reply: failure }] : [];
  return asks.map((all, i): ScriptedReply => {
    const turns = turnsOfRequest(all);
    const last = replyFromTurns(turns);
    const calls = callsIn(turns);
    const usage = usageIn(turns);
    return {
      ...{ ...at, ask: i + 1 },
      ...defined({ calls: unlessEmpty(calls) }),
      ...(last ? outcomeOf(last) : { reply: failure ?? fate(i + 1) ?? { kind: 'hang' } }),
      ...(usage && last ? { usage } : {}),
    };
  });
}

/** As data if that gives the same text. */
function outcomeOf({ text, cut }: Reply): Pick<ScriptedReply, 'reply' | 'cut'> {
  if (cut) return { reply: { kind: 'text', text }, cut: true };
  const value = jsonIn(text);
  return { reply: value !== undefined && givenBack(value) === text ? { kind: 'json', value } : { kind: 'text', text } };
}

/** How a script plays `json` back: it is stored with its keys in order. */
function givenBack(value: Json): string {
  return jsonText(parseJson(canonicalText(value)), { step: '  ' });
}

function failureOf({ code, message }: NonNullable<RecordedCall['failed']>): ScriptedOutcome | undefined {
  return isFailureCode(code) ? { kind: 'fail', code, message: message || FAILURES[code].doc } : undefined;
}

/** Calls in the order in which they were made. One without a result is made again when the script is played. */
function callsIn(turns: readonly Turn[]): ScriptedCall[] {
  const results = new Map(turns.flatMap((turn) => (turn.role === 'tool' && turn.call ? [[turn.call.id, turn] as const] : [])));
  return turns
    .flatMap(({ calls = [] }) => calls)
    .map((call): ScriptedCall => {
      // A script's args are a mapping; any others were refused, and are again.
      const { tool } = call;
      const args = isJsonObject(call.args) ? call.args : {};
      const result = results.get(call.id);
      if (!result || staysInRun(call)) return { tool, args };
      return { tool, args, result: { text: result.text, ...defined({ refused: result.refused }) } };
    });
}

/** Whether the call can be made again when the script is played, and must be: the run's next steps may depend on it. */
function staysInRun({ tool }: ToolCall): boolean {
  const known = builtInTool(tool);
  return known !== undefined && !('listedOnly' in known);
}

/** The usage of the whole request; zero values are left out. */
function usageIn(turns: readonly Turn[]): Partial<Usage> | undefined {
  const sum = settledUsages(turns.flatMap(({ usage }) => (usage ? [usage] : []))).reduce<Usage | undefined>(addUsage, undefined);
  if (!sum) return undefined;
  const counts = TOKEN_KINDS.filter((kind) => sum[kind] > 0).map((kind) => [kind, sum[kind]]);
  return { ...Object.fromEntries(counts), costMicroUsd: sum.costMicroUsd };
}
