import { field, type Json } from '../../../plan/json';
import { replyFits, type Script, type ScriptedReply } from '../../../plan/script';
import { unreachable } from '../../../plan/unreachable';
import { blocksOf } from './check-body';
import { call, fail, type Served, say, sayJson } from './served';
import type { Received, Serve } from './server';

/**
 * The replies of a script (`pipelines/scripts/*.yaml`, read and merged) as a model gives them: found by the step in the idempotency key,
 * `workflow/run/address/ask/turn`. Its delays are left out. What it makes a step fail with is an answer of the API that leads there.
 */
export function replyFromScript(script: Script): Serve {
  return (request) => {
    const entry = scriptedReplyFor(script, request.idempotencyKey);
    return entry ? servedOf(entry, request) : fail(500, `the script has no reply for ${request.idempotencyKey}`);
  };
}

const KEY = /^[^/]+\/[^/]+\/([^#~]+)#(\d+)~(\d+)(?:\/.*?)?\/(\d+)\/\d+$/;

/** For servers of other families too. */
export function scriptedReplyFor({ replies }: Script, idempotencyKey: string): ScriptedReply | undefined {
  const [, path = '', round, again, ask] = KEY.exec(idempotencyKey) ?? [];
  const segments = path.split('/');
  const step = segments.at(-1)?.replace(/\[\d+\]$/, '') ?? '';
  const iterations = segments.flatMap((segment) => /\[(\d+)\]$/.exec(segment)?.[1] ?? []).map(Number);
  const entries = replies[step] ?? replies[`${step}.critic`];
  return entries?.find((entry) => replyFits(entry, { round: Number(round), try: Number(again), ask: Number(ask), iterations }));
}

function servedOf({ reply, calls = [], usage = {} }: ScriptedReply, { body }: Received): Served {
  const next = calls[resultsOf(body)];
  if (next) return call([next.tool, next.args]);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const used = {
    ...(inputTokens === undefined ? {} : { input: inputTokens }),
    ...(outputTokens === undefined ? {} : { output: outputTokens }),
    ...(cacheReadTokens === undefined ? {} : { cacheRead: cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWrite: cacheWriteTokens }),
  };
  switch (reply.kind) {
    case 'json':
      return sayJson(reply.value, { usage: used });
    case 'text':
      return say(reply.text, { usage: used });
    case 'hang':
      return { kind: 'silence' };
    case 'fail':
      return failing(reply.code, reply.message, reply.retryAfterMs);
    default:
      return unreachable(reply);
  }
}

function failing(code: string, message: string, retryAfterMs: number | undefined): Served {
  switch (code) {
    case 'model.overloaded':
      return fail(529, message, retryAfterMs === undefined ? {} : { headers: { 'retry-after-ms': String(retryAfterMs) } });
    case 'model.refused':
      return say(message, { stop: 'refusal' });
    case 'model.bad-request':
      return fail(400, message);
    case 'model.unauthorized':
      return fail(401, message);
    case 'agent.timeout':
    case 'agent.stuck':
      return { kind: 'silence' };
    default:
      return fail(500, message);
  }
}

/** Of the request that is under way. */
function resultsOf(body: Json): number {
  const messages = [field(body, 'messages') ?? []].flat();
  const blocks = messages.map((message) => blocksOf(message).map((block) => field(block, 'type')));
  const asked = blocks.findLastIndex((types, at) => field(messages[at], 'role') === 'user' && types.includes('text'));
  return blocks
    .slice(asked + 1)
    .flat()
    .filter((type) => type === 'tool_result').length;
}
